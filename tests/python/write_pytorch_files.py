#!/usr/bin/env python3
"""Writes checkpoints of many kinds with PyTorch, and expected.json: what torch.load sees in each.

    write_pytorch_files.py FOLDER

expected.json is {"files": {NAME: {"format": "pytorch"|"torchscript", "items": [ITEM...]}}}; an ITEM has a name and
  "dtype", "shape", "sha256" (of the contiguous row-major bytes, lazy signs resolved)   for a tensor,
  "type", "value"                                                                        for a leaf,
  "not_compared": true                                                                   for what has no values.
It shares no code with the readers; it needs torch and numpy only.
"""
import argparse
import collections
import hashlib
import json
import pathlib
import struct
import sys
import types
import warnings

import numpy
import torch

warnings.simplefilter("ignore")


def tensor_bytes(tensor):
    tensor = tensor.detach().resolve_conj().resolve_neg().contiguous()
    return bytes(tensor.reshape(-1).view(torch.uint8).numpy()) if tensor.numel() else b""


def tensor_item(name, tensor):
    return {"name": name, "dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape),
            "sha256": hashlib.sha256(tensor_bytes(tensor)).hexdigest()}


def array_item(name, array):
    little = numpy.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
    return {"name": name, "dtype": array.dtype.name, "shape": list(array.shape),
            "sha256": hashlib.sha256(little.tobytes()).hexdigest()}


def shortened(text):
    data = text.encode()
    if len(data) <= 256:
        return text
    return f"{data[:128].decode(errors='ignore')}... ({len(data):,} bytes, SHA-256 {hashlib.sha256(data).hexdigest()})"


def float_text(value):
    if value != value:
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        return "nan" if bits == 0x7FF8000000000000 else f"nan (0x{bits:016x})"
    return repr(value)


def leaf(name, kind, value):
    return {"name": name, "type": kind, "value": shortened(value)}


def quantised_items(name, tensor):
    if tensor.dtype == torch.quint4x2:
        yield {"name": name, "not_compared": True}
    else:
        yield tensor_item(name, tensor.int_repr())
    yield leaf(name + ".dtype", "torch.dtype", str(tensor.dtype))
    yield leaf(name + ".qscheme", "torch.qscheme", str(tensor.qscheme()))
    if tensor.qscheme() == torch.per_tensor_affine:
        yield leaf(name + ".scale", "float", float_text(tensor.q_scale()))
        yield leaf(name + ".zero_point", "int", str(tensor.q_zero_point()))
    else:
        yield tensor_item(name + ".scales", tensor.q_per_channel_scales())
        yield tensor_item(name + ".zero_points", tensor.q_per_channel_zero_points())
        yield leaf(name + ".axis", "int", str(tensor.q_per_channel_axis()))


def sparse_items(name, tensor):
    if tensor.layout == torch.sparse_coo:
        parts = [("indices", tensor._indices()), ("values", tensor._values())]
    elif tensor.layout in (torch.sparse_csr, torch.sparse_bsr):
        parts = [("crow_indices", tensor.crow_indices()), ("col_indices", tensor.col_indices()),
                 ("values", tensor.values())]
    else:
        parts = [("ccol_indices", tensor.ccol_indices()), ("row_indices", tensor.row_indices()),
                 ("values", tensor.values())]
    for part, value in parts:
        yield tensor_item(f"{name}.{part}", value)
    yield leaf(name + ".layout", "torch.layout", str(tensor.layout))
    yield leaf(name + ".size", "torch.Size", str(tensor.shape))
    if tensor.layout == torch.sparse_coo:
        yield leaf(name + ".is_coalesced", "bool", str(tensor.is_coalesced()))


