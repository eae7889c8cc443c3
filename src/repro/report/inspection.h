#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repro/report/json.h"
#include "repro/report/report.h"
#include "repro/snapshot/fingerprint.h"
#include "repro/snapshot/item.h"

namespace repro {

// What `repro-train inspect` knows of a checkpoint. Points into items that must outlive it.
struct InspectedItem {
  const Item* item = nullptr;
  std::optional<Fingerprint> fingerprint;  // absent for leaves and for what cannot be read
  std::string sha256;                      // "" where not asked for
};
struct Inspection {
  std::string file;    // as the user named it; raw
  std::string format;  // "safetensors", "pytorch", ...
  std::map<std::string, std::string> metadata;
  std::vector<std::string> remarks;  // safe to show
  std::vector<InspectedItem> items;  // in the file's order
};

// Fingerprints every readable tensor, and hashes it if asked to. Error{input} for damaged bytes.
InspectedItem inspect(const Item& item, bool with_hash, unsigned threads);

// A table of tensors, one of leaves, metadata, and totals on the last line.
std::string render_inspection_text(const Inspection& inspection, const TextOptions& options);
// {"file", "format", "version", "metadata", "tensors": […], "leaves": […]}; stable.
std::string render_inspection_json(const Inspection& inspection);
// One line an entry, fields separated by tabs, nothing aligned, nothing of the file's name: for `git diff`
// and other programs that work line by line. Tensors: name, dtype, shape, fingerprint; leaves: name, type,
// value. Sorted by name.
std::string render_inspection_lines(const Inspection& inspection);

// The values of one item, at most `limit` of them; what is left out is said. Text comes piece by piece.
void render_values_text(const InspectedItem& inspected, std::uint64_t limit, const TextSink& sink);
void render_values_json(const Inspection& file, const InspectedItem& inspected, std::uint64_t limit,
                        const TextSink& sink);

}  // namespace repro
