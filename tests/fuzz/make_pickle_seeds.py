#!/usr/bin/env python3
"""Writes the seeds of fuzz_pickle and fuzz_pytorch: make_pickle_seeds.py CORPUS_FOLDER. Needs torch and numpy.

Seeds of fuzz_pytorch are archives, or (*.pkl) a byte of flags, the length of a storage, a pickle, and the storage; see
pytorch_fuzz.cpp.
"""
import collections
import io
import pathlib
import pickle
import sys
import types
import warnings
import zipfile

import numpy
import torch

warnings.simplefilter("ignore")


class Evil:
    def __reduce__(self):
        return (eval, ("print('executed')",))


def tensors():
    torch.manual_seed(0)
    net = torch.nn.Linear(2, 2)
    adam = torch.optim.Adam(net.parameters())
    net(torch.ones(1, 2)).sum().backward()
    adam.step()
    base = torch.arange(4.0)
    c = torch.tensor([1 + 2j, 3 - 4j])
    x = torch.tensor([[0.5, 0.0], [0.0, 1.0]])
    return {
        "plain": {"a": base}, "state_dict": net.state_dict(), "optimiser": {"model": net.state_dict(), "optim": adam.state_dict()},
        "views": {"a": base, "b": base[::2], "c": base.view(2, 2).t(), "d": base, "e": base[:1].expand(3)},
        "bfloat16": {"a": torch.ones(2, dtype=torch.bfloat16)}, "float8": {"a": torch.ones(4).to(torch.float8_e4m3fn)},
        "unsigned": [torch.ones(2, dtype=torch.uint16)], "complex": {"a": c}, "conj": {"a": c.conj()}, "neg": {"a": c.conj().imag},
        "parameter": torch.nn.Parameter(torch.ones(2)), "buffer": torch.nn.Buffer(torch.ones(2)),
        "quantised": {"a": torch.quantize_per_tensor(x, 0.1, 3, torch.qint8)},
        "channels": {"a": torch.quantize_per_channel(x, torch.tensor([0.1, 0.2]), torch.tensor([0, 1]), 0, torch.quint8)},
        "coo": {"a": x.to_sparse()}, "csr": {"a": x.to_sparse_csr()}, "meta": {"a": torch.ones(2, device="meta")},
        "nested": {"a": torch.nested.nested_tensor([torch.ones(1), torch.ones(2)])}, "storage": base.storage(),
        "numpy": {"a": numpy.arange(3.0), "b": numpy.float32(1), "c": numpy.arange(2, dtype=">i2"), "d": numpy.dtype("f4")},
        "evil": {"a": Evil(), "b": base},
    }


def values():
    return {
        "values": [None, True, -1, 300, 2**40, 2**70, 0.5, "text\u00e9", b"\xff", (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), {1, 2}, set(),
                   frozenset([3]), bytearray(b"ab"), 1 + 2j, {"k": {}}, [], ()],
        "shared": (lambda a: [a, a, {"x": a}])([1, 2]),
        "objects": [collections.OrderedDict(a=1), collections.defaultdict(list, b=[1]), collections.Counter("ab"),
                    collections.deque([1], 3), types.SimpleNamespace(c=1), pathlib.PurePosixPath("/d/e"), torch.float32,
                    torch.device("cpu"), torch.Size([1])],
        "evil": Evil(),
        "numbers": list(range(-3, 300, 50)) + [i / 3 for i in range(3)],
    }


def circle():
    a = []
    a.append(a)
    return a


def script():
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(2))
            self.listed = [torch.ones(1)]

        def forward(self, x: torch.Tensor):
            return x * self.weight + self.listed[0]

    net = torch.jit.trace(torch.nn.Linear(1, 1), torch.ones(1, 1))
    out = io.BytesIO()
    torch.jit.save(net, out)
    # Only what is read, so that the seed is small.
    with zipfile.ZipFile(out) as old:
        return {i.filename: old.read(i) for i in old.infolist() if "code/" not in i.filename and "traced" not in i.filename}


def small_archive(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


def saved(value):
    out = io.BytesIO()
    torch.save(value, out)
    with zipfile.ZipFile(out) as archive:
        return {i.filename: archive.read(i) for i in archive.infolist()}


def main():
    corpus = pathlib.Path(sys.argv[1])
    for name in ("pickle", "pytorch"):
        (corpus / name).mkdir(parents=True, exist_ok=True)
    for name, value in values().items():
        for protocol in range(0 if name in ("numbers", "shared") else 2, 6):
            (corpus / "pickle" / f"{name}_{protocol}.pkl").write_bytes(pickle.dumps(value, protocol))
        members = saved(value)
        (corpus / "pytorch" / f"{name}_values.pkl").write_bytes(b"\0\0" + members["archive/data.pkl"])
    (corpus / "pickle" / "circle.pkl").write_bytes(pickle.dumps(circle(), 4))
    for name, value in tensors().items():
        members = saved(value)
        if name in ("plain", "views", "optimiser", "evil"):
            (corpus / "pytorch" / f"{name}.pt").write_bytes(small_archive(members))
        data = members["archive/data.pkl"]
        (corpus / "pickle" / f"torch_{name}.pkl").write_bytes(data)
        storage = max((v for k, v in members.items() if "/data/" in k), key=len, default=b"")[:200]
        for flags in (0, 1, 4) if name == "plain" else (0,):
            (corpus / "pytorch" / f"{name}_{flags}.pkl").write_bytes(bytes([flags, len(storage)]) + data + storage)
    members = script()
    (corpus / "pytorch" / "script.pt").write_bytes(small_archive(members))
    storage = members["archive/data/0"]
    (corpus / "pytorch" / "script_2.pkl").write_bytes(bytes([2, len(storage)]) + members["archive/data.pkl"] + storage)


if __name__ == "__main__":
    main()
