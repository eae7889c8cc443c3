#!/usr/bin/env bash
# The shell scripts are free of what shellcheck finds.
set -euo pipefail
command -v shellcheck >/dev/null || {
  echo "skipped: no shellcheck"
  exit 77
}
cd "$REPRO_SOURCE_DIR"
mapfile -t scripts < <(grep -rlE '^#!.*\bbash|^# shellcheck shell' scripts tests .ci --include='*' -I)
shellcheck "${scripts[@]}"
