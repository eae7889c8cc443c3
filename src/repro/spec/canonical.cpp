#include "repro/spec/canonical.h"

#include "repro/spec/encode.h"

namespace repro {

std::string canonical_training_spec(const Spec& spec) {
  JsonValue tree = spec_tree(spec);
  remove_member(tree, "name");
  remove_member(tree, "audit");
  if (JsonValue* data = find_member(tree, "data")) {
    remove_member(*data, "images");
    remove_member(*data, "labels");
  }
  sort_members(tree);
  return compact_text(tree);
}

}  // namespace repro
