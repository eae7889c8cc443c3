#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "repro/compare/diff.h"
#include "repro/compare/divergence.h"

namespace repro {

// Facts as JSON, in the words and spellings of the contract: keys in a fixed order, NaN, infinities and -0
// as strings, absent as null.
using Json = nlohmann::ordered_json;

Json json_number(double value);
Json json_number(const std::optional<double>& value);
Json json_of(const TensorDiff& tensor);
Json json_of(const Divergence& divergence);
// "verdict", then what the caller adds, then the counts and every tensor.
void add_diff(Json& object, const SnapshotDiff& diff);
// Two spaces of indentation and a final line break.
std::string json_document(const Json& json);

}  // namespace repro
