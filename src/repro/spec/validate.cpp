#include "repro/spec/validate.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "repro/base/text.h"
#include "repro/spec/json_value.h"
#include "repro/spec/names.h"

namespace repro {
namespace {

void check_split(const SplitSpec& split, Mistakes& mistakes) {
  if (mistakes.any_below("/data/split")) return;
  constexpr double tolerance = 1e-9;
  const double sum = split.train + split.validation + split.test;
  if (std::abs(sum - 1) <= tolerance) return;
  mistakes.add("/data/split", "train " + number_text(split.train) + ", validation " +
                                  number_text(split.validation) + " and test " + number_text(split.test) +
                                  " add up to " + number_text(sum) + ", not to 1");
}

void check_rotation(const InputSpec& input, Mistakes& mistakes) {
  if (!input.rotate_90 || !input.resize || mistakes.any_below("/input")) return;
  const auto [rows, columns] = input.resize->size;
  if (rows == columns) return;
  mistakes.add("/input/rotate_90", "true needs square images, but /input/resize/size is [" +
                                       std::to_string(rows) + ", " + std::to_string(columns) + "]");
}

void check_determinism(const DeterminismSpec& d, Mistakes& mistakes) {
  if (mistakes.any_below("/execution/determinism")) return;
  if (!d.cudnn_benchmark || !(d.algorithms || d.cudnn_deterministic)) return;
  const std::string others = d.algorithms && d.cudnn_deterministic ? "algorithms and cudnn_deterministic"
                             : d.algorithms                        ? "algorithms"
                                                                   : "cudnn_deterministic";
  mistakes.add("/execution/determinism/cudnn_benchmark",
               "true contradicts " + others +
                   ": true, because it chooses algorithms by their measured "
                   "time; allowed: false, or true with both of the others false");
}

}  // namespace

void validate(const Spec& spec, Mistakes& mistakes) {
  check_split(spec.data.split, mistakes);
  check_rotation(spec.input, mistakes);
  check_determinism(spec.execution.determinism, mistakes);
}

void name_layers(std::vector<LayerSpec>& layers, Mistakes& mistakes) {
  std::map<LayerType, std::int64_t> counts;
  std::map<std::string, std::size_t> first;  // name -> layer
  std::vector<bool> given;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    LayerSpec& layer = layers[i];
    const std::int64_t number = ++counts[layer.type];
    given.push_back(!layer.name.empty());
    if (!given[i]) layer.name = std::string(name_of(layer.type)) + "_" + std::to_string(number);
    const auto [other, is_new] = first.emplace(layer.name, i);
    if (is_new) continue;
    const std::string pointer = "/model/layers/" + std::to_string(i) + "/name";
    const std::string other_layer = "/model/layers/" + std::to_string(other->second);
    const std::string quoted = "'" + displayable(layer.name) + "' ";
    if (given[i] && given[other->second]) {
      mistakes.add(pointer, quoted + "is already the name of " + other_layer);
    } else {
      const std::string nameless = given[i] ? other_layer : "this layer";
      mistakes.add(pointer, quoted + "is the default name of " + nameless + " and " +
                                (given[i] ? "the name of this layer" : "already the name of " + other_layer) +
                                "; give one of them another name");
    }
  }
}

}  // namespace repro
