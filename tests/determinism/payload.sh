#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Without payload every algorithm takes the time that it takes with it, to the picosecond: the output differs
# in the check and in the host's time alone. WHOLE=1: every size on more numbers of cores, all on a larger
# mesh too.
set -eu
. "$SOURCE/tests/support/checks.sh"

# rows FILE: what they say but for the check and the host's time
rows() {
  sed -n '/"rows"/,/"summary"/p' "$1" | grep -v '"host_us"\|"correct"'
}
# compare NAME OPTIONS...
compare() {
  name=$1
  shift
  "$bench" "$@" --no-check --format json >with.json
  "$bench" "$@" --no-check --format json --payload none >without.json
  rows with.json >with
  rows without.json >without
  diff with without || fail "$name: other times without payload"
  rows=$(grep -c '"simulated_us_max"' with)
  compared=$((compared + rows))
  [ "$(grep -c '"correct": true' with.json)" -eq $rows ] || fail "$name: with payload all is compared"
  [ "$(grep -c '"correct": null' without.json)" -eq $rows ] ||
    fail "$name: without payload nothing is compared"
}

compared=0
for operation in bcast gather scatter allgather alltoall reduce allreduce reduce_scatter scan; do
  least=1
  type=
  case $operation in *reduce* | scan) least=4 type='--type int' ;; esac
  if [ -n "${WHOLE:-}" ]; then
    compare "$operation" $operation --cores 1,3,5,47,48 --sizes $least,32,8192,100000 $type
    compare "$operation on 128 cores" $operation --set mesh.columns=8 --set mesh.rows=8 --cores 128 \
      --sizes $least,32,8192,100000 $type
  else
    compare "$operation" $operation --cores 5 --sizes $least,32,100000 $type
    compare "$operation" $operation --cores 23 --sizes 32,8192 $type
  fi
done
compare "128 cores" bcast --set mesh.columns=8 --set mesh.rows=8 --cores 128 --sizes 8192
wanted=${WHOLE:+1008}
[ $compared -ge "${wanted:-210}" ] || fail "$compared points compared, ${wanted:-210} wanted"

# Unlike copies and combining, and cores that come one after the other.
compare "plain copies" bcast --cores 48 --sizes 8192 --rcce 1.0
compare "spread" reduce --cores 48 --sizes 8192 --algorithms dynamic_pair,owners --spread uniform:500 \
  --repetitions 3
compare "compare" compare --operation bcast --cores 12 --sizes 50000

"$bench" compare --machine scc,scc-fast --cores 4 --sizes 8192 --algorithms cube,linear --payload none >sheet
grep -q '^# 4 points, payload: not moved$' sheet || fail "several machines: $(cat sheet)"

"$bench" bcast --cores 4 --sizes 8192 --algorithms cube --payload none >table
grep -q '^# payload  *not moved$' table || fail "the head of the table does not say it"
grep -q '^bcast/cube .* -$' table || fail "the row: $(cat table)"
grep -q '^# 1 point, payload: not moved$' table || fail "the verdict: $(cat table)"
echo "$compared points: the same times without payload"
