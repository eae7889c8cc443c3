#!/usr/bin/env bash
# Trains configs/tiny.json and lets Python check what it left.
set -euo pipefail
if [[ -z ${REPRO_PYTHON:-} ]]; then
  echo "skipped: REPRO_PYTHON names no Python with torch (scripts/test --python installs one)"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$REPRO_BIN_DIR/repro-train" --config "$REPRO_SOURCE_DIR/configs/tiny.json" --device cpu --out "$folder/audit" -q
"$REPRO_PYTHON" "$REPRO_SOURCE_DIR/tests/python/check_audit.py" "$folder/audit"
