#include "help.h"

#include <sstream>
#include <utility>

namespace repro {
namespace {

constexpr std::size_t width = 80;
constexpr std::size_t column = 26;  // where descriptions start

// Words of `text` on lines of at most `width` columns, all but the first indented to `column`.
std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string out;
  std::size_t at = column;
  for (std::string word; words >> word;) {
    if (at > column && at + 1 + word.size() > width) {
      out += "\n" + std::string(column, ' ');
      at = column;
    }
    if (at > column) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
  }
  return out + "\n";
}

std::string entry(const std::string& left, const std::string& description) {
  std::string out = "  " + left;
  if (out.size() + 2 > column) {
    out += "\n" + std::string(column, ' ');
  } else {
    out.resize(column, ' ');
  }
  return out + wrapped(description);
}

// The values as we named them, without the list that CLI11 adds for its checks.
std::string values_of(const CLI::Option* option) {
  const std::string type = option->get_type_name();
  const std::string values = type.substr(0, type.find(":{"));
  return values.empty() || option->get_expected_max() == 0 ? "" : " " + values;
}

}  // namespace

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  if (is_positional) return entry(option->get_name(true), option->get_description());
  std::string names = option->get_name(false, true);
  for (std::size_t at = 0; (at = names.find(',', at)) != std::string::npos; at += 2)
    names.insert(at + 1, " ");
  return entry(names + values_of(option), option->get_description());
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return entry(command->get_name(), command->get_description());
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return app->get_description() + "\n\n";
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  std::string usage = CLI::Formatter::make_usage(app, std::move(name));
  if (app->get_allow_extras()) usage.insert(usage.find_last_not_of("\n") + 1, "...");
  return usage + "\n";
}

std::string HelpFormatter::make_positionals(const CLI::App* app) const {
  const std::string text = CLI::Formatter::make_positionals(app);
  return text.empty() ? text : text + "\n";
}

std::string HelpFormatter::make_group(std::string group, bool is_positional,
                                      std::vector<const CLI::Option*> options) const {
  std::string out = group + ":\n";
  for (const CLI::Option* option : options) out += make_option(option, is_positional);
  return out;
}

}  // namespace repro
