#include "repro/data/digits.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "repro/base/error.h"
#include "repro/base/random.h"
#include "repro/base/text.h"
#include "repro/data/digit_shapes.h"

namespace repro {
namespace {

// Pixel coordinates are in 1/256 of a pixel; the centre of pixel (row, column) lies at
// (256 column + 128, 256 row + 128). Angles, scales and shears are in 1/4096.
constexpr std::int64_t one_pixel = 256;
constexpr std::int64_t one = 4096;

// Uniform over {low, ..., high}.
std::int64_t between(RandomStream& random, std::int64_t low, std::int64_t high) {
  return low + random.below(static_cast<std::uint32_t>(high - low + 1));
}

// A displacement that varies smoothly over the box of the shape: random vectors at 3 x 4 nodes, 32
// units apart, bilinear in between, constant outside.
class Warp {
 public:
  explicit Warp(RandomStream& random) {
    constexpr std::int64_t reach = 5 * shape_unit;
    for (ShapePoint& node : nodes_) {
      node.x = between(random, -reach, reach);
      node.y = between(random, -reach, reach);
    }
  }

  ShapePoint operator()(ShapePoint p) const {
    const auto [column, fx] = cell(p.x, shape_width, 1);
    const auto [row, fy] = cell(p.y, shape_height, 2);
    const ShapePoint* top = &nodes_[static_cast<std::size_t>(row * 3 + column)];
    const ShapePoint* bottom = top + 3;
    const auto blend = [fx = fx, fy = fy](std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
      return ((spacing - fy) * ((spacing - fx) * a + fx * b) + fy * ((spacing - fx) * c + fx * d)) >> 22;
    };
    return {p.x + blend(top[0].x, top[1].x, bottom[0].x, bottom[1].x),
            p.y + blend(top[0].y, top[1].y, bottom[0].y, bottom[1].y)};
  }

 private:
  static constexpr std::int64_t spacing = 32 * shape_unit;  // 2^11

  struct Cell {
    std::int64_t index;
    std::int64_t offset;  // [0, spacing]
  };
  static Cell cell(std::int64_t position, std::int64_t size, std::int64_t last) {
    const std::int64_t inside = std::clamp<std::int64_t>(position, 0, size);
    const std::int64_t index = std::min(inside / spacing, last);
    return {index, inside - index * spacing};
  }

  std::array<ShapePoint, 12> nodes_;
};

// From the shape's box to pixels: scale, shear along x, turn, move.
class Affine {
 public:
  explicit Affine(RandomStream& random) {
    const std::int64_t size = between(random, 3300, 4400);
    const std::int64_t sx = size * between(random, 3400, 4400) / one;
    const std::int64_t sy = size;
    const std::int64_t shear = between(random, -1000, 1000);
    const std::int64_t angle = between(random, -900, 900);  // radians
    // Taylor polynomials; the angle is at most 0.22.
    const std::int64_t sine = angle - angle * angle * angle / (6 * one * one);
    const std::int64_t cosine = one - angle * angle / (2 * one);
    const std::int64_t sheared = shear * sy / one;
    // 20 pixels for the height of 96 units at scale 1.
    xx_ = cosine * sx * 5 / 6;
    xy_ = (cosine * sheared - sine * sy) * 5 / 6;
    yx_ = sine * sx * 5 / 6;
    yy_ = (sine * sheared + cosine * sy) * 5 / 6;
    x0_ = 14 * one_pixel + between(random, -384, 384);
    y0_ = 14 * one_pixel + between(random, -384, 384);
  }

  ShapePoint operator()(ShapePoint p) const {
    const std::int64_t x = p.x - shape_width / 2;
    const std::int64_t y = p.y - shape_height / 2;
    return {x0_ + ((xx_ * x + xy_ * y) >> 24), y0_ + ((yx_ * x + yy_ * y) >> 24)};
  }

 private:
  std::int64_t xx_, xy_, yx_, yy_, x0_, y0_;
};

// Squared distances to the strokes, for every pixel that is near enough to matter.
class DistanceMap {
 public:
  DistanceMap() { squared_.fill(std::numeric_limits<std::int64_t>::max()); }

