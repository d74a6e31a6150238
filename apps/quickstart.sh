#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The README's first command: sets up and builds (setup.sh), then runs what shows what this is: the ping-pong
# distance sweep, the comparison with published measurements, the broadcasts side by side on a small grid, and
# the evaluation of the SCC broadcast thesis beside its published numbers, in its short form.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
sh "$root/apps/setup.sh"

page=
if grep -q '^ROCKCREEK_UPLOT:PATH=/' "$root/build/CMakeCache.txt"; then page=$root/build/thesis.html; fi
told() { [ -z "$page" ] || printf '\n%s %s in a browser: %s\n' "$1" "$page" \
  'the SCC broadcast thesis as a page of figures, its published values over ours'; }
told 'In a minute, open'

run() {
  printf '\n$ build/bin/%s\n' "$*"
  command=$1
  shift
  "$root/build/bin/$command" "$@"
}
run rccebench pingpong --sweep distance
validated=$root/build/validate.txt
run rccebench validate -o "$validated" --force
tail -n 12 "$validated"
printf '(all rows: %s)\n' "$validated"
run rccebench compare --sizes 256,8192,190000 --cores 12,48
# Without --quick: every variant and the figures, a minute.
if [ -n "$page" ]; then
  run rccebench thesis --quick --force --report "$page"
else
  run rccebench thesis --quick
fi
told Open
