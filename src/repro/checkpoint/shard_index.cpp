#include "repro/checkpoint/shard_index.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "repro/base/text.h"
#include "repro/checkpoint/refuse.h"

namespace repro {
namespace {

using Json = nlohmann::json;

constexpr std::size_t max_depth = 32;

// Why a file name may not be opened; "" if it may.
std::string_view fault_of(std::string_view name) {
  if (name.empty()) return "it is empty";
  if (name.size() > 4096) return "it is longer than 4,096 bytes";
  if (name.front() == '/') return "it is an absolute path";
  for (const char c : name) {
    if (c == '\\') return "it has a backslash";
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return "it has a control character";
  }
  while (true) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.empty() || part == ".") return "a part of it is empty or '.'";
    if (part == "..") return "it leaves the folder of the index";
    if (slash == std::string_view::npos) return "";
    name.remove_prefix(slash + 1);
  }
}

// nlohmann's DOM keeps the last of two equal keys and recurses when it is destroyed; this reader refuses what
// does not belong, and keeps nothing but the map.
class IndexReader {
 public:
  explicit IndexReader(const std::string& what) : what_(what) {}

  ShardIndex take() {
    if (!top_keys_.contains("weight_map")) fail("the key 'weight_map' is missing");
    if (index_.entries.empty()) fail("its weight_map names no tensor");
    return std::move(index_);
  }

  // The SAX interface.
  bool null() { return value("null"); }
  bool boolean(bool) { return value("a boolean"); }
  bool number_integer(std::int64_t number) { return value(std::to_string(number)); }
  bool number_unsigned(std::uint64_t number) {
    if (depth_ == 2 && top_key_ == "metadata" && key_ == "total_size") index_.total_size = number;
    return value(std::to_string(number));
  }
  bool number_float(double, const std::string& text) { return value(displayable(text)); }
  bool string(std::string& text);
  bool binary(Json::binary_t&) { return value("binary data"); }
  bool start_object(std::size_t);
  bool key(std::string& text);
  bool end_object() { return leave(); }
  bool start_array(std::size_t) {
    value("an array");
    return enter();
  }
  bool end_array() { return leave(); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& ex) {
    fail("it is not valid JSON at byte " + thousands(std::uint64_t{position}) + ": " +
         displayable(std::string_view(ex.what()).substr(0, 200)));
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    refuse(what_, reason, "an index of shards is a JSON object with a weight_map of names and files");
  }
  bool in_map() const { return depth_ == 2 && top_key_ == "weight_map"; }
  // Anything that is neither a string nor an object: allowed where nothing is asked for.
  bool value(const std::string& found) {
    if (in_map()) fail("tensor '" + displayable(key_) + "': found " + found + ", allowed is a file name");
    if (depth_ == 0 || (depth_ == 1 && (top_key_ == "weight_map" || top_key_ == "metadata"))) {
      fail((depth_ == 0 ? "" : top_key_ + ": ") + "found " + found + ", allowed is an object");
    }
    return true;
  }
  bool enter() {
    if (++depth_ > max_depth) fail("values are nested deeper than the 32 levels that are allowed");
    return true;
  }
  bool leave() {
    --depth_;
    return true;
  }

  const std::string& what_;
  ShardIndex index_;
  std::size_t depth_ = 0;  // objects and arrays that are open
  std::string top_key_, key_;
  std::unordered_set<std::string> top_keys_, inner_keys_;  // of the objects on levels 1 and 2
  std::unordered_map<std::string, std::size_t> shards_;
};

bool IndexReader::string(std::string& text) {
  if (!in_map()) return value("the string '" + displayable(text) + "'");
  const auto [at, is_new] = shards_.try_emplace(text, index_.shards.size());
  if (is_new) {
    const std::string_view fault = fault_of(text);
    if (!fault.empty()) {
      fail("tensor '" + displayable(key_) + "': the file name '" + displayable(text) +
           "' is not allowed: " + std::string(fault));
    }
    index_.shards.push_back(text);
  }
  index_.entries.push_back({key_, at->second});
  return true;
}

bool IndexReader::start_object(std::size_t) {
  if (in_map()) value("an object");
  if (depth_ == 1) inner_keys_.clear();
  return enter();
}

bool IndexReader::key(std::string& text) {
  // Keys of what lies deeper, and of objects that say nothing to us, are not looked at.
  if (depth_ == 1) {
    if (!top_keys_.insert(text).second) fail("the key '" + displayable(text) + "' occurs twice");
    top_key_ = std::move(text);
  } else if (depth_ == 2) {
    if (!inner_keys_.insert(text).second) {
      fail(displayable(top_key_) + ": the key '" + displayable(text) + "' occurs twice");
    }
    key_ = std::move(text);
  }
  return true;
}

// Looks for a key at the top level and stops there.
class KeyFinder {
 public:
  bool found() const { return found_; }
  bool null() { return depth_ > 0; }
  bool boolean(bool) { return depth_ > 0; }
  bool number_integer(std::int64_t) { return depth_ > 0; }
  bool number_unsigned(std::uint64_t) { return depth_ > 0; }
  bool number_float(double, const std::string&) { return depth_ > 0; }
  bool string(std::string&) { return depth_ > 0; }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return ++depth_ <= max_depth; }
  bool key(const std::string& text) {
    found_ = depth_ == 1 && text == "weight_map";
    return !found_;
  }
  bool end_object() { return --depth_ > 0; }
  // An array at the top is no index; inside it counts as a level.
  bool start_array(std::size_t) { return depth_ > 0 && ++depth_ <= max_depth; }
  bool end_array() { return --depth_ > 0; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) { return false; }

 private:
  std::size_t depth_ = 0;
  bool found_ = false;
};

}  // namespace

bool is_shard_index(std::string_view json) {
  if (json.size() > max_index_bytes) return false;
  KeyFinder finder;
  Json::sax_parse(json.begin(), json.end(), &finder);
  return finder.found();
}

ShardIndex parse_shard_index(std::string_view json, const std::string& what) {
  if (json.size() > max_index_bytes) {
    refuse(what, "it has " + thousands(std::uint64_t{json.size()}) + " bytes, an index of shards may have " +
                     thousands(max_index_bytes));
  }
  IndexReader reader(what);
  Json::sax_parse(json.begin(), json.end(), &reader);
  return reader.take();
}

}  // namespace repro
