#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Operations on blocks, and scans, at the command line: every algorithm is checked, has its limit and its
# drawing, and no rank's block is lost where there are more ranks than bytes.
set -eu
. "$SOURCE/tests/support/checks.sh"

for operation in gather scatter allgather alltoall reduce_scatter scan; do
  sizes=0,1,30,8191
  case $operation in reduce_scatter | scan) sizes=0,8,32,8200 ;; esac
  "$bench" $operation --cores 1,2,3,12,47 --sizes $sizes --format csv >rows.csv ||
    fail "$operation: $(cat rows.csv)"
  rows=$(grep -c "^$operation/" rows.csv)
  [ "$(grep -c "^$operation/.*,true," rows.csv)" -eq "$rows" ] ||
    fail "$operation: wrong bytes: $(cat rows.csv)"
  algorithms=$(grep "^$operation/" rows.csv | cut -d, -f1 | sort -u)
  [ "$rows" -eq $((20 * $(echo "$algorithms" | wc -l))) ] || fail "$operation: $rows rows"
  "$bench" compare --operation $operation --cores 48 --sizes 8192 --limits terms >table ||
    fail "$operation: $(cat table)"
  grep -q 'distance.*Binds' table || fail "$operation: no terms of the limit: $(cat table)"
  for algorithm in $algorithms; do
    "$bench" show "$algorithm" --cores 5 --bytes 320 >rounds || fail "show $algorithm: $(cat rounds)"
    grep -q '^round ' rounds || fail "show $algorithm has no rounds: $(cat rounds)"
  done
  echo "$operation" >>done
done
# Sizes of one rank's block are those of all ranks together, on each number of cores.
"$bench" allgather --cores 3,8 --sizes 24,96 --algorithms ring --per-rank --format csv >own.csv
"$bench" allgather --cores 3 --sizes 72,288 --algorithms ring --format csv >three.csv
"$bench" allgather --cores 8 --sizes 192,768 --algorithms ring --format csv >eight.csv
times_in() { # times_in FILE...: cores, bytes and time
  awk -F, '/^#/ { next } /^algorithm,/ { for (i = 1; i <= NF; ++i) at[$i] = i; next }
    { print $at["cores"], $at["bytes"], $at["simulated_us_max"] }' "$@"
}
times_in own.csv >own.times
times_in three.csv eight.csv >whole.times
[ -s own.times ] && cmp own.times whole.times || fail "--per-rank: $(cat own.csv)"
# The bus bandwidth is the bandwidth times what nccl-tests define.
bus() { # bus OPERATION FACTOR_OF_8_RANKS OPTIONS...
  operation=$1 factor=$2
  shift 2
  "$bench" $operation --cores 8 --sizes 4096 --bandwidth bus "$@" --format csv >bus.csv ||
    fail "$operation: $(cat bus.csv)"
  awk -F, -v factor="$factor" '/^#/ { next } /^algorithm,/ { for (i = 1; i <= NF; ++i) at[$i] = i; next }
    { bus = $at["bus_bandwidth_mib_per_s"]; ratio = bus / $at["bandwidth_mib_per_s"]; ++rows
      if (factor == "" ? bus != "" : ratio < factor - 1e-6 || ratio > factor + 1e-6) wrong = 1 }
    END { exit wrong || !rows }' bus.csv || fail "bus bandwidth of $operation: $(cat bus.csv)"
}
bus bcast 1
bus reduce 1
bus allreduce 1.75
for operation in gather scatter allgather alltoall; do bus $operation 0.875 --per-rank; done
bus reduce_scatter 0.875
bus scan ""
"$bench" allgather --cores 8 --sizes 24 --algorithms ring --per-rank --bandwidth bus >own.txt
grep -q 'Per rank (bytes).*Bandwidth (MiB/s)  Bus bandwidth (MiB/s)' own.txt || fail "columns: $(cat own.txt)"
grep -q '^# bandwidth .*times (n - 1) / n' own.txt || fail "no factor: $(cat own.txt)"
"$bench" allgather --cores 8 --sizes 24 --per-rank --bandwidth bus --format json >own.json
grep -q '"bytes_per_rank": 24' own.json && grep -q '"bus_bandwidth_mib_per_s": ' own.json ||
  fail "JSON: $(cat own.json)"
