#!/usr/bin/env bash
# scripts/get-mnist takes plain and packed files and refuses wrong ones. It works on a copy of the script, because it
# writes into data/ of its own checkout.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/scripts" "$work/good" "$work/bad"
cp "$REPRO_SOURCE_DIR"/scripts/{common.sh,get-mnist} "$work/scripts/"
target=$work/data/mnist

idx() { # <header in hexadecimal> <bytes of data>
  local hex=$1
  while [[ -n $hex ]]; do
    printf %b "\\x${hex:0:2}"
    hex=${hex:2}
  done
  head -c "$2" /dev/zero
}
idx 00000803000027100000001c0000001c 7840000 >"$work/good/t10k-images-idx3-ubyte"
idx 0000080100002710 10000 | gzip >"$work/good/t10k-labels-idx1-ubyte.gz"

expect() { # <exit code> <text in the message> <arguments...>
  local code=0 message
  message=$("$work/scripts/get-mnist" "${@:3}" 2>&1) || code=$?
  if [[ $code != "$1" || $message != *"$2"* ]]; then
    echo "get-mnist ${*:3}: expected exit code $1 and '$2', got $code and: $message"
    exit 1
  fi
}

expect 0 'no train-images' "$work/good"
[[ -L $target/t10k-labels-idx1-ubyte.gz && -f $target/t10k-images-idx3-ubyte.gz ]]
zcat "$target/t10k-images-idx3-ubyte.gz" | cmp - "$work/good/t10k-images-idx3-ubyte"
expect 0 'is ready' --copy "$work/good"
[[ ! -L $target/t10k-labels-idx1-ubyte.gz ]]
expect 0 'is ready' "$target"
expect 3 'neither' "$work/bad"
expect 3 'none' "$work/nowhere"

cp "$work"/good/* "$work/bad/"
head -c 7000000 "$work/good/t10k-images-idx3-ubyte" >"$work/bad/t10k-images-idx3-ubyte"
expect 3 'has 7000000 bytes' "$work/bad"
idx 00000803000027100000001c0000001d 7840000 >"$work/bad/t10k-images-idx3-ubyte"
expect 3 'does not begin' "$work/bad"
cp "$work/good/t10k-images-idx3-ubyte" "$work/bad/"
head -c 30 "$work/good/t10k-labels-idx1-ubyte.gz" >"$work/bad/t10k-labels-idx1-ubyte.gz"
expect 3 'damaged' "$work/bad"
