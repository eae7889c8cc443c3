#!/usr/bin/env python3
"""Times the main job against plain Python, side by side in one run, and prints a Markdown table.

    tests/bench/main_job.py --python PYTHON-WITH-TORCH --images t10k-images-idx3-ubyte.gz --labels … [--rounds 3]

Both do configs/mnist.json twice, each run in a process of its own, on two threads, and compare the weights at
the end: `repro-train run` on one side, python_peer.py twice and torch.equal on the other. Rounds alternate,
so that a noisy machine disturbs both; the medians' ratio is what counts.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPARE = """
import sys, torch
a, b = (torch.load(f, weights_only=True) for f in sys.argv[1:])
sys.exit(not all(torch.equal(a[k], b[k]) for k in a))
"""


def timed(command):
    """Wall seconds, peak memory of the largest child in bytes, and standard output."""
    before = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command} exited with {process.returncode}")
    return time.perf_counter() - before, usage.ru_maxrss * 1024, output


def ours(options, folder):
    settings = {"/data/images": str(options.images), "/data/labels": str(options.labels)}
    command = [options.repro_train, "--config", ROOT / "configs/mnist.json", "--runs", "2", "--threads", "2",
               "--out", folder / "audit", "--overwrite", "--json"]
    for pointer, value in settings.items():
        command += ["--set", f"{pointer}={json.dumps(value)}"]
    seconds, _, output = timed([str(part) for part in command])
    runs = json.loads(output)["runs"]
    return {"job": seconds, "step": statistics.median(run["step_seconds"] for run in runs),
            "memory": max(run["peak_memory_bytes"] for run in runs)}


def python(options, folder, workers):
    files = [folder / "a.pt", folder / "b.pt"]
    seconds, steps, memory = 0, [], 0
    for file in files:
        command = [options.python, ROOT / "tests/bench/python_peer.py", options.images, file, "--workers", workers]
        passed, peak, output = timed([str(part) for part in command])
        seconds += passed
        memory = max(memory, peak)
        steps.append(json.loads(output)["step_seconds"])
    passed, _, _ = timed([options.python, "-c", COMPARE, *map(str, files)])
    return {"job": seconds + passed, "step": statistics.median(steps), "memory": memory}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repro-train", default=ROOT / "build/bin/repro-train")
    parser.add_argument("--python", default=os.environ.get("REPRO_PYTHON"))
    parser.add_argument("--images", type=pathlib.Path, required=True)
    parser.add_argument("--labels", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if not options.python:
        parser.error("--python, or REPRO_PYTHON, must name a Python with torch")
    options.images, options.labels = options.images.resolve(), options.labels.resolve()

    sides = {"repro-train": lambda f: ours(options, f), "Python": lambda f: python(options, f, 0),
             "Python, 2 DataLoader workers": lambda f: python(options, f, 2)}
    results = {name: [] for name in sides}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            for name, side in sides.items():
                results[name].append(side(pathlib.Path(folder)))
    medians = {name: {key: statistics.median(r[key] for r in rows) for key in rows[0]}
               for name, rows in results.items()}
    mine = medians["repro-train"]
    print("| | whole job | ratio | step, median | ratio | peak memory of a run |\n|---|---|---|---|---|---|")
    for name, row in medians.items():
        print(f"| {name} | {row['job']:.1f} s | {mine['job'] / row['job']:.2f} | {row['step'] * 1e3:.0f} ms | "
              f"{mine['step'] / row['step']:.2f} | {row['memory'] / 1e9:.2f} GB |")


if __name__ == "__main__":
    main()
