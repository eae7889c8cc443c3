#!/usr/bin/env bash
# The Python package repro_trace under PyTorch of our release, or, with "older", of an older one.
set -euo pipefail
python=${REPRO_PYTHON:-} option=--python
if [[ ${1:-} == older ]]; then
  python=${REPRO_PYTHON_OLDER:-} option=--python-older
fi
if [[ -z $python ]]; then
  echo "skipped: no Python with ${1:-our} torch was named (scripts/setup $option installs one)"
  exit 77
fi
"$python" "$REPRO_SOURCE_DIR/tests/python/repro_trace_test.py"
"$python" "$REPRO_SOURCE_DIR/tests/python/repro_trace_training_test.py"
