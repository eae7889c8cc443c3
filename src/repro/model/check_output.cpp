#include "repro/model/model.h"

namespace repro {

void check_output(const Model& model, const Shape& target) {
  if (model.parameters.empty()) {
    throw Error(ErrorKind::request, "/model/layers: the network has no learnable parameters",
                "add a layer that has some: conv2d, conv_transpose2d, linear, or lookup");
  }
  if (element_count(model.output) == element_count(target)) return;
  throw Error(ErrorKind::request,
              "/model/layers: the network's output is " + shape_text(model.output) + ", the target " +
                  shape_text(target),
              "change the layers or /input/resize so that both have equally many values");
}

}  // namespace repro
