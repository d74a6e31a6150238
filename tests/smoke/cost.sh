#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rccebench cost: every broadcast of the table, larger meshes, programs of one's own; lines, simulated time
# and the ratio of both times are right in CSV and JSON.
set -eu
. "$SOURCE/tests/support/checks.sh"
"$bench" cost --sizes 32 --cores 4 --runs 1 --format csv >all.csv
"$bench" compare --sizes 32 --cores 4 --format csv >compare.csv
sed -n 's/^\(bcast[^,]*\),.*/\1/p' all.csv >costed
sed -n 's/^\(bcast[^,]*\),.*/\1/p' compare.csv >compared
cmp costed compared || fail "not every broadcast of the table has a row"

# 1504 bytes are 47 lines, put once and got once for each receiver.
"$bench" cost --algorithms linear --sizes 1504 --cores 2,48,100 --runs 1 --format csv >linear.csv
cat linear.csv
grep -v '^#' linear.csv | awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  { host = $at["host_cost"]; simulated = $at["simulated_communication_us"]; lines = $at["lines_moved"]
    ratio = $at["host_seconds_per_simulated_second"] * simulated / host;
    each = $at["host_time_per_line_ns"] * lines / host / 1000
    if (lines != 94 * ($at["cores"] - 1) || host <= 0 || simulated <= 0 ||
    $at["peak_memory_mib"] <= 0) bad = 1
    if (ratio < 0.999 || ratio > 1.001 || each < 0.999 || each > 1.001 || $at["unit"] != "us" ||
    $at["bytes"] != 1504) bad = 1 }
  END { exit !(NR == 4 && !bad) }' || fail "linear.csv is wrong"

# What a core of a large mesh keeps does not grow with their number: RCCE's tables of all ranks are left out
# where nobody looks at them, and no row keeps a number for each rank. 1,024 cores take 223 MiB; with all of
# that on each they would take 380.
"$bench" cost --algorithms clusters --sizes 8192 --cores 1024 --runs 1 --format csv >large.csv
grep -v '^#' large.csv | awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  { memory = $at["peak_memory_mib"] }
  END { exit !(memory > 0 && memory < 275) }' || fail "1,024 cores take too much memory: $(cat large.csv)"

# A run of a program: all of its communication, with its start.
program="$BIN/../libexec/rockcreek/operations-rcce20 bcast 3 1504"
"$bench" cost --program "$program" --cores 48 --runs 1 --format json >program.json
grep -q '"lines_moved": 13254' program.json ||
  fail "three broadcasts of 4418 lines wanted: $(cat program.json)"
"$BIN/rccerun" -nue 48 --statistics=statistics.csv --force $program >/dev/null
simulated=$(sed -n 's/^run[.]simulated_time,,us,\([0-9]*[.][0-9]\{3\}\).*/\1/p' statistics.csv)
grep -q "\"simulated_communication_us\": ${simulated%?}" program.json ||
  fail "simulated $simulated us wanted: $(cat program.json)"
