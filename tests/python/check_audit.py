#!/usr/bin/env python3
"""Checks an audit of configs/tiny.json with code that shares nothing with ours.

The fingerprint is implemented again from docs/formats.md, as is trace.bin (trace_reader.py); weights are read by the safetensors
package; the network is built again from torch.nn and must predict what the audit says.
"""

import json
import pathlib
import struct
import sys

import numpy as np
import torch
from safetensors.numpy import load_file

import trace_reader

MASK = (1 << 64) - 1
STEP, MULTIPLIER, START = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x31307265706F7231
ROUND_1, ROUND_2, ROUND_3 = 0x9E3779B2, 0x85EBCA76, 0xC2B2AE3E
DTYPES = {"float32": 12, "uint8": 2, "uint64": 8}


def swap(x):
    return ((x << 32) | (x >> 32)) & MASK


def multiply_low(x, factor):
    return x ^ ((x & 0xFFFFFFFF) * factor)


def mix(x):
    x = swap(multiply_low(x, ROUND_1))
    x = (x * MULTIPLIER) & MASK
    x = swap(multiply_low(x, ROUND_2))
    return multiply_low(x, ROUND_3)


def fingerprint(array):
    salt = START
    for value in (DTYPES[str(array.dtype)], array.ndim, *array.shape):
        salt = mix(((salt + STEP) & MASK) ^ value)
    data = array.tobytes()
    data += b"\0" * (-len(data) % 8)
    total = salt
    for i, (word,) in enumerate(struct.iter_unpack("<Q", data)):
        total += mix(word ^ ((salt + (i + 1) * STEP) & MASK))
    return total & MASK


def check_traces(run):
    weights = load_file(run / "weights.safetensors")
    records, whole = trace_reader.read(run / "trace.bin")
    assert whole and [record.step for record in records] == list(range(17)), [record.step for record in records]
    for name, array in weights.items():
        values = records[16].of(kind="state", phase="buffer" if name == "input.mean" else "update")
        assert values[name] == fingerprint(array), name
    print(f"{len(weights)} fingerprints of the last step agree with {run.name}/trace.bin")


def check_predictions(run):
    weights = {name: torch.from_numpy(array) for name, array in load_file(run / "weights.safetensors").items()}
    model = torch.nn.Sequential(
        torch.nn.Conv2d(1, 4, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.ConvTranspose2d(4, 4, 2, stride=2), torch.nn.ReLU(), torch.nn.Conv2d(4, 1, 1),
        torch.nn.Hardtanh(0, 1))
    for index, layer in ((0, "conv1"), (3, "upconv1"), (5, "conv2")):
        model[index].load_state_dict({key: weights[f"{layer}.{key}"] for key in ("weight", "bias")})
    samples = {name: torch.from_numpy(array) for name, array in load_file(run / "samples.safetensors").items()}
    with torch.no_grad():
        output = model(samples["samples.input"] - weights["input.mean"])
    error = (output - samples["samples.output"]).abs().max().item()
    assert error < 1e-5, error
    assert samples["samples.output"].std() > 1e-3
    print(f"Python's network predicts the same images within {error:.1e}")


def main():
    audit = pathlib.Path(sys.argv[1])
    assert json.loads((audit / "report.json").read_text())["verdict"] == "identical"
    for run in sorted((audit / "runs").iterdir()):
        check_traces(run)
        check_predictions(run)


if __name__ == "__main__":
    main()
