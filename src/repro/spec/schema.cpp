#include "repro/spec/decode.h"
#include "repro/spec/description.h"
#include "repro/spec/json_value.h"

namespace repro {
namespace {

using Kind = FieldDescription::Kind;

JsonValue schema_of(const FieldDescription& field);

JsonValue string_array(const std::vector<std::string>& values) {
  JsonValue out = json_array();
  for (const std::string& value : values) out.items.push_back(json(value));
  return out;
}

void set_type(JsonValue& schema, std::string_view type, bool nullable) {
  if (!nullable) return set_member(schema, "type", json(type));
  set_member(schema, "type", string_array({std::string(type), "null"}));
}

void set_range(JsonValue& schema, const std::optional<Range>& range) {
  if (!range) return;
  set_member(schema, range->low_open ? "exclusiveMinimum" : "minimum", json(range->low));
  set_member(schema, range->high_open ? "exclusiveMaximum" : "maximum", json(range->high));
}

JsonValue integer_schema(const std::optional<Range>& range) {
  JsonValue out = json_object();
  set_type(out, "integer", false);
  set_range(out, range);
  return out;
}

// Adds the keywords of an object that has exactly these fields.
void set_fields(JsonValue& schema, const ObjectDescription& object) {
  JsonValue properties = json_object();
  std::vector<std::string> required;
  for (const FieldDescription& field : object.fields) {
    set_member(properties, field.key, schema_of(field));
    if (field.required) required.push_back(field.key);
  }
  set_member(schema, "properties", std::move(properties));
  if (!required.empty()) set_member(schema, "required", string_array(required));
  set_member(schema, "additionalProperties", json(false));
}

void set_objects(JsonValue& schema, const FieldDescription& field) {
  set_type(schema, "object", field.nullable);
  if (field.objects.size() == 1) return set_fields(schema, field.objects.front());
  JsonValue alternatives = json_array();
  for (const ObjectDescription& object : field.objects) {
    JsonValue alternative = json_object();
    set_member(alternative, "title", json(object.type));
    set_fields(alternative, object);
    alternatives.items.push_back(std::move(alternative));
  }
  set_member(schema, "oneOf", std::move(alternatives));
}

void set_list(JsonValue& schema, const FieldDescription& field) {
  set_type(schema, "array", field.nullable);
  if (field.range) {
    set_member(schema, "minItems", json(field.range->low));
    set_member(schema, "maxItems", json(field.range->high));
  }
  FieldDescription element = field;
  element.nullable = false;
  JsonValue items = json_object();
  set_objects(items, element);
  set_member(schema, "items", std::move(items));
}

void set_names(JsonValue& schema, const FieldDescription& field) {
  JsonValue names = string_array(field.names);
  if (field.nullable) names.items.emplace_back();
  set_member(schema, "enum", std::move(names));
}

void set_padding(JsonValue& schema, const FieldDescription& field) {
  JsonValue same = json_object();
  set_member(same, "const", json("same"));
  JsonValue either = json_array();
  either.items = {std::move(same), integer_schema(field.range)};
  set_member(schema, "oneOf", std::move(either));
}

void set_pair(JsonValue& schema, const FieldDescription& field) {
  set_type(schema, "array", field.nullable);
  set_member(schema, "items", integer_schema(field.range));
  set_member(schema, "minItems", json(2));
  set_member(schema, "maxItems", json(2));
}

void set_value(JsonValue& schema, const FieldDescription& field) {
  switch (field.kind) {
    case Kind::boolean: return set_type(schema, "boolean", field.nullable);
    case Kind::integer: set_type(schema, "integer", field.nullable); break;
    case Kind::real: set_type(schema, "number", field.nullable); break;
    case Kind::text:
      set_type(schema, "string", field.nullable);
      if (field.rule) set_member(schema, "pattern", json(field.rule->pattern));
      return;
    case Kind::name: return set_names(schema, field);
    case Kind::padding: return set_padding(schema, field);
    case Kind::integer_pair: return set_pair(schema, field);
    case Kind::object: return set_objects(schema, field);
    case Kind::list: return set_list(schema, field);
  }
  set_range(schema, field.range);
}

JsonValue schema_of(const FieldDescription& field) {
  JsonValue schema = json_object();
  if (!field.help.empty()) set_member(schema, "description", json(field.help));
  set_value(schema, field);
  if (field.default_value) set_member(schema, "default", *field.default_value);
  return schema;
}

}  // namespace

std::string spec_schema() {
  const JsonValue body = schema_of(describe_spec());
  JsonValue out = json_object();
  set_member(out, "$schema", json("https://json-schema.org/draft/2020-12/schema"));
  set_member(out, "title", json("repro-train spec"));
  for (std::size_t i = 0; i < body.keys.size(); ++i) set_member(out, body.keys[i], body.items[i]);
  return pretty_text(out);
}

}  // namespace repro
