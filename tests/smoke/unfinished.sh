#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs that end in a deadlock, by a time limit, by a signal or by a crash: in every recording whoever is
# blocked then waits until the end, in the call it is in; what has ended is idle; the path leads to where the
# run stands; messages under way are told.
set -eu
. "$SOURCE/tests/support/checks.sh"
program=$PROGRAMS/unfinished
rm -rf ./*
report=
"$BIN/rccerun" -nue 2 --report try.html "$PROGRAMS/plain_main" >out 2>err && report=page.html

# record KIND STATUS [OPTION...]: with everything that records.
record() {
  kind=$1 wanted=$2
  shift 2
  status=0
  # shellcheck disable=SC2086
  "$BIN/rccerun" -nue 6 --force --timeout 20 "$@" --statistics=stats.csv --profile=profile.csv --what-if off \
    --why=why.json --trace trace.json \
    --matrix pairs.csv ${report:+--report $report} "$program" "$kind" >out 2>err || status=$?
  [ $status = "$wanted" ] || fail "$kind: status $status: $(cat err)"
  # Each core's times add up to the run, and nobody who has not ended is idle.
  awk -F, '$1 ~ /^core[.](waiting|computing|copying|accessing|idle)$/ {
    sum[$2] += $4 } $1 == "run.simulated_time" { end = $4 }
    END { for (core in sum) { ++cores; d = sum[core] - end; if (d * d > 1e-10) bad = 1 } exit bad ||
    cores != 6 }' stats.csv ||
    fail "$kind: times do not add up: $(cat stats.csv)"
  # The path's, too, to the last instant or the crash.
  awk '/"end"/ && !ends { match($0, /"end": [0-9]+/); ends = substr($0, RSTART + 7, RLENGTH - 7) }
    /"kind"/ { match($0, /"time": [0-9]+/); sum += substr($0, RSTART + 8, RLENGTH - 8);
    ++parts } /"kind": "unknown"/ { bad = 1 }
    END { exit !(parts > 0 && sum == ends && !bad) }' why.json ||
    fail "$kind: the path does not add up: $(cat why.json)"
  grep -q '"complete": false' why.json || fail "$kind: $(cat why.json)"
  grep -o '"ts":[0-9.]*' trace.json | cut -d: -f2 | awk -v end="$(value run.simulated_time '')" '
    $1 > last { last = $1 } END { d = last - end; exit !(d * d < 1e-10) }' ||
    fail "$kind: the trace ends earlier"
}
value() { awk -F, -v name="$1" -v labels="$2" '$1 == name && $2 == labels { print $4 }' "${3:-stats.csv}"; }
# waits RANK FROM: asleep until the end since then, in us, and not idle.
waits() {
  awk -v waiting="$(value core.waiting core="$1")" -v idle="$(value core.idle core="$1")" \
    -v end="$(value run.simulated_time '')" -v from="$2" \
    'BEGIN { exit !(idle == 0 && waiting >= end - from - 1e-9) }' ||
    fail "$kind: core $1 does not wait from $2 on: $(cat stats.csv)"
  [ -z "$report" ] || grep -o '"kind":"split".*' $report |
    grep -qE "\"rank $1\",\"core\":$1,\"values\":\[[^]]*,0\]" || fail "$kind: page: rank $1 is idle"
}
# call NAME RETURNED UNFINISHED
call() {
  [ "$(value call.count function="$1")" = "$2" ] && [ "$(value call.unfinished function="$1")" = "$3" ] ||
    fail "$kind: $1: $(grep "$1" stats.csv)"
}
# profiled NAME COUNT: all that have begun.
profiled() {
  [ "$(awk -F, -v of="call=$1," '$1 == "profile.count" && index($0, of) { sum += $NF } END {
    print sum }' profile.csv)" = "$2" ] ||
    fail "$kind: profile of $1: $(cat profile.csv)"
}
since() { sed -n "s/.*\"rank\": $1, \"waits\": true, \"since\": \([0-9]*\), \"waits_for\": $2,.*/\1/p" \
  why.json | awk '{ print $1 / 1000000 }'; }

record ring 121
for rank in 1 2 3 4; do
  from=$(since $rank $((rank % 4 + 1)))
  [ "$from" ] || fail "ring: rank $rank waits for nobody: $(cat why.json)"
  waits $rank "$from"
