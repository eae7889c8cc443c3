#include "repro/checkpoint/pytorch/walk.h"

#include "repro/base/text.h"
#include "repro/checkpoint/pytorch/container.h"
#include "repro/checkpoint/pytorch/leaf.h"
#include "repro/checkpoint/pytorch/pickled_numpy.h"
#include "repro/checkpoint/pytorch/values.h"

namespace repro {
namespace {

constexpr std::size_t longest_name = 65536;
// Items that a small pickle may have; a larger one may have one more for each of its bytes.
constexpr std::size_t items_of_small = 200'000;

// A container that is being looked into.
struct Frame {
  PickleNode node;
  Container container;
  std::size_t part = 0, at = 0;
  std::int64_t index = 0;  // of the next element of a sequence
  std::size_t name_bytes;  // of the container's own name
};

class Walk {
 public:
  Walk(const PickleSource& source, TensorReader& tensors, bool leaves, std::vector<Item>& items)
      : source_(source),
        tensors_(tensors),
        leaves_(leaves),
        items_(items),
        is_open_(source.tree.size()),
        most_items_(items.size() + items_of_small + source.tree.pickle_bytes()) {}

  WalkResult run(PickleNode root, const std::string& prefix);

 private:
  void visit(PickleNode node);
  void open(PickleNode node, Container container);
  // Goes on to the next element of the innermost container, or closes it.
  void advance();
  void add_leaf(Leaf leaf);
  [[noreturn]] void refuse_value(PickleNode node) const;

  const PickleSource& source_;
  TensorReader& tensors_;
  bool leaves_;
  std::vector<Item>& items_;
  std::vector<bool> is_open_;  // by node: it is on the way from the root to here
  std::size_t most_items_;
  std::vector<Frame> frames_;
  std::string name_;
  WalkResult result_;
};

void Walk::add_leaf(Leaf leaf) {
  if (!leaves_) return;
  Item item;
  item.name = name_.empty() && frames_.empty() ? "value" : name_;
  item.leaf = std::move(leaf);
  items_.push_back(std::move(item));
}

void Walk::refuse_value(PickleNode node) const {
  const PickleTree& tree = source_.tree;
  if (tree.kind(node) == PickleKind::global) source_.fail_global(name_, node);
  if (source_.meaning(node) != TorchGlobal::unknown) {
    source_.fail(name_, "a value made by '" + displayable(source_.global_text(tree.call(node).callable)) +
                            "' found, which is not known here");
  }
  source_.fail_global(name_, tree.call(node).callable);
}

void Walk::open(PickleNode node, Container container) {
  if (container.has_attributes) ++result_.containers_with_attributes;
  if (container.is_empty()) {
    if (source_.meaning(node) == TorchGlobal::script_object) return;
    const bool tuple = source_.tree.kind(node) == PickleKind::tuple;
    add_leaf(container.is_mapping() ? Leaf{"dict", "{}"} : tuple ? Leaf{"tuple", "()"} : Leaf{"list", "[]"});
    return;
  }
  if (is_open_[node]) source_.fail(name_, "a value that contains itself found, which is not allowed");
  is_open_[node] = true;
  frames_.push_back({node, std::move(container), 0, 0, 0, name_.size()});
}

void Walk::visit(PickleNode node) {
  // A chain of values that stand for others is as long as the pickle at most, unless it is a circle.
  std::size_t steps = 0;
  for (PickleNode next = stands_for(source_, node); next != no_node; next = stands_for(source_, node)) {
    if (++steps > longest_name)
      source_.fail(name_, "a value that stands for itself found, which is not allowed");
    node = next;
  }
  check_changes(source_, node, name_);
  if (auto container = container_of(source_, node, name_)) return open(node, std::move(*container));
  if (items_.size() >= most_items_) {
    source_.fail(name_, "more than the " + thousands(std::uint64_t{most_items_}) +
                            " values that are allowed in a pickle of " +
                            thousands(std::uint64_t{source_.tree.pickle_bytes()}) + " bytes");
  }
  source_.spend(name_.size(), name_);
  const PickleKind kind = source_.tree.kind(node);
  if (kind == PickleKind::persistent || kind == PickleKind::call) {
    const bool is_root = name_.empty() && frames_.empty();
    if (tensors_.read(node, is_root ? "tensor" : name_, items_)) return;
    if (kind == PickleKind::call) {
      const TorchGlobal meaning = source_.meaning(node);
      if (meaning == TorchGlobal::numpy_scalar || meaning == TorchGlobal::numpy_dtype) {
        const std::string name = is_root ? "value" : name_;
        Item item = meaning == TorchGlobal::numpy_scalar ? numpy_scalar_item(source_, node, name)
                                                         : numpy_dtype_item(source_, node, name);
        if (leaves_) items_.push_back(std::move(item));
        return;
      }
    }
  }
  auto leaf = value_leaf(source_, node, name_);
  if (!leaf) refuse_value(node);
  add_leaf(std::move(*leaf));
}

void Walk::advance() {
  Frame& frame = frames_.back();
  name_.resize(frame.name_bytes);
  while (frame.part < frame.container.parts.size() &&
         frame.at == frame.container.parts[frame.part].elements.size()) {
    ++frame.part;
    frame.at = 0;
  }
  if (frame.part == frame.container.parts.size()) {
    is_open_[frame.node] = false;
    frames_.pop_back();
    return;
  }
  const Container::Part& part = frame.container.parts[frame.part];
  if (frames_.size() > 1 || !name_.empty()) name_ += '.';
  if (part.keyed) {
    name_ += key_text(source_, part.elements[frame.at++], name_);
  } else {
    name_ += std::to_string(frame.index++);
  }
  if (name_.size() > longest_name) {
    source_.fail(name_, "a name of " + thousands(std::uint64_t{name_.size()}) + " bytes found, allowed are " +
                            thousands(std::uint64_t{longest_name}));
  }
  visit(part.elements[frame.at++]);  // may move the frames
}

WalkResult Walk::run(PickleNode root, const std::string& prefix) {
  name_ = prefix;
  visit(root);
  while (!frames_.empty()) advance();
  return result_;
}

}  // namespace

WalkResult walk(const PickleSource& source, PickleNode root, const std::string& prefix, TensorReader& tensors,
                bool leaves, std::vector<Item>& items) {
  return Walk(source, tensors, leaves, items).run(root, prefix);
}

}  // namespace repro
