#include "repro/run/injection.h"

#include <charconv>
#include <vector>

#include "repro/base/error.h"
#include "repro/base/text.h"

namespace repro {
namespace {

[[noreturn]] void refuse(std::string_view what, const std::string& message) {
  throw Error(ErrorKind::request, std::string(what) + ": " + message,
              "the form is RUN,STEP,PHASE,TENSOR-OR-OP[,INDEX],ulp=N|bit=K, such as "
              "1,12,backward,conv1.weight,5,ulp=1");
}

template <class Number>
Number number(std::string_view text, std::string_view what, const char* of) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < Number{0} || text.empty()) {
    refuse(what, std::string(of) + " must be a whole number from 0 on, found '" + displayable(text) + "'");
  }
  return value;
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t comma = 0; (comma = text.find(',')) != std::string_view::npos;) {
    parts.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  parts.push_back(text);
  return parts;
}

void check_place(const Injection& injection, std::string_view what) {
  const bool initial = injection.phase == Phase::initialisation;
  if (initial != (injection.step == 0)) {
    refuse(what, "step 0 is the initialisation, and only that; found step " + std::to_string(injection.step) +
                     ", phase " + std::string(name_of(injection.phase)));
  }
  if (injection.phase == Phase::validation) refuse(what, "nothing can be injected into the validation");
  const bool computing = injection.phase == Phase::forward || injection.phase == Phase::loss ||
                         injection.phase == Phase::backward || injection.phase == Phase::update;
  if (injection.targets_operation() && !computing) {
    refuse(what, "operations belong to forward, loss, backward or update, not to " +
                     std::string(name_of(injection.phase)));
  }
  if (injection.phase == Phase::forward && !injection.targets_operation()) {
    refuse(what, "in the forward phase name an operation, such as conv1/aten::convolution");
  }
}

}  // namespace

std::string text_of(const Injection& injection) {
  return injection.run + "," + std::to_string(injection.step) + "," + std::string(name_of(injection.phase)) +
         "," + injection.target + "," + std::to_string(injection.index) + "," + text_of(injection.change);
}

Injection parse_injection(std::string_view text, std::string_view what) {
  const std::vector<std::string_view> parts = parts_of(text);
  if (parts.size() != 5 && parts.size() != 6) {
    refuse(what, "expected five or six parts, found " + std::to_string(parts.size()) + " in '" +
                     displayable(text) + "'");
  }
  Injection injection;
  injection.run = parts[0];
  injection.step = number<std::int64_t>(parts[1], what, "the step");
  const auto phase = phase_named(parts[2]);
  if (!phase) refuse(what, "there is no phase '" + displayable(parts[2]) + "'");
  injection.phase = *phase;
  injection.target = parts[3];
  if (injection.run.empty() || injection.target.empty()) refuse(what, "a part is empty");
  if (parts.size() == 6) injection.index = number<std::uint64_t>(parts[4], what, "the index");
  injection.change = parse_element_change(parts.back(), what);
  check_place(injection, what);
  if (injection.targets_operation()) parse_operation_target(injection.target, what);
  return injection;
}

OperationTarget parse_operation_target(std::string_view target, std::string_view what) {
  OperationTarget out;
  if (const std::size_t hash = target.rfind('#'); hash != std::string_view::npos) {
    out.occurrence = number<std::int64_t>(target.substr(hash + 1), what, "the number behind '#'");
    if (out.occurrence == 0) refuse(what, "operations count from 1");
    target = target.substr(0, hash);
  }
  if (const std::size_t slash = target.rfind('/'); slash != std::string_view::npos) {
    out.layer = target.substr(0, slash);
    target = target.substr(slash + 1);
  }
  out.operation = target;
  return out;
}

}  // namespace repro
