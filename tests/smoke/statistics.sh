#!/bin/sh
# --statistics and --matrix: what they count is right, nothing changes by them, files that exist are left alone.
set -eu
fail() {
  echo "$*"
  exit 1
}
program=$PROGRAMS/ring_shift
"$BIN/rccerun" -nue 5 --digest "$program" 3 1000 >plain.out 2>plain.err

rm -f all.csv pairs.csv threads.csv ircce.csv ircce-pairs.csv table.txt

# Each rank sends 3 times 1000 doubles to the next one; nobody's time or digest moves.
"$BIN/rccerun" -nue 5 --digest --statistics=all.csv --matrix pairs.csv "$program" 3 1000 >out 2>err
cmp plain.out out && cmp plain.err err
awk -F, 'NR == 1 { next }
  { split($2, of, /[= ]/); if ((of[2] + 1) % 5 != of[4]) bad = 1 }
  $1 == "pair.messages" { ++pairs; messages += $4 }
  $1 == "pair.bytes" { bytes += $4 }
  END { exit !(pairs == 5 && messages == 15 && bytes == 120000 && !bad) }' pairs.csv || fail "wrong: $(cat pairs.csv)"
grep -q '^core.bytes_received,core=4,bytes,24000$' all.csv || fail "no bytes of core 4: $(cat all.csv)"
grep -q '^call.count,function=RCCE_recv,1,15$' all.csv || fail "no count of RCCE_recv: $(cat all.csv)"
grep -q '^run.simulated_time,,us,[0-9.]*$' all.csv || fail "no simulated time: $(cat all.csv)"

# The other engine has messages, too.
"$BIN/rccerun" -nue 5 --engine threads --matrix threads.csv "$program" 3 1000 >/dev/null
cmp pairs.csv threads.csv || fail "the engines differ: $(cat threads.csv)"

# iRCCE's messages; what has been sent has been received.
"$BIN/rccerun" -nue 7 --statistics=ircce.csv --matrix ircce-pairs.csv "$PROGRAMS/ircce_guess" >/dev/null
awk -F, '$1 == "core.messages_sent" { sent += $4 } $1 == "core.messages_received" { received += $4 }
  END { exit !(sent > 0 && sent == received) }' ircce.csv || fail "sent and received differ: $(cat ircce.csv)"

# Formats, and where they go.
"$BIN/rccerun" -nue 2 --statistics-format json "$program" 1 100 2>&1 >/dev/null | grep -q '"name": "run.simulated_time"' ||
  fail "no JSON on stderr"
"$BIN/rccerun" -nue 2 --statistics=table.txt "$program" 1 100 >/dev/null
grep -q '^call$' table.txt || fail "no table: $(cat table.txt)"

# What is there stays, but by --force.
status=0
"$BIN/rccerun" -nue 2 --statistics=table.txt "$program" 1 100 >out 2>err || status=$?
[ $status = 2 ] && grep -q 'the file is there already; choose another, or --force overwrites it' err || fail "status $status: $(cat err)"
[ ! -s out ] || fail "the program has run"
"$BIN/rccerun" -nue 2 --statistics=table.txt --force "$program" 1 100 >/dev/null
status=0
"$BIN/rccerun" -nue 2 --matrix ./missing/m.csv "$program" 1 100 2>err || status=$?
[ $status = 2 ] && grep -q "no file can be written in" err || fail "status $status: $(cat err)"
