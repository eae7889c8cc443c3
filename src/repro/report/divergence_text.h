#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "repro/compare/divergence.h"

namespace repro {

// Places of a training in words. Texts hold raw names; whoever writes them into a document escapes them.

// "step 12 (epoch 1, batch 12)", "step 0 (after initialisation)"
std::string step_text(std::int64_t step, std::int64_t epoch, std::int64_t batch);

// What a slot is of: "gradient of conv1.weight", "result", "conv1.weight before it is overwritten"
std::string tensor_text(const TraceSlot& slot);

// "backward, layer lookup1, aten::_index_put_impl_ -> gradient of lookup1.weight", "update, conv1.weight"
std::string slot_text(const TraceSlot& slot);

// What memory a slot is of: "float32 8x1x3x3", with its strides where they are not row-major; "" if unknown.
std::string layout_text(const TraceSlot& slot);

// "step 12 (epoch 1, batch 12), backward, gradient of lookup1.weight": the slot of a divergence, and its
// note.
std::string divergence_text(const Divergence& divergence);

// What else is known of a divergence, a label and a text each: "last equal", "different", "streams",
// "healed", "cause". Texts do not end in a period.
std::vector<std::pair<std::string, std::string>> divergence_details(const Divergence& divergence);

// "=" equal, "!" different, "-" only in the reference, "+" only in the candidate
char mark_of(Neighbour::State state);
std::string_view words_for(Neighbour::State state);  // "equal", "only in the reference"
inline constexpr std::string_view neighbour_legend =
    "= equal, ! different, - only in the reference, + only in the candidate";
// A line for each neighbour, indented, the divergence itself marked with ">"; names are escaped.
std::string neighbour_lines(const Divergence& divergence);

}  // namespace repro
