#!/usr/bin/env python3
"""Times steps with and without traces, and PyTorch's own DebugMode on the same network, side by side in one run.

    tests/bench/traces.py [--repro-train PROGRAM] [--python PYTHON-WITH-TORCH] [--rounds 5]

configs/digits.json, two threads. Every round makes a short run with each kind of trace in turn, so that a noisy machine
disturbs all of them; what counts is the median over the rounds of each round's ratio to its untraced run. DebugMode is
timed by debug_mode_peer.py, with its own untraced run. Prints a Markdown table.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEVELS = ("none", "steps", "ops")


def step_seconds(program, level, folder):
    """Medians over the steps of two runs; the lower one, because noise only adds."""
    command = [program, "--config", ROOT / "configs/digits.json", "--threads", "2", "--trace", level, "--csv-rows", "none",
               "--set", "/training/epochs=2", "--set", "/training/validation_every=0", "--out", folder / level,
               "--overwrite", "--json"]
    output = subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL).stdout
    return min(run["step_seconds"] for run in json.loads(output)["runs"])


def peer(python):
    output = subprocess.run([python, ROOT / "tests/bench/debug_mode_peer.py"], check=True,
                            stdout=subprocess.PIPE).stdout
    return json.loads(output)


def row(name, ratios, seconds, aim):
    print(f"| {name} | {1e3 * statistics.median(seconds):.0f} ms | {statistics.median(ratios):.3f} | "
          f"{min(ratios):.3f} to {max(ratios):.3f} | {aim} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repro-train", default=ROOT / "build/bin/repro-train")
    parser.add_argument("--python", help="also time DebugMode with this interpreter")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    ours, theirs = {level: [] for level in LEVELS}, []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            for level in LEVELS:
                ours[level].append(step_seconds(options.repro_train, level, pathlib.Path(folder)))
            if options.python:
                theirs.append(peer(options.python))
        size = (pathlib.Path(folder) / "ops/runs/deterministic-0/trace.bin").stat().st_size
    print("| | step | ratio to untraced | range | aim |\n|---|---|---|---|---|")
    for level, aim in zip(LEVELS, ("", "1.02", "1.10")):
        ratios = [traced / plain for traced, plain in zip(ours[level], ours["none"])]
        row(f"repro-train, `--trace {level}`", ratios, ours[level], aim)
    for name in ("plain", "debug_mode", "debug_mode_with_hashes"):
        if theirs:
            row(f"Python, {name.replace('_', ' ')}", [times[name] / times["plain"] for times in theirs],
                [times[name] for times in theirs], "")
    print(f"\ntrace.bin of 38 steps with operations: {size:,} bytes")


if __name__ == "__main__":
    main()
