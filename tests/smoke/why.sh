#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --why: do the path's times add up to the run's end, for every number of UEs; is it the same twice; does
# nothing change by it; do the other runs come out as their options do; do locks and own code count alike?
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

# from_page FILE: a program of the page of what --why tells.
from_page() { sed -n "/^[\`]*c $1\$/,/^\`/{ /^\`/!p; }" "$SOURCE/tests/smoke/pages/why_told.md" >"$1"; }

# A lock for which cores wait.
from_page locked.c
"$BIN/rccecc" locked.c -o locked
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

# The program's own code by what it takes.
from_page sums.c
"$BIN/rccecc" --memory sums.c -o sums
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
