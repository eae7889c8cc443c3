#pragma once

#include <array>
#include <optional>
#include <type_traits>
#include <vector>

#include "repro/spec/fields.h"
#include "repro/spec/names.h"

namespace repro {

// What visitors of the field lists have in common.

// A struct with a field list.
struct NoVisitor {
  template <class... Arguments>
  void operator()(const Arguments&...) const {}
};
template <class T>
concept SpecStruct = requires(T& s, NoVisitor& v) { visit(s, v); };

// Structs whose keys depend on their key "type", and what one of them is called: "layer".
template <class T>
inline constexpr std::string_view noun_of_types = "";
template <>
inline constexpr std::string_view noun_of_types<DataSpec> = "data";
template <>
inline constexpr std::string_view noun_of_types<LayerSpec> = "layers";
template <class T>
inline constexpr bool has_types = !noun_of_types<T>.empty();

// Calls f(T) for a default T of each type; once for a struct without types.
template <SpecStruct T, class F>
void for_each_type(F&& f) {
  if constexpr (has_types<T>) {
    for (const auto type : enum_values<decltype(T::type)>()) {
      T value;
      value.type = type;
      f(value);
    }
  } else {
    f(T{});
  }
}

// The name of s.type where that decides about the keys, else "".
template <SpecStruct T>
std::string_view type_name(const T& s) {
  if constexpr (has_types<T>) return name_of(s.type);
  return {};
}

}  // namespace repro
