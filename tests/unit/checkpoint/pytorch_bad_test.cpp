#include <catch2/catch_test_macros.hpp>

#include "unit/checkpoint/opened_torch.h"

namespace {

using namespace repro;
using namespace repro::test;
namespace p = repro::test::pickle;
using namespace std::string_literals;

const std::string four_bytes(4, '\0');

std::string one(const std::string& value) { return p::dict({{p::text("w"), value}}); }
std::string tensor(std::int64_t offset, const std::vector<std::int64_t>& shape,
                   const std::vector<std::int64_t>& strides) {
  return one(torch_tensor(torch_storage("FloatStorage", "0", 4), offset, shape, strides));
}
const std::vector<std::string> sixteen = {std::string(16, '\0')};

TEST_CASE("tensors that reach beyond their storage") {
  CHECK(torch_refusal(tensor(0, {4}, {1}), sixteen) == "");
  CHECK(torch_refusal(tensor(1, {4}, {1}), sixteen) ==
        "a.pt: 'w': shape [4] at offset 1 reaches element 4 of its storage 'archive/data/0', which has 4 "
        "elements of float32");
  CHECK(torch_refusal(tensor(0, {2, 2}, {3, 1}), sixteen).find("reaches element 4") != std::string::npos);
  CHECK(torch_refusal(tensor(0, {2}, {INT64_MAX}), sixteen).find("reaches element") != std::string::npos);
  CHECK(torch_refusal(tensor(INT64_MAX, {2}, {1}), sixteen).find("reaches element") != std::string::npos);
  check_contains(torch_refusal(tensor(0, {3, 3}, {INT64_MAX, INT64_MAX}), sixteen),
                 "more elements than the 2^62");
  check_contains(torch_refusal(tensor(0, {INT64_MAX, INT64_MAX}, {1, 1}), sixteen),
                 "more elements than the 2^62");
  check_contains(torch_refusal(tensor(-1, {1}, {1}), sixteen),
                 "'w': the offset -1 found, allowed are 0 and more");
  check_contains(torch_refusal(tensor(0, {-1}, {1}), sixteen), "the shape has the number -1");
  check_contains(torch_refusal(tensor(0, {1}, {-1}), sixteen), "the strides has the number -1");
  check_contains(torch_refusal(tensor(0, {1, 1}, {1}), sixteen), "1 stride found for 2 dimensions");
  check_contains(torch_refusal(tensor(0, std::vector<std::int64_t>(65, 1), {1}), sixteen),
                 "65 dimensions, allowed are 64");
}

TEST_CASE("storages that are not what the pickle says") {
  const auto use = [](const std::string& storage) { return one(torch_tensor(storage, 0, {1}, {1})); };
  CHECK(torch_refusal(use(torch_storage("FloatStorage", "7", 1)), {four_bytes}) ==
        "a.pt: 'w': its storage 'archive/data/7' is not in the archive; is the file complete?");
  CHECK(torch_refusal(use(torch_storage("FloatStorage", "0", 2)), {four_bytes}) ==
        "a.pt: 'w': its storage 'archive/data/0' has 4 bytes, which are 1 elements of FloatStorage; the "
        "pickle says 2");
  check_contains(torch_refusal(use(torch_storage("FloatStorage", "0", -1)), {four_bytes}),
                 "the pickle says -1");
  check_contains(torch_refusal(use(torch_storage("FloatStorage", "0", INT64_MAX)), {four_bytes}),
                 "the pickle says 9,223");
  check_contains(torch_refusal(use(torch_storage("EvilStorage", "0", 1)), {four_bytes}),
                 "'torch.EvilStorage' found");
  check_contains(torch_refusal(use(torch_storage("UntypedStorage", "0", 4)), {four_bytes}),
                 "has no element type");
  check_contains(torch_refusal(use(p::tuple({p::text("storage")}) + "Q"), {}),
                 "a persistent id of another form");
  check_contains(torch_refusal(use(p::none), {}),
                 "the storage is of type NoneType, allowed is a persistent id");
}

TEST_CASE("globals outside the list are refused where they are reached, and only there") {
  const std::string evil = p::call(p::global("posix", "system"), {p::text("touch /tmp/pickle-evil")});
  const std::string file = p::dict({{p::text("bad"), p::list({evil})}, {p::text("good"), torch_vector(1)}});
  CHECK(torch_refusal(file, {four_bytes}) ==
        "a.pt: 'bad.0': the global 'posix.system' found, which is not on the list of allowed ones; nothing "
        "of it was "
        "executed; save plain tensors (a state_dict), or choose another part with --key");
  CHECK(torch_refusal(file, {four_bytes}, "good") == "");
  check_contains(torch_refusal(file, {four_bytes}, "bad"), "'0': the global 'posix.system'");
  for (const std::string& value :
       {p::global("os", "system"), p::global("torch.nn.functional", "relu"), p::global("builtins", "eval"),
        p::call(p::global("torch.nn.modules.linear", "Linear"), {}),
        p::call(p::call(p::global("a", "b"), {}), {}),
        p::call(p::global("collections", "defaultdict"), {p::global("os", "system")}),
        p::call(p::global("torch._utils", "_rebuild_parameter"), {torch_vector(1), p::yes, evil}),
        p::call(p::global("torch._tensor", "_rebuild_from_type_v2"),
                {p::global("torch._utils", "_rebuild_tensor"), p::global("__main__", "Mine"), p::tuple({}),
                 p::none}),
        p::call(p::global("torch._tensor", "_rebuild_from_type_v2"),
                {p::global("os", "system"), p::global("torch", "Tensor"), p::tuple({}), p::none}),
        p::dict({{evil, p::none}}), p::call(p::global("builtins", "getattr"), {p::none, p::text("x")})}) {
    check_contains(torch_refusal(one(value), {four_bytes}), "which is not on the list of allowed ones");
  }
  // Names of escape sequences are shown harmlessly.
  check_contains(torch_refusal(one(p::global("\x1B[2J", "x")), {}), "'\\x1b[2J.x'");
}

TEST_CASE("values that are malformed") {
  const auto refused = [](const std::string& value, const std::string& part) {
    check_contains(torch_refusal(one(value), {four_bytes}), "a.pt: 'w");
    check_contains(torch_refusal(one(value), {four_bytes}), part);
  };
  refused(p::call(p::global("torch._utils", "_rebuild_tensor_v2"), {p::none}),
          "a tensor made of 1 argument found, allowed are 6 to 7");
  refused(p::call(p::global("collections", "OrderedDict"), {p::integer(1)}),
          "a container made of a value of type int");
  refused(p::call(p::global("builtins", "set"), {p::list({p::list({})})}),
          "a set of values that are not simple");
  refused(p::call(p::global("builtins", "set"), {p::list({p::integer(1), p::integer(1)})}),
          "a set has a member twice");
  refused(p::call(p::global("builtins", "complex"), {p::integer(1), p::integer(2)}),
          "a complex number of values of type int");
  refused(p::call(p::global("_codecs", "encode"), {p::text("x"), p::text("utf-7")}),
          "bytes in a form that is not known");
  refused(p::call(p::global("torch", "device"), {p::integer(1)}),
          "the device is of type int, allowed is str");
  refused(p::call(p::global("argparse", "Namespace"), {}) + p::list({p::none}) + "b",
          "attributes of type list");
  refused(p::call(p::global("torch", "Size"), {p::integers({-1})}), "the size has the number -1");
  refused(p::dict({{p::call(p::global("collections", "OrderedDict"), {}), p::none}}),
          "a key of type object found");
}

TEST_CASE("what is done to a value must fit it, or it would be overlooked") {
  const std::string ordered = p::call(p::global("collections", "OrderedDict"), {});
  const auto refused = [](const std::string& value, const std::string& part) {
    check_contains(torch_refusal(one(value), {four_bytes}), part);
  };
  refused(ordered + "Na",
          "'w': appended items of a value made by 'collections.OrderedDict' found, allowed are none");
  refused(p::call(p::global("argparse", "Namespace"), {}) + p::set_items({{p::text("a"), p::none}}),
          "keys of a value");
  refused(p::call(p::global("torch", "device"), {p::text("cpu")}) + "}b",
          "a state of a value made by 'torch.device'");
  refused(torch_vector(1) + "}b", "a state of a value made by 'torch._utils._rebuild_tensor_v2'");
  CHECK(torch_refusal(one(ordered + p::set_items({{p::text("a"), p::none}}) +
                          p::dict({{p::text("_metadata"), p::none}}) + "b")) == "");
}

TEST_CASE("circles, depth, repetition and long names end in an error") {
  const std::string start = "]q" + "\x00"s;
  check_contains(torch_refusal(one(start + "h\x00"s + "a")), "'w.0': a value that contains itself found");
  check_contains(torch_refusal("}q" + "\x00"s + p::text("k") + "h\x00"s + "s"),
                 "'k': a value that contains itself found");
  check_contains(torch_refusal(std::string(100'000, ']') + std::string(99'999, 'a')), "a name of 65,5");
  std::string doubled =
      "]K\x01"
      "a";  // a list of lists that are shared: 2^40 values in a few bytes
  for (int i = 0; i < 40; ++i)
    doubled = "](" + doubled + "q" + std::string(1, static_cast<char>(i)) + "h" +
              std::string(1, static_cast<char>(i)) + "e";
  check_contains(torch_refusal(doubled), "values that are allowed in a pickle of");
  std::string unfolding = "](" + p::text(std::string(100'000, 'x')) + "q" + "\x00"s;
  for (int i = 0; i < 5000; ++i) unfolding += "h\x00"s;
  check_contains(torch_refusal(unfolding + "e"), "unfolds into more than");
  // A parameter of itself.
  check_contains(torch_refusal(one("]q" + "\x00"s + "0ctorch._utils\n_rebuild_parameter\n(h" + "\x00"s +
                                   "\x88" + torch_hooks() + "tR")),
                 "a parameter that is no tensor found");
}

TEST_CASE("two values of one name are refused") {
  check_contains(torch_refusal(p::dict({{p::text("a.b"), p::integer(1)},
                                        {p::text("a"), p::dict({{p::text("b"), p::integer(2)}})}})),
                 "a.pt: two values have the name 'a.b', allowed is one");
  check_contains(torch_refusal(p::dict({{p::text("1"), p::integer(1)}, {p::integer(1), p::integer(2)}})),
                 "two values have the name '1'");
  check_contains(torch_refusal(p::dict({{p::text("1"), p::integer(1)}, {p::text("1"), p::integer(2)}})),
                 "has the key '1' twice");
}

TEST_CASE("a part is found by its path, the longest keys first") {
  const std::string file = p::dict(
      {{p::text("state.dict"), p::dict({{p::text("a.b"), p::integer(1)}, {p::text("a"), p::integer(2)}})},
       {p::text("state"), p::dict({{p::text("dict"), p::dict({{p::text("c"), p::integer(3)}})}})},
       {p::text("list"), p::list({p::dict({{p::text("x"), p::integer(4)}})})}});
  const auto value = [&](const std::string& key) {
    return OpenedTorch(torch_file(file, {}), key).leaf("value");
  };
  CHECK(value("state.dict.a.b") == "int 1");
  CHECK(value("state.dict.a") == "int 2");
  CHECK(value("state.dict.c") == "int 3");
  CHECK(value("list.0.x") == "int 4");
  CHECK(OpenedTorch(torch_file(file, {}), "list").names() == "0.x");
  const auto refused = [&](const std::string& key) {
    return torch_refusal(file, {}, key, ErrorKind::request);
  };
  CHECK(refused("stat") == "a.pt: no key 'stat' found; did you mean 'state'?");
  CHECK(refused("list.0.y") == "a.pt: no key 'list.0.y' found; did you mean 'list.0.x'?");
  CHECK(refused("quite another") == "a.pt: no key 'quite another' found; there are: state.dict, state, list");
  CHECK(refused("list.0.x.y") != "");
}

TEST_CASE("a pickle that is cut or changed anywhere is read or refused") {
  const std::string value =
      p::dict({{p::text("a"), torch_tensor(torch_storage("FloatStorage", "0", 1), 0, {1, 1}, {1, 1})},
               {p::text("b"), p::call(p::global("builtins", "set"), {p::list({p::integer(1)})})}});
  const std::string pickle = p::whole(value);
  const auto read = [&](const std::string& changed) {
    return refusal([&] {
      const OpenedTorch file(torch_archive({{"data.pkl", changed}, {"data/0", four_bytes}}));
      for (const Item& item : file.checkpoint.items) {
        if (!item.leaf && item.not_compared_reason.empty()) materialise(item.tensor);
      }
    });
  };
  CHECK(read(pickle) == "");
  for (std::size_t i = 0; i < pickle.size(); ++i) {
    CHECK(read(pickle.substr(0, i)) != "");
    for (const int bits : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      std::string changed = pickle;
      changed[i] = static_cast<char>(changed[i] ^ bits);
      read(changed);
    }
  }
}

}  // namespace
