#include <cmath>

#include "repro/base/bytes.h"
#include "repro/base/number.h"
#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/json.h"

namespace repro {
namespace {

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(json_text(text)); }

// The row-major index of element `flat`, as an array.
Json index_in(const Shape& shape, std::uint64_t flat) {
  std::vector<std::uint64_t> index(shape.size());
  for (std::size_t i = shape.size(); i-- > 0;) {
    const auto size = static_cast<std::uint64_t>(shape[i]);
    index[i] = size == 0 ? 0 : flat % size;
    flat = size == 0 ? 0 : flat / size;
  }
  return index;
}

// Bins 0, 1, ... up to the last that holds anything; null if none does.
Json json_of(const UlpHistogram& histogram) {
  std::size_t used = histogram.size();
  while (used > 0 && histogram[used - 1] == 0) --used;
  if (used == 0) return nullptr;
  return std::vector<std::uint64_t>(histogram.begin(), histogram.begin() + static_cast<std::ptrdiff_t>(used));
}

}  // namespace

Json json_number(double value) {
  if (std::isfinite(value) && !(value == 0 && std::signbit(value))) return value;
  return shortest(value);
}

Json json_number(const std::optional<double>& value) { return value ? json_number(*value) : Json(nullptr); }

Json json_of(const TensorDiff& tensor) {
  Json out;
  out["tensor"] = json_text(tensor.name);
  out["role"] = tensor.role == Role::none ? Json(nullptr) : Json(name_of(tensor.role));
  out["dtype"] = json_text(reference_dtype(tensor));
  out["shape"] = tensor.shape;
  if (tensor.kind == DifferenceKind::dtype || tensor.kind == DifferenceKind::shape) {
    out["candidate_dtype"] = json_text(candidate_dtype(tensor));
    out["candidate_shape"] = tensor.candidate_shape;
  }
  out["kind"] = name_of(tensor.kind);
  out["within_rule"] = or_null(tensor.within_rule);
  if (tensor.kind == DifferenceKind::not_compared) out["reason"] = json_text(tensor.reason);
  out["values"] = tensor.values;
  out["different"] = tensor.different;
  out["first_different"] =
      tensor.first_different ? index_in(tensor.shape, *tensor.first_different) : Json(nullptr);
  out["max_abs"] = json_number(tensor.max_abs);
  out["mean_abs"] = json_number(tensor.mean_abs);
  out["rms"] = json_number(tensor.rms);
  out["max_relative"] = json_number(tensor.max_relative);
  out["max_ulp"] = or_null(tensor.max_ulp);
  out["nan_mismatches"] = tensor.nan_mismatches;
  out["sign_of_zero_mismatches"] = tensor.sign_of_zero_mismatches;
  out["ulp_histogram"] = json_of(tensor.ulp_histogram);
  out["reference_sha256"] = text_or_null(tensor.reference_sha256);
  out["candidate_sha256"] = text_or_null(tensor.candidate_sha256);
  return out;
}

Json json_of(const Divergence& divergence) {
  Json out;
  out["step"] = divergence.step;
  out["epoch"] = divergence.epoch;
  out["batch"] = divergence.batch;
  out["phase"] = name_of(divergence.phase);
  out["layer"] = text_or_null(divergence.layer);
  out["operation"] = text_or_null(divergence.operation);
  out["tensor"] = text_or_null(divergence.tensor);
  out["reference_fingerprint"] = hex_of(divergence.reference);
  out["candidate_fingerprint"] = hex_of(divergence.candidate);
  out["different_in_phase"] = divergence.different_in_phase;
  out["entries_in_phase"] = divergence.entries_in_phase;
  out["note"] = text_or_null(divergence.note);
  return out;
}

void add_diff(Json& object, const SnapshotDiff& diff) {
  object["tensors_compared"] = diff.tensors_compared;
  object["values_compared"] = diff.values_compared;
  object["values_different"] = diff.values_different;
  object["tensors_ignored"] = diff.ignored;
  Json tensors = Json::array();
  for (const TensorDiff& tensor : diff.tensors) tensors.push_back(json_of(tensor));
  object["tensors"] = std::move(tensors);
}

std::string json_document(const Json& json) { return json.dump(2) + "\n"; }

}  // namespace repro
