#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A schedule is found again by the seed and the number of tries in its head.
set -eu
kept=$SOURCE/tests/api/algorithms/schedules/6x4-32.schedule
. "$SOURCE/tests/support/checks.sh"
head=$(sed -n 's/^# Found by rccebench search, seed \([0-9]*\), \([0-9]*\) tries: .* Model revision '\
'\([0-9]*\)\.$/\1 \2 \3/p' "$kept")
[ -n "$head" ] || fail "no provenance in $kept"
set -- $head
"$BIN/rccebench" search bcast --cores 48 --bytes 32 --seed "$1" --tries "$2" -o again.schedule >table
grep -v '^#' "$kept" >wanted
grep -v '^#' again.schedule >found
cmp wanted found ||
  fail "seed $1 and $2 tries find another schedule than they did with model revision $3; search again if the \
model has changed"
