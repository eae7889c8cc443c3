#include "repro/report/known_cause.h"

#include <algorithm>

namespace repro {
namespace {

const KnownCause* cause_of(const AuditResult& audit, const std::string& group, const Divergence& divergence) {
  // Only what an operation gave can be its doing.
  const bool culprit = divergence.kind == SlotKind::result || divergence.kind == SlotKind::written;
  if (divergence.operation.empty() || !culprit) return nullptr;
  return find_cause(divergence.operation, circumstances_of(audit, group));
}

}  // namespace

Circumstances circumstances_of(const AuditResult& audit, const std::string& group) {
  const auto found = std::ranges::find(audit.groups, group, &GroupResult::name);
  if (found == audit.groups.end()) return default_circumstances(audit.device, 1);
  Circumstances out = default_circumstances(audit.device, std::max<std::int64_t>(found->threads, 1));
  for (const Setting& setting : found->settings) {
    const bool on = setting.in_force == "on";
    if (setting.name == "algorithms") out.algorithms = setting.in_force != "off";
    if (setting.name == "cudnn") out.cudnn = on;
    if (setting.name == "cudnn_deterministic") out.cudnn_deterministic = on;
    if (setting.name == "cudnn_benchmark") out.cudnn_benchmark = on;
    if (setting.name == "tf32") out.tf32 = setting.in_force != "off";
  }
  return out;
}

std::string known_cause_text(const AuditResult& audit, const std::string& group,
                             const Divergence& divergence) {
  const KnownCause* cause = cause_of(audit, group, divergence);
  if (cause == nullptr) return {};
  return std::string(cause->cause) + "; " + std::string(cause->remedy) + " [" + std::string(cause->source) +
         "]";
}

Json json_of_known_cause(const AuditResult& audit, const std::string& group, const Divergence& divergence) {
  const KnownCause* cause = cause_of(audit, group, divergence);
  if (cause == nullptr) return nullptr;
  return {{"cause", cause->cause}, {"remedy", cause->remedy}, {"source", cause->source}};
}

}  // namespace repro
