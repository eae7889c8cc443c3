#include <catch2/catch_test_macros.hpp>

#include "repro/report/report.h"
#include "unit/report/html_check.h"
#include "unit/report/sample_audit.h"

namespace repro {
namespace {

std::string html_of(const AuditResult& audit) {
  return render_html(audit, judge(audit, Expectation::identical));
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Two runs of a group that part in their traces.
void part(AuditResult& audit, std::size_t comparison, const std::string& tensor, int rows,
          std::int64_t last_step) {
  Comparison& parted = audit.comparisons[comparison];
  parted.divergence = sample_divergence(2, Phase::backward, tensor);
  surround(*parted.divergence);
  parted.difference_map = sample_map(tensor, rows, last_step);
}

TEST_CASE("the balance checker finds what is wrong") {
  CHECK(first_imbalance("<p><b>x</b></p>").empty());
  CHECK_FALSE(first_imbalance("<p><b>x</p></b>").empty());
  CHECK_FALSE(first_imbalance("<p>").empty());
}

TEST_CASE("an identical audit: a flat plot, no difference, pictures") {
  SampleAudit sample;
  sample.add_group("deterministic", {autoencoder_weights(), autoencoder_weights()});
  const std::string html = html_of(sample.audit);
  check_standalone(html);
  CHECK(html == html_of(sample.audit));
  CHECK(has(html, "all 72 differences are exactly 0"));
  CHECK(has(html, "Learnable parameter number"));
  CHECK(has(html, "Difference in weight value"));
  CHECK(count_of(html, "<path class=\"bar\"") == 0);
  CHECK(has(html, "17 tensors equal bit for bit"));
  CHECK(has(html, "equal bit for bit at every step"));
  CHECK(count_of(html, "data:image/png;base64,") == 30);
  CHECK(has(html, "off -&gt; on -&gt; off (restored)"));
}

TEST_CASE("a plot of the first learnable for each group, and of what differs") {
  SampleWeights other = autoencoder_weights();
  perturb(other, "conv1.weight", 9, 1);
  perturb(other, "conv3.weight", 9, 1);
  SampleAudit sample;
  sample.add_group("default", {autoencoder_weights(), autoencoder_weights(), other});
  sample.add_group("deterministic", {autoencoder_weights(), autoencoder_weights()});
  const std::string html = html_of(sample.audit);
  check_standalone(html);
  CHECK(has(html, "Every deterministic run gave the same result."));
  CHECK(count_of(html, "<svg class=\"chart\"") == 3 + 2 + 2);  // conv1 twice, conv3, predictions, losses
  CHECK(has(html, "default-0 minus default-2"));  // the comparison that differs, not the first one
  CHECK(has(html, "each bar spans the smallest to the largest of 3 values"));
  CHECK(has(html, "not equal at every step"));
}

TEST_CASE("two thousand tensors: 50 more plots, the rest is said to be left out") {
  const SampleWeights base = many_weights(2000);
  SampleWeights other = base;
  for (int i = 1; i < 71; ++i) perturb(other, base[static_cast<std::size_t>(i)].name, 7, 2);
  SampleAudit sample;
  sample.add_group("default", {base, other});
  const std::string html = html_of(sample.audit);
  check_standalone(html);
  CHECK(has(html, "Left out: 20 more differing tensors"));
  CHECK(has(html, "1,932 tensors equal bit for bit"));
  CHECK(html.size() < 2'000'000);
}

TEST_CASE("names from files stay text") {
  SampleWeights base = autoencoder_weights();
  base.push_back({"<script>alert('1')</script>\x1b", Role::learnable, base[1].tensor});
  SampleWeights other = base;
  perturb(other, base.back().name, 4, 1);
  SampleAudit sample;
  sample.add_group("default", {base, other, base});
  sample.audit.name = "<img src=x onerror=alert(1)>";
  sample.audit.warnings = {"</ul><script>"};
  sample.audit.spec_json = "{\"a\": \"</pre><script>\"}";
  sample.audit.argv = {"--x", "<script>"};
  sample.fail_last_run("default", "<script>", {"</pre><script>"});
  part(sample.audit, 0, "<script>\"' onload=\x1b", 3, 4);
  sample.audit.comparisons[0].divergence->layer = "</table><script>";
  sample.audit.comparisons[0].divergence->operation = "\"><script>::x";
  sample.audit.localization.emplace();
  sample.audit.localization->group = sample.audit.localization->failure = "<script>";
  sample.audit.localization->divergence = sample.audit.comparisons[0].divergence;
  surround(*sample.audit.localization->divergence);
  std::string html = html_of(sample.audit);
  CHECK(has(html, "&lt;img src=x onerror=alert"));
  CHECK(has(html, "&lt;script&gt;&quot;&#39; onload="));
  for (const std::string escaped : {"src=x onerror=alert", " onload="}) {  // harmless as text
    for (std::size_t at; (at = html.find(escaped)) != std::string::npos;) html.erase(at, escaped.size());
  }
  check_standalone(html);
  CHECK_FALSE(has(html, "\x1b"));
}

TEST_CASE("the first divergence: place, what is around it, and what differs over the steps") {
  SampleAudit sample;
  sample.add_group("default", {autoencoder_weights(), autoencoder_weights(), autoencoder_weights()});
  sample.add_group("deterministic", {autoencoder_weights(), autoencoder_weights()});
  CHECK_FALSE(has(html_of(sample.audit), "First divergence"));
  part(sample.audit, 0, "conv1.weight", 3, 4);
  part(sample.audit, 1, "conv1.weight", 3, 4);
  const std::string html = html_of(sample.audit);
  check_standalone(html);
  CHECK(html.find("id=\"divergence\"") < html.find("id=\"differences\""));
  CHECK(has(html, "<h3>default-1 against default-0 <span class=\"none\">does not decide</span></h3>"));
  CHECK(has(html, "step 2 (epoch 1, batch 2), backward, gradient of conv1.weight"));
  CHECK(has(html, "<dt>last equal</dt><dd>step 2, backward, gradient of conv1.weight</dd>"));
  CHECK(has(html, "<tr class=\"here\" aria-current=\"true\"><td class=\"mark-different\"><b>!</b>"));
  CHECK(has(html, "only in the reference"));
  CHECK(has(html, "float32 8x1x3x3"));
  CHECK(count_of(html, "<svg class=\"strip\" role=\"img\"") == 1);
  CHECK(has(html,
            "aria-label=\"default-1 against default-0: 3 of 10 states differ in some step of 0 to 4, "
            "the first in step 2\""));
  CHECK(has(html, "backward · gradient of conv1.weight0: different in 3 of 4 steps, from step 2 to step 4"));
  CHECK(has(html, "<path class=\"equals\" d=\"M18 0h36\"/>"));  // steps 1 and 2 of the second row
  CHECK(has(html, "d=\"M36 0h17M54 0h17M72 0h17\""));           // steps 2 to 4 of the first
  CHECK(has(html, "Not shown: 7 states that never differ."));
  CHECK(has(html, "Left out: 1 more comparison that parted"));
}

TEST_CASE("a strip chart of 60 rows and 240 columns joins what touches") {
  SampleAudit sample;
  sample.add_group("deterministic", {autoencoder_weights(), autoencoder_weights()});
  part(sample.audit, 0, "encoder.block.attention.output.dense.weight", 60, 239);
  sample.audit.comparisons[0].difference_map->rows_left_out = 1;
  sample.audit.comparisons[0].difference_map->steps_per_column = 4;
  const std::string html = html_of(sample.audit);
  check_standalone(html);
  CHECK(count_of(html, "<path class=\"differs\"") == 60 + 1);  // and the legend
  CHECK(has(html, "<path class=\"differs\" d=\"M6 0h714\"/>"));
  CHECK(has(html, "each column 4 steps, different if any of them is"));
  CHECK(has(html, "Not shown: 1 state that differs later than these; 7 states that never differ."));
}

TEST_CASE("what localize and --prove found stands with the first divergence") {
  SampleAudit sample;
  sample.add_group("deterministic", {autoencoder_weights(), autoencoder_weights()});
  sample.audit.proof.emplace();
  sample.audit.proof->fault = "a fault";
  sample.audit.proof->finished = true;
  sample.audit.proof->judged_different = sample.audit.proof->located = true;
  std::string html = html_of(sample.audit);
  CHECK(
      has(html, "<p>No run parted from its reference.</p>\n<p>Proof made: the fault a fault was found.</p>"));
  part(sample.audit, 0, "conv1.weight", 0, 4);
  Localization found;
  found.group = "deterministic";
  found.candidate = 1;
  found.attempts = 2;
  found.shown = 1;
  found.divergence = sample_divergence(1, Phase::backward, "conv1.weight");
  found.divergence->operation = "aten::convolution_backward";
  found.divergence->kind = SlotKind::result;
  found.tensor.emplace();
  found.tensor->values = 1024;
  found.tensor->different = 781;
  ValueDifferences differences;
  differences.max_ulp = 208;
  found.tensor->differences = differences;
  found.tensor->has_finite_pairs = true;
  sample.audit.localization = found;
  html = html_of(sample.audit);
  check_standalone(html);
  const std::size_t repeated = html.find("<h3>Repeated with operation traces</h3>");
  CHECK(repeated < html.find("<h3>deterministic-1 against deterministic-0</h3>"));
  CHECK(has(html, "aten::convolution_backward -&gt; gradient of conv1.weight</p>"));
  CHECK(has(html, "<dd>781 of 1,024 values, at most 208 ULP</dd>"));
  CHECK(has(html, "none of the 7 states that both have differs in steps 0 to 4"));
  CHECK(count_of(html, "<svg class=\"strip\"") == 0);
}

TEST_CASE("missing or broken files of a run do not hide the verdict") {
  SampleAudit sample;
  sample.add_group("deterministic", {autoencoder_weights(), autoencoder_weights()});
  write_file(sample.audit.runs[0].directory / "samples.safetensors", "short");
  fs::remove(sample.audit.runs[1].directory / "weights.safetensors");
  const std::string html = html_of(sample.audit);
  check_standalone(html);
  CHECK(has(html, "not drawn: cannot read"));
  CHECK(has(html, "Not shown: "));
  CHECK(has(html, "banner identical"));
}

}  // namespace
}  // namespace repro