done
call RCCE_send 1 4
call RCCE_finalize 0 2
profiled RCCE_send 5
[ "$(grep -c '"in_cycle": true' why.json)" = 4 ] || fail "no cycle: $(cat why.json)"
[ "$(value pair.unfinished 'sender=4 receiver=1' pairs.csv)" = 1 ] &&
  [ "$(value pair.bytes_unfinished 'sender=4 receiver=1' pairs.csv)" = 64 ] ||
  fail "no message under way: $(cat pairs.csv)"
[ "$(grep -c '"unfinished":true' trace.json)" = 12 ] || fail "trace: $(grep unfinished trace.json)"
# The last to wait first, and the same again.
cp why.json first.json
record ring 121
cmp first.json why.json
awk '/"since"/ { match($0, /"since": [0-9]+/); since = substr($0, RSTART + 9, RLENGTH - 9) + 0; if (n++ &&
  since > before) bad = 1; before = since } END { exit bad || n != 6 }' \
  why.json || fail "not the last first: $(cat why.json)"

# In a barrier, a collective call, a request, a lock.
for what in 'barrier RCCE_barrier 6' 'bcast RCCE_bcast 0' 'isend iRCCE_isend_wait 0' \
  'irecv iRCCE_irecv_wait 0'; do
  # shellcheck disable=SC2086
  set -- $what
  record "$1" 121
  call "$2" "$3" 5
  for rank in 0 2 3 4 5; do waits $rank "$(since $rank 1)"; done
  waits 1 "$(since 1 1)"
done
[ -z "$report" ] || grep -q '"unfinished":\[\[1,0,64,[0-9.]*,false,"iRCCE_irecv"\]' $report ||
  grep -q 'false,"iRCCE_irecv_wait"' $report || fail "no awaited message"
record lock 121
call RCCE_acquire_lock 1 5
for rank in 0 3 4 5; do waits $rank "$(since $rank 1)"; done

# One has ended before: from then on it is idle, or the last to end.
record ended 121
for rank in 0 2 3 4 5; do waits $rank "$(since $rank 1)"; done

# A time limit, while one computes: it does so until the end, and the others wait.
record computes 124 --timeout 1
for rank in 1 2 3; do waits $rank "$(since $rank 0)"; done
awk -v idle="$(value core.idle core=0)" 'BEGIN { exit idle != 0 }' || fail "computes: idle"
at=$(sed -n 's/^rccerun: the run was ended by its time limit of 1 s at \([0-9.]*\) us.*/\1/p' err)
awk -v at="$at" -v end="$(value run.simulated_time '')" \
  'BEGIN { d = at - end; exit !(at && d < 0.001 && d > -0.001) }' ||
  fail "the run ends at $at us, the statistics say $(value run.simulated_time '')"

# A signal from outside.
"$BIN/rccerun" -nue 6 --force --statistics=stats.csv "$program" computes >out 2>err &
runs=$!
i=0
while ! grep -q 'computes for ever' out && [ $i -lt 200 ]; do
  sleep 0.1
  i=$((i + 1))
done
sleep 0.3
kill -INT $runs 2>/dev/null || true
kill -TERM $runs 2>/dev/null || true
wait $runs || true
kind=signal report=
for rank in 1 2 3; do waits $rank 6.6; done
"$BIN/rccerun" -nue 2 --report try.html --force "$PROGRAMS/plain_main" >out 2>err && report=page.html

# The crash of another.
record crash 139
for rank in 1 2 3 4; do waits $rank "$(since $rank 5)"; done
call RCCE_recv 0 5

# The page says it first, with the lines, and who waits for whom.
if [ "$report" ]; then
  grep -q '"verdict":{"title":"crash of rank 5","lines":\["rank 5 (core 05, tile 2) crashed at' $report ||
    fail "no verdict of the crash"
  record ring 121
  grep -q '"verdict":{"title":"deadlock","lines":\["deadlock at .*"  cycle: rank 1 -> 2 -> 3 -> 4 -> 1"' \
    $report || fail "no verdict of the deadlock"
  grep -qE '"waits":\[\[0,1,[0-9.]*,false\],\[1,2,[0-9.]*,true\],' $report || fail "no cycle on the die"
  grep -q '"unfinished":\[\[1,2,64,[0-9.]*,true,"RCCE_send"\],' $report || fail "no messages under way"
  ! grep -q '"verdict":{' try.html || fail "a verdict of a good run"
fi
