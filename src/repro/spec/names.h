#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "repro/spec/spec.h"

namespace repro {

// The JSON spellings of the spec's enums; "" for a value that is no enumerator.
std::string_view name_of(DataType value);
std::string_view name_of(NoiseType value);
std::string_view name_of(ResizeMethod value);
std::string_view name_of(Scale value);
std::string_view name_of(Normalization value);
std::string_view name_of(LayerType value);
std::string_view name_of(Initializer value);
std::string_view name_of(LossType value);
std::string_view name_of(OptimizerType value);
std::string_view name_of(LastBatch value);
std::string_view name_of(Shuffle value);
std::string_view name_of(EngineType value);
std::string_view name_of(MemoryFormat value);
std::string_view name_of(DeterminismMode value);
std::string_view name_of(Isolation value);

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E e) {
  { name_of(e) } -> std::same_as<std::string_view>;
};

// All enumerators in order. Precondition: they are numbered 0, 1, ...
template <NamedEnum E>
std::vector<E> enum_values() {
  std::vector<E> out;
  for (int i = 0; !name_of(static_cast<E>(i)).empty(); ++i) out.push_back(static_cast<E>(i));
  return out;
}

template <NamedEnum E>
std::vector<std::string> enum_names() {
  std::vector<std::string> out;
  for (const E value : enum_values<E>()) out.emplace_back(name_of(value));
  return out;
}

}  // namespace repro
