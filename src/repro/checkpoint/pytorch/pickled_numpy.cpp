#include "repro/checkpoint/pytorch/pickled_numpy.h"

#include <algorithm>
#include <array>

#include "repro/base/text.h"
#include "repro/checkpoint/pytorch/leaf.h"
#include "repro/checkpoint/pytorch/owned_storage.h"

namespace repro {
namespace {

// Every character of latin1 is a byte.
std::optional<std::string> latin1_bytes(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      bytes += text[i];
    } else if (lead <= 0xC3) {  // the text is valid UTF-8: one more byte follows
      bytes += static_cast<char>(((lead & 0x03U) << 6) | (static_cast<unsigned char>(text[++i]) & 0x3FU));
    } else {
      return std::nullopt;
    }
  }
  return bytes;
}

std::optional<DType> dtype_of_code(std::string_view code) {
  struct Row {
    std::string_view code;
    DType dtype;
  };
  constexpr auto table = std::to_array<Row>({{"b1", DType::boolean},
                                             {"u1", DType::uint8},
                                             {"i1", DType::int8},
                                             {"u2", DType::uint16},
                                             {"i2", DType::int16},
                                             {"u4", DType::uint32},
                                             {"i4", DType::int32},
                                             {"u8", DType::uint64},
                                             {"i8", DType::int64},
                                             {"f2", DType::float16},
                                             {"f4", DType::float32},
                                             {"f8", DType::float64},
                                             {"c8", DType::complex64},
                                             {"c16", DType::complex128}});
  for (const Row& row : table) {
    if (row.code == code) return row.dtype;
  }
  return std::nullopt;
}

// What an array is made of, whichever way it was written.
struct ArrayParts {
  PickleNode shape, type;
  bool fortran = false;
  std::optional<std::string> bytes;  // nothing: a list of objects
};

ArrayParts reconstructed(const PickleSource& source, const PickleCall& call, const std::string& path) {
  source.arguments(call, path, 3, 3);
  if (call.state == no_node) source.fail(path, "a numpy array without a state found");
  const auto state = source.tuple(call.state, path, "the state of the array");
  if (state.size() != 5 || source.tree.kind(state[3]) != PickleKind::boolean) {
    source.fail(path,
                "the state of the array has another form, allowed is "
                "(version, shape, dtype, is_fortran, bytes)");
  }
  return {state[1], state[2], source.tree.boolean(state[3]), pickled_bytes(source, state[4])};
}

ArrayParts from_buffer(const PickleSource& source, const PickleCall& call, const std::string& path) {
  const auto given = source.arguments(call, path, 4, 4);
  const std::string_view order = source.text(given[3], path, "the order of the array");
  if (order != "C" && order != "F") source.fail(path, "an array in an order that is neither C nor F found");
  ArrayParts parts{given[2], given[1], order == "F", pickled_bytes(source, given[0])};
  if (!parts.bytes) source.fail(path, "an array whose bytes lie outside the pickle found");
  return parts;
}

std::vector<std::int64_t> fortran_strides(const Dimensions& shape) {
  Shape reversed(shape.begin(), shape.end());
  std::reverse(reversed.begin(), reversed.end());
  std::vector<std::int64_t> strides = row_major_strides(reversed);
  std::reverse(strides.begin(), strides.end());
  return strides;
}

Item unreadable(Item item, const NumpyType& type) {
  item.foreign_dtype = type.name;
  item.not_compared_reason = "numpy's element type " + displayable(type.name) + " cannot be read";
  return item;
}

std::string number_text(const StoredTensor& tensor) {
  const Tensor value = materialise(tensor);
  const ByteView bytes = value.storage;
  switch (tensor.dtype) {
    case DType::boolean: return load<std::uint8_t>(bytes) != 0 ? "True" : "False";
    case DType::uint8: return std::to_string(load<std::uint8_t>(bytes));
    case DType::int8: return std::to_string(load<std::int8_t>(bytes));
    case DType::uint16: return std::to_string(load<std::uint16_t>(bytes));
    case DType::int16: return std::to_string(load<std::int16_t>(bytes));
    case DType::uint32: return std::to_string(load<std::uint32_t>(bytes));
    case DType::int32: return std::to_string(load<std::int32_t>(bytes));
    case DType::uint64: return std::to_string(load<std::uint64_t>(bytes));
    case DType::int64: return std::to_string(load<std::int64_t>(bytes));
    case DType::float32: return python_text(load<float>(bytes));
    case DType::float64: return python_text(load<double>(bytes));
    case DType::complex64:
      return python_text(python_text(load<float>(bytes)), python_text(load<float>(bytes, 4)));
    case DType::complex128:
      return python_text(python_text(load<double>(bytes)), python_text(load<double>(bytes, 8)));
    default: return "0x" + to_hex(bytes);
  }
}

}  // namespace

