#include "repro/environment/environment.h"
#include "repro_build_info.h"

namespace repro {

BuildFacts build_facts() {
  return {build_info::version, build_info::revision, build_info::compiler, REPRO_BUILD_FLAGS,
          build_info::build_type};
}

std::string build_identity() { return std::string(build_info::version) + "+" + build_info::revision; }

}  // namespace repro
