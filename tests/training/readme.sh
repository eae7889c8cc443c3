#!/usr/bin/env bash
# Runs every `scripts/run` command of README.md as it stands there and checks that the verdict is the one shown below it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ln -s "$REPRO_SOURCE_DIR/configs" "$folder/configs"
cd "$folder"

declare -A seen=()
count=0
while IFS= read -r command; do
  arguments=${command#*scripts/run }
  arguments=${arguments%%#*}
  # shellcheck disable=SC2086,SC2116  # trims
  arguments=$(echo $arguments)
  [[ -z ${seen[$arguments]:-} ]] || continue
  seen[$arguments]=1
  expected=$(grep -A 12 -F "$command" "$REPRO_SOURCE_DIR/README.md" | grep -m 1 -o 'verdict: .*' || true)
  echo "repro-train $arguments"
  # shellcheck disable=SC2086  # several words
  found=$("$REPRO_BIN_DIR/repro-train" $arguments -q --device cpu)
  if [[ -n $expected && $found != "$expected" ]]; then
    echo "README.md shows: $expected"
    echo "found:           $found"
    exit 1
  fi
  count=$((count + 1))
done < <(grep -E '^ +(\$ )?scripts/run ' "$REPRO_SOURCE_DIR/README.md")
echo "$count commands of README.md did what it says"
((count >= 2))
