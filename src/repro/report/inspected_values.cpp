#include "repro/base/bytes.h"
#include "repro/base/text.h"
#include "repro/compare/pairs.h"
#include "repro/report/escape.h"
#include "repro/report/inspection.h"
#include "repro/report/json.h"
#include "repro/report/row_facts.h"

namespace repro {
namespace {

constexpr std::size_t piece_bytes = 65536;

// Collects text and hands it on in pieces.
class Pieces {
 public:
  explicit Pieces(const TextSink& sink) : sink_(sink) {}
  void add(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= piece_bytes) flush();
  }
  void flush() {
    sink_(buffer_);
    buffer_.clear();
  }

 private:
  const TextSink& sink_;
  std::string buffer_;
};

std::string index_words(std::span<const std::int64_t> shape, std::uint64_t flat) {
  std::string out;
  for (const std::uint64_t i : index_in(shape, flat)) out += (out.empty() ? "" : ", ") + std::to_string(i);
  return out;
}

// Finite numbers as they are; what JSON has no number for, and -0, as strings.
std::string json_value(const ValueText& value) {
  const std::string& text = value.decimal;
  const bool plain =
      text == "true" || text == "false" || (text.find_first_of("nNIy;") == std::string::npos && text != "-0");
  return plain ? text : Json(text).dump();
}

}  // namespace

void render_values_text(const InspectedItem& inspected, std::uint64_t limit, const TextSink& sink) {
  const Item& item = *inspected.item;
  if (item.leaf) return sink(displayable(item.leaf->value) + "\n");
  Pieces out(sink);
  const std::uint64_t count = item.tensor.size();
  out.add(displayable(item.name) + ": " + std::string(name_of(item.tensor.dtype)) + " [" +
          shape_text(item.tensor.shape, ", ") + "], " + thousands(count) +
          (count == 1 ? " value" : " values") + ", fingerprint " + hex_of(inspected.fingerprint.value_or(0)) +
          "\n");
  visit_values(item.tensor, limit, [&](std::uint64_t index, const ValueText& value) {
    out.add("[" + index_words(item.tensor.shape, index) + "]  " + value.decimal + "  " + value.bits + "\n");
  });
  if (count > limit) {
    out.add("left out: " + thousands(count - limit) + " more; --values all prints every one\n");
  }
  out.flush();
}

void render_values_json(const Inspection& file, const InspectedItem& inspected, std::uint64_t limit,
                        const TextSink& sink) {
  const Item& item = *inspected.item;
  Pieces out(sink);
  out.add("{\n  \"file\": " + Json(json_text(file.file)).dump() +
          ",\n  \"format\": " + Json(file.format).dump() + ",\n  \"version\": 1,\n");
  if (item.leaf) {
    out.add("  \"leaf\": " + Json(json_text(item.name)).dump() +
            ",\n  \"type\": " + Json(json_text(item.leaf->type)).dump() +
            ",\n  \"value\": " + Json(json_text(item.leaf->value)).dump() + "\n}\n");
    return out.flush();
  }
  out.add("  \"tensor\": " + Json(json_text(item.name)).dump() + ",\n  \"dtype\": \"" +
          std::string(name_of(item.tensor.dtype)) + "\",\n  \"shape\": " + Json(item.tensor.shape).dump() +
          ",\n  \"fingerprint\": \"" + hex_of(inspected.fingerprint.value_or(0)) + "\",\n  \"values\": [");
  visit_values(item.tensor, limit, [&](std::uint64_t index, const ValueText& value) {
    out.add((index == 0 ? "" : ", ") + json_value(value));
  });
  out.add("],\n  \"bits\": [");
  visit_values(item.tensor, limit, [&](std::uint64_t index, const ValueText& value) {
    out.add((index == 0 ? "\"" : ", \"") + value.bits + "\"");
  });
  const std::uint64_t count = item.tensor.size();
  out.add("],\n  \"left_out\": " + std::to_string(count > limit ? count - limit : 0) + "\n}\n");
  out.flush();
}

}  // namespace repro
