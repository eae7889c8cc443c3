#include <algorithm>
#include <set>
#include <span>

#include "repro/base/text.h"
#include "repro/spec/decode.h"
#include "repro/spec/description.h"
#include "repro/spec/documentation_text.h"
#include "repro/spec/json_pointer.h"

namespace repro {
namespace {

using Kind = FieldDescription::Kind;

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string names_text(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(code("\"" + name + "\""));
  return join(quoted, ", ");
}

// What a value may be: "integer, 0 to 1000000".
std::string allowed_text(const FieldDescription& field) {
  const std::string range = field.range ? range_text(*field.range) : "";
  switch (field.kind) {
    case Kind::boolean: return "`true`, `false`";
    case Kind::integer: return "integer, " + range;
    case Kind::real: return "number, " + range;
    case Kind::text: return "text: " + (field.rule ? std::string(field.rule->text) : "any");
    case Kind::name: return names_text(field.names);
    case Kind::padding: return "`\"same\"` or integer, " + range;
    case Kind::integer_pair: return "[rows, columns], integers, each " + range;
    case Kind::object: return "object";
    case Kind::list: return "array of " + range + " objects";
  }
  return {};
}

std::string default_text(const FieldDescription& field) {
  if (field.required) return "**required**";
  if (field.default_value) return code(compact_text(*field.default_value));
  return field.default_text;
}

// A table cell: a bar would end it.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) (c == '|' ? out += '\\' : out) += c;
  return out;
}

std::string table_of(std::span<const FieldDescription> fields) {
  std::string out = "| key | allowed | default | meaning |\n|---|---|---|---|\n";
  for (const FieldDescription& field : fields) {
    const std::string null = field.nullable ? ", or `null`" : "";
    const std::string unit = field.unit.empty() ? "" : " (" + field.unit + ")";
    out += "| " + code(field.key) + " | " + cell(allowed_text(field) + null + unit) + " | " +
           cell(default_text(field)) + " | " + cell(field.help) + " |\n";
  }
  return out + "\n";
}

// Objects of several types: the keys that all have, once, and `rest`, the others of each type.
ObjectDescription common_fields(const std::vector<ObjectDescription>& objects,
                                std::vector<ObjectDescription>& rest) {
  ObjectDescription common;
  rest = objects;
  for (const FieldDescription& field : objects.front().fields) {
    const auto is_field = [&](const FieldDescription& other) { return other.key == field.key; };
    const auto has_field = [&](const ObjectDescription& object) {
      return std::any_of(object.fields.begin(), object.fields.end(), is_field);
    };
    if (!std::all_of(objects.begin(), objects.end(), has_field)) continue;
    common.fields.push_back(field);
    for (ObjectDescription& object : rest) std::erase_if(object.fields, is_field);
    if (field.key != "type") continue;
    common.fields.back().names.clear();
    for (const ObjectDescription& object : objects) common.fields.back().names.push_back(object.type);
  }
  return common;
}

void write_types(const std::vector<ObjectDescription>& objects, std::string& out) {
  std::vector<ObjectDescription> rest;
  out += table_of(common_fields(objects, rest).fields);
  for (const ObjectDescription& object : rest) {
    out += "### " + code(object.type) + "\n\n";
    out += object.fields.empty() ? "No other keys.\n\n" : table_of(object.fields);
  }
}

// The sections for an object (a list: its elements) and, behind it, for the objects within it.
void write_object(const FieldDescription& parent, const std::string& pointer, std::string& out) {
  if (parent.objects.empty()) return;
  out += "## " + (pointer.empty() ? "The whole file" : code(pointer)) + "\n\n";
  if (!parent.help.empty()) out += parent.help + "\n\n";
  if (parent.objects.size() == 1) {
    out += table_of(parent.objects.front().fields);
  } else {
    write_types(parent.objects, out);
  }
  std::set<std::string> written;
  for (const ObjectDescription& object : parent.objects) {
    for (const FieldDescription& field : object.fields) {
      if (!written.insert(field.key).second) continue;
      const std::string below = child_pointer(pointer, field.key);
      write_object(field, field.kind == Kind::list ? below + "/<n>" : below, out);
    }
  }
}

}  // namespace

std::string spec_documentation() {
  std::string out(documentation_text::introduction);
  out += "## Example\n\nThe shortest useful spec:\n\n```json\n";
  out += documentation_text::example;
  out += "```\n\n`repro-train spec show` prints it with every default filled in:\n\n```json\n";
  out += encode_spec(decode_spec(documentation_text::example, "example"));
  out += "```\n\n";
  write_object(describe_spec(), "", out);
  out += documentation_text::relations;
  out += documentation_text::shapes;
  out += documentation_text::seeds;
  return out;
}

}  // namespace repro
