#!/usr/bin/env bash
# Building repro-train once more, from a copy of the sources without git in another folder, gives the same bytes as in this
# build, and they name neither folder. The copy has a fixed place, so that ccache makes a repetition quick; ccache does not
# mix up the folders, because their names are in the compiler's options (-ffile-prefix-map).
set -euo pipefail

copy=$REPRO_BINARY_DIR/reproducible/in/another/folder
rm -rf "$REPRO_BINARY_DIR/reproducible"
mkdir -p "$copy"
cp -R "$REPRO_SOURCE_DIR"/{CMakeLists.txt,cmake,src,apps} "$copy/"
if [[ -e $REPRO_SOURCE_DIR/.git ]]; then # what `git archive` would write there
  git -C "$REPRO_SOURCE_DIR" rev-parse --verify HEAD >"$copy/cmake/revision.txt" 2>/dev/null || true
fi

cmake -S "$copy" -B "$copy/out" -G Ninja -DCMAKE_BUILD_TYPE="$REPRO_BUILD_TYPE" -DREPRO_WITH_LIBTORCH=OFF -DREPRO_BUILD_TESTS=OFF
cmake --build "$copy/out" --target repro-train

program=$REPRO_BIN_DIR/repro-train
cmp "$program" "$copy/out/bin/repro-train"
if grep -aqF -e "$REPRO_SOURCE_DIR/" -e "$REPRO_BINARY_DIR/" "$program"; then
  echo "the program contains a path of its build:"
  grep -aoF -m 3 -e "$REPRO_SOURCE_DIR/" -e "$REPRO_BINARY_DIR/" "$program"
  exit 1
fi
if readelf -d "$program" | grep -E 'RPATH|RUNPATH'; then
  echo "the program contains a run path"
  exit 1
fi
sha256sum "$program" "$copy/out/bin/repro-train"
rm -rf "$REPRO_BINARY_DIR/reproducible"
