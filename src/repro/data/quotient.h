#pragma once

#include <span>

namespace repro {

// The float nearest to numerator / divisor, ties to even: one rounding of the exact quotient, where
// double division followed by a conversion would sometimes round twice.
// Preconditions: integers; |numerator| < 2^53, 0 < divisor < 2^53. Exact zero gives +0.
float rounded_quotient(double numerator, double divisor);

// out[i] = rounded_quotient(numerators[i] - offset, divisor). Precondition: as above for each
// difference.
void rounded_quotients(std::span<const double> numerators, double offset, double divisor,
                       std::span<float> out);

}  // namespace repro
