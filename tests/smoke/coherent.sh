#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# On machines with coherent caches every row is right and above its limit; times of the host are medians of
# one call. pages/coherent_*.md have what is tuned and refused.
set -eu
. "$SOURCE/tests/support/checks.sh"

# One sheet of several machines.
"$bench" compare --operation barrier --machine scc,xeon-phi-5110p,host --cores 2 >sheet
grep -q '^# .* points, all results right' sheet || fail "compare: $(tail -n 1 sheet)"
for row in 'scc  *simulated  *2 .* barrier/linear ' 'xeon-phi-5110p  *simulated  *2 .* barrier/mcs_tree ' \
  'host  *host  *2 .* barrier/std_barrier '; do
  grep -q "^$row" sheet || [ "$(nproc)" -lt 2 ] || fail "compare: no row '$row' in $(cat sheet)"
done
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
