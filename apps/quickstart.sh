#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
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
# Without --quick: every variant and the figures, a minute.
if grep -q '^ROCKCREEK_UPLOT:PATH=/' "$root/build/CMakeCache.txt"; then
  run rccebench thesis --quick --force --report "$root/build/thesis.html"
  printf '\nopen %s in a browser: the last of these results as a page of figures, with the published values over ours\n' "$root/build/thesis.html"
else
  run rccebench thesis --quick
fi
