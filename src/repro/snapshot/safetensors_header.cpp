#include "repro/snapshot/safetensors_header.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "repro/base/error.h"
#include "repro/base/repeated.h"
#include "repro/base/text.h"

namespace repro {
namespace {

constexpr std::array<SafetensorsDType, 22> dtypes = {{
    {"BOOL", 8, DType::boolean},
    {"U8", 8, DType::uint8},
    {"I8", 8, DType::int8},
    {"F8_E5M2", 8, DType::float8_e5m2},
    {"F8_E4M3", 8, DType::float8_e4m3fn},
    {"F8_E8M0", 8, DType::float8_e8m0fnu},
    {"F8_E4M3FNUZ", 8, DType::float8_e4m3fnuz},
    {"F8_E5M2FNUZ", 8, DType::float8_e5m2fnuz},
    {"I16", 16, DType::int16},
    {"U16", 16, DType::uint16},
    {"F16", 16, DType::float16},
    {"BF16", 16, DType::bfloat16},
    {"I32", 32, DType::int32},
    {"U32", 32, DType::uint32},
    {"F32", 32, DType::float32},
    {"I64", 64, DType::int64},
    {"U64", 64, DType::uint64},
    {"F64", 64, DType::float64},
    {"C64", 64, DType::complex64},
    {"F4", 4, std::nullopt},
    {"F6_E2M3", 6, std::nullopt},
    {"F6_E3M2", 6, std::nullopt},
}};

constexpr std::string_view metadata_name = "__metadata__";

using Json = nlohmann::json;

// nlohmann's DOM keeps the last of two equal keys and recurses when it is destroyed; this reader refuses
// the first thing that does not belong, and keeps nothing but the header itself.
class HeaderReader {
 public:
  explicit HeaderReader(const std::string& what) : what_(what) {}
  Header take() {
    check_names();
    return std::move(header_);
  }

  // The SAX interface.
  bool null() { return unexpected("null"); }
  bool boolean(bool) { return unexpected("a boolean"); }
  bool number_integer(std::int64_t value) {  // nlohmann calls this for negative numbers only
    return unexpected(std::to_string(value));
  }
  bool number_unsigned(std::uint64_t value);
  bool number_float(double, const std::string& text) { return unexpected(displayable(text)); }
  bool string(std::string& text);
  bool binary(Json::binary_t&) { return unexpected("binary data"); }
  bool start_object(std::size_t);
  bool key(std::string& text);
  bool end_object();
  bool start_array(std::size_t);
  bool end_array();
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& ex) {
    fail("the header is not valid JSON at byte " + thousands(std::uint64_t{position}) + ": " +
         displayable(std::string_view(ex.what()).substr(0, 200)));
  }

 private:
  enum class State {
    start,
    names,
    metadata,
    entry,
    dtype,
    shape_value,
    shape,
    offsets_value,
    offsets,
    metadata_value,
    entry_value,
    done
  };

  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(ErrorKind::input, what_ + ": " + place() + reason, "the file is not valid safetensors");
  }
  [[noreturn]] void fail_twice(std::string_view name) const {
    fail("the name '" + displayable(name) + "' occurs twice");
  }
  void check_names() const;
  std::string place() const;
  bool unexpected(const std::string& found) const {
    fail("found " + found + ", allowed is " + std::string(allowed()));
  }
  std::string_view allowed() const;

  const std::string& what_;
  Header header_;
  State state_ = State::start;
  bool has_metadata_ = false;
  std::string key_;  // of metadata or of an entry, for messages
  HeaderEntry entry_;
  bool has_dtype_ = false, has_shape_ = false, has_offsets_ = false;
  std::size_t offsets_seen_ = 0;
};

void HeaderReader::check_names() const {
  if (const auto twice = repeated_name(header_.entries, &HeaderEntry::name)) fail_twice(*twice);
}

std::string HeaderReader::place() const {
  switch (state_) {
    case State::start:
    case State::names:
    case State::done: return "";
    case State::metadata: return "__metadata__: ";
    case State::metadata_value: return "__metadata__, '" + displayable(key_) + "': ";
    case State::entry_value: return "tensor '" + displayable(entry_.name) + "': ";
    case State::entry:
    case State::dtype:
    case State::shape_value:
    case State::shape:
    case State::offsets_value:
    case State::offsets: break;
  }
  return "tensor '" + displayable(entry_.name) + "'" + (key_.empty() ? "" : ", " + displayable(key_)) + ": ";
}

