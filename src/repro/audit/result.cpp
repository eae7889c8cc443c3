#include "repro/audit/result.h"

namespace repro {

std::string run_name(const std::string& group, std::int64_t index) {
  return group + "-" + std::to_string(index);
}

std::string pair_text(const Comparison& comparison) {
  return run_name(comparison.group, comparison.candidate) + " against " +
         run_name(comparison.group, comparison.reference);
}

}  // namespace repro
