#include "repro/audit/plan.h"

#include <catch2/catch_test_macros.hpp>

#include "support/tiny_spec.h"

namespace repro {
namespace {

AuditPlan plan(std::initializer_list<std::string_view> overrides = {}) {
  AuditPlan out;
  out.spec = tiny_spec(overrides);
  out.groups = planned_groups(out.spec.audit.determinism);
  return out;
}

TEST_CASE("groups come in MATLAB's order") {
  const auto both = planned_groups(DeterminismMode::both);
  REQUIRE(both.size() == 2);
  CHECK(both[0].name == "default");
  CHECK(both[1].name == "deterministic");
  CHECK(planned_groups(DeterminismMode::off).front().name == "default");
}

TEST_CASE("tunables are appended to the user's, and the user's own values win") {
  const auto tunables = [](const std::string& users) {
    return worker_environment(plan(), true, {{"GLIBC_TUNABLES", users}}).at("GLIBC_TUNABLES");
  };
  CHECK(tunables("").starts_with("glibc.malloc.mmap_threshold=4294967296:"));
  CHECK(tunables("glibc.malloc.check=3").starts_with("glibc.malloc.check=3:glibc.malloc.mmap_threshold="));
  const std::string own = tunables("glibc.malloc.top_pad=1");
  CHECK(own.find("top_pad=1:") != std::string::npos);
  CHECK(own.find("top_pad=268435456") == std::string::npos);
}

TEST_CASE("cuBLAS's workspace is set for deterministic processes only") {
  CHECK(worker_environment(plan(), true, {}).at("CUBLAS_WORKSPACE_CONFIG") == ":4096:8");
  CHECK_FALSE(worker_environment(plan(), false, {}).contains("CUBLAS_WORKSPACE_CONFIG"));
  CHECK_THROWS_AS(worker_environment(plan(), true, {{"CUBLAS_WORKSPACE_CONFIG", "x"}}), Error);
  CHECK_NOTHROW(worker_environment(plan(), false, {{"CUBLAS_WORKSPACE_CONFIG", "x"}}));
}

TEST_CASE("a plan without a training step, or that one process cannot honour, is refused") {
  CHECK_NOTHROW(check_plan(plan()));
  CHECK_THROWS_AS(check_plan(plan({"/training/epochs=0"})), Error);
  CHECK_THROWS_AS(check_plan(plan({"/training/batch_size=161"})), Error);
  CHECK_NOTHROW(check_plan(plan({"/training/batch_size=161", "/training/last_batch=\"keep\""})));
  CHECK_THROWS_AS(
      check_plan(plan({"/execution/determinism/flush_denormal=true", "/audit/isolation=\"shared\""})), Error);
  CHECK_NOTHROW(check_plan(plan({"/execution/determinism/flush_denormal=true"})));
}

}  // namespace
}  // namespace repro