  // `reach`: distance beyond which nothing is needed.
  void add(ShapePoint a, ShapePoint b, std::int64_t reach) {
    const auto [left, right] = range(a.x, b.x, reach, digit_columns);
    const auto [top, bottom] = range(a.y, b.y, reach, digit_rows);
    for (std::int64_t row = top; row <= bottom; ++row) {
      for (std::int64_t column = left; column <= right; ++column) {
        const ShapePoint p = {column * one_pixel + one_pixel / 2, row * one_pixel + one_pixel / 2};
        std::int64_t& best = squared_[static_cast<std::size_t>(row * digit_columns + column)];
        best = std::min(best, squared_distance(p, a, b));
      }
    }
  }
  std::int64_t at(std::size_t pixel) const { return squared_[pixel]; }

 private:
  struct Range {
    std::int64_t first;
    std::int64_t last;
  };
  static Range range(std::int64_t a, std::int64_t b, std::int64_t reach, std::int64_t size) {
    return {std::clamp<std::int64_t>((std::min(a, b) - reach) >> 8, 0, size),
            std::clamp<std::int64_t>((std::max(a, b) + reach) >> 8, -1, size - 1)};
  }

  static std::int64_t squared_distance(ShapePoint p, ShapePoint a, ShapePoint b) {
    const ShapePoint ab = {b.x - a.x, b.y - a.y};
    const ShapePoint ap = {p.x - a.x, p.y - a.y};
    const std::int64_t along = ab.x * ap.x + ab.y * ap.y;
    const std::int64_t length = ab.x * ab.x + ab.y * ab.y;
    if (along <= 0) return ap.x * ap.x + ap.y * ap.y;
    if (along >= length) {
      const ShapePoint bp = {p.x - b.x, p.y - b.y};
      return bp.x * bp.x + bp.y * bp.y;
    }
    const std::int64_t cross = ab.x * ap.y - ab.y * ap.x;
    return cross * cross / length;
  }

  std::array<std::int64_t, digit_rows * digit_columns> squared_;
};

std::int64_t square_root(std::int64_t value) {  // rounded down; value in [0, 2^22)
  std::int64_t root = 0;
  for (std::int64_t bit = 1024; bit > 0; bit /= 2) {
    if ((root + bit) * (root + bit) <= value) root += bit;
  }
  return root;
}

// How a pen of half width `half` with an edge `edge` wide covers a point: 0 to 256.
std::int64_t coverage(std::int64_t squared_distance, std::int64_t half, std::int64_t edge) {
  const std::int64_t outer = half + edge / 2;
  if (squared_distance >= outer * outer) return 0;
  return std::clamp<std::int64_t>((outer - square_root(squared_distance)) * 256 / edge, 0, 256);
}

}  // namespace

void draw_digit(std::uint32_t seed, std::int64_t index, std::span<std::uint8_t> pixels) {
  RandomStream random(seed, "digits/" + std::to_string(index));
  const auto styles = digit_styles(index % digit_classes);
  const DigitShape& shape = styles[random.below(static_cast<std::uint32_t>(styles.size()))];
  const Warp warp(random);
  const Affine affine(random);
  const std::int64_t half = between(random, 190, 400);
  const std::int64_t edge = between(random, 256, 448);
  const std::int64_t ink = between(random, 200, 255);

  DistanceMap distances;
  for (const Polyline& line : shape) {
    ShapePoint previous = affine(warp(line.front()));
    for (const ShapePoint& point : std::span(line).subspan(1)) {
      const ShapePoint next = affine(warp(point));
      distances.add(previous, next, half + edge / 2);
      previous = next;
    }
  }
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const std::int64_t covered = coverage(distances.at(i), half, edge);
    pixels[i] = static_cast<std::uint8_t>((covered * ink + 128) >> 8);
  }
}

ImageSet make_digits(std::int64_t count, std::uint32_t seed) {
  if (count < 1 || count > std::numeric_limits<std::int32_t>::max()) {
    throw Error(ErrorKind::request,
                "/data/count: " + thousands(count) + " digits, but 1 to 2,147,483,647 can be drawn");
  }
  ImageSet set;
  set.count = count;
  set.rows = digit_rows;
  set.columns = digit_columns;
  constexpr auto image_size = static_cast<std::size_t>(digit_rows * digit_columns);
  set.pixels.resize(static_cast<std::size_t>(count) * image_size);
  set.labels.resize(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    draw_digit(seed, i, std::span(set.pixels).subspan(at * image_size, image_size));
    set.labels[at] = static_cast<std::uint8_t>(i % digit_classes);
  }
  return set;
}

}  // namespace repro
