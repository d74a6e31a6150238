#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does every command of rccebench take parameters with several values? Do paths, profiles and timelines add up
# to what tables say? Is what is there left alone?
set -eu
. "$SOURCE/tests/support/checks.sh"

# Several values of a parameter: rows, views, summary and notes of each.
swept='--set mesh.router_cycles=2,8'
check() { # check COMMAND WORD...: a row of each machine at least, each with its name
  "$bench" "$@" $swept --format csv >swept.csv
  for cycles in 2 8; do
    grep -q "scc mesh.router_cycles=$cycles," swept.csv || fail "$*: no row with $cycles"
  done
  "$bench" "$@" $swept --format json | grep -q 'mesh.router_cycles=8"' || fail "$*: json lacks its name"
  "$bench" "$@" $swept >swept
  grep -q '^# mesh.router_cycles=8' swept || fail "$*: a view lacks its name"
}
check compare --cores 12 --sizes 32 --algorithms linear,cube
check tune --cores 3 --sizes 1024 --algorithms cube
check scaling --meshes none --cores 12 --sizes 32 --algorithms linear
check validate
check cost --cores 2 --sizes 32 --algorithms linear --runs 1
"$bench" compare --cores 12 --sizes 32 --algorithms linear --format csv --set mesh.router_cycles=8 |
  tail -n 1 | cut -d, -f7 >alone
"$bench" compare --cores 12 --sizes 32 --algorithms linear --format csv $swept | tail -n 1 |
  cut -d, -f7 >among
cmp alone among || fail "a value among several gives another time"
"$bench" validate --machine opteron-6172 --set queue.hold=0.4,0.6 --format csv |
  grep -q '^opteron-6172 queue.hold=0.6,' ||
  fail "validate: a coherent machine is not swept"

# Bandwidth is size by time.
"$bench" scan --algorithms linear --cores 5 --sizes 1000 --format csv >last.csv
awk -F, '/^#/ { next } !head { for (i = 1; i <= NF; i++) column[$i] = i; head = 1; next }
  { apart = $column["bandwidth_mib_per_s"] * 1.048576 * $column["simulated_us_max"] / 1000 - 1
    good = apart < 1e-6 && apart > -1e-6 } END { exit !good }' last.csv || fail "bandwidth: $(cat last.csv)"

# Path, profile and matrix are of the operation alone, from the release to the last end: the path is as long
# as the table says, whatever goes before and between; no call of the harness is there; data are what is
# copied, too.
for point in 'bcast binomial --sizes 1024' 'bcast staged_pull --sizes 1024 --repetitions 3 --warm-up 2' \
  'reduce linear --sizes 800' 'barrier dissemination --repetitions 2'; do
  # shellcheck disable=SC2086
  set -- $point
  operation=$1 name=$2
  shift 2
  rm -f part.json part.csv part.matrix.csv part.trace
  "$bench" "$operation" --algorithms "$name" --cores 12 "$@" --format csv --why=part.json --profile=part.csv \
    --matrix part.matrix.csv \
    --trace part.trace >out 2>err ||
    fail "$point: $(cat err)"
  last=$(grep -v '^#' out | awk -F, 'NR == 1 {
    for (i = 1; i <= NF; ++i) if ($i == "simulated_us_max") at = i; next } { print $at }')
  awk -v last="$last" '/"end"/ && !ends { match($0, /"end": [0-9]+/);
    ends = substr($0, RSTART + 7, RLENGTH - 7) }
    /"kind"/ { match($0, /"time": [0-9]+/);
    sum += substr($0, RSTART + 8, RLENGTH - 8) } /"kind": "unknown"/ { bad = 1 }
    END { d = ends / 1000000 - last; exit !(ends && sum == ends && !bad && d < 0.001 && d > -0.001) }' \
    part.json ||
    fail "$point: $last us, but the path: $(cat part.json)"
  ! grep -qE 'rcce_sleep_until|RCCE_init|RCCE_finalize|iRCCE_init' part.json part.csv part.trace ||
    fail "$point: the harness: $(cat part.csv)"
  # The timeline begins with the release, has a row for each rank, and ends with the last rank.
  awk -v last="$last" '/"ph":"[BE]"/ { match($0, /"ts":[0-9.]+/);
    at = substr($0, RSTART + 5, RLENGTH - 5) + 0; if (at > most) most = at }
    /"name":"rank 11 \(core 11\)"/ { named = 1 } END { d = most - last; exit !(named && d < 0.001 &&
    d > -0.001) }' part.trace ||
    fail "$point: $last us, but the timeline: $(head -c 3000 part.trace)"
  # A rank's calls fill its part.
  awk -F, -v last="$last" '$1 == "profile.time" { sum += $NF } END { exit !(sum > 0 &&
    sum <= 12 * last + 0.001) }' part.csv || fail "$point: $(cat part.csv)"
  cp part.matrix.csv "$name.matrix.csv"
done
# The message, and looks at the line that tells of it.
awk -F, '$1 == "pair.bytes" { ++pairs; if ($2 !~ /^sender=0 / || $4 < 1024 || $4 > 1124) bad = 1 } END {
  exit bad || pairs != 11 }' staged_pull.matrix.csv ||
  fail "who sends to whom: $(cat staged_pull.matrix.csv)"
! grep -q '^pair' dissemination.matrix.csv || fail "a barrier has no data: $(cat dissemination.matrix.csv)"

# What is there stays, as with rccerun, unless --force is given.
for recording in --statistics=kept '--matrix kept' '--links kept' '--trace kept' --why=kept --profile=kept; do
  for command in 'bcast --algorithms linear --cores 2' 'pingpong --pairs 0:1'; do
    echo mine >kept
    status=0
    "$bench" $command --sizes 32 $recording 2>err >out || status=$?
    [ $status = 2 ] && grep -q "'kept': the file exists; choose another, or overwrite it by --force" err ||
      fail "$command $recording: status $status: $(cat err)"
    [ "$(cat kept)" = mine ] && [ ! -s out ] ||
      fail "$command $recording: the file or the run was not left alone"
    "$bench" $command --sizes 32 $recording --force 2>err >out ||
      fail "$command $recording --force: $(cat err)"
    [ "$(head -n 1 kept)" != mine ] || fail "$command $recording --force: not written"
  done
done
