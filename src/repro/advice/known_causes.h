#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "repro/spec/spec.h"

namespace repro {

// What is known, from upstream's documentation and sources and from measurements of this repository, about
// operations that give other bits when they are repeated. Unknown stays unknown: nothing here is a guess.
//
// "Deterministic" means: repeated on the same machine with the same program, settings and number of threads,
// the same input gives the same bits.

enum class Knowledge {
  deterministic,
  nondeterministic,  // repetitions may differ; they need not on every machine
  fails,             // throws, because it has no deterministic algorithm and only such are allowed
  unknown,
};
std::string_view name_of(Knowledge value);  // "deterministic", "not deterministic", "fails", "unknown"

// The settings under which an operation runs.
struct Circumstances {
  std::string device = "cpu";  // "cpu", "cuda", "cuda:K"; nothing is known of any other
  bool algorithms = false;     // the switches of DeterminismSpec (spec/spec.h)
  bool cudnn = true;
  bool cudnn_deterministic = false;
  bool cudnn_benchmark = false;
  bool tf32 = true;          // for convolutions
  std::int64_t threads = 1;  // >= 1
  bool operator==(const Circumstances&) const = default;
};
// LibTorch 2.11 as it comes, and with the settings of a spec.
Circumstances default_circumstances(std::string device, std::int64_t threads);
Circumstances asked_circumstances(const DeterminismSpec& spec, std::string device, std::int64_t threads);

// When an entry holds. The entries about cuDNN need "cudnn" to be on.
enum class Condition {
  always,
  one_thread,
  threads_without_algorithms,  // more than one thread, "algorithms" off
  without_algorithms,
  cudnn_benchmark,
  cudnn_free,           // none of "algorithms", "cudnn_deterministic" and "cudnn_benchmark"
  cudnn_deterministic,  // "cudnn_deterministic" on, "cudnn_benchmark" off
  tf32,
};
std::string_view name_of(Condition value);  // for people: "more than one thread, algorithms off"
bool holds(Condition condition, const Circumstances& circumstances);

// An operation that may give other bits while the condition holds. All texts are one clause and not empty.
// Operations are spelled as LibTorch's dispatcher does, without overload; ended by '*' they stand for all
// that begin so. Devices are "cpu", "cuda" and "any".
struct KnownCause {
  std::string_view operation;
  std::string_view device;
  Condition condition;
  std::string_view cause;     // completes "cause known: …"
  std::string_view remedy;    // what to change
  std::string_view source;    // a document or source of upstream, or "measured: <test>"
  Knowledge with_algorithms;  // where "algorithms" is on and the condition does not hold
};

// An operation that is deterministic while the condition holds.
struct KnownDeterministic {
  std::string_view operation;
  std::string_view device;
  Condition condition;
  std::string_view reason;
  std::string_view source;
};

// What changes bits from one machine or setting to another, although every operation is deterministic.
struct KnownCaveat {
  std::string_view device;
  Condition condition;
  std::string_view text;
  std::string_view remedy;
  std::string_view source;
};

// The tables. Where several entries fit, the first counts.
std::span<const KnownCause> known_causes();
std::span<const KnownDeterministic> known_deterministic();
std::span<const KnownCaveat> known_caveats();

// The cause for which repetitions of `operation` (with or without overload: "aten::sum.dim_IntList") may
// differ under exactly these circumstances; null where the table does not speak of them. The pointer stays
// valid for the life of the program.
const KnownCause* find_cause(std::string_view operation, const Circumstances& circumstances);

// All that is known of an operation: `unknown` where no table speaks of it under these circumstances.
struct Known {
  Knowledge knowledge = Knowledge::unknown;
  const KnownCause* cause = nullptr;  // not null exactly for `nondeterministic` and `fails`
};
Known known_of(std::string_view operation, const Circumstances& circumstances);

// True if `caveat` counts under these circumstances.
bool applies(const KnownCaveat& caveat, const Circumstances& circumstances);

}  // namespace repro
