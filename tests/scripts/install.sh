#!/usr/bin/env bash
# `cmake --install` leaves a program that starts from another folder, the worker where it looks for it, and the Python package.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$REPRO_BINARY_DIR" --prefix "$work/prefix"
"$work/prefix/bin/repro-train" --version
if [[ -e $REPRO_BIN_DIR/repro-worker ]]; then
  [[ -x $work/prefix/libexec/repro-train/repro-worker ]]
  ldd "$work/prefix/libexec/repro-train/repro-worker" | grep 'libtorch_cpu.so => /' >/dev/null  # all read: no SIGPIPE
fi
for file in sitecustomize.py repro_trace/__init__.py; do
  [[ -e $work/prefix/share/repro-train/python/$file ]]
done
