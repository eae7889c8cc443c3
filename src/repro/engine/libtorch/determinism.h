#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repro/spec/spec.h"

namespace repro {

// One setting of LibTorch that can change bits, with its value as text: "on", "off", "conv:tf32 …", "10".
struct SettingValue {
  std::string name;
  std::string value;
  bool operator==(const SettingValue&) const = default;
};

// Everything that the guard knows, as it is in force now, always in the same order.
std::vector<SettingValue> read_settings();

// Applies a determinism policy to the process-wide LibTorch context and restores what was there before,
// also when the scope is left by an exception. Must be made before the first tensor, layer or generator of
// a run, while no other thread uses LibTorch. Guards nest.
class DeterminismGuard {
 public:
  // Without `asked` nothing is changed (LibTorch as it comes), but everything is still restored.
  // `warn_only`: where algorithms are asked for, an operation that has none only warns.
  explicit DeterminismGuard(const std::optional<DeterminismSpec>& asked, bool warn_only = false);
  DeterminismGuard(const DeterminismGuard&) = delete;
  DeterminismGuard& operator=(const DeterminismGuard&) = delete;
  ~DeterminismGuard();

  const std::vector<SettingValue>& before() const { return before_; }
  const std::vector<SettingValue>& in_force() const { return in_force_; }

  // "algorithms: asked on, in force off" for every setting that did not take; empty is good.
  std::vector<std::string> unmet() const;

 private:
  std::vector<SettingValue> before_, asked_, in_force_;
};

}  // namespace repro
