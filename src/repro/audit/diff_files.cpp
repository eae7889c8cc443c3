#include "repro/audit/diff_files.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "repro/audit/diff_side.h"
#include "repro/audit/odd_one_out.h"
#include "repro/base/error.h"
#include "repro/base/text.h"
#include "repro/compare/prefix.h"

namespace repro {
namespace {

using Side = std::shared_ptr<OpenedSide>;
struct Pair {
  Side reference, candidate;
};

OpenOptions open_options(const DiffRequest& request, bool qualify_names) {
  OpenOptions options;
  options.key = request.key;
  options.qualify_names = qualify_names;
  // A pattern that takes every tensor of a file leaves the file alone.
  options.skip_file = [ignore = request.options.filter.ignore](const std::string& file) {
    return std::ranges::any_of(ignore, [&](const std::string& pattern) {
      return pattern.ends_with(":*") && glob_matches(pattern, file + ":");
    });
  };
  return options;
}

std::vector<Side> open_files(const DiffRequest& request) {
  bool qualify = false;
  for (const fs::path& path : request.paths) {
    if (kind_of_path(path) == PathKind::checkpoint && fs::is_directory(path)) {
      qualify = qualify || count_checkpoint_files(path, open_options(request, false)) > 1;
    }
  }
  std::vector<Side> sides;
  for (const fs::path& path : request.paths) {
    sides.push_back(open_side(path, path.string(), open_options(request, qualify)));
  }
  return sides;
}

// Equally named runs of each audit and the first one.
std::vector<Pair> open_audits(const DiffRequest& request, std::vector<std::string>& unpaired) {
  std::vector<Pair> pairs;
  const fs::path& reference = request.paths.front();
  const std::vector<std::string> runs = run_names(reference);
  const OpenOptions options = open_options(request, false);
  const auto open_run = [&](const fs::path& audit, const std::string& run) {
    const fs::path path = audit / "runs" / run;
    return open_side(path, path.string(), options);
  };
  std::unordered_map<std::string, Side> references;
  for (std::size_t i = 1; i < request.paths.size(); ++i) {
    const std::vector<std::string> others = run_names(request.paths[i]);
    for (const std::string& run : runs) {
      if (std::ranges::find(others, run) == others.end()) {
        unpaired.push_back((reference / "runs" / run).string());
        continue;
      }
      Side& side = references[run];
      if (!side) side = open_run(reference, run);
      pairs.push_back({side, open_run(request.paths[i], run)});
    }
    for (const std::string& run : others) {
      if (std::ranges::find(runs, run) == runs.end()) {
        unpaired.push_back((request.paths[i] / "runs" / run).string());
      }
    }
  }
  return pairs;
}

bool are_audits(const DiffRequest& request) {
  const auto is_audit = [](const fs::path& path) { return kind_of_path(path) == PathKind::audit; };
  const auto count = std::ranges::count_if(request.paths, is_audit);
  if (count == 0) return false;
  if (static_cast<std::size_t>(count) == request.paths.size()) return true;
  const auto other = std::ranges::find_if_not(request.paths, is_audit);
  throw Error(ErrorKind::request, displayable(other->string()) + " is no audit, the other side is one",
              "name a run of the audit, such as DIR/runs/deterministic-0, or two audits");
}

void strip_prefixes(const DiffRequest& request, std::vector<Pair>& pairs) {
  if (request.prefix.empty()) return;
  std::set<const OpenedSide*> done;  // a reference is part of several pairs
  const auto strip_once = [&](OpenedSide& side) {
    if (done.insert(&side).second) strip_prefix(side.items, request.prefix, side.name);
  };
  for (Pair& pair : pairs) {
    if (request.prefix != "auto") {
      strip_once(*pair.reference);
      strip_once(*pair.candidate);
      continue;
    }
    // Wrappers can be nested; each pass removes one prefix from one side.
    for (int pass = 0; pass < 8; ++pass) {
      const PrefixHint hint = find_prefix(pair.reference->items, pair.candidate->items);
      if (hint.prefix.empty()) break;
      OpenedSide& side = hint.on_reference ? *pair.reference : *pair.candidate;
      strip_prefix(side.items, hint.prefix, side.name);
      side.remarks.push_back("the prefix '" + displayable(hint.prefix) + "' was removed from its names");
    }
  }
}

// Sides mostly have the same names and shapes in the same order: the candidate then uses the reference's, so
// that memory holds them once.
void share_layout(const Pair& pair) {
  const std::vector<Item>& reference = pair.reference->items;
  std::vector<Item>& candidate = pair.candidate->items;
  for (std::size_t i = 0; i < std::min(reference.size(), candidate.size()); ++i) {
    if (candidate[i].name == reference[i].name) candidate[i].name = reference[i].name;
    if (candidate[i].tensor.shape == reference[i].tensor.shape) {
      candidate[i].tensor.shape = reference[i].tensor.shape;
    }
  }
}

DiffSide facts_of(const OpenedSide& side) {
  DiffSide facts{side.name, side.format, 0, side.remarks};
  for (const Item& item : side.items) facts.tensors += item.leaf ? 0 : 1;
  return facts;
}

std::uint64_t bytes_of(const Pair& pair) {
  std::uint64_t bytes = 0;
  for (const OpenedSide* side : {pair.reference.get(), pair.candidate.get()}) {
    for (const Item& item : side->items) {
      if (!item.leaf && item.not_compared_reason.empty()) bytes += item.tensor.size_bytes();
    }
  }
  return bytes;
}

void add_prefix_hint(DiffComparison& comparison, const Pair& pair) {
  const bool missing = std::ranges::any_of(comparison.diff.tensors, [](const TensorDiff& row) {
    return row.kind == DifferenceKind::missing_in_reference ||
           row.kind == DifferenceKind::missing_in_candidate;
  });
  if (!missing) return;
  const PrefixHint hint = find_prefix(pair.reference->items, pair.candidate->items);
  if (hint.prefix.empty()) return;
  comparison.hints.push_back(plural(static_cast<std::int64_t>(hint.matches), "more name") +
                             " would match without the prefix '" + displayable(hint.prefix) + "' of the " +
                             (hint.on_reference ? "reference" : "candidate") + ": try --strip-prefix " +
                             displayable(hint.prefix));
}

// Finds the stored tensors of a row; keeps both sides alive.
class PairAccess {
 public:
  explicit PairAccess(const Pair& pair) : pair_(pair) {
    for (const Item& item : pair.reference->items) references_.emplace(item.name, &item.tensor);
    for (const Item& item : pair.candidate->items) candidates_.emplace(item.name, &item.tensor);
  }
  TensorPair operator()(const TensorDiff& row) const {
    if (row.is_leaf || row.values == 0) return {};
    const auto reference = references_.find(row.name), candidate = candidates_.find(row.name);
    if (reference == references_.end() || candidate == candidates_.end()) return {};
    return {reference->second, candidate->second};
  }

