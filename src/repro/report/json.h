#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repro/compare/divergence.h"

namespace repro {

// Facts as JSON, in the words and spellings of the contract: keys in a fixed order, NaN, infinities and -0
// as strings, absent as null.
using Json = nlohmann::ordered_json;

Json json_number(double value);
Json json_number(const std::optional<double>& value);
Json json_of(const TraceSlot& slot);
Json json_of(const Divergence& divergence);
Json json_texts(const std::vector<std::string>& values);

// A small document as a whole: two spaces of indentation and a final line break.
std::string json_document(const Json& json);

// Takes the pieces of a text in order.
using TextSink = std::function<void(std::string_view)>;

// Writes a document piece by piece, so that a comparison of 100,000 tensors needs the memory of one row and
// of a buffer of 64 KiB. Objects and arrays are laid out in lines, indented by two, except within one that
// is `flat`: all that is in it stands on one line. The caller keeps begin and end in balance and gives every
// member of an object a key.
class JsonStream {
 public:
  explicit JsonStream(TextSink sink) : sink_(std::move(sink)) {}

  void begin_object(bool flat = false) { begin('{', flat); }
  void end_object() { end('}'); }
  void begin_array(bool flat = false) { begin('[', flat); }
  void end_array() { end(']'); }
  void key(std::string_view name);
  void value(const Json& json);
  void member(std::string_view name, const Json& json) {
    key(name);
    value(json);
  }
  // The final line break, and all that is still held.
  void finish();

 private:
  struct Level {
    bool flat = false;
    bool empty = true;
  };
  void begin(char bracket, bool flat);
  void end(char bracket);
  void next();
  void line();
  void write(std::string_view text);

  TextSink sink_;
  std::string buffer_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace repro
