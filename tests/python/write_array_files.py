#!/usr/bin/env python3
"""Writes safetensors, .npy and .npz files with the libraries that define them, and expected.json.

    write_array_files.py FOLDER

The form of expected.json is that of write_pytorch_files.py. It shares no code with the readers.
"""
import hashlib
import json
import pathlib
import sys

import numpy
import safetensors.numpy
import safetensors.torch
import torch

SAFE = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
        "uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2"]


def item(name, dtype, shape, data):
    return {"name": name, "dtype": dtype, "shape": list(shape), "sha256": hashlib.sha256(data).hexdigest()}


def random_tensor(name, shape, generator):
    """A tensor of random bytes: every bit pattern, NaN payloads included, must come through."""
    dtype = getattr(torch, name)
    count = int(numpy.prod(shape))
    if name == "bool":
        return torch.randint(0, 2, shape, generator=generator).bool()
    raw = torch.randint(0, 256, (count * dtype.itemsize,), dtype=torch.uint8, generator=generator)
    return raw.view(dtype).reshape(shape)


def safetensors_files(folder):
    generator = torch.Generator().manual_seed(1)
    tensors, items = {}, []
    for name in SAFE:
        for shape in ((3, 5), (0, 2), (1,)):
            tensor = random_tensor(name, shape, generator)
            key = f"{name}.{'x'.join(map(str, shape))}"
            tensors[key] = tensor
            items.append(item(key, name, shape, bytes(tensor.reshape(-1).view(torch.uint8).numpy())))
    safetensors.torch.save_file(tensors, folder / "torch.safetensors", metadata={"format": "pt", "note": "ä \" \\"})
    arrays = {"a": numpy.arange(24, dtype=numpy.float32).reshape(2, 3, 4), "scalar": numpy.array(2.5)}
    safetensors.numpy.save_file(arrays, folder / "numpy.safetensors")
    return {"torch.safetensors": {"format": "safetensors", "items": items},
            "numpy.safetensors": {"format": "safetensors",
                                  "items": [array_item(name, array) for name, array in arrays.items()]}}


def array_item(name, array):
    little = numpy.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
    return item(name, array.dtype.name, array.shape, little.tobytes())


def arrays_of_all_kinds():
    random = numpy.random.default_rng(2)
    arrays = {}
    for name in ("bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", "float32",
                 "float64", "complex64", "complex128"):
        dtype = numpy.dtype(name)
        raw = random.integers(0, 2 if name == "bool" else 256, 60 * dtype.itemsize, dtype=numpy.uint8)
        array = raw.view(dtype).reshape(3, 4, 5)
        arrays[f"{name}_c"] = array
        arrays[f"{name}_fortran"] = numpy.asfortranarray(array)
        arrays[f"{name}_big"] = array.astype(dtype.newbyteorder(">"))
    arrays["empty"] = numpy.zeros((0, 7), numpy.float32)
    arrays["scalar"] = numpy.array(7, numpy.int32)
    arrays["large"] = random.standard_normal(3_000_000)  # 24 MB: beyond what is inflated in memory
    return arrays


def numpy_files(folder):
    arrays = arrays_of_all_kinds()
    numpy.savez(folder / "stored.npz", **arrays)
    numpy.savez_compressed(folder / "deflated.npz", **arrays)
    items = [array_item(name, array) for name, array in arrays.items()]
    files = {name: {"format": "npz", "items": items} for name in ("stored.npz", "deflated.npz")}
    for name, array in arrays.items():
        if name == "large":
            continue
        numpy.save(folder / f"{name}.npy", array)
        files[f"{name}.npy"] = {"format": "npy", "items": [array_item("array", array)]}
    odd = {"text": numpy.array(["a", "b"]), "records": numpy.zeros(3, [("x", "f4"), ("y", "i8")]),
           "time": numpy.array(["2020-01-01"], "datetime64[D]"), "object": numpy.array([{}], object),
           "good": numpy.arange(3)}
    numpy.savez(folder / "odd.npz", **odd)
    files["odd.npz"] = {"format": "npz", "items": [
        array_item(name, array) if name == "good" else {"name": name, "not_compared": True}
        for name, array in odd.items()]}
    return files


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    files = safetensors_files(folder) | numpy_files(folder)
    (folder / "expected.json").write_text(json.dumps({"files": files}))


main()
