#!/usr/bin/env python3
"""Times `repro-train diff` against cmp and the usual Python, side by side in one run, with a warm page cache.

    tests/bench/diff.py [--bin build/bin] [--folder /tmp] [--gib 2] [--tensors 4] [--rounds 5] [--python PYTHON]

Every round runs every command once, in turn, so that whatever else the machine does hits all alike; medians
and ratios are printed. Needs 3 * GIB GiB of disk, and of memory for the page cache. Python is left out without --python.
"""
import argparse
import json
import pathlib
import random
import statistics
import struct
import subprocess
import tempfile
import threading
import time

import numpy


def write_safetensors(path, tensors):
    """`tensors`: (name, shape, iterable of byte blocks, total bytes) of float32."""
    header, offset = {}, 0
    for name, shape, _, size in tensors:
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, _, blocks, _ in tensors:
            for block in blocks:
                file.write(block)


def large_files(folder, gib, tensors):
    """a and b are equal; every value of c differs from a's, by 1 to 7 in the last bits."""
    count = 4 << 20  # 16 MiB
    weights = numpy.random.default_rng(0).standard_normal(count, dtype=numpy.float32)
    bits = weights.view(numpy.uint32)
    other = bits ^ (1 + numpy.arange(count, dtype=numpy.uint32) % 7)
    blocks = int(gib * 64) // tensors
    for name, block in (("a", bits), ("b", bits), ("c", other)):
        data = block.tobytes()
        write_safetensors(folder / f"{name}.safetensors",
                          [(f"layer{i}.weight", [blocks * 2048, 2048], [data] * blocks, len(data) * blocks)
                           for i in range(tensors)])


def small_tensors(folder):
    values = numpy.random.default_rng(1).standard_normal(10, dtype=numpy.float32)
    for name, change in (("s", 0), ("t", 1)):
        data = (values.view(numpy.uint32) ^ change).tobytes()
        write_safetensors(folder / f"{name}.safetensors",
                          [(f"model.layers.{i}.weight", [10], [data], 40) for i in range(100_000)])


class Run:
    """One command: wall time, and the peak of its anonymous memory (mapped files are not counted)."""

    def __init__(self, command):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.peak = 0
        watcher = threading.Thread(target=self.watch, args=(process,))
        watcher.start()
        self.code = process.wait()
        self.seconds = time.perf_counter() - start
        watcher.join()

    def watch(self, process):
        status = pathlib.Path(f"/proc/{process.pid}/status")
        while process.poll() is None:
            try:
                for line in status.read_text().splitlines():
                    if line.startswith("RssAnon"):
                        self.peak = max(self.peak, int(line.split()[1]) * 1024)
            except OSError:
                return
            time.sleep(0.005)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin", type=pathlib.Path)
    parser.add_argument("--folder", default=tempfile.gettempdir(), type=pathlib.Path)
    parser.add_argument("--gib", default=2.0, type=float)
    parser.add_argument("--tensors", default=4, type=int, help="in each large file")
    parser.add_argument("--rounds", default=5, type=int)
    parser.add_argument("--python", help="a Python with torch and safetensors")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as temporary:
        folder = pathlib.Path(temporary)
        large_files(folder, arguments.gib, arguments.tensors)
        small_tensors(folder)
        file = {name: str(folder / f"{name}.safetensors") for name in "abcst"}
        diff = [str(arguments.bin / "repro-train"), "diff"]
        commands = {
            "cmp -s, equal": (["cmp", "-s", file["a"], file["b"]], 0),
            "diff, equal": (diff + [file["a"], file["b"]], 0),
            "diff, all different": (diff + [file["a"], file["c"]], 1),
            "diff, 100,000 tensors, equal": (diff + [file["s"], file["s"]], 0),
            "diff, 100,000 tensors, different": (diff + [file["s"], file["t"]], 1),
            "diff --json, 100,000 tensors, different": (diff + [file["s"], file["t"], "--json"], 1),
        }
        if arguments.python:
            peer = str(pathlib.Path(__file__).with_name("checkpoint_peer.py"))
            commands["Python, all different"] = ([arguments.python, peer, file["a"], file["c"]], 0)
        for name in "abc":  # warms the page cache
            subprocess.run(["cat", file[name]], stdout=subprocess.DEVNULL, check=True)
        runs = {name: [] for name in commands}
        for _ in range(arguments.rounds):
            for name, (command, code) in random.sample(list(commands.items()), len(commands)):
                run = Run(command)
                if run.code != code:
                    raise SystemExit(f"{name}: exit {run.code}, expected {code}")
                runs[name].append(run)
        base = statistics.median(run.seconds for run in runs["cmp -s, equal"])
        print(f"{'':42}{'median':>9}{'least':>9}{'of cmp':>9}{'memory':>10}")
        for name, measured in runs.items():
            seconds = [run.seconds for run in measured]
            median = statistics.median(seconds)
            memory = max(run.peak for run in measured) / 2**20
            print(f"{name:42}{median:8.3f}s{min(seconds):8.3f}s{median / base:9.2f}{memory:6.0f} MiB")


main()
