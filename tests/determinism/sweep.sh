#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A sweep gives the same rows however many points run side by side. And a broadcast takes as long the first
# time as later: every core has read its buffer before, which is all that a repetition leaves behind. (Where
# links are contended, the phase of the clocks at the release moves a rank by some picoseconds; hence the 0.1
# %.)
set -eu
bench=$BIN/rccebench
grid="--sizes 32,20000 --cores 5,48"
rows() {
  # All but the host's time (column 11).
  grep '^bcast' "$1" | cut -d, -f1-10,12-
}
"$bench" bcast $grid --jobs 1 --format csv -o serial.csv
"$bench" bcast $grid --jobs 3 --format csv -o parallel.csv
rows serial.csv >serial
rows parallel.csv >parallel
cmp serial parallel
for rcce in 1.0 2.0; do
  "$bench" bcast $grid --rcce $rcce --warm-up 0 --format csv -o cold.csv
  "$bench" bcast $grid --rcce $rcce --warm-up 2 --repetitions 2 --format csv -o warm.csv
  rows cold.csv >cold
  rows warm.csv >warm
  paste -d, cold warm | awk -F, '{ off = $7 / $(NF / 2 + 7) - 1 } off > 0.001 || off < -0.001 { print;
    bad = 1 } END { exit bad }'
done
