#include "repro/spec/text_rules.h"

#include <algorithm>
#include <array>

#include "repro/base/text.h"

namespace repro {
namespace {

constexpr std::array<std::string_view, 3> reserved_layer_names = {"input", "predictions", "adam"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_spec_name(std::string_view text) {
  return !text.empty() && text.size() <= 200 && text[0] != '.' && text.find('/') == std::string_view::npos &&
         displayable(text) == text;
}

bool is_layer_name(std::string_view text) {
  return !text.empty() && text.size() <= 100 && !is_digit(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); }) &&
         std::find(reserved_layer_names.begin(), reserved_layer_names.end(), text) ==
             reserved_layer_names.end();
}

bool is_file_name(std::string_view text) {
  return !text.empty() && text.size() <= 4096 && text.find('\0') == std::string_view::npos;
}

bool is_device(std::string_view text) {
  if (text == "auto" || text == "cpu" || text == "cuda") return true;
  if (!text.starts_with("cuda:")) return false;
  const std::string_view number = text.substr(5);
  return !number.empty() && number.size() <= 3 && std::all_of(number.begin(), number.end(), is_digit) &&
         (number == "0" || number[0] != '0');
}

bool is_cublas_workspace(std::string_view text) { return text == ":4096:8" || text == ":16:8"; }

bool is_any_text(std::string_view text) { return !text.empty() && text.size() <= 1000; }

}  // namespace

const TextRule spec_name_rule = {is_spec_name,
                                 "1 to 200 bytes without slash, backslash, control or invisible "
                                 "characters, not starting with a dot",
                                 "^[^./\\\\][^/\\\\]*$"};

const TextRule layer_name_rule = {is_layer_name,
                                  "letters, digits and underscores, not starting with a digit, at "
                                  "most 100; not input, predictions or "
                                  "adam",
                                  "^(?!(input|predictions|adam)$)[A-Za-z_][A-Za-z0-9_]{0,99}$"};

const TextRule file_name_rule = {is_file_name, "a path of 1 to 4096 bytes", "^.+$"};

const TextRule device_rule = {is_device, "auto, cpu, cuda, or cuda:K with K from 0 to 999",
                              "^(auto|cpu|cuda(:(0|[1-9][0-9]{0,2}))?)$"};

const TextRule cublas_workspace_rule = {is_cublas_workspace, "':4096:8' or ':16:8'", "^(:4096:8|:16:8)$"};

const TextRule compare_rule = {is_any_text, "bitwise, value, ulp=N, or tolerance=R,A",
                               "^(bitwise|value|ulp=[0-9]+|tolerance=[^,]+,[^,]+)$"};

}  // namespace repro
