#include "unit/report/sample_diff.h"

#include <algorithm>
#include <limits>

namespace repro {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Tensor floats(const std::vector<float>& values) {
  Tensor tensor(DType::float32, {static_cast<std::int64_t>(values.size())});
  std::copy(values.begin(), values.end(), tensor.values<float>().begin());
  return tensor;
}

const StoredTensor* find(const SampleSide& side, const std::string& name) {
  const auto at =
      std::find_if(side.items.begin(), side.items.end(), [&](const Item& item) { return item.name == name; });
  return at == side.items.end() ? nullptr : &at->tensor;
}

DiffSide described(const SampleSide& side) {
  DiffSide out;
  out.name = side.name;
  out.format = "pytorch";
  out.tensors = static_cast<std::uint64_t>(
      std::count_if(side.items.begin(), side.items.end(), [](const Item& item) { return !item.leaf; }));
  return out;
}

}  // namespace

void SampleSide::add(const std::string& item, Tensor tensor, Role role) {
  tensors_.push_back(std::move(tensor));
  items.push_back({item, tensors_.back().view(), role, "", ""});
}

void SampleSide::add_floats(const std::string& item, const std::vector<float>& values) {
  add(item, floats(values));
}

void SampleSide::add_leaf(const std::string& item, const std::string& type, const std::string& value) {
  Item leaf;
  leaf.name = item;
  leaf.leaf = Leaf{type, value};
  items.push_back(std::move(leaf));
}

void SampleSide::add_unreadable(const std::string& item, const std::string& dtype,
                                const std::string& reason) {
  Item unreadable;
  unreadable.name = item;
  unreadable.foreign_dtype = dtype;
  unreadable.not_compared_reason = reason;
  unreadable.tensor.shape = {2, 3};
  items.push_back(std::move(unreadable));
}

DiffResult diff_of(const std::vector<const SampleSide*>& sides, const DiffOptions& options) {
  DiffResult result;
  result.rule = options.rule;
  result.filter = options.filter;
  result.verdict = Verdict::identical;
  std::uint64_t tensors = 0, values = 0;
  for (std::size_t i = 1; i < sides.size(); ++i) {
    const SampleSide& reference = *sides[0];
    const SampleSide& candidate = *sides[i];
    DiffComparison comparison;
    comparison.reference = described(reference);
    comparison.candidate = described(candidate);
    comparison.diff = diff_snapshots(reference.items, candidate.items, options);
    comparison.tensors = [&reference, &candidate](const TensorDiff& row) {
      return TensorPair{find(reference, row.name), find(candidate, row.name)};
    };
    tensors += comparison.diff.tensors_compared;
    values += comparison.diff.values_compared;
    if (comparison.diff.verdict == Verdict::different) result.verdict = Verdict::different;
    result.comparisons.push_back(std::move(comparison));
  }
  result.verdict_line = "verdict: " + std::string(name_of(result.verdict)) + " (" + std::to_string(tensors) +
                        " tensors, " + std::to_string(values) + " values)";
  return result;
}

EveryKind::EveryKind() {
  const std::vector<float> plain = {1, 2, 3, 4};
  reference.add_floats("equal.weight", plain);
  candidate.add_floats("equal.weight", plain);
  reference.add_floats("gone.weight", plain);
  reference.add_floats("dtype.weight", plain);
  candidate.add("dtype.weight", Tensor(DType::float16, {4}));
  reference.add_floats("shape.weight", plain);
  candidate.add("shape.weight", Tensor(DType::float32, {2, 2}));
  reference.add_unreadable("unread.weight", "F4", "4-bit floats are not supported");
  candidate.add_unreadable("unread.weight", "F4", "4-bit floats are not supported");
  reference.add_floats("value.last", plain);
  candidate.add_floats("value.last", {1, 2, 3, 4.0000005F});
  reference.add_floats("value.gross", plain);
  candidate.add_floats("value.gross", {1, 2.5F, 3, -4});
  reference.add_floats("nan.weight", {nan, 2});
  candidate.add_floats("nan.weight", {1, 2});
  reference.add_floats("zero.bias", {-0.0F, 0, 7});
  candidate.add_floats("zero.bias", {0, 0, 7});
  reference.add_floats("tied.weight", {1, 2.5F});
  candidate.add_floats("tied.weight", {1, 2.25F});
  for (SampleSide* side : {&reference, &candidate}) {
    Item tied = side->items.back();
    tied.name = "tied.again";
    tied.alias_of = "tied.weight";
    side->items.push_back(std::move(tied));
  }
  reference.add_leaf("optimizer.step", "int", "100");
  candidate.add_leaf("optimizer.step", "int", "101");
  reference.add_leaf("optimizer.lr", "float", "0.001");
  candidate.add_leaf("optimizer.lr", "float", "0.001");
  candidate.add_leaf("epoch", "int", "3");
  candidate.add_floats("new.weight", {1});
}

ManyTensors::ManyTensors(int count) {
  for (int i = 0; i < count; ++i) {
    const std::string name = "model.layers." + std::to_string(i) + ".mlp.gate_proj.weight";
    Tensor tensor(DType::float32, {4, 6});
    for (std::size_t k = 0; k < 24; ++k) tensor.values<float>()[k] = 0.01F * static_cast<float>(k + 1);
    reference.add(name, tensor, Role::learnable);
    if (i % 3 != 0) {
      for (std::size_t k = 0; k < 24; k += 5) {
        tensor.values<std::uint32_t>()[k] +=
            static_cast<std::uint32_t>(i) * static_cast<std::uint32_t>(k + 1);
      }
    }
    candidate.add(name, std::move(tensor), Role::learnable);
  }
}

std::vector<std::string> hostile_names() {
  return {"<script>alert('1')</script>",
          "\"><img src=x onerror=alert(1)>",
          "a|b`c`*d* [x](http://evil) @here",
          "=HYPERLINK(\"http://evil\",\"x\")",
          "comma,quote\"and\nline break\r\n# heading",
          "\x1b[31mred\x1b]0;title\x07",
          "right\u202Eleft\u2066isolate",
          "not utf-8 \xff\xc0\xaf",
          std::string("zero\0byte", 9),
          "../../etc/passwd",
          std::string(5000, 'x') + "end"};
}

Hostile::Hostile() : reference("<b>a|`.pt\x1b[2J\n"), candidate("=b\"\u202E,\xff.pt") {
  for (const std::string& name : hostile_names()) {
    reference.add_floats(name, {1, 2});
    candidate.add_floats(name, {1, 3});
    reference.add_leaf("leaf " + name, name, name);
    candidate.add_leaf("leaf " + name, name, name + "!");
    reference.add_unreadable("unread " + name, name, "reason");
    candidate.add_unreadable("unread " + name, name, "reason");
  }
}

DiffResult Hostile::result() const { return diff_of({&reference, &candidate}); }

}  // namespace repro
