#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "repro/spec/json_value.h"
#include "repro/spec/visitor.h"

namespace repro {

// A member of a spec struct as JSON: encode_value(member) for every type that members have.

inline JsonValue encode_value(bool value) { return json(value); }
inline JsonValue encode_value(std::int64_t value) { return json(value); }
inline JsonValue encode_value(std::uint32_t value) { return json(value); }
inline JsonValue encode_value(double value) { return json(value); }
inline JsonValue encode_value(const std::string& value) { return json(std::string_view(value)); }
inline JsonValue encode_value(const Padding& value) {
  return value.same ? json(std::string_view("same")) : json(value.amount);
}
template <NamedEnum E>
JsonValue encode_value(E value) {
  return json(name_of(value));
}
template <SpecStruct T>
JsonValue encode_value(const T& value);

template <class T>
JsonValue encode_value(const std::optional<T>& value) {
  return value ? encode_value(*value) : JsonValue{};
}

template <class T>
JsonValue encode_list(const T& values) {
  JsonValue out = json_array();
  for (const auto& value : values) out.items.push_back(encode_value(value));
  return out;
}
inline JsonValue encode_value(const std::array<std::int64_t, 2>& value) { return encode_list(value); }
inline JsonValue encode_value(const std::vector<LayerSpec>& value) { return encode_list(value); }

class EncodingVisitor {
 public:
  explicit EncodingVisitor(JsonValue& object) : object_(object) {}
  template <class T>
  void operator()(const Field& field, const T& member) {
    object_.keys.emplace_back(field.key);
    object_.items.push_back(encode_value(member));
  }
  template <class T>
  void operator()(const Field& field, const T& member, const T&) {
    (*this)(field, member);
  }

 private:
  JsonValue& object_;
};

template <SpecStruct T>
JsonValue encode_value(const T& value) {
  JsonValue out = json_object();
  EncodingVisitor visitor(out);
  visit(value, visitor);
  return out;
}

}  // namespace repro
