#include "repro/pickle/machine.h"

#include <unordered_map>

#include "repro/base/error.h"
#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/pickle/check_keys.h"
#include "repro/pickle/input.h"
#include "repro/pickle/literal.h"

namespace repro {
namespace {

constexpr std::uint64_t max_pickle_bytes = std::uint64_t{1} << 30;
constexpr std::uint64_t max_nodes = std::uint64_t{32} << 20;
constexpr std::uint64_t max_links = std::uint64_t{128} << 20;
constexpr std::uint64_t max_stack = std::uint64_t{16} << 20;
constexpr std::uint64_t highest_protocol = 5;

// The stack, the marks on it and the memo of one pickle.
class Machine {
 public:
  Machine(ByteView bytes, const std::string& what) : input_(bytes, what), tree_(bytes) {}
  PickleTree run();

 private:
  using Nodes = std::span<const PickleNode>;

  bool make_container(Opcode opcode);
  bool use_memo(Opcode opcode);
  bool make_object(Opcode opcode);
  bool change_object(Opcode opcode);
  void step(Opcode opcode);

  void push(PickleNode node) { stack_.push_back(node); }
  // What lies above the topmost mark.
  std::size_t fence() const { return marks_.empty() ? 0 : marks_.back(); }
  PickleNode top(std::size_t depth = 0) const;
  PickleNode pop();
  // The values above the mark, which is removed. They are valid, and below() is what lies beneath them,
  // until drop().
  Nodes above_mark();
  PickleNode below(Nodes nodes) const { return top(nodes.size()); }
  void drop(Nodes nodes) { stack_.resize(stack_.size() - nodes.size()); }

  void push_tuple(std::size_t count);
  void push_container(PickleKind kind);
  void push_call(PickleNode callable, PickleNode arguments, PickleNode keywords = no_node);
  PickleNode global_of_lines();
  std::uint64_t decimal_line();
  void put(std::uint64_t index);
  void get(std::uint64_t index);
  // A node that may be changed: of the kind itself, or the part of a call that stands for it.
  PickleNode target(PickleNode node, PickleKind kind, PickleNode PickleCall::*part);
  void check_hashable(PickleNode key) const;
  void check_pairs(Nodes pairs) const;
  void append(Nodes nodes);
  void set_items(Nodes pairs);
  void add_members(Nodes nodes);
  void build();

