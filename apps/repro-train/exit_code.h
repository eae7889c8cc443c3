#pragma once

#include <functional>

#include "repro/base/error.h"
#include "repro/gate/gate.h"

namespace repro {

// The exit codes of the contract.
inline constexpr int exit_identical = 0;
inline constexpr int exit_different = 1;
inline constexpr int exit_request = 2;
inline constexpr int exit_no_verdict = 3;
inline constexpr int exit_input = 4;
inline constexpr int exit_bug = 5;
inline constexpr int exit_skip_bisect = 125;

int exit_code_of(ErrorKind kind);
int exit_code_of(Verdict verdict, Expectation expectation = Expectation::identical);

// Runs `work`, prints the error that it throws (all mistakes of a spec, one per line) on standard error,
// and gives the exit code.
int exit_code_of(const std::function<int()>& work);

// --bisect: what could not be judged becomes "skip" for `git bisect run`.
int for_bisect(int code);

}  // namespace repro
