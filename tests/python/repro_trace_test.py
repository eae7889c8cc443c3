#!/usr/bin/env python3
"""Tests of fingerprints, files and settings of repro_trace, with the torch of the Python that runs this file."""
import json
import os
import struct
import subprocess
import sys
import unittest

from trace_support import PACKAGE, PROGRAM, WithFolder, run

import repro_trace
import torch
import trace_reader
from repro_trace import fingerprints, trace_file


def all_dtypes():
    names = [name for name in fingerprints.DTYPE_NUMBERS if hasattr(torch, name)]
    return [(name, getattr(torch, name)) for name in names]


def of_bytes(dtype, shape, count):
    """A tensor of random bytes, so that every pattern of bits occurs."""
    size = torch.empty((), dtype=dtype).element_size()
    high = 2 if dtype == torch.bool else 256
    return torch.randint(0, high, (count * size,), dtype=torch.uint8).view(dtype).view(shape)


class Fingerprint(WithFolder):
    def test_golden_values(self):
        for tensor, expected in ((torch.empty(0), "8321ffe00fbe2c89"), (torch.tensor(1.0), "b6d0272a47d06de3"),
                                 (torch.tensor([1.0, 2.0, 3.0]), "356e1cfe166a882b"),
                                 (torch.tensor([[1.0, -2.0], [0.5, -0.0]]), "e9155f81e94fb404"),
                                 (torch.arange(19, dtype=torch.uint8), "571a00751d71e8fc")):
            self.assertEqual(f"{repro_trace.fingerprint(tensor):016x}", expected)

    def inspected(self, path):
        result = subprocess.run([PROGRAM, "inspect", path, "--json"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return {t["tensor"]: (t["dtype"], t["fingerprint"]) for t in json.loads(result.stdout)["tensors"]}

    def compare(self, path, tensors):
        found = self.inspected(path)
        for name, tensor in tensors.items():
            expected = str(tensor.dtype).rpartition(".")[2], f"{repro_trace.fingerprint(tensor):016x}"
            self.assertEqual(found[name], expected, name)
        self.assertEqual(len(found), len(tensors))

    def test_every_dtype_and_odd_sizes_as_inspect_sees_them(self):
        tensors = {}
        for name, dtype in all_dtypes():
            for shape in ((), (0,), (1,), (3,), (5, 0, 2), (3, 5), (7, 11, 13), (1000, 3), (40000,)):
                count = 1
                for size in shape:
                    count *= size
                tensors[f"{name} {list(shape)}"] = of_bytes(dtype, shape, count)
        torch.save(tensors, self.folder / "all.pt")
        self.compare(self.folder / "all.pt", tensors)

    def test_strides_as_inspect_sees_them(self):
        tensors = {}
        for name, dtype in all_dtypes():
            base = of_bytes(dtype, (6, 10, 4), 240).clone()
            tensors[f"{name} transposed"] = base.transpose(0, 2)
            tensors[f"{name} every other"] = base[::2, 1::3, ::3]
            tensors[f"{name} with an offset"] = base.view(-1)[1:]
            tensors[f"{name} repeated"] = base[:1].expand(7, 10, 4)
        large = torch.randn(70000)
        tensors["unaligned words"] = large[1:]
        tensors["large and not row-major"] = large.view(700, 100).t()
        one, other = torch.randn(9, dtype=torch.complex64), torch.randn(9, dtype=torch.float64)
        tensors.update(conjugated=one.conj(), negated=torch._neg_view(other))
        torch.save(tensors, self.folder / "strided.pt")
        self.compare(self.folder / "strided.pt", tensors)

    def test_a_safetensors_file_as_inspect_sees_it(self):
        spelling = {"bool": "BOOL", "uint8": "U8", "int8": "I8", "uint16": "U16", "int16": "I16", "uint32": "U32",
                    "int32": "I32", "uint64": "U64", "int64": "I64", "float16": "F16", "bfloat16": "BF16",
                    "float32": "F32", "float64": "F64", "complex64": "C64", "float8_e4m3fn": "F8_E4M3",
                    "float8_e5m2": "F8_E5M2"}
        header, data, tensors = {}, b"", {}
        for name, dtype in all_dtypes():
            if name in spelling:
                tensors[name] = of_bytes(dtype, (3, 7), 21)
                raw = bytes(tensors[name].view(torch.uint8).view(-1).tolist())
                header[name] = {"dtype": spelling[name], "shape": [3, 7],
                                "data_offsets": [len(data), len(data) + len(raw)]}
                data += raw
        text = json.dumps(header).encode()
        (self.folder / "all.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
        self.compare(self.folder / "all.safetensors", tensors)

    def test_small_tensors_and_large_ones_take_different_ways_to_the_same_value(self):
        for size in (0, 1, 7, 8, 9, 383, 384, 385, 391, 392, 1001, 131071, 131072, 131073, 300001):
            data = os.urandom(size)
            tensor = torch.frombuffer(bytearray(data), dtype=torch.uint8) if size else torch.empty(0, dtype=torch.uint8)
            self.assertEqual(repro_trace.fingerprint(tensor),
                             fingerprints.fingerprint_of_bytes("uint8", (size,), data), size)

    def test_any_change_of_a_bit_changes_it(self):
        tensor = torch.randn(300)
        before = repro_trace.fingerprint(tensor)
        for bit in (0, 1, 31):
            for at in (0, 151, 299):
                changed = tensor.clone()
                changed.view(torch.int32)[at] ^= -2**31 if bit == 31 else 1 << bit
                self.assertNotEqual(repro_trace.fingerprint(changed), before)

    def test_it_disturbs_nothing(self):
        weight = torch.randn(40, 50, requires_grad=True)
        product = weight.t() @ weight
        random = torch.get_rng_state()
        version = product._version
        for grad in (torch.enable_grad(), torch.no_grad(), torch.inference_mode()):
            with grad:
                value = repro_trace.fingerprint(product)
                self.assertEqual(repro_trace.fingerprint(product), value)
        self.assertTrue(torch.equal(random, torch.get_rng_state()))
        self.assertEqual(product._version, version)
        product.sum().backward()
        self.assertTrue(torch.is_grad_enabled())

    def test_no_memory_no_fingerprint(self):
        self.assertIsNone(repro_trace.fingerprint(torch.empty(3, device="meta")))
        self.assertIsNone(repro_trace.fingerprint(torch.eye(3).to_sparse()))


class File(WithFolder):
    def test_golden_bytes(self):
        file = trace_file.TraceFile(str(self.folder / "trace.bin"))
        slot = trace_file.Slot(trace_file.Phase.INITIALISATION, trace_file.Kind.STATE, "w", "l", "", 12, (3,))
        file.write(0, 0, 0, [slot], [0x1122334455667788])
        file.write(1, 1, 1, [slot], [300])
        file.close()
        expected = """726570726f0a7472 02000000 1f5428ae
            1c000000 3b378b3b 02 01 77 01 6c  01 01 00 00 01 02 00 0c 01 03 00  00 00 00  00  8877665544332211  0d314056
            0e000000 2fa89bc1 00 00 01 01 01 00 2c01000000000000  fbfdfc6c"""
        self.assertEqual((self.folder / "trace.bin").read_bytes(), bytes.fromhex(expected))

    def test_a_cut_file_is_good_up_to_its_last_whole_record(self):
        file = trace_file.TraceFile(str(self.folder / "trace.bin"))
        slot = trace_file.Slot(trace_file.Phase.UPDATE, trace_file.Kind.STATE, "w" * 2000, "l")
        for step in range(3):
            file.write(step, 0, 0, [slot] * (step + 1), [7] * (step + 1))
        file.close()
        data = (self.folder / "trace.bin").read_bytes()
        records, whole = trace_reader.parse(data)
        self.assertEqual((len(records), whole, records[2].slots[2].tensor), (3, True, "w" * 1000))
        self.assertEqual(trace_reader.parse(data[:-1]), (records[:2], False))
        with self.assertRaises(trace_reader.Damaged):
            trace_reader.parse(data[:40] + bytes([data[40] ^ 1]) + data[41:])

    def test_a_file_that_is_being_written_is_left_alone(self):
        file = trace_file.TraceFile(str(self.folder / "trace.bin"))
        with self.assertRaisesRegex(OSError, "another process"):
            trace_file.TraceFile(str(self.folder / "trace.bin"))
        file.close()
        self.assertEqual(os.path.getsize(self.folder / "trace.bin"), 16)
        trace_file.TraceFile(str(self.folder / "trace.bin")).close()


class Determinism(WithFolder):
    def test_the_group_decides(self):
        code = """
import os, repro_trace, torch
done = repro_trace.apply_determinism()
print(bool(done), torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled(),
      torch.backends.cudnn.deterministic, os.environ.get("CUBLAS_WORKSPACE_CONFIG"))
"""
        for group, expected in (("deterministic", "True True False True :4096:8"), ("warn", "True True True True :4096:8"),
                                ("default", "False False False False None"), (None, "False False False False None")):
            variables = {"PYTHONPATH": str(PACKAGE), **({"REPRO_GROUP": group} if group else {})}
            result = run(code, self.folder, **variables)
            self.assertEqual((result.stdout.strip(), result.stderr), (expected, ""))


if __name__ == "__main__":
    print(f"torch {torch.__version__}", file=sys.stderr)
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
