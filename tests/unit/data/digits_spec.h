#pragma once

#include "repro/spec/spec.h"

namespace repro::test {

// The data and input parts of configs/digits.json.
inline Spec digits_spec(std::int64_t count = 1000) {
  Spec spec;
  spec.data.count = count;
  spec.input.noise.emplace();
  spec.input.resize = ResizeSpec{{32, 32}, ResizeMethod::bicubic};
  spec.input.scale = Scale::per_image;
  spec.input.rotate_90 = true;
  spec.input.normalization = Normalization::zerocenter;
  return spec;
}

}  // namespace repro::test
