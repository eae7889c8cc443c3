#include "repro/snapshot/safetensors.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "support/temporary_folder.h"

namespace {

using namespace repro;

SafetensorsFile fixture(const char* name) {
  return SafetensorsFile(std::filesystem::path(REPRO_SOURCE_DIR) / "tests/data/safetensors" / name);
}

TEST_CASE("foreign safetensors files are read in the order of their headers") {
  const SafetensorsFile reordered = fixture("ok_reordered.safetensors");
  REQUIRE(reordered.tensors().size() == 2);
  CHECK(reordered.tensors()[0].name == "b");
  CHECK(reordered.tensors()[0].tensor.shape == Shape{1});
  CHECK(reordered.tensors()[1].name == "w");
  CHECK(reordered.content().roles == std::vector<Role>{Role::none, Role::none});
  CHECK(reordered.content().registration_order.empty());

  const SafetensorsFile empty = fixture("ok_scalar_empty.safetensors");
  REQUIRE(empty.tensors().size() == 3);
  CHECK(empty.tensors()[0].tensor.shape.empty());
  CHECK(empty.tensors()[0].tensor.size() == 1);
  CHECK(empty.tensors()[2].tensor.shape == Shape{3, 0});
  CHECK(empty.tensors()[2].tensor.bytes.empty());

  const SafetensorsFile metadata = fixture("ok_metadata.safetensors");
  CHECK(metadata.content().metadata ==
        std::map<std::string, std::string>{{"date", "2026-01-01"}, {"format", "pt"}});
  CHECK(fixture("bf16.safetensors").tensors().at(0).tensor.dtype == DType::bfloat16);
  CHECK(fixture("f8.safetensors").tensors().at(0).tensor.dtype == DType::float8_e4m3fn);
}

TEST_CASE("a moved file keeps its views") {
  SafetensorsFile file = fixture("ok.safetensors");
  const std::byte* data = file.tensors()[0].tensor.bytes.data();
  const SafetensorsFile moved = std::move(file);
  CHECK(moved.tensors()[0].tensor.bytes.data() == data);
  CHECK(moved.tensors()[0].tensor.bytes.size() == 8);
}

std::vector<NamedTensor> some_tensors() {
  std::vector<NamedTensor> tensors;
  std::uint8_t byte = 1;
  const auto add = [&](const char* name, DType dtype, Shape shape) {
    tensors.push_back({name, Tensor(dtype, std::move(shape))});
    for (std::byte& b : tensors.back().tensor.storage) b = std::byte{byte++};
  };
  add("conv1.weight", DType::float32, {2, 1, 1, 1});
  add("conv1.bias", DType::float32, {2});
  add("a \"quoted\" \xC3\xA9\n", DType::int64, {});
  add("flags", DType::boolean, {3});
  add("empty", DType::float16, {0, 4});
  return tensors;
}

std::vector<SnapshotEntry> entries_of(const std::vector<NamedTensor>& tensors) {
  std::vector<SnapshotEntry> entries;
  for (const NamedTensor& tensor : tensors) {
    entries.push_back(
        {tensor.name, entries.size() < 2 ? Role::learnable : Role::buffer, tensor.tensor.view()});
  }
  return entries;
}

TEST_CASE("what is written is read back, with roles and registration order") {
  const std::vector<NamedTensor> tensors = some_tensors();
  const std::vector<SnapshotEntry> entries = entries_of(tensors);
  const TemporaryFolder folder;
  write_safetensors(folder.path() / "a.safetensors", entries);
  const SafetensorsFile file(folder.path() / "a.safetensors");
  REQUIRE(file.tensors().size() == entries.size());
  std::vector<std::string> names;
  for (const SnapshotEntry& entry : entries) names.push_back(entry.name);
  CHECK(file.content().registration_order == names);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const NamedTensorView& read = file.tensors()[i];
    const auto at =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), read.name) - names.begin());
    REQUIRE(at < entries.size());
    CHECK(file.content().roles[i] == entries[at].role);
    CHECK(read.tensor.dtype == entries[at].tensor.dtype);
    CHECK(read.tensor.shape == entries[at].tensor.shape);
    CHECK(std::ranges::equal(read.tensor.bytes, entries[at].tensor.bytes));
  }
}

