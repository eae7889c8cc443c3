#include "repro/report/diff_notes.h"

#include "repro/base/text.h"
#include "repro/report/totals.h"

namespace repro {
namespace {

void add_once(std::vector<Note>& notes, Note::Kind kind, const std::string& text) {
  for (const Note& note : notes) {
    if (note.text == text) return;  // of the reference that several comparisons share
  }
  notes.push_back({kind, text, {}});
}

}  // namespace

std::vector<Note> notes_of(const DiffResult& result) {
  std::vector<Note> notes;
  for (const std::string& note : result.notes) add_once(notes, Note::Kind::runs, note);
  for (const DiffComparison& comparison : result.comparisons) {
    const std::string about =
        result.comparisons.size() == 1 ? "" : displayable(comparison.candidate.name) + ": ";
    if (comparison.diff.ignored > 0) {
      add_once(notes, Note::Kind::ignored, about + ignored_text(comparison.diff.ignored));
    }
    if (const std::string leaves = leaves_text(comparison.diff, totals_of(comparison.diff));
        !leaves.empty()) {
      add_once(notes, Note::Kind::runs, about + "leaves: " + leaves);
    }
    for (const DiffSide* side : {&comparison.reference, &comparison.candidate}) {
      for (const std::string& remark : side->remarks) {
        add_once(notes, Note::Kind::remark, displayable(side->name) + ": " + remark);
      }
    }
    for (const std::string& hint : comparison.hints) add_once(notes, Note::Kind::hint, about + hint);
  }
  return notes;
}

std::string ignored_text(std::uint64_t ignored) {
  return thousands(ignored) + (ignored == 1 ? " name" : " names") +
         " left out by --only, --ignore or --scope";
}

}  // namespace repro