def tensor_items(name, tensor):
    if tensor.device.type == "meta" or tensor.dtype in OPAQUE:
        yield {"name": name, "not_compared": True}
    elif tensor.is_nested and tensor.layout == torch.jagged:
        yield {"name": name, "not_compared": True}
    elif tensor.is_nested:
        yield tensor_item(name + ".buffer", tensor.values())
        yield tensor_item(name + ".sizes", tensor._nested_tensor_size())
        yield tensor_item(name + ".strides", tensor._nested_tensor_strides())
        yield tensor_item(name + ".offsets", tensor._nested_tensor_storage_offsets())
    elif tensor.layout != torch.strided:
        yield from sparse_items(name, tensor)
    elif tensor.is_quantized:
        yield from quantised_items(name, tensor)
    else:
        yield tensor_item(name, tensor)


OPAQUE = {torch.bits8, torch.float4_e2m1fn_x2}


def items(name, value, root=False):
    def inner(key):
        return str(key) if root else f"{name}.{key}"

    def children(pairs, kind, empty):
        some = False
        for key, child in pairs:
            some = True
            yield from items(inner(key), child)
        if not some:
            yield leaf(name or "value", kind, empty)

    if isinstance(value, torch.Tensor):
        yield from tensor_items("tensor" if root else name, value)
    elif isinstance(value, (torch.UntypedStorage, torch.TypedStorage)):
        flat = torch.tensor([], dtype=getattr(value, "dtype", torch.uint8))
        yield tensor_item("tensor" if root else name, flat.set_(value))
    elif isinstance(value, numpy.ndarray):
        if value.dtype.kind in "biufc":
            yield array_item("tensor" if root else name, value)
        else:
            yield {"name": name, "not_compared": True}
    elif isinstance(value, numpy.generic):
        if value.dtype.kind in "USOMmV":
            text = "0x" + value.tobytes().hex()
            yield leaf(name or "value", "numpy." + value.dtype.str, text)
        elif value.dtype.kind == "c":
            real, imaginary = (repr(v.item()) if v.dtype == numpy.float64 else str(v) for v in (value.real, value.imag))
            yield leaf(name or "value", "numpy." + value.dtype.name,
                       f"({real}{'' if imaginary.startswith('-') else '+'}{imaginary}j)")
        else:
            yield leaf(name or "value", "numpy." + value.dtype.name, str(value))
    elif isinstance(value, numpy.dtype):
        yield leaf(name or "value", "numpy.dtype", value.str)
    elif isinstance(value, torch.Size):
        yield leaf(name or "value", "torch.Size", str(value))
    elif isinstance(value, dict):
        yield from children(value.items(), "dict", "{}")
    elif isinstance(value, (argparse.Namespace, types.SimpleNamespace)):
        yield from children(vars(value).items(), "dict", "{}")
    elif isinstance(value, tuple):
        yield from children(enumerate(value), "tuple", "()")
    elif isinstance(value, (list, collections.deque)):
        yield from children(enumerate(value), "list", "[]")
    elif isinstance(value, (set, frozenset)):
        kind = type(value).__name__
        inside = "{" + ", ".join(sorted(repr(v) for v in value)) + "}"
        text = f"{kind}()" if not value else inside if kind == "set" else f"frozenset({inside})"
        yield leaf(name or "value", kind, text)
    elif isinstance(value, float):
        yield leaf(name or "value", "float", float_text(value))
    elif isinstance(value, complex):
        imaginary = float_text(value.imag)
        yield leaf(name or "value", "complex",
                   f"({float_text(value.real)}{'' if imaginary.startswith('-') else '+'}{imaginary}j)")
    elif isinstance(value, pathlib.PurePath):
        yield leaf(name or "value", "pathlib." + type(value).__name__, str(value))
    elif isinstance(value, (torch.dtype, torch.device, torch.layout)):
        kind = {torch.dtype: "torch.dtype", torch.device: "torch.device", torch.layout: "torch.layout"}[type(value)]
        yield leaf(name or "value", kind, str(value))
    elif isinstance(value, torch.qscheme):
        yield leaf(name or "value", "torch", str(value))
    elif value is None or isinstance(value, (bool, int, str, bytes, bytearray)):
        yield leaf(name or "value", type(value).__name__, value if isinstance(value, str) else str(value))
    else:
        raise TypeError(f"{name}: no expectation for {type(value)}")


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(1, 2, 3)
        self.norm = torch.nn.BatchNorm2d(2)
        self.head = torch.nn.Linear(2, 3)
        self.head_twin = self.head
        self.register_buffer("mean", torch.full((2,), 0.5))

    def forward(self, x):
        return self.head(self.norm(self.conv1(x)).mean((2, 3))) + self.mean[0]


