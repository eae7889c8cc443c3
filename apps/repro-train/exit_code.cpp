#include "exit_code.h"

#include <exception>
#include <new>

#include "console.h"
#include "repro/base/text.h"
#include "repro/spec/mistakes.h"

namespace repro {

int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::request: return exit_request;
    case ErrorKind::input: return exit_input;
    case ErrorKind::unavailable: return exit_no_verdict;
    case ErrorKind::bug: return exit_bug;
  }
  return exit_bug;
}

int exit_code_of(Verdict verdict, Expectation expectation) {
  if (verdict == Verdict::inconclusive || verdict == Verdict::not_comparable) return exit_no_verdict;
  const bool as_expected = (verdict == Verdict::identical) == (expectation == Expectation::identical);
  return as_expected ? exit_identical : exit_different;
}

int exit_code_of(const std::function<int()>& work) {
  try {
    return work();
  } catch (const SpecError& error) {
    for (const std::string& mistake : error.mistakes()) print_error(mistake);
    if (error.total() > error.mistakes().size()) {
      print_error("and " +
                  plural(static_cast<std::int64_t>(error.total() - error.mistakes().size()), "more mistake"));
    }
    return exit_request;
  } catch (const Error& error) {
    print_error(error.what());
    return exit_code_of(error.kind());
  } catch (const std::bad_alloc&) {
    print_error("out of memory");
    return exit_no_verdict;
  } catch (const std::exception& error) {
    print_error(std::string("a bug in this program: ") + displayable(error.what()) +
                "; please report it with the command line");
    return exit_bug;
  }
}

int for_bisect(int code) { return code == exit_no_verdict || code == exit_input ? exit_skip_bisect : code; }

}  // namespace repro
