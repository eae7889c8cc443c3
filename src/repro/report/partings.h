#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "repro/report/facts.h"

namespace repro {

// Where the runs of an audit parted, as the section "First divergence" of its documents shows it. Refers to
// the audit, which must outlive it.
struct Parting {
  std::string title;  // "default-1 against default-0"
  bool decides = true;
  const Divergence* divergence = nullptr;
  const DifferenceMap* map = nullptr;                             // may be null
  std::vector<std::pair<std::string, std::string>> details = {};  // label and text; the known cause, too
};
struct Partings {
  std::vector<Parting> shown;  // the first of each group, at most five
  std::uint64_t left_out = 0;  // comparisons that parted as well
};
Partings partings_of(const AuditResult& audit);

// The statements about an audit for documents that have such a section: what it says is not said twice.
std::vector<Note> notes_beside_partings(const AuditResult& audit);

// "14 of 43 states differ in some step of 0 to 95, the first in step 1"
std::string map_summary(const DifferenceMap& map);

}  // namespace repro
