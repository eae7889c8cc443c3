#include <algorithm>
#include <cmath>

#include "repro/base/number.h"
#include "repro/report/escape.h"
#include "repro/report/json.h"

namespace repro {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{64} << 10;

bool needs_no_escape(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7E || c == '"' ||
           c == '\\';
  });
}

// json.dump(), which is slow for what rows are full of: it sets up a serializer for each value.
std::string scalar_text(const Json& json) {
  if (json.is_null()) return "null";
  if (json.is_number_integer() && !json.is_number_unsigned()) return std::to_string(json.get<std::int64_t>());
  if (json.is_number_unsigned()) return std::to_string(json.get<std::uint64_t>());
  if (json.is_string()) {
    const auto& text = json.get_ref<const std::string&>();
    if (needs_no_escape(text)) return '"' + text + '"';
  }
  return json.dump();
}

}  // namespace

Json json_number(double value) {
  if (std::isfinite(value) && !(value == 0 && std::signbit(value))) return value;
  return shortest(value);
}

Json json_number(const std::optional<double>& value) { return value ? json_number(*value) : Json(nullptr); }

Json json_texts(const std::vector<std::string>& values) {
  Json out = Json::array();
  for (const std::string& value : values) out.push_back(json_text(value));
  return out;
}

std::string json_document(const Json& json) { return json.dump(2) + "\n"; }

void JsonStream::key(std::string_view name) {
  next();
  write("\"");
  write(name);  // ours: nothing in it needs an escape
  write("\": ");
  after_key_ = true;
}

void JsonStream::value(const Json& json) {
  if (!json.is_structured()) {
    next();
    write(scalar_text(json));
    return;
  }
  const bool flat = !levels_.empty() && levels_.back().flat;
  if (json.is_object()) {
    begin_object(flat);
    for (const auto& [name, member] : json.items()) {
      next();
      write(scalar_text(Json(name)) + ": ");
      after_key_ = true;
      value(member);
    }
    end_object();
    return;
  }
  begin_array(flat);
  for (const Json& element : json) value(element);
  end_array();
}

void JsonStream::finish() {
  write("\n");
  sink_(buffer_);
  buffer_.clear();
}

void JsonStream::begin(char bracket, bool flat) {
  next();
  after_key_ = false;
  write(std::string_view(&bracket, 1));
  levels_.push_back({flat || (!levels_.empty() && levels_.back().flat), true});
}

void JsonStream::end(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.flat && !level.empty) line();
  write(std::string_view(&bracket, 1));
}

// Before an element or a key: what separates it from what stands before.
void JsonStream::next() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) write(level.flat ? ", " : ",");
  if (!level.flat) line();
  level.empty = false;
}

void JsonStream::line() {
  write("\n");
  write(std::string(2 * levels_.size(), ' '));
}

void JsonStream::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() < buffer_bytes) return;
  sink_(buffer_);
  buffer_.clear();
}

}  // namespace repro
