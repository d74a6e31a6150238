#!/bin/sh
# The README's first command: sets up and builds (setup.sh), then runs the two programs that show what this is: the
# ping-pong distance sweep, and the comparison of the machine model with published measurements of the real chip.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
sh "$root/apps/setup.sh"

run() {
  printf '\n$ build/bin/%s\n' "$*"
  command=$1
  shift
  "$root/build/bin/$command" "$@"
}
run rccebench pingpong --sweep distance
run rccebench validate