std::optional<std::string> pickled_bytes(const PickleSource& source, PickleNode node) {
  const PickleTree& tree = source.tree;
  if (tree.kind(node) == PickleKind::bytes || tree.kind(node) == PickleKind::byte_array) {
    return std::string(tree.text(node));
  }
  if (tree.kind(node) != PickleKind::call) return std::nullopt;
  const auto given = tree.elements(tree.call(node).arguments);
  switch (source.meaning(node)) {
    case TorchGlobal::encode:
      if (given.size() == 2 && tree.kind(given[0]) == PickleKind::text &&
          tree.kind(given[1]) == PickleKind::text && tree.text(given[1]) == "latin1") {
        return latin1_bytes(tree.text(given[0]));
      }
      return std::nullopt;
    case TorchGlobal::bytes: return given.empty() ? std::optional(std::string()) : std::nullopt;
    case TorchGlobal::byte_array:
      // bytearray(), bytearray(b'...'), bytearray('...', 'latin-1')
      if (given.empty()) return std::string();
      if (given.size() == 1 && tree.kind(given[0]) == PickleKind::bytes)
        return std::string(tree.text(given[0]));
      if (given.size() == 1 && tree.kind(given[0]) == PickleKind::call &&
          source.meaning(given[0]) == TorchGlobal::encode) {
        return pickled_bytes(source, given[0]);
      }
      if (given.size() == 2 && tree.kind(given[0]) == PickleKind::text &&
          tree.kind(given[1]) == PickleKind::text && tree.text(given[1]) == "latin-1") {
        return latin1_bytes(tree.text(given[0]));
      }
      return std::nullopt;
    default: return std::nullopt;
  }
}

NumpyType numpy_type(const PickleSource& source, PickleNode node, const std::string& path) {
  const PickleTree& tree = source.tree;
  if (tree.kind(node) != PickleKind::call || source.meaning(node) != TorchGlobal::numpy_dtype) {
    source.fail(path, "the dtype of numpy is of type " + std::string(name_of(tree.kind(node))) +
                          ", allowed is a call of numpy.dtype");
  }
  const PickleCall call = tree.call(node);
  NumpyType type;
  type.name = source.text(source.arguments(call, path, 1, 3)[0], path, "the dtype of numpy");
  std::string order = "|";
  if (call.state != no_node) {
    const auto state = source.tuple(call.state, path, "the state of the dtype");
    if (state.size() < 2) source.fail(path, "the state of the dtype of numpy has no byte order");
    order = source.text(state[1], path, "the byte order of numpy");
  }
  if (order != "|" && order != "<" && order != ">" && order != "=") {
    source.fail(path, "the byte order '" + displayable(order) + "' of numpy found, allowed are < > | =");
  }
  type.code = order + type.name;
  type.dtype = dtype_of_code(type.name);
  type.is_whole = type.dtype || type.name.starts_with('U') || type.name.starts_with('S');
  if (!type.dtype) return type;
  type.name = name_of(*type.dtype);
  type.byte_swapped = order == ">" && size_of(*type.dtype) > 1;
  return type;
}

Item numpy_array_item(const PickleSource& source, PickleNode node, const std::string& path) {
  const PickleCall call = source.tree.call(node);
  ArrayParts parts = source.meaning(node) == TorchGlobal::numpy_array ? reconstructed(source, call, path)
                                                                      : from_buffer(source, call, path);
  Item item;
  item.name = path;
  item.tensor.shape = source.numbers(parts.shape, path, "the shape of the array");
  const NumpyType type = numpy_type(source, parts.type, path);
  if (!type.dtype || !parts.bytes) {
    return unreadable(std::move(item), type);
  }
  source.spend(parts.bytes->size(), path);
  const auto count = checked_element_count(item.tensor.shape);
  const std::uint64_t size = size_of(*type.dtype);
  if (!count || parts.bytes->size() % size != 0 || parts.bytes->size() / size != *count) {
    source.fail(path, "an array of shape [" + shape_text(item.tensor.shape, ",") + "] of " + type.name +
                          " has " + thousands(std::uint64_t{parts.bytes->size()}) + " bytes");
  }
  item.tensor.dtype = *type.dtype;
  item.tensor.byte_swapped = type.byte_swapped;
  if (parts.fortran) item.tensor.strides = fortran_strides(item.tensor.shape);
  const ByteView bytes = as_byte_view(*parts.bytes);
  item.tensor.storage = std::make_shared<OwnedStorage>(Bytes(bytes.begin(), bytes.end()));
  return item;
}

Item numpy_scalar_item(const PickleSource& source, PickleNode node, const std::string& path) {
  const auto given = source.arguments(source.tree.call(node), path, 2, 2);
  const NumpyType type = numpy_type(source, given[0], path);
  const auto bytes = pickled_bytes(source, given[1]);
  if (!bytes) source.fail(path, "a scalar of numpy without bytes found");
  source.spend(bytes->size(), path);
  Item item;
  item.name = path;
  if (!type.dtype && type.is_whole) {
    item.leaf = make_leaf("numpy." + type.code, "0x" + to_hex(as_byte_view(*bytes)));
    return item;
  }
  if (!type.dtype) return unreadable(std::move(item), type);
  if (bytes->size() != size_of(*type.dtype)) {
    source.fail(path, "a scalar of " + type.name + " has " + thousands(std::uint64_t{bytes->size()}) +
                          " bytes, allowed are " + thousands(std::uint64_t{size_of(*type.dtype)}));
  }
  StoredTensor scalar(TensorView{*type.dtype, {}, as_byte_view(*bytes)});
  scalar.byte_swapped = type.byte_swapped;
  item.leaf = make_leaf("numpy." + type.name, number_text(scalar));
  return item;
}

Item numpy_dtype_item(const PickleSource& source, PickleNode node, const std::string& path) {
  const NumpyType type = numpy_type(source, node, path);
  Item item;
  item.name = path;
  if (!type.dtype && !type.is_whole) return unreadable(std::move(item), type);
  item.leaf = make_leaf("numpy.dtype", type.code);
  return item;
}

}  // namespace repro
