#include "repro/data/resize.h"

#include <algorithm>

#include "repro/base/error.h"

namespace repro {
namespace {

// line_out[i] = sum over t of weight[t] * lines[index[t]][i], for lines of `length` numbers.
void combine_lines(const ResizeAxis& axis, std::size_t position, const double* lines, std::size_t length,
                   double* __restrict line_out) {
  const auto taps = static_cast<std::size_t>(axis.taps);
  const double* weight = axis.weight.data() + position * taps;
  const std::size_t* index = axis.index.data() + position * taps;
  if (taps == 4) {  // enlarging, the usual case: in one pass
    const double* a = lines + index[0] * length;
    const double* b = lines + index[1] * length;
    const double* c = lines + index[2] * length;
    const double* d = lines + index[3] * length;
    const double wa = weight[0], wb = weight[1], wc = weight[2], wd = weight[3];
    for (std::size_t i = 0; i < length; ++i) {
      line_out[i] = wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i];
    }
    return;
  }
  std::fill_n(line_out, length, 0.0);
  for (std::size_t t = 0; t < taps; ++t) {
    const double* a = lines + index[t] * length;
    for (std::size_t i = 0; i < length; ++i) line_out[i] += weight[t] * a[i];
  }
}

}  // namespace

BicubicResizer::BicubicResizer(std::int64_t rows_in, std::int64_t columns_in, std::int64_t rows_out,
                               std::int64_t columns_out)
    : rows_(bicubic_axis(rows_in, rows_out)), columns_(bicubic_axis(columns_in, columns_out)) {
  // Also bounds the difference of any two results, which the per-image scale takes.
  if (!(255 * rows_.gain * columns_.gain * denominator() < 0x1p53)) {
    throw Error(ErrorKind::bug, "a bicubic resize exceeds the exact range of double");
  }
}

double BicubicResizer::denominator() const {
  return static_cast<double>(rows_.denominator) * static_cast<double>(columns_.denominator);
}

void BicubicResizer::resize(std::span<const std::uint8_t> in, Workspace& workspace,
                            std::span<double> out) const {
  const auto rows_in = static_cast<std::size_t>(rows_.in);
  const auto columns_in = static_cast<std::size_t>(columns_.in);
  const auto rows_out = static_cast<std::size_t>(rows_.out);
  const auto columns_out = static_cast<std::size_t>(columns_.out);
  workspace.columns.resize(rows_in * columns_in);
  workspace.partial.resize(rows_in * columns_out);
  workspace.row.resize(rows_in);

  // Along the rows first, on the transposed image, so that the inner loops run over neighbours.
  for (std::size_t r = 0; r < rows_in; ++r) {
    for (std::size_t c = 0; c < columns_in; ++c) {
      workspace.columns[c * rows_in + r] = in[r * columns_in + c];
    }
  }
  for (std::size_t x = 0; x < columns_out; ++x) {
    combine_lines(columns_, x, workspace.columns.data(), rows_in, workspace.row.data());
    for (std::size_t r = 0; r < rows_in; ++r) {
      workspace.partial[r * columns_out + x] = workspace.row[r];
    }
  }
  for (std::size_t y = 0; y < rows_out; ++y) {
    combine_lines(rows_, y, workspace.partial.data(), columns_out, out.data() + y * columns_out);
  }
}

}  // namespace repro
