#pragma once

#include "repro/spec/mistakes.h"
#include "repro/spec/spec.h"

namespace repro {

// What no single field can tell: fractions that add up to 1, unique layer names, settings that
// contradict each other. A check whose fields already have a mistake is left out, so that nothing
// is reported that follows from another mistake. Shapes are checked by model/model.h.
void validate(const Spec& spec, Mistakes& mistakes);

// Gives layers without a name "<type>_<n>", n counting the layers of that type from 1, named or
// not. Adds a mistake where two layers have one name.
void name_layers(std::vector<LayerSpec>& layers, Mistakes& mistakes);

}  // namespace repro
