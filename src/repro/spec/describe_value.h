#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repro/spec/description.h"
#include "repro/spec/encode_value.h"
#include "repro/spec/visitor.h"

namespace repro {

// The keys of T, for each of its types if it has types.
template <SpecStruct T>
std::vector<ObjectDescription> describe_objects();

// How the type of a member shows: overloads for every type that members have.
inline void describe_value(FieldDescription& d, bool) { d.kind = FieldDescription::Kind::boolean; }
inline void describe_value(FieldDescription& d, std::int64_t) { d.kind = FieldDescription::Kind::integer; }
inline void describe_value(FieldDescription& d, std::uint32_t) { d.kind = FieldDescription::Kind::integer; }
inline void describe_value(FieldDescription& d, double) { d.kind = FieldDescription::Kind::real; }
inline void describe_value(FieldDescription& d, const std::string&) { d.kind = FieldDescription::Kind::text; }
inline void describe_value(FieldDescription& d, const Padding&) { d.kind = FieldDescription::Kind::padding; }
inline void describe_value(FieldDescription& d, const std::array<std::int64_t, 2>&) {
  d.kind = FieldDescription::Kind::integer_pair;
}
template <NamedEnum E>
void describe_value(FieldDescription& d, E) {
  d.kind = FieldDescription::Kind::name;
  d.names = enum_names<E>();
}
template <SpecStruct T>
void describe_value(FieldDescription& d, const T&) {
  d.kind = FieldDescription::Kind::object;
  d.objects = describe_objects<T>();
}
template <SpecStruct T>
void describe_value(FieldDescription& d, const std::vector<T>&) {
  d.kind = FieldDescription::Kind::list;
  d.objects = describe_objects<T>();
}
template <class T>
void describe_value(FieldDescription& d, const std::optional<T>&) {
  describe_value(d, T{});
  d.nullable = true;
}

class DescribingVisitor {
 public:
  DescribingVisitor(ObjectDescription& object, std::string_view default_type)
      : object_(object), default_type_(default_type) {}

  template <class T>
  void operator()(const Field& field, const T& member) {
    FieldDescription d;
    d.key = field.key;
    d.help = field.help;
    d.unit = field.unit;
    d.required = field.required;
    d.range = field.range;
    d.rule = field.rule;
    d.default_text = field.default_text;
    describe_value(d, member);
    if (d.key == "type" && !object_.type.empty()) {
      d.names = {object_.type};
      // Only the type that is the default may be left out.
      d.required |= object_.type != default_type_;
    }
    const bool has_value =
        !d.required && d.default_text.empty() &&
        (d.nullable || (d.kind != FieldDescription::Kind::object && d.kind != FieldDescription::Kind::list));
    if (has_value) d.default_value = encode_value(member);
    object_.fields.push_back(std::move(d));
  }
  template <class T>
  void operator()(const Field& field, const T& member, const T&) {
    (*this)(field, member);
  }

 private:
  ObjectDescription& object_;
  std::string_view default_type_;
};

template <SpecStruct T>
std::vector<ObjectDescription> describe_objects() {
  std::vector<ObjectDescription> out;
  for_each_type<T>([&](const T& value) {
    ObjectDescription object;
    object.type = type_name(value);
    DescribingVisitor visitor(object, type_name(T{}));
    visit(value, visitor);
    out.push_back(std::move(object));
  });
  return out;
}

}  // namespace repro
