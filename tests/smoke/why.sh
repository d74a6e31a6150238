#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --why: do the path's times add up to the run's end, for every number of UEs; is it the same twice; does
# nothing change by it; do the other runs come out as their options do; is what cannot be run again told?
set -eu
. "$SOURCE/tests/support/checks.sh"
program=$PROGRAMS/ring_shift
rm -f ./*.json ./*.txt ./*.out ./*.csv

# The JSON's times, one part to a line, add up to its end; an end in ps.
adds_up() {
  awk '/"end"/ && !ends { match($0, /"end": [0-9]+/); ends = substr($0, RSTART + 7, RLENGTH - 7) }
    /"kind"/ { match($0, /"time": [0-9]+/); sum += substr($0, RSTART + 8, RLENGTH - 8); ++parts }
    /"kind": "unknown"/ { bad = 1 }
    END { exit !(parts > 0 && sum == ends && !bad) }' "$1" || fail "$1 does not add up: $(cat "$1")"
}
ends() { sed -n 's/.*"end": \([0-9]*\), "rank".*/\1/p' "$1"; }

for ues in 2 3 5 47 48; do
  "$BIN/rccerun" -nue $ues --digest --statistics=$ues.csv "$program" 3 1001 >plain.out 2>plain.txt
  "$BIN/rccerun" -nue $ues --digest --what-if off --why=$ues.json "$program" 3 1001 >why.out 2>why.txt
  cmp plain.out why.out && cmp plain.txt why.txt
  adds_up $ues.json
  grep -q '"what_if": \[' $ues.json || fail "no what_if"
  us=$(sed -n 's/^run.simulated_time,,us,//p' $ues.csv)
  awk -v us="$us" -v ps="$(ends $ues.json)" 'BEGIN { d = us * 1000000 - ps; exit !(d < 1 && d > -1) }' ||
    fail "$ues: the run takes $us us, the path $(ends $ues.json) ps"
done
for run in '1 plain_main' '7 ircce_guess' '5 big_data' '4 gory_stencil' '12 grid 4'; do
  # shellcheck disable=SC2086
  set -- $run
  ues=$1 name=$2
  shift 2
  "$BIN/rccerun" -nue "$ues" --what-if off --why="$name.json" "$PROGRAMS/$name" "$@" >/dev/null 2>err.out
  adds_up "$name.json"
done

# The other runs are what their options say, at no other run's cost: the program's output is there once.
"$BIN/rccerun" -nue 5 --why "$program" 3 1001 >once.out 2>text.out
"$BIN/rccerun" -nue 5 "$program" 3 1001 >plain.out 2>/dev/null
cmp once.out plain.out
"$BIN/rccerun" -nue 5 --why "$program" 3 1001 2>&1 >/dev/null | cmp - text.out
what_if() { sed -n "s/^  with $1: *\([0-9.]*\) us, .*/\1/p" text.out; }
for pair in 'no contention:--contention off' 'mesh at twice the clock:--set mesh.clock=1600' \
  'automatic collectives:--collectives auto'; do
  # shellcheck disable=SC2086
  "$BIN/rccerun" -nue 5 ${pair#*:} --what-if off --why=other.json --force "$program" 3 1001 >/dev/null 2>&1
  awk -v us="$(what_if "${pair%%:*}")" -v ps="$(ends other.json)" \
    'BEGIN { d = us * 1000000 - ps; exit !(us && d < 501 && d > -501) }' ||
    fail "${pair%%:*}: $(cat text.out), but $(ends other.json) ps"
done
grep -q 'not run again: prefetching copies: the run has them' text.out || fail "$(cat text.out)"
[ "$(grep -vc '^rccerun: ' text.out)" -le 16 ] || fail "long: $(cat text.out)"
# In words that need no key; what takes 1 % has a line of its own; more or less time is said so.
! grep -qE '^  (others|look|access) |changes core| [+-][0-9.]+ %' text.out ||
  fail "not plain: $(cat text.out)"
awk '/small ones/ { n = split($0, word);
  for (i = 1; i <= n; ++i) if (word[i] == "%") small = word[i - 1] } END { exit small >= 5 }' text.out ||
  fail "much is left: $(cat text.out)"
# A barrier that is free is never dearer.
awk -v free="$(what_if 'free barriers')" \
  -v all="$(sed -n 's/^why: the run takes \([0-9.]*\) us.*/\1/p' text.out)" \
  'BEGIN { exit !(free && free + 0 < all + 0) }' ||
  fail "free barriers: $(cat text.out)"

