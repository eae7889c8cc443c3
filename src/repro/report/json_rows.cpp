#include "repro/report/json_rows.h"

#include "repro/base/bytes.h"
#include "repro/compare/pairs.h"
#include "repro/report/escape.h"
#include "repro/report/row_facts.h"

namespace repro {
namespace {

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(json_text(text)); }

// Rows are many, so that what has parts is written as it goes, not built first.
template <class Numbers>
void write_numbers(JsonStream& json, std::string_view name, const Numbers& numbers) {
  json.key(name);
  json.begin_array();
  for (const auto number : numbers) json.value(number);
  json.end_array();
}

void write_first_difference(JsonStream& json, const TensorDiff& row) {
  const auto pair = row.first_pair();
  if (!pair) {
    json.member("first_difference", nullptr);
    return;
  }
  json.key("first_difference");
  json.begin_object();
  write_numbers(json, "index", index_in(row.shape, pair->index));
  json.member("reference", pair->reference);
  json.member("candidate", pair->candidate);
  json.member("reference_bits", pair->reference_bits);
  json.member("candidate_bits", pair->candidate_bits);
  json.end_object();
}

void write_magnitudes(JsonStream& json, const TensorDiff& row) {
  if (!has_values(row)) {
    json.member("magnitudes", nullptr);
    return;
  }
  json.key("magnitudes");
  json.begin_object();
  const Magnitudes& magnitudes = row.magnitudes();
  json.member("signed_zero", magnitudes.signed_zero);
  json.member("last_bit", magnitudes.last_bit);
  json.member("small", magnitudes.small);
  json.member("gross", magnitudes.gross);
  json.member("nan", magnitudes.nan);
  json.end_object();
}

std::string_view spelling(Filter::Scope scope) {
  switch (scope) {
    case Filter::Scope::all: return "all";
    case Filter::Scope::learnables: return "learnables";
    case Filter::Scope::buffers: return "buffers";
  }
  return "";
}

void write_shape(JsonStream& json, std::string_view name, std::span<const std::int64_t> shape, bool absent) {
  if (absent) {
    json.member(name, nullptr);
  } else {
    write_numbers(json, name, shape);
  }
}

// Dtype and shape; leaves have neither.
void write_layout(JsonStream& json, const TensorDiff& row) {
  json.member("dtype", row.is_leaf ? Json(nullptr) : Json(json_text(reference_dtype(row))));
  write_shape(json, "shape", row.shape, row.is_leaf || row.reference_leaf);
  if (row.kind != DifferenceKind::dtype && row.kind != DifferenceKind::shape) return;
  json.member("candidate_dtype", json_text(candidate_dtype(row)));
  write_shape(json, "candidate_shape", row.candidate_shape, row.candidate_leaf.has_value());
}

void write_leaves(JsonStream& json, const TensorDiff& row) {
  if (!row.reference_leaf && !row.candidate_leaf) return;
  const auto type = [](const Boxed<Leaf>& leaf) {
    return leaf ? Json(json_text(leaf->type)) : Json(nullptr);
  };
  const auto value = [](const Boxed<Leaf>& leaf) {
    return leaf ? Json(json_text(leaf->value)) : Json(nullptr);
  };
  json.member("reference_type", type(row.reference_leaf));
  json.member("candidate_type", type(row.candidate_leaf));
  json.member("reference_value", value(row.reference_leaf));
  json.member("candidate_value", value(row.candidate_leaf));
}

void write_statistics(JsonStream& json, const TensorDiff& row) {
  json.member("values", row.values);
  json.member("different", row.different);
  if (const auto first = row.first_different()) {
    write_numbers(json, "first_different", index_in(row.shape, *first));
  } else {
    json.member("first_different", nullptr);
  }
  write_first_difference(json, row);
  json.member("max_abs", json_number(row.max_abs()));
  json.member("mean_abs", json_number(row.mean_abs()));
  json.member("rms", json_number(row.rms()));
  json.member("max_relative", json_number(row.max_relative()));
  json.member("max_ulp", or_null(row.max_ulp()));
  json.member("nan_mismatches", row.nan_mismatches());
  json.member("sign_of_zero_mismatches", row.sign_of_zero_mismatches());
  write_magnitudes(json, row);
  if (row.ulp_histogram().empty()) {
    json.member("ulp_histogram", nullptr);
  } else {
    write_numbers(json, "ulp_histogram", row.ulp_histogram());
  }
  json.member("reference_sha256", text_or_null(row.reference_sha256));
  json.member("candidate_sha256", text_or_null(row.candidate_sha256));
}

}  // namespace

void write_row(JsonStream& json, const TensorDiff& row) {
  json.begin_object(true);
  json.member("tensor", json_text(row.name));
  json.member("role", row.role == Role::none ? Json(nullptr) : Json(name_of(row.role)));
  write_layout(json, row);
  json.member("kind", name_of(row.kind));
  json.member("within_rule", or_null(row.within_rule));
  if (row.kind == DifferenceKind::not_compared) json.member("reason", json_text(row.reason));
  write_leaves(json, row);
  json.member("alias_of", text_or_null(row.alias_of));
  write_statistics(json, row);
  json.end_object();
}

void write_diff(JsonStream& json, const SnapshotDiff& diff) {
  json.member("tensors_compared", diff.tensors_compared);
  json.member("values_compared", diff.values_compared);
  json.member("values_different", diff.values_different);
  json.member("leaves_compared", diff.leaves_compared);
  json.member("leaves_left_out", diff.leaves_left_out);
  json.member("ignored", diff.ignored);
  json.key("tensors");
  json.begin_array();
  for (const TensorDiff& row : diff.tensors) write_row(json, row);
  json.end_array();
}

void write_filter(JsonStream& json, const Filter& filter) {
  json.member("filter", Json{{"only", json_texts(filter.only)},
                             {"ignore", json_texts(filter.ignore)},
                             {"scope", spelling(filter.scope)}});
}

}  // namespace repro