std::string_view HeaderReader::allowed() const {
  switch (state_) {
    case State::start: return "an object";
    case State::names: return "a tensor's name";
    case State::metadata: return "a key";
    case State::metadata_value: return "a string";
    case State::entry_value: return "an object with dtype, shape and data_offsets";
    case State::entry: return "dtype, shape or data_offsets";
    case State::dtype: return "a string";
    case State::shape_value: return "an array of sizes";
    case State::shape: return "a whole number from 0 to 9223372036854775807";
    case State::offsets_value: return "an array of two offsets";
    case State::offsets: return "two whole numbers from 0 to 18446744073709551615";
    case State::done: return "nothing more";
  }
  throw Error(ErrorKind::bug, "unknown state of the header's reader");
}

bool HeaderReader::number_unsigned(std::uint64_t value) {
  if (state_ == State::shape) {
    if (value > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
      return unexpected(std::to_string(value));
    }
    entry_.shape.push_back(static_cast<std::int64_t>(value));
    return true;
  }
  if (state_ == State::offsets && offsets_seen_ < 2) {
    (offsets_seen_++ == 0 ? entry_.begin : entry_.end) = value;
    return true;
  }
  return unexpected(std::to_string(value));
}

bool HeaderReader::string(std::string& text) {
  if (state_ == State::metadata_value) {
    header_.metadata[key_] = std::move(text);
    state_ = State::metadata;
    return true;
  }
  if (state_ == State::dtype) {
    entry_.dtype = std::move(text);
    key_.clear();
    state_ = State::entry;
    return true;
  }
  return unexpected("the string '" + displayable(text) + "'");
}

bool HeaderReader::start_object(std::size_t) {
  if (state_ == State::start) {
    state_ = State::names;
    return true;
  }
  if (state_ == State::entry_value) {
    state_ = entry_.name == metadata_name ? State::metadata : State::entry;
    key_.clear();
    has_dtype_ = has_shape_ = has_offsets_ = false;
    return true;
  }
  return unexpected("a nested object");
}

bool HeaderReader::key(std::string& text) {
  if (state_ == State::names) {
    if (text == metadata_name && std::exchange(has_metadata_, true)) fail_twice(text);
    entry_ = HeaderEntry{};
    entry_.name = std::move(text);
    state_ = State::entry_value;
    return true;
  }
  if (state_ == State::metadata) {
    if (header_.metadata.count(text) > 0) fail("the key '" + displayable(text) + "' occurs twice");
    key_ = std::move(text);
    state_ = State::metadata_value;
    return true;
  }
  bool* seen = nullptr;
  if (text == "dtype") {
    seen = &has_dtype_;
  } else if (text == "shape") {
    seen = &has_shape_;
  } else if (text == "data_offsets") {
    seen = &has_offsets_;
  } else {
    return unexpected("the key '" + displayable(text) + "'");
  }
  if (*seen) fail("the key '" + text + "' occurs twice");
  *seen = true;
  state_ = seen == &has_dtype_   ? State::dtype
           : seen == &has_shape_ ? State::shape_value
                                 : State::offsets_value;
  key_ = std::move(text);
  return true;
}

bool HeaderReader::end_object() {
  if (state_ == State::metadata) {
    state_ = State::names;
  } else if (state_ == State::entry) {
    if (!has_dtype_ || !has_shape_ || !has_offsets_) {
      fail(std::string("the key '") +
           (!has_dtype_   ? "dtype"
            : !has_shape_ ? "shape"
                          : "data_offsets") +
           "' is missing");
    }
    header_.entries.push_back(std::move(entry_));
    state_ = State::names;
  } else {
    state_ = State::done;
  }
  return true;
}

bool HeaderReader::start_array(std::size_t) {
  if (state_ == State::shape_value) {
    state_ = State::shape;
    return true;
  }
  if (state_ == State::offsets_value) {
    offsets_seen_ = 0;
    state_ = State::offsets;
    return true;
  }
  return unexpected("an array");
}

bool HeaderReader::end_array() {
  if (state_ == State::offsets && offsets_seen_ != 2) {
    return unexpected(std::to_string(offsets_seen_) + " numbers");
  }
  key_.clear();
  state_ = State::entry;
  return true;
}

}  // namespace

const SafetensorsDType* safetensors_dtype(std::string_view name) {
  for (const SafetensorsDType& row : dtypes) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

const SafetensorsDType* safetensors_dtype(DType dtype) {
  for (const SafetensorsDType& row : dtypes) {
    if (row.dtype == dtype) return &row;
  }
  return nullptr;
}

Header parse_safetensors_header(std::string_view json, const std::string& what) {
  HeaderReader reader(what);
  Json::sax_parse(json.begin(), json.end(), &reader);
  return reader.take();
}

}  // namespace repro
