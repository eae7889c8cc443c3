#include <cmath>

#include "repro/base/random.h"
#include "repro/model/model.h"

namespace repro {

Tensor initial_value(const Parameter& parameter, std::uint32_t seed) {
  Tensor out(DType::float32, parameter.shape);
  if (parameter.kind == ParameterKind::bias) return out;
  // IEEE 754 demands that division and square root are correctly rounded, so b is the same
  // everywhere.
  const double bound = std::sqrt(6.0 / static_cast<double>(parameter.fan_in + parameter.fan_out));
  RandomStream stream(seed, "init/" + parameter.name);
  for (float& value : out.values<float>()) {
    value = static_cast<float>((2 * stream.unit24() - 1) * bound);
  }
  return out;
}

}  // namespace repro