  PickleInput input_;
  PickleTree tree_;
  std::vector<PickleNode> stack_;
  std::vector<std::size_t> marks_;
  std::vector<PickleNode> memo_;                            // entries 0, 1, 2, ... as writers number them
  std::unordered_map<std::uint64_t, PickleNode> far_memo_;  // others
};

std::string found_kind(const PickleTree& tree, PickleNode node) {
  return "found a value of type " + std::string(name_of(tree.kind(node)));
}

PickleNode Machine::top(std::size_t depth) const {
  if (stack_.size() < fence() + depth + 1) {
    input_.fail("needs " + plural(static_cast<std::int64_t>(depth + 1), "value") + " on the stack, found " +
                thousands(std::uint64_t{stack_.size() - fence()}));
  }
  return stack_[stack_.size() - 1 - depth];
}

PickleNode Machine::pop() {
  const PickleNode node = top();
  stack_.pop_back();
  return node;
}

Machine::Nodes Machine::above_mark() {
  if (marks_.empty()) input_.fail("needs a MARK on the stack, found none");
  const std::size_t mark = marks_.back();
  marks_.pop_back();
  return Nodes(stack_).subspan(mark);
}

void Machine::push_tuple(std::size_t count) {
  top(count - 1);
  const Nodes nodes = Nodes(stack_).last(count);
  const PickleNode tuple = tree_.add_container(PickleKind::tuple, nodes);
  drop(nodes);
  push(tuple);
}

void Machine::push_container(PickleKind kind) {
  const Nodes nodes = above_mark();
  if (kind == PickleKind::dict) check_pairs(nodes);
  if (kind == PickleKind::frozen_set) {
    for (const PickleNode node : nodes) check_hashable(node);
  }
  const PickleNode container = tree_.add_container(kind, nodes);
  drop(nodes);
  push(container);
}

void Machine::push_call(PickleNode callable, PickleNode arguments, PickleNode keywords) {
  const PickleKind kind = tree_.kind(callable);
  if (kind != PickleKind::global && kind != PickleKind::call) {
    input_.fail(found_kind(tree_, callable) + " to be called, allowed is a global");
  }
  if (tree_.kind(arguments) != PickleKind::tuple) {
    input_.fail(found_kind(tree_, arguments) + " as arguments, allowed is a tuple");
  }
  if (keywords != no_node && tree_.kind(keywords) != PickleKind::dict) {
    input_.fail(found_kind(tree_, keywords) + " as keyword arguments, allowed is a dict");
  }
  PickleCall call;
  call.callable = callable;
  call.arguments = arguments;
  call.keywords = keywords;
  push(tree_.add_call(call));
}

PickleNode Machine::global_of_lines() {
  const std::string_view module = input_.line(), name = input_.line();
  if (!is_utf8(module) || !is_utf8(name)) input_.fail("a global's name is not valid UTF-8");
  const PickleNode module_node = tree_.add_view(PickleKind::text, module);
  return tree_.add_global(module_node, tree_.add_view(PickleKind::text, name));
}

std::uint64_t Machine::decimal_line() {
  const std::string_view text = input_.line();
  const auto value = parse_unsigned(text);
  if (!value) input_.fail("'" + displayable(text.substr(0, 40)) + "' found, allowed is a memo's number");
  return *value;
}

void Machine::put(std::uint64_t index) {
  const PickleNode node = top();
  if (index < memo_.size()) {
    memo_[static_cast<std::size_t>(index)] = node;
  } else if (index == memo_.size()) {
    memo_.push_back(node);
    if (!far_memo_.empty()) far_memo_.erase(index);
  } else {
    far_memo_[index] = node;
  }
}

void Machine::get(std::uint64_t index) {
  if (index < memo_.size()) return push(memo_[static_cast<std::size_t>(index)]);
  const auto entry = far_memo_.find(index);
  if (entry == far_memo_.end()) {
    input_.fail("memo entry " + thousands(index) + " is not set, " +
                thousands(std::uint64_t{memo_.size() + far_memo_.size()}) + " are");
  }
  push(entry->second);
}

PickleNode Machine::target(PickleNode node, PickleKind kind, PickleNode PickleCall::*part) {
  if (tree_.kind(node) == kind) return node;
  if (tree_.kind(node) == PickleKind::call) return tree_.part_of_call(node, part, kind);
  input_.fail(found_kind(tree_, node) + ", allowed is a " + std::string(name_of(kind)) + " or an object");
}

void Machine::check_hashable(PickleNode key) const {
  const PickleKind kind = tree_.kind(key);
  if (kind == PickleKind::list || kind == PickleKind::dict || kind == PickleKind::set ||
      kind == PickleKind::byte_array) {
    input_.fail(found_kind(tree_, key) + " as a key, allowed are values that can be hashed");
  }
}

void Machine::check_pairs(Nodes pairs) const {
  if (pairs.size() % 2 != 0) input_.fail("a key without a value found");
  for (std::size_t i = 0; i < pairs.size(); i += 2) check_hashable(pairs[i]);
}

void Machine::append(Nodes nodes) {
  tree_.extend(target(below(nodes), PickleKind::list, &PickleCall::items), nodes);
  drop(nodes);
}

void Machine::set_items(Nodes pairs) {
  const PickleNode dict = target(below(pairs), PickleKind::dict, &PickleCall::pairs);
  check_pairs(pairs);
  tree_.extend(dict, pairs);
  drop(pairs);
}

void Machine::add_members(Nodes nodes) {
  const PickleNode set = target(below(nodes), PickleKind::set, &PickleCall::members);
  for (const PickleNode node : nodes) check_hashable(node);
  tree_.extend(set, nodes);
  drop(nodes);
}

void Machine::build() {
  const PickleNode state = pop(), object = top();
  if (tree_.kind(object) != PickleKind::call) {
    input_.fail("sets the state of a " + std::string(name_of(tree_.kind(object))) + ", allowed is an object");
  }
  if (tree_.call(object).state != no_node) input_.fail("sets the state of an object twice");
  tree_.set_state(object, state);
}

bool Machine::make_container(Opcode opcode) {
  switch (opcode) {
    case Opcode::EMPTY_LIST: push(tree_.add_container(PickleKind::list, {})); return true;
    case Opcode::EMPTY_DICT: push(tree_.add_container(PickleKind::dict, {})); return true;
    case Opcode::EMPTY_SET: push(tree_.add_container(PickleKind::set, {})); return true;
    case Opcode::EMPTY_TUPLE: push(tree_.add_container(PickleKind::tuple, {})); return true;
    case Opcode::TUPLE1: push_tuple(1); return true;
    case Opcode::TUPLE2: push_tuple(2); return true;
    case Opcode::TUPLE3: push_tuple(3); return true;
    case Opcode::TUPLE: push_container(PickleKind::tuple); return true;
    case Opcode::LIST: push_container(PickleKind::list); return true;
    case Opcode::FROZENSET: push_container(PickleKind::frozen_set); return true;
    case Opcode::DICT: push_container(PickleKind::dict); return true;
    default: return false;
  }
}

bool Machine::use_memo(Opcode opcode) {
  switch (opcode) {
    case Opcode::MEMOIZE: put(memo_.size() + far_memo_.size()); return true;
    case Opcode::BINPUT: put(input_.number(1)); return true;
    case Opcode::LONG_BINPUT: put(input_.number(4)); return true;
    case Opcode::PUT: put(decimal_line()); return true;
    case Opcode::BINGET: get(input_.number(1)); return true;
    case Opcode::LONG_BINGET: get(input_.number(4)); return true;
    case Opcode::GET: get(decimal_line()); return true;
    default: return false;
  }
}

bool Machine::make_object(Opcode opcode) {
  switch (opcode) {
    case Opcode::GLOBAL: push(global_of_lines()); return true;
    case Opcode::STACK_GLOBAL: {
      const PickleNode name = pop(), module = pop();
      if (tree_.kind(module) != PickleKind::text || tree_.kind(name) != PickleKind::text) {
        input_.fail("a global that is not named by two texts found");
      }
      push(tree_.add_global(module, name));
      return true;
    }
    case Opcode::REDUCE:
    case Opcode::NEWOBJ: {
      const PickleNode arguments = pop(), callable = pop();
      push_call(callable, arguments);
      return true;
    }
    case Opcode::NEWOBJ_EX: {
      const PickleNode keywords = pop(), arguments = pop(), callable = pop();
      push_call(callable, arguments, keywords);
      return true;
    }
    case Opcode::INST: {
      const PickleNode callable = global_of_lines();
      push_container(PickleKind::tuple);
      push_call(callable, pop());
      return true;
    }
    case Opcode::OBJ: {
      const Nodes nodes = above_mark();
      if (nodes.empty()) input_.fail("no class to make an object of found");
      const PickleNode callable = nodes.front();
      const PickleNode arguments = tree_.add_container(PickleKind::tuple, nodes.subspan(1));
      drop(nodes);
      push_call(callable, arguments);
      return true;
    }
    case Opcode::BINPERSID: push(tree_.add_persistent(pop())); return true;
    default: return false;
  }
}

bool Machine::change_object(Opcode opcode) {
  switch (opcode) {
    case Opcode::APPEND:
      top(1);
      append(Nodes(stack_).last(1));
      return true;
    case Opcode::SETITEM:
      top(2);
      set_items(Nodes(stack_).last(2));
      return true;
    case Opcode::APPENDS: append(above_mark()); return true;
    case Opcode::SETITEMS: set_items(above_mark()); return true;
    case Opcode::ADDITEMS: add_members(above_mark()); return true;
    case Opcode::BUILD: build(); return true;
    default: return false;
  }
}

void Machine::step(Opcode opcode) {
  if (use_memo(opcode)) return;
  if (const PickleNode literal = read_literal(opcode, input_, tree_); literal != no_node)
    return push(literal);
  if (make_container(opcode) || make_object(opcode) || change_object(opcode)) return;
  switch (opcode) {
    case Opcode::MARK: marks_.push_back(stack_.size()); return;
    case Opcode::DUP: push(top()); return;
    case Opcode::POP_MARK: drop(above_mark()); return;
    case Opcode::POP:
      if (!marks_.empty() && stack_.size() == marks_.back()) {
        marks_.pop_back();
      } else {
        pop();
      }
      return;
    case Opcode::FRAME: input_.check_length(input_.number(8)); return;
    case Opcode::EXT1:
    case Opcode::EXT2:
    case Opcode::EXT4: input_.fail("a global of the extension registry found, which is not allowed");
    case Opcode::PERSID: input_.fail("a persistent id as text found, which is not allowed");
    case Opcode::NEXT_BUFFER:
    case Opcode::READONLY_BUFFER: input_.fail("a buffer outside the pickle found, which is not allowed");
    default: input_.fail("no opcode that is allowed here");
  }
}

PickleTree Machine::run() {
  Opcode opcode = input_.next_opcode();
  if (opcode == Opcode::PROTO) {
    const std::uint64_t protocol = input_.number(1);
    if (protocol > highest_protocol) {
      input_.fail("protocol " + thousands(protocol) + " found, allowed are 0 to 5");
    }
    opcode = input_.next_opcode();
  }
  for (; opcode != Opcode::STOP; opcode = input_.next_opcode()) {
    step(opcode);
    if (tree_.size() > max_nodes || tree_.link_count() > max_links ||
        stack_.size() + marks_.size() > max_stack) {
      input_.fail("more values than allowed: " + thousands(max_nodes) + " values, " + thousands(max_links) +
                  " elements of containers, " + thousands(max_stack) + " at a time");
    }
  }
  const PickleNode root = pop();
  if (!stack_.empty() || !marks_.empty()) {
    input_.fail("more than one value on the stack at the end, allowed is one");
  }
  if (input_.left() > 0) {
    input_.fail(plural(static_cast<std::int64_t>(input_.left()), "byte") +
                " found after the end, allowed is none");
  }
  tree_.set_root(root);
  return std::move(tree_);
}

}  // namespace

PickleTree read_pickle(ByteView bytes, const std::string& what) {
  if (bytes.size() > max_pickle_bytes) {
    throw Error(ErrorKind::input, what + ": a pickle of " + thousands(std::uint64_t{bytes.size()}) +
                                      " bytes found, allowed are " + thousands(max_pickle_bytes));
  }
  PickleTree tree = Machine(bytes, what).run();
  check_keys(tree, what);
  return tree;
}

}  // namespace repro
