#include "support/torch_archive.h"

#include <zlib.h>

namespace repro::test {
namespace {

using pickle::little_endian;

// A member's header, local or central: what both have in common.
std::string common_header(const std::string& contents, std::size_t name_bytes) {
  const auto crc =
      ::crc32(0, reinterpret_cast<const Bytef*>(contents.data()), static_cast<uInt>(contents.size()));
  return little_endian(20, 2) + little_endian(0, 2) + little_endian(0, 2) + little_endian(0, 4) +
         little_endian(crc, 4) + little_endian(contents.size(), 4) + little_endian(contents.size(), 4) +
         little_endian(name_bytes, 2) + little_endian(0, 2);
}

}  // namespace

Bytes torch_archive(const TorchMembers& members) {
  std::string file, directory;
  for (const auto& [path, contents] : members) {
    const std::string name = "archive/" + path, header = common_header(contents, name.size());
    directory += "PK\x01\x02" + little_endian(20, 2) + header + little_endian(0, 2) + little_endian(0, 2) +
                 little_endian(0, 2) + little_endian(0, 4) + little_endian(file.size(), 4) + name;
    file += "PK\x03\x04" + header + name + contents;
  }
  const std::string end = "PK\x05\x06" + little_endian(0, 4) + little_endian(members.size(), 2) +
                          little_endian(members.size(), 2) + little_endian(directory.size(), 4) +
                          little_endian(file.size(), 4) + little_endian(0, 2);
  const std::string all = file + directory + end;
  const ByteView bytes = as_byte_view(all);
  return {bytes.begin(), bytes.end()};
}

Bytes torch_file(const std::string& value, const std::vector<std::string>& storages) {
  TorchMembers members = {{"data.pkl", pickle::whole(value)}, {"byteorder", "little"}};
  for (std::size_t i = 0; i < storages.size(); ++i)
    members.push_back({"data/" + std::to_string(i), storages[i]});
  members.push_back({"version", "3\n"});
  return torch_archive(members);
}

std::string torch_storage(const std::string& type, const std::string& key, std::int64_t length) {
  return pickle::tuple({pickle::text("storage"), pickle::global("torch", type), pickle::text(key),
                        pickle::text("cpu"), pickle::integer(length)}) +
         "Q";
}

std::string torch_hooks() { return pickle::call(pickle::global("collections", "OrderedDict"), {}); }

std::string torch_tensor(const std::string& storage, std::int64_t offset,
                         const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides,
                         const pickle::Values& more) {
  pickle::Values arguments = {
      storage,      pickle::integer(offset), pickle::integers(shape), pickle::integers(strides), pickle::no,
      torch_hooks()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return pickle::call(pickle::global("torch._utils", "_rebuild_tensor_v2"), arguments);
}

std::string torch_vector(std::int64_t count) {
  return torch_tensor(torch_storage("FloatStorage", "0", count), 0, {count}, {1});
}

}  // namespace repro::test