# Two communicators with one first member, whose flags share a word: each has its own free barriers.
cat >split.c <<'END'
#include "RCCE.h"
static int half(int rank, void *none) { return none == 0 ? rank / 2 : 0; }
int RCCE_APP(int argc, char **argv) {
  RCCE_COMM pair;
  RCCE_init(&argc, &argv);
  RCCE_comm_split(half, 0, &pair);
  if (RCCE_ue() == 1) rcce_compute(50000); /* ranks 2 and 3 are in the barrier of all before */
  if (RCCE_ue() < 2) RCCE_barrier(&pair);
  RCCE_barrier(&RCCE_COMM_WORLD);
  return RCCE_finalize();
}
END
"$BIN/rccecc" --rcce 1.0 -DSINGLEBITFLAGS split.c -o split
"$BIN/rccerun" -nue 4 --why ./split 2>text.out
grep -q '^  with free barriers: ' text.out || fail "barriers of two communicators: $(cat text.out)"

# Standard input: from a file every run has it, from a pipe only the run itself.
echo 5 >input
"$BIN/rccerun" -nue 2 --why "$PROGRAMS/racing" reads <input 2>text.out >/dev/null || true
grep -q 'with no contention: .* us' text.out || fail "no other run with a file: $(cat text.out)"
echo 5 | "$BIN/rccerun" -nue 2 --why "$PROGRAMS/racing" reads 2>text.out >/dev/null || true
grep -q 'not run again: no contention, .*: the program reads standard input' text.out ||
  fail "a pipe: $(cat text.out)"
"$BIN/rccerun" -nue 2 --why "$program" 1 1 2>text.out >/dev/null <input
cat input | "$BIN/rccerun" -nue 2 --why "$program" 1 1 2>text.out >/dev/null
grep -q 'with no contention: .* us' text.out || fail "nobody reads the pipe: $(cat text.out)"

# Where the host's clock is in, two runs differ by themselves: there is nothing to compare with.
"$BIN/rccerun" -nue 2 --compute host:20 --why "$program" 1 1 >/dev/null 2>text.out
grep -q "not run again: no contention, .*automatic collectives: code between calls takes host time" \
  text.out && ! grep -q '^  with ' text.out ||
  fail "what-ifs of the host's time: $(cat text.out)"

# A lock for which cores wait, and what is prepared once.
cat >locked.c <<'END'
#include "RCCE.h"
int RCCE_APP(int argc, char **argv) {
  char data[64] = {0};
  RCCE_init(&argc, &argv);
  for (int i = 0; i < 10; ++i) {
    RCCE_acquire_lock(0);
    rcce_compute(100000);
    RCCE_release_lock(0);
  }
  RCCE_bcast(data, 64, 0, RCCE_COMM_WORLD); /* all but one have waited for the lock's last holder there */
  RCCE_finalize();
  return 0;
}
END
"$BIN/rccecc" locked.c -o locked
"$BIN/rccerun" -nue 4 --why ./locked 2>locked.txt
grep -Eq '^  the lock of rank 0 .core 00. was held 40 times, for 75[0-9][0-9]\.[0-9]* us .9[0-9]\.[0-9] %. '\
'in all, with up to 3 cores waiting for it, 16[0-9]{3}\.[0-9]* us in all$' locked.txt ||
  fail "no lock: $(cat locked.txt)"
grep -Eq '^  with automatic collectives: .* us, .*\(with [0-9]{1,2}[.][0-9]+ us to set them up, once, '\
'without which it is ' locked.txt || fail "no preparation: $(cat locked.txt)"
# Where the run has them, too, no line says so: they are no part of the difference.
"$BIN/rccerun" -nue 4 --collectives auto --why ./locked 2>automatic.txt
grep -q '^  with no contention: ' automatic.txt || fail "no other run: $(cat automatic.txt)"
if grep -q 'to set them up' automatic.txt; then fail "set up in both runs: $(cat automatic.txt)"; fi
# `auto` takes the rows of the machine's clock, whatever the program is told.
cat >sizes.c <<'END'
#include "RCCE.h"
static char data[9000];
int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  for (int bytes = 8; bytes < 9000; bytes = bytes * 3 / 2) RCCE_bcast(data, bytes, 0, RCCE_COMM_WORLD);
  return RCCE_finalize();
}
END
"$BIN/rccecc" sizes.c -o sizes
for clock in 0.533 0.8 1.0; do
  "$BIN/rccerun" -nue 48 -clock $clock --compute none --collectives auto --digest ./sizes 2>digest-$clock
