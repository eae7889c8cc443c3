#include "repro/data/digit_shapes.h"

#include <array>
#include <charconv>
#include <string_view>

#include "repro/base/error.h"

namespace repro {
namespace {

// The strokes in SVG path syntax: absolute M (move), L (line), C (cubic Bezier), spaces between
// all.
using Styles = std::array<std::string_view, 3>;
constexpr std::array<Styles, 10> paths = {{
    {"M 32 0 C 54 0 62 22 62 48 C 62 74 54 96 32 96 C 10 96 2 74 2 48 C 2 22 10 0 32 0",
     "M 40 5 C 20 -6 6 20 6 50 C 6 80 18 96 32 96 C 50 96 58 74 58 46 C 58 20 48 2 28 5", ""},
    {"M 32 0 L 32 96", "M 14 20 L 34 0 L 34 96", "M 14 20 L 34 0 L 34 96 M 12 96 L 56 96"},
    {"M 6 22 C 8 6 20 0 32 0 C 50 0 58 12 58 26 C 58 46 32 66 4 96 L 60 96",
     "M 6 20 C 10 4 22 0 34 0 C 52 0 58 14 54 32 C 48 58 24 84 10 88 C 2 90 4 76 16 78 "
     "C 32 82 44 98 62 88",
     ""},
    {"M 6 12 C 14 2 24 0 32 0 C 48 0 56 10 56 22 C 56 38 42 46 26 46 C 46 46 60 54 60 70 "
     "C 60 86 48 96 30 96 C 18 96 8 92 2 82",
     "M 6 0 L 56 0 L 26 38 C 46 36 60 50 60 68 C 60 86 46 96 28 96 C 16 96 8 92 2 84", ""},
    {"M 46 96 L 46 0 L 4 66 L 62 66", "M 14 0 L 8 50 L 60 50 M 48 12 L 44 96",
     "M 16 2 C 10 24 4 44 8 50 C 16 56 40 50 60 46 M 50 8 C 46 40 44 70 44 96"},
    {"M 56 0 L 14 0 L 10 42 C 18 36 26 34 34 34 C 50 34 60 46 60 64 C 60 84 48 96 30 96 "
     "C 18 96 8 92 2 82",
     "M 58 2 L 18 4 C 14 20 12 32 10 40 C 30 34 58 40 56 66 C 54 90 26 100 4 88", ""},
    {"M 50 2 C 24 8 4 40 4 66 C 4 84 16 96 32 96 C 48 96 60 84 60 68 C 60 52 48 42 34 42 "
     "C 20 42 6 52 4 66",
     "M 40 0 C 22 20 8 44 6 66 C 4 86 18 96 32 96 C 48 96 58 86 58 74 C 58 60 46 54 34 54 "
     "C 20 54 10 62 6 72",
     ""},
    {"M 4 0 L 60 0 L 24 96", "M 4 4 C 24 6 44 2 60 0 C 48 30 32 60 26 96 M 14 50 L 54 46",
     "M 4 14 L 8 0 L 60 0 C 44 30 34 60 32 96"},
    {"M 32 44 C 16 40 8 32 8 22 C 8 8 18 0 32 0 C 46 0 56 8 56 22 C 56 32 48 40 32 44 "
     "C 14 50 4 58 4 72 C 4 86 16 96 32 96 C 48 96 60 86 60 72 C 60 58 50 50 32 44",
     "M 52 14 C 44 -2 14 -4 12 18 C 10 44 58 48 58 74 C 58 102 6 104 6 74 C 6 50 50 38 54 12", ""},
    {"M 58 30 C 56 46 44 54 32 54 C 16 54 4 44 4 28 C 4 12 16 0 32 0 C 48 0 58 10 58 30 "
     "C 58 60 50 84 22 96",
     "M 56 26 C 54 42 44 50 32 50 C 16 50 6 40 6 26 C 6 10 16 0 32 0 C 46 0 56 10 56 26 "
     "L 52 96",
     ""},
}};

constexpr std::int64_t pieces = 8;  // of a curve

class PathReader {
 public:
  explicit PathReader(std::string_view text) : text_(text) {}
  bool done() const { return text_.empty(); }

  char command() {
    const char c = text_.front();
    text_.remove_prefix(1);
    skip_spaces();
    return c;
  }
  ShapePoint point() {
    const std::int64_t x = number();
    return {x, number()};
  }

 private:
  std::int64_t number() {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc{}) throw Error(ErrorKind::bug, "a digit's path has no number here");
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    skip_spaces();
    return value * shape_unit;
  }
  void skip_spaces() {
    while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
  }

  std::string_view text_;
};

void add_curve(Polyline& line, ShapePoint b, ShapePoint c, ShapePoint d) {
  const ShapePoint a = line.back();
  for (std::int64_t t = 1; t <= pieces; ++t) {
    const std::int64_t s = pieces - t;
    // The Bernstein polynomials over 8^3; the sum is rounded down.
    const auto blend = [&](std::int64_t p, std::int64_t q, std::int64_t r, std::int64_t u) {
      return (s * s * s * p + 3 * s * s * t * q + 3 * s * t * t * r + t * t * t * u) >> 9;
    };
    line.push_back({blend(a.x, b.x, c.x, d.x), blend(a.y, b.y, c.y, d.y)});
  }
}

DigitShape shape_from(std::string_view path) {
  DigitShape shape;
  for (PathReader reader(path); !reader.done();) {
    switch (reader.command()) {
      case 'M': shape.push_back({reader.point()}); break;
      case 'L': shape.back().push_back(reader.point()); break;
      case 'C': {
        const ShapePoint b = reader.point();
        const ShapePoint c = reader.point();
        add_curve(shape.back(), b, c, reader.point());
        break;
      }
      default: throw Error(ErrorKind::bug, "a digit's path has an unknown command");
    }
  }
  return shape;
}

using AllStyles = std::array<std::vector<DigitShape>, paths.size()>;

AllStyles all_styles() {
  AllStyles out;
  for (std::size_t digit = 0; digit < paths.size(); ++digit) {
    for (const std::string_view path : paths[digit]) {
      if (!path.empty()) out[digit].push_back(shape_from(path));
    }
  }
  return out;
}

}  // namespace

std::span<const DigitShape> digit_styles(std::int64_t digit) {
  static const AllStyles styles = all_styles();
  return styles.at(static_cast<std::size_t>(digit));
}

}  // namespace repro