 private:
  Pair pair_;
  std::unordered_map<std::string_view, const StoredTensor*> references_, candidates_;
};

DiffComparison compare(const Pair& pair, const DiffRequest& request,
                       const std::function<void(std::uint64_t)>& progress) {
  DiffOptions options = request.options;
  options.with_leaves = !request.tensors_only && pair.reference->holds_leaves && pair.candidate->holds_leaves;
  DiffComparison comparison;
  comparison.reference = facts_of(*pair.reference);
  comparison.candidate = facts_of(*pair.candidate);
  comparison.diff = diff_snapshots(pair.reference->items, pair.candidate->items, options, progress);
  add_prefix_hint(comparison, pair);
  // Built when first asked for: two tables of names cost memory that most calls never need.
  auto access = std::make_shared<std::optional<PairAccess>>();
  comparison.tensors = [pair, access](const TensorDiff& row) {
    if (!*access) access->emplace(pair);
    return (**access)(row);
  };
  return comparison;
}

Verdict verdict_of(const std::vector<DiffComparison>& comparisons) {
  const auto any = [&](Verdict verdict) {
    return std::ranges::any_of(comparisons,
                               [&](const DiffComparison& c) { return c.diff.verdict == verdict; });
  };
  if (any(Verdict::different)) return Verdict::different;
  return comparisons.empty() || any(Verdict::inconclusive) ? Verdict::inconclusive : Verdict::identical;
}

std::string verdict_line(const DiffResult& result) {
  std::uint64_t tensors = 0, values = 0;
  for (const DiffComparison& comparison : result.comparisons) {
    tensors += comparison.diff.tensors_compared;
    values += comparison.diff.values_compared;
  }
  std::string line = "verdict: " + std::string(name_of(result.verdict)) + " (";
  if (result.comparisons.size() != 1) {
    line += std::to_string(result.comparisons.size()) + " comparisons, ";
  }
  line += std::to_string(tensors) + (tensors == 1 ? " tensor, " : " tensors, ") + std::to_string(values) +
          (values == 1 ? " value" : " values");
  if (result.rule.type != Rule::Type::bitwise) line += ", " + rule_text(result.rule);
  return line + ")";
}

}  // namespace

DiffResult diff_files(const DiffRequest& request, const DiffProgress& progress) {
  DiffResult result;
  result.rule = request.options.rule;
  result.filter = request.options.filter;
  std::vector<Pair> pairs;
  std::vector<Side> files;
  std::vector<std::string> unpaired;
  if (are_audits(request)) {
    pairs = open_audits(request, unpaired);
  } else {
    files = open_files(request);
    for (std::size_t i = 1; i < files.size(); ++i) pairs.push_back({files.front(), files[i]});
  }
  strip_prefixes(request, pairs);
  for (const Pair& pair : pairs) share_layout(pair);

  std::uint64_t total = 0, done = 0;
  for (const Pair& pair : pairs) total += bytes_of(pair);
  for (const Pair& pair : pairs) {
    result.comparisons.push_back(compare(pair, request, [&](std::uint64_t bytes) {
      done += bytes;
      if (progress) progress(done, total);
    }));
  }
  result.verdict = verdict_of(result.comparisons);
  if (!unpaired.empty()) {
    result.notes.push_back("only in one of the audits: " + displayable(join(unpaired, ", ")));
    if (result.verdict == Verdict::identical) result.verdict = Verdict::inconclusive;
  }
  if (files.size() > 2 && result.verdict == Verdict::different) {
    result.notes.push_back(odd_one_out(files, request.options.filter, request.options.threads));
  }
  result.check_unchanged = [pairs] {
    for (const Pair& pair : pairs) {
      pair.reference->check_unchanged();
      pair.candidate->check_unchanged();
    }
  };
  result.check_unchanged();
  result.verdict_line = verdict_line(result);
  return result;
}

}  // namespace repro
