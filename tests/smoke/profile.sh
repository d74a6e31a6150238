#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --profile: is every call counted, at its line, in its function, with its time; do stacks add up to the same?
set -eu
fail() {
  echo "$*"
  exit 1
}
program=$PROGRAMS/profiled
rm -f ./*.csv ./*.folded ./*.out ./*.json
"$BIN/rccerun" -nue 3 --digest "$program" >plain.out 2>&1
"$BIN/rccerun" -nue 3 --digest --profile=calls.csv "$program" >profiled.out 2>&1
cmp plain.out profiled.out
"$BIN/rccerun" -nue 3 --profile=calls.folded "$program" 2>/dev/null
"$BIN/rccerun" -nue 3 --statistics=all.csv "$program" 2>/dev/null
"$BIN/rccerun" -nue 3 --profile=again.folded "$program" 2>/dev/null
cmp calls.folded again.folded

# value NAME FUNCTION PLACE CALL
value() { sed -n "s/^profile.$1,function=$2 place=$3 call=$4,[^,]*,//p" calls.csv; }
for line in '30 work profiled.c:6 rcce_compute' '10 exchange profiled.c:10 RCCE_send' '10 exchange profiled.c:11 RCCE_recv' \
  '3 main profiled.c:26 RCCE_barrier'; do
  # shellcheck disable=SC2086
  set -- $line
  [ "$(value count "$2" "$3" "$4")" = "$1" ] || fail "$line: $(cat calls.csv)"
done
# 1000 cycles of 1875 ps and the cost of a call, 30 times.
awk -v us="$(value time work profiled.c:6 rcce_compute)" 'BEGIN { exit !(us >= 56.25 && us < 60) }' || fail "compute: $(cat calls.csv)"
# By function the same as the statistics.
for call in RCCE_send RCCE_recv RCCE_barrier RCCE_finalize rcce_compute; do
  awk -F, -v call="$call" -v wanted="$(sed -n "s/^call.time,function=$call,us,//p" all.csv)" '
    $1 == "profile.time" && $2 ~ "call=" call "$" { sum += $4 }
    END { d = sum - wanted; exit !(wanted > 0 && d < 1e-5 && d > -1e-5) }' calls.csv || fail "$call: $(cat calls.csv)"
done
# The parts of all calls are those of all cores; sending waits here, computing does not.
for part in copying waiting; do
  awk -F, -v part=$part '$1 == "profile." part { calls += $4 } $1 == "core." part { cores += $4 }
    END { d = calls - cores; exit !(cores > 0 && d < 1e-5 && d > -1e-5) }' calls.csv all.csv || fail "$part: $(cat calls.csv all.csv)"
done
[ "$(value waiting work profiled.c:6 rcce_compute)" = 0 ] || fail "computing waits: $(cat calls.csv)"
grep -q '^main;steps;exchange;RCCE_send [0-9]*$' calls.folded || fail "stacks: $(cat calls.folded)"
awk -v us="$(awk -F, '$1 == "profile.time" { sum += $4 } END { printf "%.6f", sum }' calls.csv)" '
  { sum += $NF; if ($NF !~ /^[0-9]+$/) bad = 1 } END { d = sum - us * 1e6; exit bad || d > 10 || d < -10 }' calls.folded || fail "sums differ: $(cat calls.folded)"
"$BIN/rccerun" -nue 3 --profile "$program" 2>&1 | grep -q '^profile$' || fail "no table"
"$BIN/rccerun" -nue 3 --engine threads --profile=threads.csv "$program" 2>/dev/null
grep -q '^profile.count,function=exchange place=profiled.c:10 call=RCCE_send,1,10$' threads.csv || fail "threads: $(cat threads.csv)"
