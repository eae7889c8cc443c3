# shellcheck shell=bash disable=SC2034
# Shared by the scripts of this folder; to be sourced.
# Messages go to standard error, because scripts/run leaves standard output to repro-train.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/repro-train
setup_file=$root/build/setup.env # NAME=value lines; cmake/SetupResults.cmake reads them too

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# Not 1: that is repro-train's code for "different", and a gate must not mistake a failed set-up for it.
die() {
  say "error: $*"
  exit 3
}

# The value that scripts/setup noted under a name, or nothing.
setup_value() {
  [[ -f $setup_file ]] || return 0
  sed -n "s/^$1=//p" "$setup_file"
}

print_usage() { # the comment block after the first line of a script
  sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
}
