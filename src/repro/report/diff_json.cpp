#include "repro/report/diff_report.h"
#include "repro/report/escape.h"
#include "repro/report/json_rows.h"

namespace repro {
namespace {

void write_sides(JsonStream& json, const DiffComparison& comparison) {
  json.member("reference", json_text(comparison.reference.name));
  json.member("candidate", json_text(comparison.candidate.name));
  json.member("reference_format", json_text(comparison.reference.format));
  json.member("candidate_format", json_text(comparison.candidate.format));
  json.member("reference_tensors", comparison.reference.tensors);
  json.member("candidate_tensors", comparison.candidate.tensors);
  json.member("reference_remarks", json_texts(comparison.reference.remarks));
  json.member("candidate_remarks", json_texts(comparison.candidate.remarks));
  json.member("hints", json_texts(comparison.hints));
}

}  // namespace

void write_diff_json(const DiffResult& result, const TextSink& sink) {
  JsonStream json(sink);
  json.begin_object();
  json.member("format", "repro-train/diff");
  json.member("version", 1);
  json.member("verdict", name_of(result.verdict));
  json.member("verdict_line", json_text(result.verdict_line));
  json.member("rule", rule_text(result.rule));
  write_filter(json, result.filter);
  if (result.comparisons.size() == 1) {
    write_sides(json, result.comparisons[0]);
    write_diff(json, result.comparisons[0].diff);
  } else {
    json.member("notes", json_texts(result.notes));
    json.key("comparisons");
    json.begin_array();
    for (const DiffComparison& comparison : result.comparisons) {
      json.begin_object();
      json.member("verdict", name_of(comparison.diff.verdict));
      write_sides(json, comparison);
      write_diff(json, comparison.diff);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
  json.finish();
}

std::string render_diff_json(const DiffResult& result) {
  std::string out;
  write_diff_json(result, [&](std::string_view text) { out += text; });
  return out;
}

}  // namespace repro
