#pragma once

#include <span>
#include <string>
#include <string_view>

#include "repro/spec/mistakes.h"
#include "repro/spec/override.h"
#include "repro/spec/spec.h"

namespace repro {

// Between JSON text and Spec. All of these are pure functions; equal arguments give equal texts.

// Reads a spec strictly, after applying the overrides in order. `default_name` is the name where
// the spec has none (the file's stem); "spec" stands in for one that cannot be a name. Every layer
// gets a name, every absent key its default. Error{request} for text that is not JSON
// (strict_json.h) or an override that is malformed; SpecError with all mistakes otherwise. Nothing
// but the text is looked at: no file, no device; shapes are checked by infer_model.
Spec decode_spec(std::string_view json_text, std::string_view default_name,
                 std::span<const Override> overrides = {});

// Pretty JSON with every key that has a meaning, defaults filled in; itself a valid spec:
// decode_spec(encode_spec(s), ...) == s for every s that decode_spec has returned.
std::string encode_spec(const Spec& spec);

// The JSON Schema (draft 2020-12) that editors use. It admits a little more than decode_spec:
// relations between fields, and 3.0 for an integer, are beyond a schema.
std::string spec_schema();

// The reference of all keys, in Markdown: docs/spec.md.
std::string spec_documentation();

}  // namespace repro
