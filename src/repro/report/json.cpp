#include "repro/report/json.h"

#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/report.h"

namespace repro {
namespace {

Json texts(const std::vector<std::string>& values) {
  Json out = Json::array();
  for (const std::string& value : values) out.push_back(json_text(value));
  return out;
}

std::string_view spelling(Filter::Scope scope) {
  switch (scope) {
    case Filter::Scope::all: return "all";
    case Filter::Scope::learnables: return "learnables";
    case Filter::Scope::buffers: return "buffers";
  }
  return "";
}

// A document of ours embedded as it stands; null if there is none or it is no JSON.
Json embedded(const std::string& text) {
  Json out = Json::parse(text, nullptr, false);
  return out.is_discarded() ? Json(nullptr) : out;
}

Json json_of_group(const GroupFacts& facts) {
  const GroupResult& group = *facts.group;
  Json settings = Json::array();
  for (const Setting& setting : group.settings) {
    settings.push_back(Json{{"name", json_text(setting.name)},
                            {"before", json_text(setting.before)},
                            {"in_force", json_text(setting.in_force)},
                            {"after", json_text(setting.after)}});
  }
  Json out;
  out["name"] = json_text(group.name);
  out["decides"] = facts.decides;
  out["runs"] = group.runs;
  out["finished"] = group.finished;
  out["distinct"] = group.distinct;
  out["verdict"] = name_of(facts.judged.verdict);
  out["reason"] = facts.judged.reason.empty() ? Json(nullptr) : Json(json_text(facts.judged.reason));
  out["reference"] = group.reference ? Json(*group.reference) : Json(nullptr);
  out["odd_ones"] = group.odd_ones;
  out["tensors"] = group.tensors;
  out["values"] = group.values;
  out["values_different"] = facts.different;
  out["max_abs"] = json_number(facts.max_abs);
  out["max_ulp"] = facts.max_ulp ? Json(*facts.max_ulp) : Json(nullptr);
  out["step_seconds"] = json_number(group.step_seconds);
  out["peak_memory_bytes"] = group.peak_memory_bytes;
  out["settings"] = std::move(settings);
  return out;
}

Json json_of_run(const RunResult& run) {
  const RunRecord& record = run.record;
  Json files = Json::object();
  for (const auto& [name, hash] : record.files) files[json_text(name)] = hash;
  Json out;
  out["name"] = json_text(record.name);
  out["group"] = json_text(run.group);
  out["index"] = run.index;
  out["status"] = name_of(record.status);
  out["message"] = record.message.empty() ? Json(nullptr) : Json(json_text(record.message));
  out["result_class"] = run.result_class.empty() ? Json(nullptr) : Json(json_text(run.result_class));
  out["passes_identical"] = run.passes_identical;
  out["steps"] = record.steps;
  out["epochs"] = record.epochs;
  out["stopped_early"] = record.stopped_early;
  out["first_nan_step"] = record.first_nan_step ? Json(*record.first_nan_step) : Json(nullptr);
  out["final_loss"] =
      run.steps.empty() ? Json(nullptr) : json_number(static_cast<double>(run.steps.back().loss));
  out["final_validation_loss"] =
      run.validation.empty() ? Json(nullptr) : json_number(static_cast<double>(run.validation.back().loss));
  out["started"] = json_text(record.started);
  out["seconds"] = json_number(record.seconds);
  out["step_seconds"] = json_number(record.step_seconds);
  out["peak_memory_bytes"] = record.peak_memory_bytes;
  out["weights_sha256"] = run.weights_sha256.empty() ? Json(nullptr) : Json(json_text(run.weights_sha256));
  out["warnings"] = texts(record.warnings);
  out["log_tail"] = texts(run.log_tail);
  out["files"] = std::move(files);
  return out;
}

Json json_of_comparison(const Comparison& comparison) {
  Json out;
  out["verdict"] = name_of(comparison.diff.verdict);
  out["group"] = json_text(comparison.group);
  out["reference"] = comparison.reference;
  out["candidate"] = comparison.candidate;
  out["first_divergence"] = comparison.divergence ? json_of(*comparison.divergence) : Json(nullptr);
  out["optimizer_differs"] = comparison.optimizer_differs;
  add_diff(out, comparison.diff);
  return out;
}

Json json_of_first_divergence(const AuditResult& audit) {
  if (!audit.first_divergence) return nullptr;
  Json out = json_of(*audit.first_divergence);
  out["between"] = json_text(audit.first_divergence_of);
  return out;
}

void add_head(Json& out, const AuditResult& audit, const Judgement& judgement) {
  out["format"] = "repro-train/report";
  out["version"] = 1;
  out["name"] = json_text(audit.name);
  out["verdict"] = name_of(judgement.verdict);
  out["exit_code"] = judgement.exit_code;
  out["expect"] = judgement.expectation == Expectation::identical ? "identical" : "different";
  out["reason"] = judgement.reason.empty() ? Json(nullptr) : Json(json_text(judgement.reason));
  out["verdict_line"] = json_text(judgement.verdict_line);
  out["rule"] = rule_text(audit.rule);
  out["filter"] = Json{{"only", texts(audit.filter.only)},
                       {"ignore", texts(audit.filter.ignore)},
                       {"scope", spelling(audit.filter.scope)}};
  out["device"] = json_text(audit.device);
  out["device_line"] = json_text(audit.device_line);
  out["isolation"] = json_text(audit.isolation);
  out["program_version"] = json_text(audit.version);
  out["argv"] = texts(audit.argv);
  out["started"] = json_text(audit.started);
  out["ended"] = json_text(audit.ended);
}

}  // namespace

std::string render_json(const AuditResult& audit, const Judgement& judgement) {
  Json out;
  add_head(out, audit, judgement);
  Json groups = Json::array();
  for (const GroupFacts& facts : group_facts(audit)) groups.push_back(json_of_group(facts));
  Json runs = Json::array();
  for (const RunResult& run : audit.runs) runs.push_back(json_of_run(run));
  Json comparisons = Json::array();
  for (const Comparison& comparison : audit.comparisons) {
    comparisons.push_back(json_of_comparison(comparison));
  }
  out["groups"] = std::move(groups);
  out["determinism_cost"] = json_number(audit.determinism_cost);
  out["first_divergence"] = json_of_first_divergence(audit);
  std::vector<std::string> warnings;
  for (const Note& note : notes_of(audit)) {
    if (note.kind == Note::Kind::warning) warnings.push_back(note.text);
  }
  out["warnings"] = texts(warnings);
  out["runs"] = std::move(runs);
  out["comparisons"] = std::move(comparisons);
  out["environment"] = embedded(audit.environment_json);
  out["spec"] = embedded(audit.spec_json);
  return json_document(out);
}

}  // namespace repro
