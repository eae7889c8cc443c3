#pragma once

#include "repro/spec/field.h"

namespace repro {

// What the strings of a spec may be.
extern const TextRule spec_name_rule;         // part of a path: no slash, no leading dot, nothing invisible
extern const TextRule layer_name_rule;        // identifiers, without dots: parameters are <layer>.weight
extern const TextRule file_name_rule;         // not empty, no zero byte
extern const TextRule device_rule;            // auto, cpu, cuda, cuda:K
extern const TextRule cublas_workspace_rule;  // the two values that make cuBLAS deterministic
extern const TextRule compare_rule;           // any text here; compare/rule.h parses it

}  // namespace repro
