#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The commands on machines with coherent caches run, give the same twice, and refuse in one line what makes no
# sense.
set -eu
. "$SOURCE/tests/support/checks.sh"

# The published optima of the Xeon Phi follow from its parameters.
"$bench" tune --machine xeon-phi-5110p --cores 30,60 --format csv >tuned.csv
for optimum in 'bcast,30,5 5' 'bcast,60,4 4 3' 'reduce,30,3 3 2' 'reduce,60,4 4 3'; do
  grep -q "^$optimum,.*,true,[a-z]*,[0-9.,]*$" tuned.csv ||
    fail "tune: $optimum is not the best by costs: $(cat tuned.csv)"
done
"$bench" tune --machine xeon-phi-5110p --cores 30,60 --format csv | cmp - tuned.csv ||
  fail "tune: another result"
"$bench" tune --machine core2q --operation barrier >table
grep -q '^barrier .* 4 ' table || fail "tune: all cores wanted: $(cat table)"
! grep -q '^bcast' table || fail "tune: only barriers were asked for"
refused "it is of messages by RCCE, and on machine 'x4600' no algorithm passes any" bcast --machine x4600 \
  --algorithms binomial --cores 4 --sizes 64 --rcce 1.0
refused "it is of messages by RCCE" compare --operation barrier --machine x4600,core2q --cores 2 \
  --copies plain
refused "500 threads is out of range 1..4" tune --machine core2q --cores 500
refused "use one of bcast, reduce, barrier" tune --machine core2q --operation allreduce
refused "--store" tune --machine core2q --store table
refused "--sizes" tune --machine core2q --sizes 3

# One sheet of several machines.
"$bench" compare --operation barrier --machine scc,xeon-phi-5110p,host --cores 2 >sheet
grep -q '^# .* points, all results right' sheet || fail "compare: $(tail -n 1 sheet)"
for row in 'scc  *simulated  *2 .* barrier/linear ' 'xeon-phi-5110p  *simulated  *2 .* barrier/mcs_tree ' \
  'host  *host  *2 .* barrier/std_barrier '; do
  grep -q "^$row" sheet || [ "$(nproc)" -lt 2 ] || fail "compare: no row '$row' in $(cat sheet)"
done
"$bench" compare --operation reduce --machine opteron-6172,core2q --cores 3,12 --sizes 0,8,4104 \
  --spread 'none;uniform:2' --format csv >a.csv
grep -q '^opteron-6172,simulated,12,4104,uniform:2,reduce/dynamic_pair,' a.csv || fail "compare: $(cat a.csv)"
! grep -q '^core2q,simulated,12' a.csv || fail "compare: core2q has four cores"
# winner, right, check, limit, share of it, earlier names of cores and size
! grep -q ',false,wrong,[0-9.]*,[0-9.]*,[0-9]*,[0-9]*$' a.csv ||
  fail "compare: wrong results: $(grep ',wrong,[0-9.]*,[0-9.]*,[0-9]*,[0-9]*$' a.csv)"
[ "$(grep ',true,true,ok,[0-9.]*,[0-9.]*,[0-9]*,[0-9]*$' a.csv | cut -d, -f1,3-5 | sort -u | wc -l)" \
  -eq 18 ] || fail "compare: a winner for each machine, size, threads and spread"
"$bench" compare --operation reduce --machine opteron-6172,core2q --cores 3,12 --sizes 0,8,4104 \
  --spread 'none;uniform:2' --format csv | cmp - a.csv ||
  fail "compare: another result"
"$bench" compare --operation bcast --machine xeon-phi-5110p --cores 5 --sizes 0,1,65 --format json |
  grep -q '"winners"' || fail "compare: json"
# Every operation that messages have, beside a limit, and every result right.
for operation in allreduce gather scatter allgather alltoall reduce_scatter scan; do
  "$bench" $operation --machine xeon-phi-5110p,core2q --cores 3,4 --sizes 0,8,1000 --format csv >sheet ||
    fail "$operation: $(cat sheet)"
  rows=$(grep -c "^$operation/" sheet)
  [ "$rows" -ge 24 ] && [ "$(grep -c "^$operation/.*,true," sheet)" -eq "$rows" ] ||
    fail "$operation: $(cat sheet)"
  grep -v '^#' sheet | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $column["bytes"] == 1000 && !($column["limit_us"] > 0 &&
    $column["limit_us"] <= $column["simulated_us_max"]) { print; exit 1 }' ||
    fail "$operation: no limit below the time"
