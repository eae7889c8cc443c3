// spec check | show | schema, and every example config.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/fake_audit.h"

namespace repro {
namespace {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("every example config is valid, and shows as a spec that is valid again") {
  const std::string name = GENERATE("digits.json", "mnist.json", "lookup.json", "tiny.json");
  const FakeAudit audit;
  const CliResult checked = audit.cli()({"spec", "check", config(name)});
  INFO(checked.err);
  CHECK(checked.code == 0);
  CHECK_THAT(checked.out, ContainsSubstring("valid"));
  const CliResult shown = audit.cli()({"spec", "show", config(name)});
  CHECK(shown.code == 0);
  const CliResult again = audit.cli()({"spec", "show", "-"}, shown.out);
  CHECK(again.out == shown.out);
}

TEST_CASE("digits.json is the reference experiment") {
  const FakeAudit audit;
  const CliResult result = audit.cli()({"spec", "check", config("digits.json")});
  CHECK_THAT(result.out, ContainsSubstring("14 learnable tensors, 12,609 values"));
}

TEST_CASE("spec check names the layer that does not fit, and --set changes the spec") {
  const FakeAudit audit;
  const CliResult result = audit.cli()({"spec", "check", config("tiny.json"), "--set",
                                        "/input/resize/size=[2,2]", "--set", "/model/layers/5/kernel=3"});
  CHECK(result.code == 2);
  CHECK_THAT(result.err, ContainsSubstring("/model/layers/5") && ContainsSubstring("conv2"));
}

TEST_CASE("exit codes of the spec commands") {
  const FakeAudit audit;
  CHECK(audit.cli()({"spec", "check", "nowhere.json"}).code == 4);
  CHECK(audit.cli()({"spec", "check", "-"}, "[]").code == 2);
  CHECK(audit.cli()({"spec", "show", "-"}, "").code == 2);
  CHECK(audit.cli()({"spec"}).code == 2);
  CHECK(audit.cli()({"spec", "schema"}).out ==
        read_text_file(fs::path(REPRO_SOURCE_DIR) / "docs/spec.schema.json"));
}

}  // namespace
}  // namespace repro
