#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "repro/base/mapped_file.h"
#include "repro/snapshot/role.h"
#include "repro/tensor/tensor.h"

namespace repro {

// The safetensors format: 8 bytes header length n (little-endian), n bytes of JSON, tensor data that the
// offsets of the header cover without holes or overlap. What we write beyond the format's own rules is in
// docs/formats.md.

// A tensor of a file whose element type has no DType (F4, F6_E2M3, ..., or one that we do not know).
struct UnreadableTensor {
  std::string name;
  Role role = Role::none;
  std::string dtype;  // as in the file
  Shape shape;
  std::string reason;  // one line for people, safe to show
};

// What stands in a file, in the order of its header. Views point into the bytes that were parsed.
struct SafetensorsContent {
  std::vector<NamedTensorView> tensors;
  std::vector<Role> roles;  // one for each of `tensors`; Role::none in a foreign file
  std::vector<UnreadableTensor> unreadable;
  std::map<std::string, std::string> metadata;
  // All names in the order in which they were registered; empty in a foreign file.
  std::vector<std::string> registration_order;
};

// Everything is checked before anything is allocated on the header's word: length and cap of the header
// (100,000,000 bytes), valid UTF-8 and JSON without duplicate keys, only the known keys, sizes and offsets
// without overflow, the data covered exactly. Error{input}, each fault with its own message that starts
// with `what` and names the tensor, the numbers found and those allowed.
SafetensorsContent parse_safetensors(ByteView bytes, const std::string& what);

// A file, mapped for the lifetime of the object; the views point into the mapping. Movable.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::filesystem::path& path);
  const SafetensorsContent& content() const { return content_; }
  const std::vector<NamedTensorView>& tensors() const { return content_.tensors; }
  void check_unchanged() const { file_.check_unchanged(); }  // MappedFile

 private:
  MappedFile file_;
  SafetensorsContent content_;
};

// One tensor to be written. The order of a list of them is the registration order.
struct SnapshotEntry {
  std::string name;
  Role role = Role::none;
  TensorView tensor;
};

// The bytes of a file. A pure function of names, roles, order, dtypes, shapes and tensor bytes. Error{bug}
// for a name that occurs twice, is "__metadata__" or is not UTF-8; Error{request} for complex32 and
// complex128, which the format cannot hold.
Bytes safetensors_bytes(std::span<const SnapshotEntry> entries);
// The same into a file, all or nothing (write_file).
void write_safetensors(const std::filesystem::path& path, std::span<const SnapshotEntry> entries);

}  // namespace repro