"$bench" compare --operation alltoall --cores 4 --sizes 24 --per-rank >own.txt
grep -q 'Size (bytes)  Per rank (bytes)' own.txt && grep -q '^ *4  *96  *24 ' own.txt ||
  fail "compare --per-rank: $(cat own.txt)"
# compare shows as columns what CSV has, of one machine and of several.
csv_of() { # csv_of COLUMN FORMAT: of the rows in own.csv, as a table rounds it
  awk -F, -v name="$1" -v format="$2\n" '/^#/ { next }
    /^algorithm,/ { for (i = 1; i <= NF; ++i) at[$i] = i; next } { printf format, $at[name] }' own.csv
}
set -- compare --operation allgather --cores 8 --sizes 24 --per-rank --algorithms linear,ring --last \
  --bandwidth bus
"$bench" "$@" >own.txt
"$bench" "$@" --format csv >own.csv
csv_of last_behind_median_us %.3f >behind
csv_of bus_bandwidth_mib_per_s %.2f >bus
for machine in scc scc,x4600; do
  "$bench" "$@" --machine $machine >own.txt
  for rows in behind bus; do
    [ "$(wc -l <$rows)" -eq 2 ] || fail "rows of CSV: $(cat own.csv)"
    while read -r value; do
      grep 'allgather/' own.txt | grep -q " $value " || fail "compare on $machine, $rows: $(cat own.txt)"
    done <$rows
  done
  grep -q 'Behind median (us)  Bandwidth (MiB/s)  Bus bandwidth (MiB/s)' own.txt ||
    fail "compare's columns on $machine: $(cat own.txt)"
done
"$bench" compare --operation alltoall --cores 4 --sizes 24 | grep -q 'Behind median\|Bus' &&
  fail "not asked for"
# tune and scaling: the block of each rank stays, all ranks together have more.
"$bench" tune --operation allgather --cores 3,8 --sizes 96 --algorithms direct_get --group 1,2 \
  --per-rank >own.txt
grep -q '^allgather/direct_get *3 *288 *96 *group=1 ' own.txt &&
  grep -q '^allgather/direct_get *8 *768 *96 *group=2 ' own.txt || fail "tune --per-rank: $(cat own.txt)"
"$bench" tune --operation allgather --cores 8 --sizes 96 --algorithms direct_get --group 1 --per-rank \
  --format json | grep -A 3 '"bytes": 768' | grep -q '"bytes_per_rank": 96' || fail "tune's JSON"
"$bench" scaling --operation allgather --cores 3,8 --meshes none --sizes 24,96 --algorithms ring \
  --per-rank >own.txt
grep -c '^# \(24\|96\) bytes of each rank: time until' own.txt | grep -q '^2$' ||
  fail "scaling --per-rank: $(cat own.txt)"
awk '/^scc / { print $2, $3 }' own.txt | sort -n >rows
"$bench" allgather --cores 3,8 --sizes 24,96 --algorithms ring --per-rank --format csv >own.csv
times_in own.csv | awk '{ printf "%d %.1f\n", $1, $3 }' | sort -n | cmp - rows ||
  fail "times of scaling --per-rank: $(cat own.txt)"
"$bench" scaling --operation barrier --cores 3,8 --meshes 1x2 --algorithms linear >own.txt
grep -q '^# time until the last rank is back' own.txt && grep -q '^scc-1x2  *4 ' own.txt ||
  fail "scaling of a barrier: $(cat own.txt)"
# Sizes of a broadcast are every rank's already.
"$bench" bcast --cores 4 --sizes 96 --per-rank --format csv | grep -q ',4,96,' || fail "a broadcast's size"
refused "--sizes '1073741824' --per-rank: 1073741824 bytes for each of 8 ranks" allgather --cores 8 \
  --sizes 1073741824 --per-rank
refused "--bandwidth" bcast --bandwidth algbw
refused "--per-rank" barrier --per-rank
refused "--per-rank" scaling --operation barrier --per-rank
[ -s done ] || fail "no operation on blocks was tried"
