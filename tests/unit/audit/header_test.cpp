#include <catch2/catch_test_macros.hpp>

#include "repro/audit/directory.h"

namespace repro {
namespace {

AuditHeader header() {
  AuditHeader out;
  out.state = AuditState::interrupted;
  out.tool_version = "1.2.3";
  out.argv = {"repro-train", "--config", "a \"b\".json"};
  out.started = "2026-11-30T15:00:00Z";
  out.device = "cuda:1";
  out.device_line = "NVIDIA H200 selected.";
  out.rule = "ulp=4";
  out.filter.only = {"conv*"};
  out.filter.ignore = {"*.bias"};
  out.filter.scope = Filter::Scope::buffers;
  out.expect_different = true;
  out.isolation = "shared";
  out.runs = 7;
  out.groups = {{"default", false}, {"deterministic", true}};
  out.warnings = {"hot"};
  return out;
}

TEST_CASE("audit.json says everything again") {
  const std::string text = encode_header(header());
  const AuditHeader back = decode_header(text, "audit.json");
  CHECK(encode_header(back) == text);
  CHECK(back.state == AuditState::interrupted);
  CHECK(back.filter.scope == Filter::Scope::buffers);
  CHECK(back.expect_different);
  REQUIRE(back.groups.size() == 2);
  CHECK_FALSE(back.groups[0].deterministic);
  CHECK(back.groups[1].deterministic);
}

TEST_CASE("a truncated audit.json is an error at every length") {
  const std::string text = encode_header(header());
  for (std::size_t n = 0; n + 2 < text.size(); ++n) {
    INFO(n);
    CHECK_THROWS_AS(decode_header(text.substr(0, n), "audit.json"), Error);
  }
}

}  // namespace
}  // namespace repro
