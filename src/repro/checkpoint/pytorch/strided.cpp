#include "repro/checkpoint/pytorch/strided.h"

#include "repro/base/text.h"

namespace repro {
namespace {

// Error{input} if the tensor's elements do not all lie in `bytes` bytes; sets offset and strides.
void place(const PickleSource& source, const Storages& storages, const StorageUse& use, std::int64_t offset,
           const std::vector<std::int64_t>& strides, Item& item) {
  StoredTensor& tensor = item.tensor;
  const std::uint64_t size = size_of(tensor.dtype), available = use.size_bytes / size;
  bool overflow = false;
  const auto range = elements_touched(tensor.shape, strides, overflow);
  if (overflow) {
    source.fail(item.name, "the shape [" + shape_text(tensor.shape, ",") + "] with strides [" +
                               shape_text(strides, ",") +
                               "] has more elements than the 2^62 that are allowed");
  }
  if (!is_row_major(tensor.shape, strides)) tensor.strides = strides;
  if (!range) return;  // empty: it touches nothing, wherever it is
  const auto last = static_cast<std::uint64_t>(range->last), first = static_cast<std::uint64_t>(offset);
  if (first >= available || last >= available - first) {
    source.fail(item.name, "shape [" + shape_text(tensor.shape, ",") + "] at offset " + thousands(first) +
                               " reaches element " + thousands(first + last) + " of its storage '" +
                               storages.member_text(use.key) + "', which has " +
                               plural(static_cast<std::int64_t>(available), "element") + " of " +
                               std::string(name_of(tensor.dtype)));
  }
  tensor.offset_bytes = first * size;
}

}  // namespace

Item unreadable_item(const std::string& path, std::string dtype, Dimensions shape, std::string reason) {
  Item item;
  item.name = path;
  item.tensor.shape = std::move(shape);
  item.foreign_dtype = std::move(dtype);
  item.not_compared_reason = std::move(reason);
  return item;
}

Item strided_item(const PickleSource& source, Storages& storages, std::span<const PickleNode> given,
                  std::string dtype, const std::string& path) {
  const StorageUse use = storages.use(source, given[0], path);
  const std::int64_t offset = source.integer(given[1], path, "the offset");
  const Shape shape = source.numbers(given[2], path, "the shape");
  const std::vector<std::int64_t> strides = source.numbers(given[3], path, "the strides");
  if (offset < 0) source.fail(path, "the offset " + thousands(offset) + " found, allowed are 0 and more");
  if (strides.size() != shape.size()) {
    source.fail(path, plural(static_cast<std::int64_t>(strides.size()), "stride") + " found for " +
                          plural(static_cast<std::int64_t>(shape.size()), "dimension"));
  }
  if (dtype.empty()) {
    if (use.type->name == "UntypedStorage") {
      source.fail(path, "its storage '" + storages.member_text(use.key) +
                            "' has no element type, and the tensor names none");
    }
    dtype = use.type->dtype ? name_of(*use.type->dtype) : use.type->quantised;
  }
  const auto known = dtype_named(dtype);
  if (!known) {
    std::string reason = "element type " + dtype + " cannot be read";
    return unreadable_item(path, std::move(dtype), shape, std::move(reason));
  }
  Item item;
  item.name = path;
  item.tensor.dtype = *known;
  item.tensor.shape = shape;
  item.tensor.storage = use.storage;
  const std::size_t number = is_complex(*known) ? size_of(*known) / 2 : size_of(*known);
  item.tensor.byte_swapped = storages.byte_swapped() && number > 1;
  place(source, storages, use, offset, strides, item);
  return item;
}

void apply_metadata(const PickleSource& source, PickleNode metadata, Item& item) {
  const PickleTree& tree = source.tree;
  if (tree.kind(metadata) == PickleKind::none) return;
  if (tree.kind(metadata) != PickleKind::dict) {
    source.fail(item.name,
                "metadata of type " + std::string(name_of(tree.kind(metadata))) + " found, allowed is dict");
  }
  const auto pairs = tree.elements(metadata);
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    const std::string_view key = source.text(pairs[i], item.name, "a key of the metadata");
    if (tree.kind(pairs[i + 1]) != PickleKind::boolean || (key != "conj" && key != "neg")) {
      item.not_compared_reason = "the metadata '" + displayable(key.substr(0, 100)) + "' is not known";
      continue;
    }
    if (!tree.boolean(pairs[i + 1])) continue;
    const DType dtype = item.tensor.dtype;
    if (key == "conj" && is_complex(dtype)) {
      item.tensor.conjugated = true;
    } else if (key == "neg" && (is_floating(dtype) || is_complex(dtype)) && dtype != DType::float8_e8m0fnu) {
      item.tensor.negated = true;
    } else {
      item.not_compared_reason = "lazily changed signs ('" + std::string(key) + "') of " +
                                 std::string(name_of(dtype)) + " cannot be read";
    }
  }
  if (!item.not_compared_reason.empty() && item.foreign_dtype.empty()) {
    item.foreign_dtype = name_of(item.tensor.dtype);
  }
}

}  // namespace repro
