#include "repro/report/chart.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "repro/report/escape.h"

namespace repro {
namespace {

constexpr double chart_width = 480, chart_height = 260;
constexpr double margin_left = 78, margin_right = 14, margin_top = 10, margin_bottom = 46;

double fraction(const Axis& axis, double value) {
  value = std::clamp(value, axis.low, axis.high);
  if (axis.logarithmic) return std::log(value / axis.low) / std::log(axis.high / axis.low);
  const double span = axis.high - axis.low;
  if (std::isfinite(span)) return (value - axis.low) / span;
  return (value / 2 - axis.low / 2) / (axis.high / 2 - axis.low / 2);
}

std::string text_at(const char* css_class, double x, double y, const std::string& text,
                    const std::string& attributes = "") {
  return "<text class=\"" + std::string(css_class) + "\" x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) +
         "\"" + attributes + ">" + html_text(text) + "</text>";
}

}  // namespace

Chart::Chart(Axis horizontal, Axis vertical)
    : horizontal_(std::move(horizontal)), vertical_(std::move(vertical)) {}

double Chart::left() const { return margin_left; }
double Chart::right() const { return chart_width - margin_right; }
double Chart::top() const { return margin_top; }
double Chart::bottom() const { return chart_height - margin_bottom; }
double Chart::x(double value) const { return left() + fraction(horizontal_, value) * (right() - left()); }
double Chart::y(double value) const { return bottom() - fraction(vertical_, value) * (bottom() - top()); }

void Chart::tick_x(double value, const std::string& label) {
  grid_ += "<path class=\"grid\" d=\"M" + coordinate(x(value)) + " " + coordinate(bottom()) + "v4\"/>";
  grid_ += text_at("tick", x(value), bottom() + 17, label, " text-anchor=\"middle\"");
}

void Chart::tick_y(double value, const std::string& label) {
  grid_ += "<path class=\"grid\" d=\"M" + coordinate(left()) + " " + coordinate(y(value)) + "H" +
           coordinate(right()) + "\"/>";
  grid_ += text_at("tick", left() - 6, y(value) + 4, label, " text-anchor=\"end\"");
}

std::string Chart::body() const {
  const double middle = (top() + bottom()) / 2;
  std::string out = grid_ + content_;
  out += text_at("axis-title", (left() + right()) / 2, bottom() + 38, horizontal_.title,
                 " text-anchor=\"middle\"");
  out += text_at("axis-title", 14, middle, vertical_.title,
                 " text-anchor=\"middle\" transform=\"rotate(-90 14 " + coordinate(middle) + ")\"");
  return out;
}

std::string Chart::inline_svg(const std::string& label) const {
  return "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 480 260\" aria-label=\"" + html_text(label) +
         "\">" + body() + "</svg>";
}

std::string Chart::svg_file(const std::string& title, const std::string& caption) const {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 -44 480 304\" width=\"960\" "
      "height=\"608\">\n<title>" +
      html_text(title) + "</title>\n<style>" + chart_style() +
      "</style>\n<rect class=\"paper\" y=\"-44\" width=\"480\" height=\"304\"/>\n";
  out += text_at("heading", 14, -24, title) + "\n" + text_at("caption", 14, -7, caption) + "\n";
  return out + body() + "\n</svg>\n";
}

std::string coordinate(double value) {
  std::array<char, 32> out{};
  const auto result = std::to_chars(out.data(), out.data() + out.size(), value, std::chars_format::fixed, 1);
  const std::string text(out.data(), result.ptr);
  return text == "-0.0" ? "0.0" : text;
}

std::string chart_style() {
  return R"(
svg{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
--paper:#fff;--ink:#1c2024;--muted:#5d6670;--line:#dfe3e8;--bar:#2f6db3;--mark:#b3371f}
@media(prefers-color-scheme:dark){svg{--paper:#14171a;--ink:#e6e9ec;--muted:#9aa4ae;--line:#2c3238;
--bar:#6aa9ec;--mark:#f08a72}}
.paper{fill:var(--paper)}.heading{fill:var(--ink);font-size:14px;font-weight:600}
.caption{fill:var(--muted);font-size:10px}
.grid{stroke:var(--line);fill:none}.zero{stroke:var(--muted);fill:none}
.tick{fill:var(--muted);font-variant-numeric:tabular-nums}.axis-title{fill:var(--ink)}
.bar{fill:var(--bar)}.mark{fill:var(--mark)}
)";
}

std::vector<double> logarithmic_ticks(double low, double high) {
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::floor(std::log10(high)));
  // Over many decades whole powers are enough, and of those only some.
  const int stride = std::max(1, (last - first) / 8);
  for (int power = first; power <= last; power += stride) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (last - first > 2 && factor != 1.0) continue;
      const double tick = factor * std::pow(10.0, power);
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
    }
  }
  return ticks;
}

}  // namespace repro
