#include "repro/train/engine.h"

namespace repro {

float half_mse(const TensorView& output, const TensorView& target) {
  const auto left = output.values<float>();
  const auto right = target.values<float>();
  if (left.size() != right.size() || target.shape.empty()) {
    throw Error(ErrorKind::bug, "half_mse: the output has another size than the target");
  }
  double sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const double difference = static_cast<double>(left[i]) - static_cast<double>(right[i]);
    sum += difference * difference;
  }
  return static_cast<float>(sum / (2 * static_cast<double>(target.shape[0])));
}

}  // namespace repro
