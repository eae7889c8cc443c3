#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/json_rows.h"
#include "repro/report/localization.h"
#include "repro/report/report.h"

namespace repro {
namespace {

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
  out["warnings"] = json_texts(record.warnings);
  out["log_tail"] = json_texts(run.log_tail);
  out["files"] = std::move(files);
  return out;
}

void write_comparison(JsonStream& json, const Comparison& comparison) {
  json.begin_object();
  json.member("verdict", name_of(comparison.diff.verdict));
  json.member("group", json_text(comparison.group));
  json.member("reference", comparison.reference);
  json.member("candidate", comparison.candidate);
  json.member("first_divergence", comparison.divergence ? json_of(*comparison.divergence) : Json(nullptr));
  json.member("optimizer_differs", comparison.optimizer_differs);
  json.member("tensors_ignored", comparison.diff.ignored);  // what "ignored" was called at first
  write_diff(json, comparison.diff);
  json.end_object();
}

Json json_of_first_divergence(const AuditResult& audit) {
  if (!audit.first_divergence) return nullptr;
  Json out = json_of(*audit.first_divergence);
  out["between"] = json_text(audit.first_divergence_of);
  return out;
}

void write_head(JsonStream& json, const AuditResult& audit, const Judgement& judgement) {
  json.member("format", "repro-train/report");
  json.member("version", 1);
  json.member("name", json_text(audit.name));
  json.member("verdict", name_of(judgement.verdict));
  json.member("exit_code", judgement.exit_code);
  json.member("expect", judgement.expectation == Expectation::identical ? "identical" : "different");
  json.member("reason", judgement.reason.empty() ? Json(nullptr) : Json(json_text(judgement.reason)));
  json.member("verdict_line", json_text(judgement.verdict_line));
  json.member("rule", rule_text(audit.rule));
  write_filter(json, audit.filter);
  json.member("device", json_text(audit.device));
  json.member("device_line", json_text(audit.device_line));
  json.member("isolation", json_text(audit.isolation));
  json.member("program_version", json_text(audit.version));
  json.member("argv", json_texts(audit.argv));
  json.member("started", json_text(audit.started));
  json.member("ended", json_text(audit.ended));
}

void write_groups(JsonStream& json, const AuditResult& audit) {
  json.key("groups");
  json.begin_array();
  for (const GroupFacts& facts : group_facts(audit)) json.value(json_of_group(facts));
  json.end_array();
}

Json json_of_proof(const AuditResult& audit, const Judgement& judgement) {
  if (!audit.proof) return nullptr;
  return json_of(*audit.proof, proof_state(audit, judgement.verdict));
}

void write_alerts(JsonStream& json, const AuditResult& audit) {
  json.key("alerts");
  json.begin_array();
  for (const RunResult& run : audit.runs) {
    for (const AlertRow& alert : run.alerts) {
      json.value({{"run", json_text(run.record.name)},
                  {"step", alert.step},
                  {"phase", name_of(alert.phase)},
                  {"layer", alert.layer.empty() ? Json(nullptr) : Json(json_text(alert.layer))},
                  {"operation", json_text(alert.operation)},
                  {"count", alert.count},
                  {"message", json_text(alert.message)}});
    }
  }
  json.end_array();
}

void write_warnings(JsonStream& json, const AuditResult& audit) {
  std::vector<std::string> warnings;
  for (const Note& note : notes_of(audit)) {
    if (note.kind == Note::Kind::warning) warnings.push_back(note.text);
  }
  json.member("warnings", json_texts(warnings));
}

}  // namespace

std::string render_json(const AuditResult& audit, const Judgement& judgement) {
  std::string out;
  JsonStream json([&](std::string_view text) { out += text; });
  json.begin_object();
  write_head(json, audit, judgement);
  write_groups(json, audit);
  json.member("determinism_cost", json_number(audit.determinism_cost));
  json.member("first_divergence", json_of_first_divergence(audit));
  json.member("localization", json_of_localization(audit));
  json.member("proof", json_of_proof(audit, judgement));
  write_alerts(json, audit);
  write_warnings(json, audit);
  json.key("runs");
  json.begin_array();
  for (const RunResult& run : audit.runs) json.value(json_of_run(run));
  json.end_array();
  json.key("comparisons");
  json.begin_array();
  for (const Comparison& comparison : audit.comparisons) write_comparison(json, comparison);
  json.end_array();
  json.member("environment", embedded(audit.environment_json));
  json.member("spec", embedded(audit.spec_json));
  json.end_object();
  json.finish();
  return out;
}

}  // namespace repro
