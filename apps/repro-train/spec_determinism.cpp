#include "spec_determinism.h"

#include <algorithm>
#include <vector>

#include "repro/advice/forecast.h"
#include "repro/audit/plan.h"
#include "repro/base/error.h"
#include "repro/base/text.h"
#include "repro/report/table.h"
#include "repro/spec/text_rules.h"

namespace repro {
namespace {

constexpr int note_width = 80;  // notes are prose, no wider on a wide terminal

// "aten::relu" -> "relu": every operation of LibTorch begins so.
std::string short_name(std::string_view operation) {
  constexpr std::string_view prefix = "aten::";
  return std::string(operation.starts_with(prefix) ? operation.substr(prefix.size()) : operation);
}

std::string table(const std::vector<ForecastRow>& forecast, int width) {
  const std::vector<TableColumn> columns = {{"layer", "layer", false, 0, 12},
                                            {"pass", "pass", false, 0, 0},
                                            {"deterministic", "deterministic", false, 0, 0},
                                            {"default", "default", false, 0, 0},
                                            {"operations", "operations", false, 0, 20}};
  std::vector<std::vector<TableCell>> rows;
  for (const ForecastRow& row : forecast) {
    std::vector<std::string> operations;
    for (const std::string_view operation : row.operations) operations.push_back(short_name(operation));
    rows.push_back({{displayable(row.layer), ""},
                    {row.pass, ""},
                    {std::string(name_of(row.deterministic.knowledge)), ""},
                    {std::string(name_of(row.default_group.knowledge)), ""},
                    {join(operations, ", "), ""}});
  }
  return render_table(columns, rows, width);
}

// The passes that share an operation of which the same is known.
struct Note {
  Doubt doubt;
  std::vector<std::string> layers;
};

std::vector<Note> notes_of(const std::vector<ForecastRow>& forecast, PassForecast ForecastRow::*group) {
  std::vector<Note> notes;
  for (const ForecastRow& row : forecast) {
    for (const Doubt& doubt : (row.*group).doubts) {
      const auto same = std::ranges::find_if(notes, [&](const Note& note) {
        return note.doubt.operation == doubt.operation && note.doubt.known.cause == doubt.known.cause;
      });
      if (same == notes.end()) {
        notes.push_back({doubt, {displayable(row.layer)}});
      } else {
        same->layers.push_back(displayable(row.layer));
      }
    }
  }
  return notes;
}

std::string note_text(const Note& note) {
  const Known& known = note.doubt.known;
  std::string text = std::string(note.doubt.operation) + " (" + join(note.layers, ", ") + ") ";
  if (known.cause == nullptr) {
    text += "unknown: the tables do not speak of it under these settings";
  } else {
    text += std::string(name_of(known.knowledge)) + ": " + std::string(known.cause->cause) + "; " +
            std::string(known.cause->remedy) + " [" + std::string(known.cause->source) + "]";
  }
  return wrapped(text, note_width, 2);
}

std::string group_text(const std::string& group, const std::vector<ForecastRow>& rows,
                       PassForecast ForecastRow::*member) {
  const std::vector<Note> notes = notes_of(rows, member);
  std::string out = "\ngroup " + group + ":";
  out += notes.empty() ? " every pass is known to be deterministic\n" : "\n";
  for (const Note& note : notes) out += note_text(note);
  return out;
}

// What changes bits elsewhere; once, with the group's name if it counts in one of them only.
std::string caveats_text(const Circumstances& asked, const Circumstances& as_it_comes) {
  std::string out = "\n";
  for (const KnownCaveat& caveat : known_caveats()) {
    const bool first = applies(caveat, asked), second = applies(caveat, as_it_comes);
    if (!first && !second) continue;
    const std::string group = first && second ? "" : first ? " (group deterministic)" : " (group default)";
    out += wrapped("note" + group + ": " + std::string(caveat.text) + "; " + std::string(caveat.remedy) +
                       " [" + std::string(caveat.source) + "]",
                   note_width, 2);
  }
  return out;
}

}  // namespace

void check_device_option(const std::string& device) {
  if (device != "auto" && device_rule.accepts(device)) return;
  throw Error(ErrorKind::request, "--device: found '" + displayable(device) +
                                      "', allowed are cpu, cuda, and cuda:K with K from 0 to 999");
}

TrainingPlace training_place(const Spec& spec, const std::optional<std::string>& device) {
  TrainingPlace place;
  place.threads = resolved_threads(spec);
  place.threads_of_spec = spec.execution.threads != 0;
  if (device) {
    place.device = *device;
    place.why = "as asked";
  } else if (spec.execution.device == "auto") {
    place.device = "cpu";
    place.why = "the spec says auto; --device cuda shows a GPU";
  } else {
    place.device = spec.execution.device;
    place.why = "as the spec says";
  }
  return place;
}

std::string determinism_text(const Model& model, const Spec& spec, const TrainingPlace& place, int width) {
  const std::vector<ForecastRow> rows = forecast(model, spec, place.device, place.threads);
  std::string out =
      "device: " + place.device + " (" + place.why + ")\n" + "threads: " + thousands(place.threads) + " (" +
      (place.threads_of_spec ? "as the spec says" : "as many as this process may use") + ")\n\n";
  out += table(rows, width);
  out += group_text("deterministic", rows, &ForecastRow::deterministic);
  out += group_text("default", rows, &ForecastRow::default_group);
  out += caveats_text(asked_circumstances(spec.execution.determinism, place.device, place.threads),
                      default_circumstances(place.device, place.threads));
  return out + "\ndocs/causes.md says what these words mean and where this is known from.\n";
}

}  // namespace repro
