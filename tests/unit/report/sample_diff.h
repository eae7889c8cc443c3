#pragma once

#include <deque>
#include <string>
#include <vector>

#include "repro/audit/diff_result.h"
#include "repro/tensor/tensor.h"

namespace repro {

// One side of a comparison, made in memory. Items point into the tensors: not to be copied.
class SampleSide {
 public:
  explicit SampleSide(std::string file) : name(std::move(file)) {}
  SampleSide(const SampleSide&) = delete;
  SampleSide& operator=(const SampleSide&) = delete;

  void add(const std::string& item, Tensor tensor, Role role = Role::none);
  void add_floats(const std::string& item, const std::vector<float>& values);
  void add_leaf(const std::string& item, const std::string& type, const std::string& value);
  void add_unreadable(const std::string& item, const std::string& dtype, const std::string& reason);

  std::string name;
  std::vector<Item> items;

 private:
  std::deque<Tensor> tensors_;
};

// Compares the first with every other one. The sides must outlive the result.
DiffResult diff_of(const std::vector<const SampleSide*>& sides, const DiffOptions& options = {});

// Two sides with a row of every kind, leaves and a tied name.
struct EveryKind {
  EveryKind();
  SampleSide reference{"a.pt"}, candidate{"b.pt"};
};

// `count` tensors "model.layers.<i>.mlp.gate_proj.weight" of 4x6 values, all but every third differing by
// more and more steps.
struct ManyTensors {
  explicit ManyTensors(int count);
  SampleSide reference{"before.safetensors"}, candidate{"after.safetensors"};
};

// Markup, formulas, escape sequences, bidirectional marks, line breaks, bytes that are no UTF-8.
std::vector<std::string> hostile_names();
// Every one of them as the name of a tensor that differs, of a leaf, of a file, and as a reason.
struct Hostile {
  Hostile();
  SampleSide reference, candidate;
  DiffResult result() const;
};

}  // namespace repro
