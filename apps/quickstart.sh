#!/bin/sh
# The README's first command: sets up and builds (setup.sh), then runs what shows what this is: the ping-pong distance sweep,
# the comparison with published measurements, the broadcasts side by side on a small grid, and the evaluation of the SCC
# broadcast thesis beside its published numbers, in its short form.
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
run rccebench compare --sizes 256,8192,190000 --cores 12,48
run rccebench thesis --quick # without --quick: every variant and the figures, a minute