def trained():
    torch.manual_seed(1)
    net = Net()
    optimiser = torch.optim.Adam(net.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.StepLR(optimiser, 1)
    for _ in range(2):
        optimiser.zero_grad()
        net(torch.randn(2, 1, 8, 8)).square().mean().backward()
        optimiser.step()
        schedule.step()
    return net, optimiser, schedule


def floats():
    return {"negative_zero": -0.0, "nan": float("nan"), "odd_nan": struct.unpack("<d", struct.pack("<Q", 0xFFF8000000000001))[0],
            "infinity": float("inf"), "minus_infinity": float("-inf"), "tenth": 0.1, "one": 1.0, "small": 1e-5,
            "less_small": 0.0001, "large": 1e16, "less_large": 123456789012345.0, "subnormal": 5e-324,
            "largest": 1.7976931348623157e308, "third": 1 / 3, "many": -1234.5678}


def dtypes():
    out = {}
    names = ("bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 float16 bfloat16 float32 float64 complex32 complex64 "
             "complex128 float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu").split()
    for name in names:
        dtype = getattr(torch, name)
        size = torch.empty(0, dtype=dtype).element_size()
        raw = torch.arange(1, 6 * size + 1, dtype=torch.int64).to(torch.uint8)
        out[name] = (raw % 2).bool() if dtype == torch.bool else raw.view(dtype)
    return out


def views():
    base = torch.arange(24, dtype=torch.float32).reshape(4, 6)
    return {"base": base, "same": base, "transposed": base.t(), "column": base[:, 2], "step": base[::2, 1::2],
            "expanded": base[0].expand(3, 6), "again": base.view(4, 6), "flat": base.view(-1), "row": base[1],
            "scalar": base[2, 3], "empty": base[:0], "channels_last": torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last),
            "one": base[:1].t()[:, :1]}


def attributes():
    parameter = torch.nn.Parameter(torch.ones(2))
    parameter.note = [1]
    tensor = torch.ones(3)
    tensor.note = "x"
    return {"parameter": torch.nn.Parameter(torch.arange(3.0)), "with_state": parameter, "tensor": tensor,
            "buffer": torch.nn.Buffer(torch.zeros(2))}


def containers():
    counter = collections.Counter("abca")
    default = collections.defaultdict(list, {"a": [1], "b": []})
    return {"list": [1, [2, (3, 4)]], "tuple": ("x", None), "empty_list": [], "empty_dict": {}, "empty_tuple": (),
            "ordered": collections.OrderedDict(z=1, a=2), "default": default, "counter": counter,
            "deque": collections.deque([1, 2], maxlen=5), "set": {3, 1, 2}, "frozen": frozenset(["b", "a"]),
            "empty_set": set(), "namespace": argparse.Namespace(lr=0.1, layers=[1, 2]),
            "simple": types.SimpleNamespace(a=1, b=types.SimpleNamespace(c="d")), 5: "integer key",
            "dots.in.keys": {"a.b": 1}, (1, "t"): "tuple key"}


def values():
    return {"none": None, "true": True, "false": False, "int": 7, "negative": -300, "big": 2**70, "bigger": -(2**200) + 1,
            "int64": -(2**63), "large": 2**40, "text": "h\u00e9llo \u4e16\n'\"\\", "long": "ab\u00e9" * 300, "bytes": b"\x00a'\xff", "empty": "",
            "no_bytes": b"", "array": bytearray(b"xy\x80"), "complex": complex(1, -2.5), "dtype": torch.bfloat16,
            "device": torch.device("cuda", 1), "cpu": torch.device("cpu"), "size": torch.Size([2, 3]), "layout": torch.strided,
            "qscheme": torch.per_tensor_affine, "path": pathlib.PurePosixPath("/a/b.c"),
            "relative": pathlib.PurePosixPath("d/e"), "long_list": list(range(2500)), "long_dict": {f"k{i}": i for i in range(1500)}}


