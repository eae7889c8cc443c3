#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "repro/snapshot/trace.h"
#include "repro/tensor/element_change.h"

namespace repro {

// A fault that is injected on purpose: one number of one run is changed by a raw write to memory.
//   --inject RUN,STEP,PHASE,TENSOR-OR-OP[,INDEX],ulp=N|bit=K|bits=HEX
// phase      target                             when
// initialisation  learnable, adam.m/…, adam.v/…      after initialisation (step 0)
// batch           input, target                      before the forward pass
// forward, loss, backward, update: [LAYER/]OPERATION[#N]  right after the N-th such operation (from 1;
// default 1) loss            loss                               between forward and backward pass backward
// learnable                          its gradient, after the backward pass update          learnable,
// adam.m/…, adam.v/…      after the update buffer          input.mean                         after the
// update
struct Injection {
  std::string run;        // "deterministic-1", or "1": run 1 of every group
  std::int64_t step = 0;  // from 1; 0 for initialisation
  Phase phase = Phase::update;
  std::string target;
  std::uint64_t index = 0;  // of the element, flat, row-major
  ElementChange change;

  bool targets_operation() const { return target.find("::") != std::string::npos; }
  bool operator==(const Injection&) const = default;
};

// parse(text_of(i)) == i. Error{request} naming what is wrong and what is allowed.
std::string text_of(const Injection& injection);
Injection parse_injection(std::string_view text, std::string_view what);

// "conv1/aten::convolution#2" taken apart.
struct OperationTarget {
  std::string layer;  // "" = any
  std::string operation;
  std::int64_t occurrence = 1;
};
// Error{request} for a number that is none.
OperationTarget parse_operation_target(std::string_view target, std::string_view what);

}  // namespace repro
