#!/usr/bin/env bash
# The recipe of docs/git.md, taken from that page, must show which tensor changed between two commits.
set -euo pipefail
command -v git >/dev/null || { echo "skipped: no git"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder PATH=$REPRO_BIN_DIR:$PATH GIT_CONFIG_NOSYSTEM=1
files=$REPRO_SOURCE_DIR/tests/data/safetensors
cd "$folder"
git init -q repository
cd repository
git config user.name test
git config user.email test@example.org
# The settings, as they stand in the page: the first block of lines that are indented by four spaces.
sed -n '/^    echo/,/^$/p' "$REPRO_SOURCE_DIR/docs/git.md" | sed 's/^    //' | head -5 >settings
[[ $(grep -c . settings) -eq 5 ]] || { echo "docs/git.md has other settings than expected"; exit 1; }
# shellcheck disable=SC1091
source ./settings
cp "$files/ok.safetensors" model.safetensors
git add . && git commit -qm first
cp "$files/ok_metadata.safetensors" model.safetensors
git add . && git commit -qm metadata
git diff HEAD~1 HEAD -- model.safetensors | grep '^[-+][^-+]' && { echo "equal tensors were shown as different"; exit 1; }
cp "$files/negzero.safetensors" model.safetensors
git diff HEAD -- model.safetensors >shown
grep -q '^+.*float32' shown || { echo "the change was not shown:"; cat shown; exit 1; }