done
cmp digest-0.533 digest-0.8 && cmp digest-0.533 digest-1.0 || fail "auto goes by -clock: $(cat digest-*)"
"$BIN/rccerun" -nue 4 --why=locked.json --what-if off ./locked
grep -q '{"rank": 0, "core": 0, "taken": 40, "held": [0-9]*, "waiting": 3, "waited": [0-9]*}' locked.json ||
  fail "$(cat locked.json)"
"$BIN/rccerun" -nue 4 --statistics=locked.csv ./locked
for name in held:held waiting:waited; do # one source: microseconds here, picoseconds there
  us=$(sed -n "s/^lock.${name%:*},core=0,us,//p" locked.csv) \
    ps=$(sed -n "s/.*\"${name#*:}\": \([0-9]*\).*/\1/p" locked.json)
  awk "BEGIN { exit !($us > 0 && ($us - $ps / 1e6) ^ 2 < 1e-6) }" || fail "lock.$name: $us us, $ps ps"
done
! grep -q '"taken"' 5.json || fail "a lock that nobody waited for: $(cat 5.json)"

# The distance of accesses: from rank 0 to its own tile, and across the die.
cat >far.c <<'END'
#include "RCCE.h"
int RCCE_APP(int argc, char **argv) {
  static char data[8192];
  RCCE_init(&argc, &argv);
  if (RCCE_ue() == 0) RCCE_send(data, sizeof data, RCCE_num_ues() - 1);
  if (RCCE_ue() == RCCE_num_ues() - 1) RCCE_recv(data, sizeof data, 0);
  RCCE_finalize();
  return 0;
}
END
"$BIN/rccecc" far.c -o far
for pair in '2:0.0' '48:8.0'; do
  "$BIN/rccerun" -nue "${pair%:*}" --what-if off --why ./far 2>far.txt
  grep -Eq "^  copies from buffers .* RCCE_recv [0-9.]+; ${pair#*:} hops on average$" far.txt ||
    fail "no distance: $(cat far.txt)"
done

# The program's own code by function: all of it, the longest first, and the same time as without --why.
cat >functions.c <<'END'
#include "RCCE.h"
#include <stdio.h>
__attribute__((noinline)) static double weighs(double *values, int n) {
  double sum = 0;
  for (int i = 1; i < n; i++) sum += values[i] / values[i - 1];
  return sum;
}
__attribute__((noinline)) static void fills(double *values, int n) {
  for (int i = 0; i < n; i++) values[i] = i + 1;
}
int RCCE_APP(int argc, char **argv) {
  static double values[1000];
  RCCE_init(&argc, &argv);
  fills(values, 1000);
  const double sum = weighs(values, 1000);
  RCCE_barrier(&RCCE_COMM_WORLD);
  printf("%d\n", sum > 0);
  RCCE_finalize();
  return 0;
}
END
"$BIN/rccecc" -O1 functions.c -o functions
"$BIN/rccerun" -nue 2 --compute blocks --digest ./functions 2>plain.txt
"$BIN/rccerun" -nue 2 --compute blocks --digest --what-if off --why ./functions 2>functions.txt
grep -Eq "own code .* outside of calls [0-9.]+; in weighs [0-9.]+, fills [0-9.]+, main [0-9.]+" \
  functions.txt || fail "no functions: $(cat functions.txt)"
[ "$(grep ^digest plain.txt)" = "$(grep ^digest functions.txt)" ] || fail "--why changes times"
"$BIN/rccerun" -nue 2 --compute blocks --what-if off --why=functions.json ./functions
python3 - <<'END'
import json
for part in json.load(open("functions.json"))["path"]:
  if part["kind"] == "program" and part["call"] == "":
    assert sum(one["time"] for one in part["functions"]) == part["time"], part
END
"$BIN/rccerun" -nue 2 --compute host:1 --what-if off --why ./functions 2>host.txt
grep -q "own code .* outside of calls [0-9.]*; before which calls: --profile$" host.txt ||
  fail "no option: $(cat host.txt)"

