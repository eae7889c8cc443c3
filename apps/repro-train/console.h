#pragma once

#include <string>
#include <string_view>

namespace repro {

enum class Color { automatic, always, never };

// Opens /dev/null for standard descriptors that are closed, so that no file of ours lands on them, and
// ignores SIGPIPE: a closed standard output does not stop an audit.
void prepare_standard_descriptors();

// Results. A reader that went away is no trouble; a full disk is remembered for output_failed().
void print_result(std::string_view text);
bool output_failed();

// "error: …" and "warning: …" on standard error, through spdlog; info and debug only with -v.
enum class Verbosity { quiet, normal, verbose };
void set_verbosity(Verbosity verbosity);
void print_error(const std::string& message);
void print_warning(const std::string& message);
void print_info(const std::string& message);

bool is_terminal(int descriptor);
int terminal_width(int descriptor);  // columns; 80 where it is no terminal or does not say
// always, or automatic on a terminal that is not TERM=dumb, unless NO_COLOR is set and not empty.
bool use_color(Color color, int descriptor);

}  // namespace repro
