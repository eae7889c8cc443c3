// How far apart differing values are, in steps along the representable numbers.
#include <algorithm>

#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/html/sections.h"

namespace repro::html {
namespace {

std::string range_of(std::size_t bin) {
  const std::uint64_t low = std::uint64_t{1} << bin;
  const std::uint64_t high = bin == 63 ? ~std::uint64_t{0} : 2 * low - 1;
  if (low == high) return thousands(low);
  // Long numbers say less than powers of two.
  if (bin >= 20)
    return "2<sup>" + std::to_string(bin) + "</sup> and more, below 2<sup>" + std::to_string(bin + 1) +
           "</sup>";
  return thousands(low) + " to " + thousands(high);
}

std::string gauge(std::uint64_t count, std::uint64_t largest) {
  if (count == 0) return "";
  const std::uint64_t percent = std::max<std::uint64_t>(1, count * 100 / largest);
  return "<i style=\"width:" + std::to_string(percent) + "%\"></i>";
}

std::string table_of(const UlpHistogram& histogram) {
  std::size_t last = histogram.size();
  while (last > 0 && histogram[last - 1] == 0) --last;
  const std::uint64_t largest = *std::max_element(histogram.begin(), histogram.end());
  std::string out =
      "<div class=\"scroll\"><table><thead><tr><th>ULP</th><th class=\"n\">pairs</th><th></th></tr>"
      "</thead><tbody>\n";
  for (std::size_t bin = 0; bin < last; ++bin) {
    out += "<tr><td>" + range_of(bin) + "</td><td class=\"n\">" + thousands(histogram[bin]) +
           "</td><td class=\"gauge\">" + gauge(histogram[bin], largest) + "</td></tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string ulp_histogram(const AuditResult& audit) {
  std::string out;
  for (const GroupResult& group : audit.groups) {
    UlpHistogram sum{};
    std::uint64_t total = 0;
    bool compared = false;
    for (const Comparison& comparison : audit.comparisons) {
      if (comparison.group != group.name) continue;
      compared = true;
      for (const TensorDiff& tensor : comparison.diff.tensors) {
        if (!is_counted(tensor.role, audit.filter)) continue;
        for (std::size_t bin = 0; bin < sum.size(); ++bin) {
          sum[bin] += tensor.ulp_histogram[bin];
          total += tensor.ulp_histogram[bin];
        }
      }
    }
    if (!compared) continue;
    out += "<h3>" + code(group.name) + "</h3>\n";
    out += total == 0 ? "<p class=\"quiet\">No pair of numbers is any step apart.</p>\n" : table_of(sum);
  }
  if (out.empty()) return "";
  return "<p class=\"quiet\">Steps along the representable numbers between reference and candidate, "
         "over all comparisons of a group and the tensors that the summary counts.</p>\n" +
         out;
}

}  // namespace repro::html