# The program's own code by what it takes.
cat >sums.c <<'END'
#include "RCCE.h"
static int values[1 << 20];
int RCCE_APP(int argc, char **argv) {
  int sum = 0;
  RCCE_init(&argc, &argv);
  for (int i = 0; i < 1 << 20; i += 8) sum += values[i];
  /* 64 KB, which stay in the second-level cache */
  for (int i = 0; i < 1 << 16; i += 8) sum += values[i & 0x3fff];
  RCCE_finalize();
  return sum;
}
END
"$BIN/rccecc" --memory sums.c -o sums
"$BIN/rccerun" -nue 1 --compute cache --what-if off --why ./sums 2>sums.txt
grep -Eq "own code .*; cycles [0-9.]+, L2 [0-9.]+, memory [0-9.]+$" sums.txt ||
  fail "no split: $(cat sums.txt)"
"$BIN/rccerun" -nue 1 --compute cache --statistics=sums.csv ./sums
awk -F, '/^core.own_code/ { part[$1] = $4 }
  END { l2 = part["core.own_code_l2"]; memory = part["core.own_code_memory"]
        exit !(l2 > 0 && memory > 20 * l2 && l2 + memory < part["core.own_code"]) }' sums.csv ||
        fail "no split in the statistics: $(grep own_code sums.csv)"

# Locks, distances and the parts of own code: the statistics, the profile and the page count them once.
printf '00\n47\n' >far.hosts
recorded() { # recorded NAME OPTIONS... PROGRAM
  name=$1
  shift
  "$BIN/rccerun" --statistics="$name-statistics.csv" --profile="$name-profile.csv" --report "$name.html" \
    "$@" >recorded.out 2>recorded.txt ||
    grep -q 'uPlot was not there' recorded.txt || fail "$(cat recorded.txt)"
  [ -e "$name.html" ] || "$BIN/rccerun" --statistics="$name-statistics.csv" --profile="$name-profile.csv" \
    "$@" >recorded.out
}
rm -f ./*.html
recorded locked -nue 4 ./locked
recorded sums -nue 1 --compute cache ./sums
recorded far -nue 2 -f far.hosts "$program" 3 1001
python3 - <<'END'
import csv, json, os

def rows(file):
  return [(one["statistic"], one["labels"], float(one["value"])) for one in csv.DictReader(open(file))]

def values(name, file, statistic):
  return [value for what, _, value in rows(f"{name}-{file}.csv") if what == statistic]

def table(name, title):
  for line in open(f"{name}.html"):
    if line.startswith('{"kind":"table"') and f'"title":"{title}' in line:
      return json.loads(line.rstrip().rstrip(",").removesuffix("]}") + "]}")["rows"]
  raise SystemExit(f"{name}.html has no table {title}")

def near(a, b):
  return abs(a - b) < 1e-4 * max(1, abs(b))

locks = [row for row in rows("locked-statistics.csv") if row[0].startswith("lock.")]
profile = [row for row in rows("locked-profile.csv") if row[0].startswith("lock.")]
assert len(locks) == 4 and locks == profile, locks
for part in ("l2", "memory"):
  one, [core] = sum(values("sums", "profile", f"profile.{part}")), values("sums", "statistics",
      f"core.own_code_{part}")
  assert near(one, core), (part, one, core)
copies = [row for row in rows("far-statistics.csv") if row[0] == "core.copy_hops"]
# Puts to its own buffer, gets from one 8 links away.
assert len(copies) == 2 and all(0 < hops < 8 for _, _, hops in copies), copies
hops = [row for row in rows("far-profile.csv") if row[0] == "profile.hops"]
assert any(0 < value <= 8 for _, _, value in hops), hops
assert all(value == 0 for _, labels, value in hops if "call=-" in labels), hops
if os.path.exists("locked.html"):
  [[lock, taken, held, waiting, waited]] = table("locked", "Locks")
  assert [lock, taken, held, waited, waiting] == ["core 0"] + [value for _, _, value in locks], (lock, taken,
      held, waiting, waited)
  [[_, _, _, cycles, l2, memory]] = table("sums", "Distances")
  for shown, part in ((l2, "_l2"), (memory, "_memory"), (cycles + l2 + memory, "")):
    assert near(shown, values("sums", "statistics", f"core.own_code{part}")[0]), (shown, part)
  assert sorted(row[1] for row in table("far", "Distances")) == sorted(value for _, _, value in copies)
END
