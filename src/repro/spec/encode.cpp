#include "repro/spec/encode.h"

#include "repro/spec/decode.h"
#include "repro/spec/encode_value.h"

namespace repro {

JsonValue spec_tree(const Spec& spec) { return encode_value(spec); }
JsonValue layer_tree(const LayerSpec& layer) { return encode_value(layer); }

std::string encode_spec(const Spec& spec) { return pretty_text(spec_tree(spec)); }

}  // namespace repro
