#include "repro/checkpoint/pytorch/storage_type.h"

#include <algorithm>
#include <array>

namespace repro {

const StorageType* storage_type_named(std::string_view name) {
  static constexpr auto table = std::to_array<StorageType>({
      {"UntypedStorage", std::nullopt, 1},
      {"FloatStorage", DType::float32, 4},
      {"DoubleStorage", DType::float64, 8},
      {"HalfStorage", DType::float16, 2},
      {"BFloat16Storage", DType::bfloat16, 2},
      {"LongStorage", DType::int64, 8},
      {"IntStorage", DType::int32, 4},
      {"ShortStorage", DType::int16, 2},
      {"CharStorage", DType::int8, 1},
      {"ByteStorage", DType::uint8, 1},
      {"BoolStorage", DType::boolean, 1},
      {"ComplexFloatStorage", DType::complex64, 8},
      {"ComplexDoubleStorage", DType::complex128, 16},
      {"QInt8Storage", DType::int8, 1, "qint8"},
      {"QUInt8Storage", DType::uint8, 1, "quint8"},
      {"QInt32Storage", DType::int32, 4, "qint32"},
      {"QUInt4x2Storage", std::nullopt, 1, "quint4x2"},
      {"QUInt2x4Storage", std::nullopt, 1, "quint2x4"},
  });
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const auto& type) { return type.name == name; });
  return row == table.end() ? nullptr : &*row;
}

}  // namespace repro
