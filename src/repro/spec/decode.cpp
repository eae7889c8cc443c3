#include "repro/spec/decode.h"

#include <algorithm>

#include "repro/spec/describe_value.h"
#include "repro/spec/json_pointer.h"
#include "repro/spec/read_value.h"
#include "repro/spec/strict_json.h"
#include "repro/spec/unknown_key.h"
#include "repro/spec/validate.h"
#include "repro/spec/visitor.h"

namespace repro {
namespace {

template <NamedEnum E>
bool read_value(const Place& place, E& out);
template <SpecStruct T>
bool read_value(const Place& place, T& out);
template <SpecStruct T>
bool read_value(const Place& place, std::vector<T>& out);
template <class T>
bool read_value(const Place& place, std::optional<T>& out);

std::string allowed_for_missing(const Field& field) {
  return field.range ? "; allowed: " + range_text(*field.range) : "";
}

// Reads the members of one JSON object into one spec struct.
class ObjectReader {
 public:
  ObjectReader(const Place& place, bool has_types)
      : object_(place.value), pointer_(place.pointer), mistakes_(place.mistakes), has_types_(has_types) {}

  template <class T>
  void operator()(const Field& field, T& member) {
    if (stopped_) return;
    known_.push_back(field.key);
    const JsonValue* value = find_member(object_, field.key);
    const std::string pointer = child_pointer(pointer_, field.key);
    bool good = true;
    if (value) {
      good = read_value(Place{field, *value, pointer, mistakes_}, member);
    } else if (field.required) {
      mistakes_.add(pointer, "missing; required" + allowed_for_missing(field));
      good = false;
    }
    // Without its type nothing can be said about the other keys.
    if (!good && has_types_ && field.key == "type") stopped_ = true;
  }
  template <class T>
  void operator()(const Field& field, T& member, const T& fallback) {
    member = fallback;
    (*this)(field, member);
  }

  // Reports the keys that no field has asked for.
  template <SpecStruct T>
  void finish(const T& read) {
    if (stopped_) return;
    for (std::size_t i = 0; i < object_.keys.size(); ++i) {
      const std::string& key = object_.keys[i];
      const bool known = std::find(known_.begin(), known_.end(), key) != known_.end();
      if (known) continue;
      // Looking for what was meant costs time; a list that is full does not show it.
      mistakes_.add(child_pointer(pointer_, key),
                    mistakes_.full()
                        ? ""
                        : unknown_key_message(key, describe_objects<T>(), type_name(read), noun_of_types<T>));
    }
  }

 private:
  const JsonValue& object_;
  const std::string& pointer_;
  Mistakes& mistakes_;
  bool has_types_;
  bool stopped_ = false;
  std::vector<std::string_view> known_;
};

template <NamedEnum E>
bool read_value(const Place& place, E& out) {
  std::size_t index = 0;
  if (!read_name(place, enum_names<E>(), index)) return false;
  out = enum_values<E>()[index];
  return true;
}

template <SpecStruct T>
bool read_value(const Place& place, T& out) {
  if (!is_object(place)) return false;
  ObjectReader reader(place, has_types<T>);
  visit(out, reader);
  reader.finish(out);
  return true;
}

template <SpecStruct T>
bool read_value(const Place& place, std::vector<T>& out) {
  if (!is_array(place)) return false;
  out.resize(place.value.items.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    read_value(Place{place.field, place.value.items[i], child_pointer(place.pointer, std::to_string(i)),
                     place.mistakes},
               out[i]);
  }
  return true;
}

template <class T>
bool read_value(const Place& place, std::optional<T>& out) {
  if (place.value.type == JsonValue::Type::null) {
    out.reset();
    return true;
  }
  T value{};
  if (!read_value(place, value)) return false;
  out = std::move(value);
  return true;
}

}  // namespace

Spec decode_spec(std::string_view json_text, std::string_view default_name,
                 std::span<const Override> overrides) {
  JsonDocument document = parse_strict_json(json_text, "the spec");
  Mistakes mistakes;
  for (const std::string& duplicate : document.duplicates) mistakes.add(duplicate, "duplicate key");
  for (const Override& change : overrides) apply_override(document.root, change, mistakes);

  Spec spec;
  spec.name = spec_name_rule.accepts(default_name) ? std::string(default_name) : "spec";
  const Field whole{.key = "", .help = ""};
  read_value(Place{whole, document.root, "", mistakes}, spec);
  if (!mistakes.any_below("/model/layers")) name_layers(spec.model.layers, mistakes);
  validate(spec, mistakes);
  mistakes.throw_if_any();
  return spec;
}

}  // namespace repro
