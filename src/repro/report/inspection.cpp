#include "repro/report/inspection.h"

#include <algorithm>

#include "repro/base/bytes.h"
#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/json.h"
#include "repro/report/table.h"
#include "repro/snapshot/tensor_hash.h"

namespace repro {
namespace {

std::string dtype_of(const Item& item) {
  return item.foreign_dtype.empty() ? std::string(name_of(item.tensor.dtype)) : item.foreign_dtype.text();
}
bool is_readable(const Item& item) { return !item.leaf && item.not_compared_reason.empty(); }

// What stands where a readable tensor has its fingerprint.
std::string mark_of(const InspectedItem& inspected) {
  const Item& item = *inspected.item;
  if (!item.not_compared_reason.empty()) return "not readable: " + displayable(item.not_compared_reason);
  return inspected.fingerprint ? hex_of(*inspected.fingerprint) : "-";
}

std::string tensor_table(const Inspection& inspection, int width) {
  std::vector<std::vector<TableCell>> rows;
  bool tied = false, hashed = false;
  for (const InspectedItem& inspected : inspection.items) {
    const Item& item = *inspected.item;
    if (item.leaf) continue;
    tied = tied || !item.alias_of.empty();
    hashed = hashed || !inspected.sha256.empty();
    rows.push_back({{displayable(item.name), ""},
                    {displayable(dtype_of(item)), ""},
                    {item.tensor.shape.empty() ? "scalar" : shape_text(item.tensor.shape), ""},
                    {is_readable(item) ? thousands(item.tensor.size_bytes()) : "-", ""},
                    {mark_of(inspected), ""},
                    {inspected.sha256, ""},
                    {displayable(item.alias_of), ""}});
  }
  if (rows.empty()) return "";
  std::vector<TableColumn> columns = {{"tensor", "", false, 0},
                                      {"dtype", "", false, 0},
                                      {"shape", "", false, 0},
                                      {"bytes", "", true, 1},
                                      {"fingerprint", "", false, 0}};
  // Columns of nothing are not shown.
  if (hashed) columns.push_back({"sha256", "", false, 0});
  if (tied) columns.push_back({"tied to", "", false, 0});
  for (auto& row : rows) {
    if (!tied) row.pop_back();
    if (!hashed) row.erase(row.begin() + 5);
  }
  return render_table(columns, rows, width);
}

std::string leaf_table(const Inspection& inspection, int width) {
  std::vector<std::vector<TableCell>> rows;
  for (const InspectedItem& inspected : inspection.items) {
    const Item& item = *inspected.item;
    if (!item.leaf) continue;
    rows.push_back({{displayable(item.name), ""},
                    {displayable(item.leaf->type), ""},
                    {displayable(item.leaf->value), ""}});
  }
  if (rows.empty()) return "";
  return "\n" +
         render_table({{"leaf", "", false, 0}, {"type", "", false, 0}, {"value", "", false, 0}}, rows, width);
}

std::string totals(const Inspection& inspection) {
  std::int64_t tensors = 0, leaves = 0, unreadable = 0;
  std::uint64_t values = 0, bytes = 0;
  for (const InspectedItem& inspected : inspection.items) {
    const Item& item = *inspected.item;
    ++(item.leaf ? leaves : tensors);
    if (item.leaf) continue;
    if (!is_readable(item)) {
      ++unreadable;
    } else if (item.alias_of.empty()) {
      values += item.tensor.size();
      bytes += item.tensor.size_bytes();
    }
  }
  std::string line = inspection.format + ": " + plural(tensors, "tensor") + ", " + thousands(values) +
                     (values == 1 ? " value, " : " values, ") + human_bytes(bytes);
  if (leaves > 0) line += ", " + plural(leaves, "leaf");
  if (unreadable > 0) line += ", " + thousands(unreadable) + " not readable";
  if (const auto at = line.find("leafs"); at != std::string::npos) line.replace(at, 5, "leaves");
  return line + "\n";
}

Json json_of(const InspectedItem& inspected) {
  const Item& item = *inspected.item;
  Json out;
  out["tensor"] = json_text(item.name);
  out["dtype"] = json_text(dtype_of(item));
  out["shape"] = item.tensor.shape;
  out["bytes"] = is_readable(item) ? Json(item.tensor.size_bytes()) : Json(nullptr);
  out["fingerprint"] = inspected.fingerprint ? Json(hex_of(*inspected.fingerprint)) : Json(nullptr);
  if (!inspected.sha256.empty()) out["sha256"] = inspected.sha256;
  out["role"] = item.role == Role::none ? Json(nullptr) : Json(name_of(item.role));
  if (!item.alias_of.empty()) out["alias_of"] = json_text(item.alias_of);
  if (!item.not_compared_reason.empty()) out["reason"] = json_text(item.not_compared_reason);
  return out;
}

}  // namespace

InspectedItem inspect(const Item& item, bool with_hash, unsigned threads) {
  InspectedItem inspected;
  inspected.item = &item;
  if (!is_readable(item)) return inspected;
  inspected.fingerprint = fingerprint(item.tensor, threads);
  if (with_hash) inspected.sha256 = sha256_of(item.tensor);
  if (item.tensor.storage) item.tensor.storage->release();
  return inspected;
}

std::string render_inspection_text(const Inspection& inspection, const TextOptions& options) {
  std::string out = tensor_table(inspection, options.width) + leaf_table(inspection, options.width);
  if (!inspection.metadata.empty()) out += "\n";
  for (const auto& [key, value] : inspection.metadata) {
    out += "metadata: " + displayable(key) + " = " + displayable(value) + "\n";
  }
  for (const std::string& remark : inspection.remarks) out += "remark: " + remark + "\n";
  return out + totals(inspection);
}

std::string render_inspection_json(const Inspection& inspection) {
  Json out;
  out["file"] = json_text(inspection.file);
  out["format"] = inspection.format;
  out["version"] = 1;
  out["metadata"] = Json::object();
  for (const auto& [key, value] : inspection.metadata) out["metadata"][json_text(key)] = json_text(value);
  Json tensors = Json::array(), leaves = Json::array(), remarks = Json::array();
  for (const InspectedItem& inspected : inspection.items) {
    const Item& item = *inspected.item;
    if (!item.leaf) {
      tensors.push_back(json_of(inspected));
      continue;
    }
    Json leaf;
    leaf["leaf"] = json_text(item.name);
    leaf["type"] = json_text(item.leaf->type);
    leaf["value"] = json_text(item.leaf->value);
    leaves.push_back(std::move(leaf));
  }
  for (const std::string& remark : inspection.remarks) remarks.push_back(json_text(remark));
  out["remarks"] = std::move(remarks);
  out["tensors"] = std::move(tensors);
  out["leaves"] = std::move(leaves);
  return json_document(out);
}

std::string render_inspection_lines(const Inspection& inspection) {
  std::vector<std::string> lines;
  for (const InspectedItem& inspected : inspection.items) {
    const Item& item = *inspected.item;
    std::string line = displayable(item.name) + "\t";
    if (item.leaf) {
      line += displayable(item.leaf->type) + "\t" + displayable(item.leaf->value);
    } else {
      line += displayable(dtype_of(item)) + "\t[" + shape_text(item.tensor.shape, ",") + "]\t" +
              mark_of(inspected);
    }
    lines.push_back(line + "\n");
  }
  std::ranges::sort(lines);
  std::string out;
  for (const std::string& line : lines) out += line;
  return out;
}

}  // namespace repro
