#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rccebench runs: tables, CSV and JSON of the same points agree, output is the same every time, mistakes are
# told with status 1 or 2.
set -eu
. "$SOURCE/tests/support/checks.sh"

"$bench" pingpong --pairs 0:1,47:0 --sizes 32,8192 --format csv -o a.csv
"$bench" pingpong --pairs 0:1,47:0 --sizes 32,8192 --format csv >b.csv
cmp a.csv b.csv || fail "two runs differ, or -o differs from standard output"
[ "$(grep -c ',ok,[0-9]*$' a.csv)" -eq 4 ] || fail "csv: four correct rows wanted"
"$bench" pingpong --pairs 0:1,47:0 --sizes 32,8192 --format json >a.json
[ "$(grep -c '"latency_us"' a.json)" -eq 4 ] || fail "json: four rows wanted"
tail -n 5 a.json | grep -q '"wrong_bytes": 0' || fail "json: the summary comes last"

for variant in put get flag; do
  for rcce in 1.0 2.0; do
    "$bench" pingpong --variant $variant --rcce $rcce --pairs 0:1 --sizes 32,20000 |
      grep -q 'every byte checked: correct' ||
      fail "$variant with RCCE $rcce"
  done
done
"$bench" pingpong --sweep distance --repetitions 2 >sweep
[ "$(grep -c '  ok$' sweep)" -eq 18 ] || fail "sweep: 9 distances at 2 sizes wanted"

# Times in CSV are those of JSON, to the picosecond.
"$bench" bcast --algorithms linear --cores 2 --sizes 1900000 --no-check --format csv >exact.csv
"$bench" bcast --algorithms linear --cores 2 --sizes 1900000 --no-check --format json >exact.json
exact=$(sed -n 's/.*"simulated_us_max": \([0-9.]*\),/\1/p' exact.json)
grep -qF ",$exact," exact.csv || fail "not $exact us: $(cat exact.csv)"

"$bench" validate >table
[ "$(grep -c 'core cycles' table)" -eq 48 ] || fail "validate: a row per test-and-set register wanted"
"$bench" validate --format json >validate.json
for group in tas rtt32 latency1 pingpong_rcce10 pingpong_prefetching barrier line_cost; do
  sed -n '/"summary"/,$p' validate.json | grep -A 3 "\"$group\": {" | grep -q '"median_abs_error_percent"' ||
    fail "summary lacks $group"
done

refused 'core 48 is out of range 0..47' pingpong --pairs 0:48
refused 'write FROM:TO' pingpong --pairs 3
refused 'cannot play with itself' pingpong --pairs 3:3
refused 'no step' pingpong --sizes 1-9
refused "did you mean 'scc'" pingpong --machine scx
refused "no file can be written in '/nowhere'" pingpong --pairs 0:1 --sizes 32 -o /nowhere/file
refused 'sendrecv' pingpong --variant push
refused "no option '--format'" --format csv

# Every interleaving: right where it is, and a mistake with the command that shows it.
"$bench" explore --algorithms join/tree,barrier/dissemination --threads 2,3 --format csv >explored
[ "$(grep -c ',true,[0-9]*$' explored)" -eq 4 ] || fail "explore: four right rows wanted"
status=0
"$bench" explore --algorithms mistake/flat_without_reset --threads 2 >found || status=$?
[ $status -eq 1 ] || fail "explore: a fault ends with status 1, not $status"
replay=$(sed -n 's/^#   rccebench \(explore .*\)/\1/p' found)
[ -n "$replay" ] || fail "explore: no command that shows the fault"
status=0
# shellcheck disable=SC2086
"$bench" $replay >told || status=$?
[ $status -eq 1 ] && grep -q 'leaves the join of region 2 when worker 1 is in 1' told ||
  fail "explore: the replay lacks the fault"
refused "did you mean 'join/tree'" explore --algorithms join/trea
refused 'threads' explore --threads 9
refused 'name one algorithm' explore --replay 0
refused 'this is no schedule of 2 threads' explore --algorithms join/tree --threads 2 --replay 2
refused 'step 1 of the schedule cannot be made: thread 1 waits' explore --algorithms join/tree --threads 2 \
  --replay 1
refused 'operations' explore --operations 0

# Parameters of the machine, several values of one, mistakes in rccerun's words.
"$bench" pingpong --pairs 0:47 --sizes 32 --set mesh.router_cycles=2,4 --set mesh.topology=mesh,torus \
  --format csv -o swept
[ "$(grep -c '^"*scc mesh.router_cycles=[24] mesh.topology=' swept)" -eq 4 ] || fail "a sweep lacks rows"
"$bench" pingpong --pairs 0:47 --sizes 32 --contention off | grep -q 'contention off' ||
  fail "--contention is not heard"
refused "router_cyles=2: unknown name .*did you mean 'router_cycles'" pingpong --pairs 0:1 \
  --set mesh.router_cyles=2
refused 'takes SECTION.NAME=VALUE' pingpong --pairs 0:1 --set router_cycles=2
refused 'is not a whole number' pingpong --pairs 0:1 --set mesh.router_cycles=two
"$bench" bcast --cores 12 --sizes 32 --algorithms binomial --set mesh.router_cycles=2,4 >swept
[ "$(grep -c '^scc mesh.router_cycles=[24] *bcast/binomial' swept)" -eq 2 ] ||
  fail "a swept collective lacks its column"
