#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace repro {

// Help for a terminal of 80 columns: options with their values in one column, descriptions wrapped in the
// other. Which options exclude each other is said when it happens, not here.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_positionals(const CLI::App* app) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override;
};

}  // namespace repro
