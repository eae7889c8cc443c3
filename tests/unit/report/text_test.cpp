#include <catch2/catch_test_macros.hpp>

#include "repro/report/report.h"
#include "repro/report/table.h"
#include "unit/report/sample_audit.h"

namespace repro {
namespace {

std::string text_of(const AuditResult& audit, TextOptions options = {}) {
  return render_text(audit, judge(audit, Expectation::identical), options);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("an identical audit in the terminal") {
  SampleAudit sample;
  sample.add_group("deterministic", {autoencoder_weights(), autoencoder_weights()});
  CHECK(text_of(sample.audit, {.report_path = "out/report.html"}) ==
        "group         runs tensors values differ |diff| ULP   step   peak verdict\n"
        "deterministic    2      14 12,609      0      0   0 131 ms 1.1 GB identical\n"
        "determinism: off -> on -> off (restored)\n"
        "report: out/report.html\n"
        "verdict: identical (deterministic, cpu, 2 runs, 14 tensors, 12609 values)\n");
  const std::string wide = text_of(sample.audit, {.width = 120});
  CHECK(has(wide, "different  max |diff|  max ULP"));
  CHECK(has(wide, "step  peak memory  verdict"));
}

TEST_CASE("both groups, a difference, the cost, the odd one out") {
  SampleAudit sample;
  SampleWeights other = autoencoder_weights();
  perturb(other, "conv1.weight", 9, 4);
  sample.add_group("default", {autoencoder_weights(), other, autoencoder_weights()});
  sample.add_group("deterministic", {autoencoder_weights(), autoencoder_weights(), autoencoder_weights()});
  sample.audit.groups[0].odd_ones = {1};
  sample.audit.determinism_cost = 1.18;
  sample.audit.comparisons[0].divergence = sample_divergence(12, Phase::backward, "conv1.weight");
  const std::string text = text_of(sample.audit);
  CHECK(has(text, "determinism: off -> off -> off (unchanged), default\n"));
  CHECK(has(text, "cost: determinism costs 1.18 times the step time (median)\n"));
  CHECK(has(text,
            "first divergence: step 12 (epoch 1, batch 12), backward, gradient of conv1.weight\n"
            "  | default-1 against default-0\n"));
  CHECK(has(text, "default: 2 distinct results in 3 runs; the odd one out is default-1\n"));
  CHECK(has(text, "deterministic: 3 equal runs; a deviation in 63 % of runs or more"));
  CHECK(has(text, " different\n"));
  CHECK(text.ends_with("verdict: identical (deterministic, cpu, 3 runs, 14 tensors, 12609 values)\n"));
  CHECK_FALSE(has(text, "\x1b"));
  CHECK(has(text_of(sample.audit, {.color = true}), "\x1b[31mdifferent\x1b[0m"));
}

TEST_CASE("a failed run, warnings and what was not restored") {
  SampleAudit sample;
  sample.add_group("deterministic", {autoencoder_weights(), autoencoder_weights(), autoencoder_weights()});
  sample.fail_last_run("deterministic", "killed by SIGKILL", {"last\x1b[31m line"});
  sample.audit.groups[0].settings[0].after = "true";
  sample.audit.warnings = {"something"};
  sample.audit.runs[0].passes_identical = false;
  sample.audit.comparisons[0].diff.ignored = 2;
  const std::string text = text_of(sample.audit);
  CHECK(has(text, "deterministic  2/3 "));
  CHECK(has(text, "off -> on -> on (NOT restored)"));
  CHECK(has(text, "run deterministic-2 failed: killed by SIGKILL\n  | last\\x1b[31m line\n"));
  CHECK(has(text, "warning: something\n"));
  CHECK(has(text, "warning: deterministic-0: the two prediction passes"));
  CHECK(has(text, "ignored: deterministic: 2 tensors left out"));
}

TEST_CASE("narrow terminals lose columns, not characters") {
  SampleAudit sample;
  sample.add_group("deterministic", {autoencoder_weights(), autoencoder_weights()});
  for (const int width : {20, 40, 60, 75}) {
    INFO(width);
    const std::string text = text_of(sample.audit, {.width = width});
    const std::string first_line = text.substr(0, text.find('\n'));
    CHECK(terminal_width(first_line) <= std::max(width, 38));
    CHECK(has(first_line, "verdict"));
    CHECK(has(first_line, "differ"));
  }
  CHECK(terminal_width("가a") == 3);
}

}  // namespace
}  // namespace repro
