// A row of images of the reference run: what the network was given, what it made of it, what was wanted.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "repro/base/error.h"
#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/html/sections.h"
#include "repro/report/png.h"
#include "repro/snapshot/safetensors.h"

namespace repro::html {
namespace {

constexpr std::int64_t most_pictures = 10;
constexpr std::int64_t narrow_pictures = 6;  // on a narrow screen

// [0, 1] becomes [0, 255]; outside is clamped, NaN is black.
std::uint8_t grey_of(float value) {
  if (!(value > 0)) return 0;
  return static_cast<std::uint8_t>(std::lround(std::min(value, 1.0F) * 255.0F));
}

bool is_picture(const TensorView& tensor) {
  if (tensor.dtype != DType::float32 || tensor.shape.size() != 4 || tensor.shape[1] != 1) return false;
  return tensor.shape[2] >= 1 && tensor.shape[3] >= 1 && tensor.shape[2] <= 1024 && tensor.shape[3] <= 1024;
}

std::string image_cell(const TensorView& tensor, std::int64_t number, const std::string& what) {
  const auto rows = static_cast<std::uint32_t>(tensor.shape[2]);
  const auto columns = static_cast<std::uint32_t>(tensor.shape[3]);
  const std::size_t pixels = std::size_t{rows} * columns;
  std::vector<std::uint8_t> grey(pixels);
  for (std::size_t i = 0; i < pixels; ++i) {
    const std::size_t element = static_cast<std::size_t>(number) * pixels + i;
    grey[i] = grey_of(load<float>(tensor.bytes, element * sizeof(float)));
  }
  return "<img" + std::string(number >= narrow_pictures ? " class=\"wide\"" : "") + " alt=\"" + what + " " +
         std::to_string(number + 1) + "\" src=\"data:image/png;base64," +
         base64(encode_png(grey, rows, columns)) + "\">";
}

const TensorView* find(const SafetensorsFile& file, std::string_view name) {
  for (const NamedTensorView& named : file.tensors()) {
    if (named.name == name) return &named.tensor;
  }
  return nullptr;
}

const RunResult* run_with_samples(const AuditResult& audit) {
  const RunResult* chosen = nullptr;
  for (const GroupResult& group : audit.groups) {
    if (!group.reference) continue;
    const RunResult* run = find_run(audit, group.name, *group.reference);
    if (run == nullptr || !fs::exists(run->directory / "samples.safetensors")) continue;
    if (chosen == nullptr || decides(audit, group)) chosen = run;
  }
  return chosen;
}

std::string grid_of(const SafetensorsFile& file) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> parts = {
      {{"samples.input", "input"}, {"samples.output", "output"}, {"samples.target", "target"}}};
  std::string cells;
  std::int64_t count = 0;
  for (const auto& [name, what] : parts) {
    const TensorView* tensor = find(file, name);
    if (tensor == nullptr || !is_picture(*tensor)) continue;
    if (count == 0) count = std::min(most_pictures, tensor->shape[0]);
    if (tensor->shape[0] < count) continue;
    cells += "<span>" + std::string(what) + "</span>";
    for (std::int64_t i = 0; i < count; ++i) cells += image_cell(*tensor, i, std::string(what));
    cells += "\n";
  }
  if (cells.empty() || count == 0) return "";
  // Two grids in one: on a narrow screen the cells of class "wide" are not shown.
  const std::string narrow = std::to_string(std::min(count, narrow_pictures));
  return "<style>.pictures{grid-template-columns:56px repeat(" + std::to_string(count) +
         ",minmax(0,1fr))}@media (max-width:560px){.pictures{grid-template-columns:50px repeat(" + narrow +
         ",minmax(0,1fr))}}</style>\n<div class=\"pictures\">\n" + cells + "</div>\n";
}

}  // namespace

std::string pictures(const AuditResult& audit) {
  const RunResult* run = run_with_samples(audit);
  if (run == nullptr) return "";
  std::string grid;
  try {
    grid = grid_of(SafetensorsFile(run->directory / "samples.safetensors"));
  } catch (const Error& error) {
    return "<p class=\"left-out\">Not shown: " + html_text(error.message()) + "</p>\n";
  }
  if (grid.empty()) return "";
  return "<p class=\"quiet\">Validation images of " + code(run->record.name) + " after training.</p>\n" +
         grid;
}

}  // namespace repro::html
