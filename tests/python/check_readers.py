#!/usr/bin/env python3
"""Compares what `repro-train inspect` reads with what Python's libraries saw when they wrote the files.

    check_readers.py REPRO_TRAIN FOLDER     FOLDER holds expected.json (write_*_files.py)
"""
import json
import pathlib
import subprocess
import sys


def inspected(program, path):
    result = subprocess.run([program, "inspect", path, "--json", "--sha256"], capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{path}: exit {result.returncode}: {result.stderr}")
    return json.loads(result.stdout)


def differences(expected, found):
    if expected["format"] != found["format"]:
        yield f"format {found['format']}, expected {expected['format']}"
    tensors = {t["tensor"]: t for t in found["tensors"]}
    leaves = {leaf["leaf"]: leaf for leaf in found["leaves"]}
    for item in expected["items"]:
        name = item["name"]
        if "type" in item:
            leaf = leaves.pop(name, None)
            if leaf is None or (leaf["type"], leaf["value"]) != (item["type"], item["value"]):
                yield f"leaf {name}: found {leaf}, expected {item}"
            continue
        tensor = tensors.pop(name, None)
        if tensor is None:
            yield f"tensor {name} is missing"
        elif item.get("not_compared"):
            if "reason" not in tensor:
                yield f"tensor {name} was read, expected was a reason why not"
        elif any(tensor.get(key) != item[key] for key in ("dtype", "shape", "sha256")):
            yield f"tensor {name}: found {tensor}, expected {item}"
    if expected["format"] == "torchscript":
        leaves = {}
    for name in list(tensors) + list(leaves):
        yield f"{name} was not expected"


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    expected = json.loads((folder / "expected.json").read_text())["files"]
    wrong = items = 0
    for name, content in sorted(expected.items()):
        items += len(content["items"])
        for difference in differences(content, inspected(program, folder / name)):
            print(f"{name}: {difference}")
            wrong += 1
    print(f"{len(expected)} files, {items} items, {wrong} wrong")
    return 1 if wrong or not items else 0


sys.exit(main())
