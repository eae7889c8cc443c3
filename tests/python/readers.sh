#!/usr/bin/env bash
# Files that PyTorch, safetensors and NumPy wrote must read as these libraries see them, tensor by tensor.
set -euo pipefail
if [[ -z ${REPRO_PYTHON:-} ]]; then
  echo "skipped: REPRO_PYTHON names no Python with torch (scripts/test --python installs one)"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tests=$REPRO_SOURCE_DIR/tests/python
for kind in array pytorch; do
  "$REPRO_PYTHON" "$tests/write_${kind}_files.py" "$folder/$kind"
  "$REPRO_PYTHON" "$tests/check_readers.py" "$REPRO_BIN_DIR/repro-train" "$folder/$kind"
done