TEST_CASE("written bytes are the documented ones") {
  const std::vector<NamedTensor> tensors = some_tensors();
  const Bytes bytes = safetensors_bytes(entries_of(tensors));
  const std::string header =
      R"({"__metadata__":{"repro-train.format_version":"1",)"
      R"("repro-train.order":"[\"conv1.weight\",\"conv1.bias\",\"a \\\"quoted\\\" )"
      "\xC3\xA9"
      R"(\\n\",\"flags\",\"empty\"]",)"
      R"("repro-train.roles":"[\"learnable\",\"learnable\",\"buffer\",\"buffer\",\"buffer\"]"},)"
      R"("a \"quoted\" )"
      "\xC3\xA9"
      R"(\n":{"dtype":"I64","shape":[],"data_offsets":[0,8]},)"
      R"("conv1.bias":{"dtype":"F32","shape":[2],"data_offsets":[8,16]},)"
      R"("conv1.weight":{"dtype":"F32","shape":[2,1,1,1],"data_offsets":[16,24]},)"
      R"("empty":{"dtype":"F16","shape":[0,4],"data_offsets":[24,24]},)"
      R"("flags":{"dtype":"BOOL","shape":[3],"data_offsets":[24,27]}})";
  const std::uint64_t length = load<std::uint64_t>(bytes);
  REQUIRE(length % 8 == 0);
  REQUIRE(bytes.size() == 8 + length + 27);
  const std::string written(as_text(ByteView(bytes).subspan(8, static_cast<std::size_t>(length))));
  CHECK(written.substr(0, header.size()) == header);
  CHECK(written.substr(header.size()).find_first_not_of(' ') == std::string::npos);
  CHECK(to_hex(ByteView(bytes).subspan(8 + static_cast<std::size_t>(length))) ==
        "1112131415161718"  // int64
        "090a0b0c0d0e0f10"  // conv1.bias
        "0102030405060708"  // conv1.weight
        "191a1b");          // flags
}

TEST_CASE("the bytes of a file depend on nothing but its contents") {
  const std::vector<NamedTensor> tensors = some_tensors(), again = some_tensors();
  CHECK(safetensors_bytes(entries_of(tensors)) == safetensors_bytes(entries_of(again)));

  std::vector<SnapshotEntry> other = entries_of(tensors);
  other[0].role = Role::buffer;
  CHECK(safetensors_bytes(other) != safetensors_bytes(entries_of(tensors)));
  other = entries_of(tensors);
  std::swap(other[0], other[1]);  // another registration order, the same data
  const Bytes swapped = safetensors_bytes(other);
  CHECK(swapped != safetensors_bytes(entries_of(tensors)));
  CHECK(std::equal(swapped.end() - 27, swapped.end(), safetensors_bytes(entries_of(tensors)).end() - 27));
}

TEST_CASE("a file without tensors is a file") {
  const Bytes bytes = safetensors_bytes({});
  const SafetensorsContent content = parse_safetensors(bytes, "empty");
  CHECK(content.tensors.empty());
  CHECK(content.metadata.size() == 3);
}

TEST_CASE("what safetensors cannot hold is refused before anything is written") {
  const TemporaryFolder folder;
  const Tensor number(DType::float32, {1}), complex(DType::complex128, {1});
  const auto refused = [&](std::vector<SnapshotEntry> entries, ErrorKind kind) {
    const std::filesystem::path path = folder.path() / "refused.safetensors";
    try {
      write_safetensors(path, entries);
    } catch (const Error& error) {
      return error.kind() == kind && !std::filesystem::exists(path);
    }
    return false;
  };
  const TensorView view = number.view();
  CHECK_FALSE(refused({{"w", Role::none, view}}, ErrorKind::bug));
  std::filesystem::remove(folder.path() / "refused.safetensors");
  CHECK(refused({{"w", Role::none, view}, {"w", Role::none, view}}, ErrorKind::bug));
  CHECK(refused({{"__metadata__", Role::none, view}}, ErrorKind::bug));
  CHECK(refused({{"\xFF", Role::none, view}}, ErrorKind::bug));
  CHECK(refused({{"z", Role::none, complex.view()}}, ErrorKind::request));
}

}  // namespace