def numpy_values():
    return {"f4": numpy.arange(6, dtype="f4").reshape(2, 3), "fortran": numpy.asfortranarray(numpy.arange(6.0).reshape(2, 3)),
            "big": numpy.arange(5, dtype=">i4"), "bool": numpy.array([True, False]), "c16": numpy.array([1 + 2j]),
            "scalar_array": numpy.array(3.5), "empty": numpy.zeros((0, 2)), "f2": numpy.arange(3, dtype="f2"),
            "strings": numpy.array(["a", "bc"]), "objects": numpy.array([1, "a"], dtype=object),
            "records": numpy.zeros(2, dtype=[("a", "i4")]), "u8": numpy.array([2**64 - 1], dtype="u8"),
            "s_f4": numpy.float32(0.1), "s_f8": numpy.float64(-0.0), "s_i8": numpy.int64(-5), "s_bool": numpy.bool_(True),
            "s_c8": numpy.complex64(1 - 2j), "s_str": numpy.str_("x"), "dtype": numpy.dtype(">f4")}


def quantised():
    x = torch.linspace(-1, 1, 6).reshape(2, 3)
    return {"q8": torch.quantize_per_tensor(x, 0.1, 3, torch.qint8), "qu8": torch.quantize_per_tensor(x, 0.25, 10, torch.quint8),
            "q32": torch.quantize_per_tensor(x, 0.1, 0, torch.qint32), "q4": torch.quantize_per_tensor(x, 0.1, 3, torch.quint4x2),
            "channels": torch.quantize_per_channel(x, torch.tensor([0.1, 0.2]), torch.tensor([0, 1]), 0, torch.qint8)}


def sparse():
    x = torch.eye(4)
    return {"coo": x.to_sparse(), "csr": x.to_sparse_csr(), "csc": x.to_sparse_csc(), "bsr": x.to_sparse_bsr((2, 2)),
            "bsc": x.to_sparse_bsc((2, 2)), "uncoalesced": torch.sparse_coo_tensor([[0, 0]], [1.0, 2.0], (2,))}


def signs():
    z = torch.tensor([[1 + 2j, 3 - 4j], [0j, -1j]])
    return {"conj": z.conj(), "conj_view": z.conj().t(), "neg": z.clone().conj().imag, "plain": z,
            "both": torch._neg_view(z).conj(), "double": z.to(torch.complex128).conj()}


def scripted():
    net, _, _ = trained()
    return torch.jit.script(net.eval())


class Holder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(2, 2)
        self.by_name = {"a": torch.ones(1), "b": torch.zeros(2)}
        self.listed = [torch.ones(2), torch.zeros(1)]
        self.pair = (3, torch.full((2,), 7.0))
        self.numbers = [1, 2]

    def forward(self, x: torch.Tensor):
        return self.net(x) + self.by_name["a"] + self.listed[0] + self.pair[1] + self.numbers[0]


HOLDER = {"by_name.a": torch.ones(1), "by_name.b": torch.zeros(2), "listed.0": torch.ones(2),
          "listed.1": torch.zeros(1), "pair.1": torch.full((2,), 7.0)}


def script_items(module, more):
    for name, value in list(module.named_parameters(remove_duplicate=False)) + list(module.named_buffers(remove_duplicate=False)):
        yield tensor_item(name, value)
    for name, value in more.items():
        yield tensor_item(name, value)


