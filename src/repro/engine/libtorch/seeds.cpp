#include "repro/engine/libtorch/seeds.h"

#include <ATen/Context.h>
#include <ATen/core/Generator.h>

#include <mutex>

namespace repro {
namespace {

void seed_generator(at::Generator generator, std::uint32_t seed) {
  const std::lock_guard lock(generator.mutex());
  generator.set_current_seed(seed);
}

}  // namespace

void seed_generators(const SeedSpec& seed, const std::string& device) {
  at::Context& context = at::globalContext();
  seed_generator(context.defaultGenerator(at::kCPU), seed.cpu);
  if (device != "cpu") seed_generator(context.defaultGenerator(at::Device(device)), seed.gpu);
}

}  // namespace repro
