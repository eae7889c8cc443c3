// How far apart differing values are, in steps along the representable numbers.
#include <algorithm>

#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/html/sections.h"
#include "repro/report/totals.h"

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
  const std::uint64_t largest = *std::max_element(histogram.begin(), histogram.end());
  std::string out =
      "<div class=\"scroll\"><table><thead><tr><th>ULP</th><th class=\"n\">pairs</th><th></th></tr>"
      "</thead><tbody>\n";
  for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
    out += "<tr><td>" + range_of(bin) + "</td><td class=\"n\">" + thousands(histogram[bin]) +
           "</td><td class=\"gauge\">" + gauge(histogram[bin], largest) + "</td></tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string ulp_histogram(std::span<const ComparisonView> views) {
  std::string out;
  for (std::size_t i = 0; i < views.size();) {
    const ComparisonView& first = views[i];
    UlpHistogram sum;
    for (; i < views.size() && views[i].group == first.group; ++i) {
      add_to(sum, totals_of(*views[i].diff, views[i].counts).ulp_histogram);
    }
    out += "<h3>" + code(first.group) + "</h3>\n";
    out += sum.empty() ? "<p class=\"quiet\">No pair of numbers is any step apart.</p>\n" : table_of(sum);
  }
  if (out.empty()) return "";
  return "<p class=\"quiet\">Steps along the representable numbers between reference and candidate, "
         "over all comparisons of a group and the tensors that the summary counts.</p>\n" +
         out;
}

}  // namespace repro::html
