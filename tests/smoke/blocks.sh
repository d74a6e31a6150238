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
done
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
