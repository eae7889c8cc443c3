#pragma once

#include <algorithm>
#include <vector>

#include "repro/tensor/tensor.h"

namespace repro {

// A tensor of rank 1 with these elements; T is the bits or the value of the dtype.
template <class T>
Tensor tensor_of(DType dtype, std::vector<T> values) {
  Tensor tensor(dtype, {static_cast<std::int64_t>(values.size())});
  std::copy(values.begin(), values.end(), tensor.values<T>().begin());
  return tensor;
}
inline Tensor floats(std::vector<float> values) { return tensor_of(DType::float32, std::move(values)); }
inline Tensor doubles(std::vector<double> values) { return tensor_of(DType::float64, std::move(values)); }

}  // namespace repro
