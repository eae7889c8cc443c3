#include <catch2/catch_test_macros.hpp>

#include "unit/checkpoint/opened_torch.h"

namespace {

using namespace repro;
using namespace repro::test;
namespace p = repro::test::pickle;
using namespace std::string_literals;

std::string floats(const std::vector<float>& values) {
  return std::string(as_text(bytes_of(std::span<const float>(values))));
}

TEST_CASE("tensors of nested containers are named by their paths") {
  const std::string vector = torch_vector(2);
  const OpenedTorch file(torch_file(
      p::dict(
          {{p::text("model"), p::dict({{p::text("conv1.weight"), vector}})},
           {p::text("optimizer"),
            p::dict(
                {{p::text("state"), p::dict({{p::integer(0), p::dict({{p::text("step"), p::integer(5)}})}})},
                 {p::text("param_groups"), p::list({p::dict({{p::text("lr"), p::floating(0.001)}})})}})},
           {p::text("empty"), p::list({})}}),
      {floats({1, -0.0F})}));
  CHECK(file.checkpoint.format == CheckpointFormat::pytorch);
  CHECK(file.checkpoint.holds_leaves);
  CHECK(file.names() == "model.conv1.weight optimizer.state.0.step optimizer.param_groups.0.lr empty");
  const Item& weight = file.item("model.conv1.weight");
  CHECK(weight.tensor.dtype == DType::float32);
  CHECK(weight.tensor.shape == Shape{2});
  CHECK(weight.tensor.strides.empty());
  CHECK(as_text(materialise(weight.tensor).storage) == floats({1, -0.0F}));
  CHECK(file.leaf("optimizer.state.0.step") == "int 5");
  CHECK(file.leaf("optimizer.param_groups.0.lr") == "float 0.001");
  CHECK(file.leaf("empty") == "list []");
}

TEST_CASE("a root that is a tensor or a value has a name") {
  const OpenedTorch tensor(torch_file(torch_vector(1), {floats({1})})), value(torch_file(p::integer(3), {}));
  CHECK(tensor.names() == "tensor");
  CHECK(value.names() == "value");
}

TEST_CASE("views read through their strides, and equal ones are aliases") {
  const std::string storage = torch_storage("FloatStorage", "0", 6);
  const OpenedTorch file(torch_file(p::dict({{p::text("a"), torch_tensor(storage, 0, {2, 3}, {3, 1})},
                                             {p::text("t"), torch_tensor(storage, 0, {3, 2}, {1, 3})},
                                             {p::text("b"), torch_tensor(storage, 0, {2, 3}, {3, 1})},
                                             {p::text("row"), torch_tensor(storage, 3, {3}, {1})},
                                             {p::text("wide"), torch_tensor(storage, 5, {4}, {0})},
                                             {p::text("none"), torch_tensor(storage, 9, {0, 3}, {3, 1})},
                                             {p::text("t2"), torch_tensor(storage, 0, {3, 2}, {1, 3})}}),
                                    {floats({0, 1, 2, 3, 4, 5})}));
  const auto text = [&](const char* name) {
    return std::string(as_text(materialise(file.item(name).tensor).storage));
  };
  CHECK(text("t") == floats({0, 3, 1, 4, 2, 5}));
  CHECK(text("row") == floats({3, 4, 5}));
  CHECK(text("wide") == floats({5, 5, 5, 5}));
  CHECK(text("none").empty());
  CHECK(file.item("a").alias_of.empty());
  CHECK(file.item("b").alias_of == "a");
  CHECK(file.item("t").alias_of.empty());
  CHECK(file.item("t2").alias_of == "t");
  CHECK(file.item("row").alias_of.empty());
  CHECK(file.item("a").tensor.storage == file.item("row").tensor.storage);
}

TEST_CASE("signs that are flipped lazily, and big-endian files") {
  const auto metadata = [](const char* key) { return p::dict({{p::text(key), p::yes}}); };
  const std::string complex = torch_storage("ComplexFloatStorage", "0", 1);
  const OpenedTorch file(
      torch_file(p::dict({{p::text("conj"), torch_tensor(complex, 0, {1}, {1}, {metadata("conj")})},
                          {p::text("neg"), torch_tensor(complex, 0, {1}, {1}, {metadata("neg")})},
                          {p::text("other"), torch_tensor(complex, 0, {1}, {1}, {metadata("future")})}}),
                 {floats({1, 2})}));
  CHECK(as_text(materialise(file.item("conj").tensor).storage) == floats({1, -2}));
  CHECK(as_text(materialise(file.item("neg").tensor).storage) == floats({-1, -2}));
  CHECK(file.item("conj").alias_of.empty());
  CHECK(file.item("other").not_compared_reason == "the metadata 'future' is not known");

  TorchMembers members = {
      {"data.pkl", p::whole(torch_vector(1))}, {"byteorder", "big"}, {"data/0", "\x3F\x80\x00\x00"s}};
  const OpenedTorch big(torch_archive(members));
  CHECK(as_text(materialise(big.item("tensor").tensor).storage) == floats({1}));
  CHECK(big.checkpoint.remarks == std::vector<std::string>{"written on a big-endian machine"});
  members[1].second = "middle";
  CHECK(refusal([&] { OpenedTorch(torch_archive(members)); }) ==
        "a.pt: 'archive/byteorder' says 'middle', allowed are little and big");
}

TEST_CASE("wrappers, element types by name, and tensors without values") {
  const std::string untyped = torch_storage("UntypedStorage", "0", 4);
  const auto v3 = [&](const char* dtype, std::int64_t count) {
    return p::call(p::global("torch._utils", "_rebuild_tensor_v3"),
                   {untyped, p::integer(0), p::integers({count}), p::integers({1}), p::no, torch_hooks(),
                    p::global("torch", dtype)});
  };
  const std::string parameter =
      p::call(p::global("torch._utils", "_rebuild_parameter"), {v3("uint16", 2), p::yes, torch_hooks()});
  const std::string typed = p::call(
      p::global("torch._tensor", "_rebuild_from_type_v2"),
      {p::global("torch._utils", "_rebuild_tensor"), p::global("torch.nn.parameter", "Buffer"),
       p::tuple({torch_storage("CharStorage", "0", 4), p::integer(1), p::integers({3}), p::integers({1})}),
       p::none});
  const std::string meta =
      p::call(p::global("torch._utils", "_rebuild_meta_tensor_no_storage"),
              {p::global("torch", "float64"), p::integers({2, 3}), p::integers({3, 1}), p::no});
  const OpenedTorch file(torch_file(p::dict({{p::text("p"), parameter},
                                             {p::text("b"), typed},
                                             {p::text("f8"), v3("float8_e5m2", 4)},
                                             {p::text("half"), v3("half", 2)},
                                             {p::text("bits"), v3("bits8", 4)},
                                             {p::text("meta"), meta},
                                             {p::text("storage"), untyped}}),
                                    {"abcd"}));
  CHECK(file.item("p").tensor.dtype == DType::uint16);
  CHECK(as_text(materialise(file.item("b").tensor).storage) == "bcd");
  CHECK(file.item("b").tensor.dtype == DType::int8);
  CHECK(file.item("f8").tensor.dtype == DType::float8_e5m2);
  CHECK(file.item("half").tensor.dtype == DType::float16);
  CHECK(file.item("bits").not_compared_reason == "element type bits8 cannot be read");
  CHECK(file.item("bits").foreign_dtype == "bits8");
  CHECK(file.item("meta").not_compared_reason == "a tensor of the meta device has no values");
  CHECK(file.item("meta").tensor.shape == Shape{2, 3});
  CHECK(file.item("storage").tensor.shape == Shape{4});
}

TEST_CASE("quantised and sparse tensors are their parts") {
  const auto quantised = [](double scale) {
    return p::call(p::global("torch._utils", "_rebuild_qtensor"),
                   {torch_storage("QUInt8Storage", "0", 4), p::integer(0), p::integers({4}), p::integers({1}),
                    p::tuple({p::global("torch", "per_tensor_affine"), p::floating(scale), p::integer(3)}),
                    p::no, torch_hooks()});
  };
  const std::string sparse =
      p::call(p::global("torch._utils", "_rebuild_sparse_tensor"),
              {p::call(p::global("torch.serialization", "_get_layout"), {p::text("torch.sparse_coo")}),
               p::tuple({torch_tensor(torch_storage("ByteStorage", "0", 4), 0, {1, 2}, {2, 1}),
                         torch_tensor(torch_storage("ByteStorage", "0", 4), 2, {2}, {1}),
                         p::call(p::global("torch", "Size"), {p::integers({5})}), p::yes})});
  const OpenedTorch file(
      torch_file(p::dict({{p::text("q"), quantised(0.5)}, {p::text("s"), sparse}}), {"abcd"}));
  CHECK(file.names() ==
        "q q.dtype q.qscheme q.scale q.zero_point s.indices s.values s.layout s.size s.is_coalesced");
  CHECK(file.item("q").tensor.dtype == DType::uint8);
  CHECK(file.leaf("q.dtype") == "torch.dtype torch.quint8");
  CHECK(file.leaf("q.scale") == "float 0.5");
  CHECK(file.leaf("s.size") == "torch.Size torch.Size([5])");
  CHECK(as_text(materialise(file.item("s.values").tensor).storage) == "cd");
  REQUIRE(file.checkpoint.remarks.size() == 1);
  CHECK(file.checkpoint.remarks[0].starts_with("quantised tensors are compared as the integers"));
}

TEST_CASE("TorchScript: tensors of attributes and constants, no leaves") {
  const std::string module =
      p::global("__torch__", "Net") + ")\x81" +
      p::dict({{p::text("training"), p::yes},
               {p::text("w"), torch_vector(1)},
               {p::text("list"),
                p::call(p::global("torch.jit._pickle", "build_tensorlist"), {p::list({torch_vector(1)})})},
               {p::text("sub"), p::global("__torch__.a", "B") + ")\x81" +
                                    p::dict({{p::text("b"), torch_vector(1)}}) + "b"}}) +
      "b";
  const Bytes bytes = torch_archive({{"data.pkl", p::whole(module)},
                                     {"data/0", floats({1})},
                                     {"constants.pkl", p::whole(p::tuple({torch_vector(1)}))},
                                     {"constants/0", floats({2})}});
  const OpenedTorch file(bytes);
  CHECK(file.checkpoint.format == CheckpointFormat::torchscript);
  CHECK_FALSE(file.checkpoint.holds_leaves);
  CHECK(file.names() == "w list.0 sub.b constants.0");
  CHECK(as_text(materialise(file.item("constants.0").tensor).storage) == floats({2}));
  CHECK(file.item("constants.0").alias_of.empty());
  CHECK(OpenedTorch(bytes, "sub").names() == "b");
  CHECK(OpenedTorch(bytes, "constants").names() == "0");
  CHECK(OpenedTorch(bytes, "constants.0").names() == "tensor");
  CHECK(refusal([&] { OpenedTorch(bytes, "constants.1"); }, ErrorKind::request) != "");
}

TEST_CASE("values that share a storage but differ are told apart") {
  const auto leaf = [](const std::string& opcodes) {
    return OpenedTorch(torch_file(opcodes, {})).leaf("value");
  };
  CHECK(leaf(p::integer(1)) != leaf(p::floating(1)));
  CHECK(leaf(p::integer(1)) != leaf(p::yes));
  CHECK(leaf(p::text("1")) != leaf(p::integer(1)));
  CHECK(leaf(p::floating(0.0)) != leaf(p::floating(-0.0)));
  CHECK(leaf(p::floating(1.0)) != leaf(p::floating(1.0000000000000002)));
  CHECK(leaf("G\x7F\xF8\x00\x00\x00\x00\x00\x00"s) == "float nan");
  CHECK(leaf("G\x7F\xF8\x00\x00\x00\x00\x00\x01"s) == "float nan (0x7ff8000000000001)");
  const std::string long_text(1000, 'x');
  CHECK(leaf(p::text(long_text)) != leaf(p::text(long_text.substr(1) + "y")));
  CHECK(leaf(p::text(long_text)).size() < 300);
}

}  // namespace