done
"$bench" allreduce --machine core2q --cores 4 --sizes 64 --reduce pair_tree,linear --bcast flat \
  --algorithms reduce_bcast >sheet
[ "$(grep -c 'allreduce/reduce_bcast .* reduce=[a-z_]* bcast=flat .*ok$' sheet)" -eq 2 ] ||
  fail "reduce_bcast: $(cat sheet)"
for type in int long float; do
  "$bench" compare --operation reduce --machine core2q --cores 3 --sizes 24 --type $type --op max >sheet ||
    fail "compare $type: $(cat sheet)"
done
"$bench" compare --operation reduce --machine host --sizes 8 --algorithms linear >sheet ||
  fail "compare: $(cat sheet)"
# Times of the host: a median between quartiles, and no winner whose quartiles overlap others'.
"$bench" compare --operation barrier --machine host --cores 2 --format csv >host.csv ||
  fail "compare: $(cat host.csv)"
grep -v '^#' host.csv | awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
  { if (!(column["time_us"] && column["lower_quartile_us"] && column["upper_quartile_us"])) {
  print "columns: " $0; exit 1 }
    time = $column["time_us"] + 0; low = $column["lower_quartile_us"] + 0;
    high = $column["upper_quartile_us"] + 0
    if (!(low <= time && time <= high)) { print "quartiles: " $0; exit 1 }
    if ($column["winner"] == "true") { won = high; winners++ } else if (least == "" ||
    low < least) least = low }
  END { if (winners > 1 || (winners == 1 && won >= least)) { print "winner: " won " " least; exit 1 } }' ||
  { [ "$(nproc)" -ge 2 ] && fail "compare: $(cat host.csv)"; }
# A time is one call's: one thread alone needs some microseconds at most, where a series of calls takes
# milliseconds.
for operation in barrier 'reduce --sizes 8' 'bcast --sizes 8' 'allreduce --sizes 8'; do
  "$bench" compare --operation $operation --machine host --cores 1 --format csv >host.csv ||
    fail "compare: $(cat host.csv)"
  grep -v '^#' host.csv | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    !($column["time_us"] > 0 && $column["time_us"] < 300) { print; exit 1 }' ||
    fail "$operation: a time of the host is none of one call"
done
if ldd "$bench" | grep -q libtbb; then # oneTBB was there at build time
  "$bench" compare --operation reduce --machine host --algorithms onetbb,linear --sizes 8,4096 --format csv \
    >host.csv || fail "compare: $(cat host.csv)"
  [ "$(grep -c ',reduce/onetbb,.*,\(true\|false\),true,ok,[0-9.,]*$' host.csv)" -eq 2 ] ||
    [ "$(nproc)" -lt 2 ] || fail "compare: no oneTBB in $(cat host.csv)"
fi
printf '0 1 2\n' >delays
refused "a line has 3 delays, and 4 cores are asked for" compare --operation barrier \
  --machine core2q --cores 4 --spread delays
refused "machine 'nonsuch'" compare --operation barrier --machine scc,nonsuch
refused "machine 'core2q' runs 1 to 4" compare --operation barrier --machine core2q,scc --cores 48
refused "not a whole number of elements" compare --operation reduce --machine core2q --sizes 7
refused "did you mean" compare --operation reduce --machine core2q --algorithms pair_trea
refused "--root 1" compare --operation bcast --machine core2q --root 1
refused "one of the arrivals is empty" compare --operation barrier --machine core2q --spread 'none;'
refused "no parameters to set" compare --operation barrier --machine host --set queue.read=3
refused "--statistics" compare --operation barrier --machine scc,core2q --statistics

# Machine files.
printf '[machine]\nkind = coherent\nnodes = 2\n[load]\nmodified = 30 40\ninvalid = 90 120\n' >two.machine
"$bench" compare --operation barrier --machine two.machine --cores 3 >sheet ||
  fail "machine file: $(cat sheet)"
printf '[machine]\nkind = coherent\n[load]\nmodifed = 30 40\n' >unknown.machine
refused "line 4: unknown name 'modifed' in \[load\]; did you mean 'modified'" tune \
  --machine unknown.machine
printf '[machine]\nkind = coherent\nnodes = 2\n[load]\ninvalid = 90 120\n' >missing.machine
refused "\[load\] modified has 0 values" tune --machine missing.machine
printf '[machine]\nkind = coherent\nnodes = 2\n[load]\nmodified = 30 40 50\ninvalid = 90 120\n' >long.machine
refused "modified has 3 values; the machine has 2 places" tune --machine long.machine
