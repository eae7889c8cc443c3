// JUnit and Markdown.
#include <catch2/catch_test_macros.hpp>
#include <pugixml.hpp>

#include "repro/report/report.h"
#include "unit/report/sample_audit.h"

namespace repro {
namespace {

struct Counts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  bool operator==(const Counts&) const = default;
};

// Checks that every total says what stands below it, and returns those of the root.
Counts checked_counts(const std::string& xml) {
  pugi::xml_document document;
  REQUIRE(document.load_string(xml.c_str()));
  const auto totals_of = [](const pugi::xml_node& node) {
    return Counts{node.attribute("tests").as_int(), node.attribute("failures").as_int(),
                  node.attribute("errors").as_int(), node.attribute("skipped").as_int()};
  };
  Counts all;
  const pugi::xml_node root = document.child("testsuites");
  for (const pugi::xml_node suite : root.children("testsuite")) {
    Counts counted;
    for (const pugi::xml_node test : suite.children("testcase")) {
      ++counted.tests;
      counted.failures += !test.child("failure").empty();
      counted.errors += !test.child("error").empty();
      counted.skipped += !test.child("skipped").empty();
      CHECK_FALSE(std::string(test.attribute("name").value()).empty());
      CHECK_FALSE(std::string(test.attribute("classname").value()).empty());
    }
    CHECK(counted == totals_of(suite));
    all.tests += counted.tests;
    all.failures += counted.failures;
    all.errors += counted.errors;
    all.skipped += counted.skipped;
  }
  CHECK(all == totals_of(root));
  return all;
}

std::string junit_of(const AuditResult& audit, Expectation expectation = Expectation::identical) {
  return render_junit(audit, judge(audit, expectation));
}

TEST_CASE("JUnit: identical, different, both, failed") {
  const SampleWeights base = autoencoder_weights();
  SampleWeights other = base;
  perturb(other, "conv1.weight", 9, 1);
  SampleAudit sample;
  SECTION("identical") {
    sample.add_group("deterministic", {base, base});
    CHECK(checked_counts(junit_of(sample.audit)) == Counts{4, 0, 0, 0});
    CHECK(checked_counts(junit_of(sample.audit, Expectation::different)) == Counts{4, 1, 0, 0});
  }
  SECTION("different") {
    sample.add_group("deterministic", {base, other});
    CHECK(checked_counts(junit_of(sample.audit)) == Counts{4, 2, 0, 0});
    CHECK(checked_counts(junit_of(sample.audit, Expectation::different)) == Counts{4, 0, 0, 0});
  }
  SECTION("a difference in a group that does not decide fails nothing") {
    sample.add_group("default", {base, other});
    sample.add_group("deterministic", {base, base});
    CHECK(checked_counts(junit_of(sample.audit)) == Counts{7, 0, 0, 1});
  }
  SECTION("a failed run is an error and its comparison is skipped") {
    sample.add_group("deterministic", {base, base, base});
    sample.fail_last_run("deterministic", "killed", {"a \x01 <&> ]]> \xEF\xBF\xBF line"});
    const std::string xml = junit_of(sample.audit);
    CHECK(checked_counts(xml) == Counts{6, 0, 2, 1});
    CHECK(xml.find('\x01') == std::string::npos);
    CHECK(xml.find("\xEF\xBF\xBF") == std::string::npos);
    CHECK(xml.find("timestamp=\"2026-11-30T15:00:00\"") != std::string::npos);
  }
}

TEST_CASE("Markdown shows the differences and stays a table whatever names hold") {
  SampleWeights base = autoencoder_weights();
  base.push_back({"a|b`c\n# <script>", Role::learnable, base[1].tensor});
  SampleWeights other = base;
  perturb(other, "a|b`c\n# <script>", 4, 1);
  SampleAudit sample;
  sample.add_group("default", {base, other});
  const std::string text = render_markdown(sample.audit, judge(sample.audit, Expectation::identical));
  CHECK(text.starts_with("# digits: different\n"));
  CHECK(text.find("<script>") == std::string::npos);
  const std::size_t at = text.find("| <code>a&#124;b");
  REQUIRE(at != std::string::npos);
  const std::string line = text.substr(at, text.find('\n', at) - at);
  CHECK(std::count(line.begin(), line.end(), '|') == 8);
  CHECK(line.find("2 of 8") != std::string::npos);
  CHECK(text.find("`conv1.weight`") == std::string::npos);  // equal tensors are not listed
}

TEST_CASE("Markdown tells the first divergence and stays a table whatever names hold") {
  SampleAudit sample;
  sample.add_group("default", {autoencoder_weights(), autoencoder_weights()});
  const auto markdown = [&] {
    return render_markdown(sample.audit, judge(sample.audit, Expectation::identical));
  };
  CHECK(markdown().find("First divergence") == std::string::npos);
  Comparison& parted = sample.audit.comparisons[0];
  parted.divergence = sample_divergence(2, Phase::backward, "a|b.`c\n# <script>");
  parted.divergence->layer = "a|b`\n<script>";
  parted.divergence->operation = "x::|y\n<script>";
  parted.divergence->kind = SlotKind::result;
  surround(*parted.divergence);
  parted.difference_map = sample_map("conv1.weight", 3, 4);
  sample.audit.localization.emplace();
  const std::string text = markdown();
  CHECK(
      text.find("\n## First divergence\n\n### Repeated with operation traces\n\nthe difference did not show "
                "again\n") != std::string::npos);
  CHECK(text.find("\n### default-1 against default-0\n\nstep 2 (epoch 1, batch 2), backward") !=
        std::string::npos);
  CHECK(text.find("- over the steps: 3 of 10 states differ in some step of 0 to 4, the first in step 2\n") !=
        std::string::npos);
  CHECK(text.find("<script>") == std::string::npos);
  for (const char* mark : {"\n| equal |", "\n| **different** |", "\n| only in the reference |"}) {
    const std::size_t at = text.find(mark);
    REQUIRE(at != std::string::npos);
    const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    CHECK(std::count(line.begin(), line.end(), '|') == 7);
    CHECK(line.ends_with("| float32 8x1x3x3 |"));
  }
}

}  // namespace
}  // namespace repro
