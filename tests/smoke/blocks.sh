#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Operations on blocks, and scans, at the command line: every algorithm is checked, has its limit and its
# drawing, and no rank's block is lost where there are more ranks than bytes.
set -eu
bench=$BIN/rccebench
fail() {
  echo "$*"
  exit 1
}

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
[ -s done ] || fail "no operation on blocks was tried"
