#pragma once

#include <string>

#include "repro/checkpoint/checkpoint.h"

namespace repro {

// Moves the items, metadata and files of `part` behind those of `whole`. `name_prefix` goes before names,
// aliases and the metadata's keys; the remarks get `file` and ": " in front. A key of the metadata that is
// there already with another value keeps its value, with a remark. Names are not checked.
void merge_into(Checkpoint& whole, Checkpoint part, const std::string& name_prefix, const std::string& file);

}  // namespace repro
