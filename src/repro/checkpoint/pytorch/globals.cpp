#include "repro/checkpoint/pytorch/globals.h"

#include <algorithm>
#include <array>

#include "repro/checkpoint/pytorch/storage_type.h"
#include "repro/tensor/dtype.h"

namespace repro {
namespace {

struct Row {
  std::string_view module, name;
  TorchGlobal meaning;
};

using enum TorchGlobal;
constexpr auto table = std::to_array<Row>({
    {"collections", "OrderedDict", mapping},
    {"collections", "Counter", mapping},
    {"collections", "defaultdict", default_dict},
    {"collections", "deque", sequence},
    {"builtins", "dict", mapping},
    {"builtins", "list", sequence},
    {"builtins", "set", set},
    {"builtins", "frozenset", frozen_set},
    {"builtins", "complex", complex},
    {"builtins", "bytearray", byte_array},
    {"builtins", "int", type},
    {"builtins", "float", type},
    {"builtins", "str", type},
    {"builtins", "bool", type},
    {"builtins", "bytes", bytes},
    {"builtins", "tuple", type},
    {"argparse", "Namespace", attributes},
    {"types", "SimpleNamespace", attributes},
    {"lightning.fabric.utilities.data", "AttributeDict", mapping},
    {"lightning_fabric.utilities.data", "AttributeDict", mapping},
    {"lightning.pytorch.utilities.parsing", "AttributeDict", mapping},
    {"pytorch_lightning.utilities.parsing", "AttributeDict", mapping},
    {"pathlib", "Path", path},
    {"pathlib", "PosixPath", path},
    {"pathlib", "PurePosixPath", path},
    {"pathlib", "WindowsPath", path},
    {"pathlib", "PureWindowsPath", path},
    {"pathlib._local", "PosixPath", path},
    {"pathlib._local", "PurePosixPath", path},
    {"pathlib._local", "WindowsPath", path},
    {"pathlib._local", "PureWindowsPath", path},
    {"_codecs", "encode", encode},
    {"torch", "device", device},
    {"torch", "Size", size},
    {"torch", "Tensor", type},
    {"torch.nn.parameter", "Parameter", type},
    {"torch.nn.parameter", "Buffer", type},
    {"torch.serialization", "_get_layout", layout},
    {"torch.torch_version", "TorchVersion", version},
    {"torch", "strided", named_value},
    {"torch", "sparse_coo", named_value},
    {"torch", "sparse_csr", named_value},
    {"torch", "sparse_csc", named_value},
    {"torch", "sparse_bsr", named_value},
    {"torch", "sparse_bsc", named_value},
    {"torch", "jagged", named_value},
    {"torch", "per_tensor_affine", named_value},
    {"torch", "per_tensor_symmetric", named_value},
    {"torch", "per_channel_affine", named_value},
    {"torch", "per_channel_symmetric", named_value},
    {"torch", "per_channel_affine_float_qparams", named_value},
    {"torch", "contiguous_format", named_value},
    {"torch", "channels_last", named_value},
    {"torch", "channels_last_3d", named_value},
    {"torch", "preserve_format", named_value},
    {"torch._utils", "_rebuild_tensor", tensor},
    {"torch._utils", "_rebuild_tensor_v2", tensor_v2},
    {"torch._utils", "_rebuild_tensor_v3", tensor_v3},
    {"torch._utils", "_rebuild_qtensor", quantised_tensor},
    {"torch._utils", "_rebuild_parameter", parameter},
    {"torch._utils", "_rebuild_parameter_with_state", parameter},
    {"torch._tensor", "_rebuild_from_type_v2", tensor_of_type},
    {"torch._utils", "_rebuild_device_tensor_from_numpy", device_tensor},
    {"torch._utils", "_rebuild_device_tensor_from_cpu_tensor", device_tensor},
    {"torch._utils", "_rebuild_xla_tensor", device_tensor},
    {"torch._utils", "_rebuild_sparse_tensor", sparse_tensor},
    {"torch._utils", "_rebuild_sparse_csr_tensor", unreadable_tensor},
    {"torch._utils", "_rebuild_nested_tensor", nested_tensor},
    {"torch._utils", "_rebuild_meta_tensor_no_storage", meta_tensor},
    {"torch._utils", "_rebuild_wrapper_subclass", unreadable_tensor},
    {"torch.nested._internal.nested_tensor", "NestedTensor", type},
    {"torch.nested._internal.nested_tensor", "_rebuild_njt", unreadable_tensor},
    {"numpy", "ndarray", type},
    {"numpy", "dtype", numpy_dtype},
    {"numpy.core.multiarray", "_reconstruct", numpy_array},
    {"numpy.core.multiarray", "scalar", numpy_scalar},
    {"numpy.core.numeric", "_frombuffer", numpy_buffer},
    {"torch.jit._pickle", "restore_type_tag", typed_value},
    {"torch.jit._pickle", "build_intlist", typed_value},
    {"torch.jit._pickle", "build_tensorlist", typed_value},
    {"torch.jit._pickle", "build_doublelist", typed_value},
    {"torch.jit._pickle", "build_boollist", typed_value},
});

// Element types of PyTorch that we have no reader for.
constexpr auto other_dtypes = std::to_array<std::string_view>({"qint8",
                                                               "quint8",
                                                               "qint32",
                                                               "quint4x2",
                                                               "quint2x4",
                                                               "bits8",
                                                               "bits16",
                                                               "bits1x8",
                                                               "bits2x4",
                                                               "bits4x2",
                                                               "float4_e2m1fn_x2",
                                                               "int1",
                                                               "int2",
                                                               "int3",
                                                               "int4",
                                                               "int5",
                                                               "int6",
                                                               "int7",
                                                               "uint1",
                                                               "uint2",
                                                               "uint3",
                                                               "uint4",
                                                               "uint5",
                                                               "uint6",
                                                               "uint7"});
// Other names of those that we have one for.
struct Synonym {
  std::string_view name, canonical;
};
constexpr auto dtype_synonyms = std::to_array<Synonym>({{"float", "float32"},
                                                        {"double", "float64"},
                                                        {"half", "float16"},
                                                        {"long", "int64"},
                                                        {"int", "int32"},
                                                        {"short", "int16"},
                                                        {"chalf", "complex32"},
                                                        {"cfloat", "complex64"},
                                                        {"cdouble", "complex128"}});

bool is_dtype(std::string_view name) {
  return dtype_named(canonical_dtype(name)).has_value() ||
         std::find(other_dtypes.begin(), other_dtypes.end(), name) != other_dtypes.end();
}

}  // namespace

std::string_view canonical_dtype(std::string_view name) {
  for (const Synonym& synonym : dtype_synonyms) {
    if (synonym.name == name) return synonym.canonical;
  }
  return name;
}

TorchGlobal torch_global(std::string_view module, std::string_view name) {
  // Where older versions of Python and numpy kept the same things.
  if (module == "__builtin__") module = "builtins";
  if (module == "numpy._core.multiarray") module = "numpy.core.multiarray";
  if (module == "numpy._core.numeric") module = "numpy.core.numeric";
  for (const Row& row : table) {
    if (row.name == name && row.module == module) return row.meaning;
  }
  if (module == "torch" || module == "torch.storage" || module == "torch.cuda") {
    if (storage_type_named(name) != nullptr) return storage_type;
  }
  if (module == "torch" && is_dtype(name)) return dtype;
  if (module == "__torch__" || module.starts_with("__torch__.")) return script_object;
  return unknown;
}

}  // namespace repro