def rewritten_big_endian(source, target):
    """The archive as a big-endian machine would write it, with all storages float32 or int64."""
    import zipfile
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            if info.filename.endswith("/byteorder"):
                data = b"big"
            elif "/data/" in info.filename:
                data = numpy.frombuffer(data, "<u4").astype(">u4").tobytes()
            new.writestr(info.filename, data)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    net, optimiser, schedule = trained()
    plain = {
        "state_dict": net.state_dict(),
        "checkpoint": {"model": net.state_dict(), "optimizer": optimiser.state_dict(), "scheduler": schedule.state_dict(),
                       "epoch": 3, "best": 0.25, "rng": torch.get_rng_state()},
        "lightning": {"state_dict": net.state_dict(), "epoch": 1, "global_step": 20, "pytorch-lightning_version": "2.4.0",
                      "callbacks": {"ModelCheckpoint{'monitor': None}": {"best_model_score": torch.tensor(0.5), "dirpath": None}},
                      "hyper_parameters": {"lr": 0.1, "betas": (0.9, 0.999)}, "loops": {"fit_loop": {"state_dict": {}}}},
        "compiled": {"_orig_mod." + k: v for k, v in net.state_dict().items()},
        "root_tensor": torch.arange(5), "root_value": 3.5, "root_list": [torch.ones(1), 2], "root_storage": torch.arange(3.0).storage(),
        "untyped": {"s": torch.arange(3, dtype=torch.uint8).untyped_storage()},
        "dtypes": dtypes(), "views": views(), "attributes": attributes(), "containers": containers(), "values": values(),
        "floats": floats(), "numpy": numpy_values(), "quantised": quantised(), "sparse": sparse(), "signs": signs(),
        "meta": {"m": torch.ones(2, 3, device="meta"), "x": torch.ones(1)},
        "opaque": {"bits": torch.zeros(2, dtype=torch.uint8).view(torch.bits8),
                   "f4": torch.zeros(2, dtype=torch.uint8).view(torch.float4_e2m1fn_x2), "x": torch.ones(1)},
        "nested": {"n": torch.nested.nested_tensor([torch.ones(2), torch.zeros(3)]),
                   "jagged": torch.nested.nested_tensor([torch.ones(2), torch.zeros(3)], layout=torch.jagged), "x": torch.ones(1)},
        "scalars_and_empties": {"scalar": torch.tensor(2.5), "empty": torch.zeros(0, 3), "many": torch.zeros(1, 1, 1, 1, 1, 1, 1)},
    }
    expected = {}
    for name, value in plain.items():
        for protocol in (2, 4, 5):
            if protocol != 2 and name not in ("checkpoint", "containers", "values", "numpy", "views"):
                continue
            file = f"{name}.pt" if protocol == 2 else f"{name}_protocol{protocol}.pt"
            torch.save(value, folder / file, pickle_protocol=protocol)
            loaded = torch.load(folder / file, weights_only=False)
            expected[file] = {"format": "pytorch", "items": list(items("", loaded, root=True))}
    # 64-bit numbers are written in another order of words; there is one, num_batches_tracked, which is left out.
    big = {k: v for k, v in net.state_dict().items() if v.dtype == torch.float32}
    torch.save(big, folder / "big_source.pt")
    rewritten_big_endian(folder / "big_source.pt", folder / "big_endian.pt")
    (folder / "big_source.pt").unlink()
    expected["big_endian.pt"] = {"format": "pytorch", "items": list(items("", big, root=True))}
    script = scripted()
    torch.jit.save(script, str(folder / "script.pt"))
    expected["script.pt"] = {"format": "torchscript", "items": list(script_items(script, {}))}
    holder = torch.jit.script(Holder())
    torch.jit.save(holder, str(folder / "holder.pt"))
    expected["holder.pt"] = {"format": "torchscript", "items": list(script_items(holder, HOLDER))}
    traced = torch.jit.trace(torch.nn.Linear(2, 2), torch.ones(1, 2))
    torch.jit.save(traced, str(folder / "traced.pt"))
    expected["traced.pt"] = {"format": "torchscript", "items": list(script_items(traced, {}))}
    (folder / "expected.json").write_text(json.dumps({"files": expected}, indent=1))
    print(f"{len(expected)} files written to {folder}")


if __name__ == "__main__":
    main()
