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
  sample.audit.comparisons[0].divergence = sample_divergence(3, Phase::update, "<script>");
  std::string html = html_of(sample.audit);
  const std::string escaped = "src=x onerror=alert";  // harmless as text
  CHECK(has(html, "&lt;img " + escaped));
  for (std::size_t at; (at = html.find(escaped)) != std::string::npos;) html.erase(at, escaped.size());
  check_standalone(html);
  CHECK_FALSE(has(html, "\x1b"));
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
