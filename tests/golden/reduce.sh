#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Small grids of rccebench reduce and allreduce, simulated times included, together and with spread arrivals,
# and of operations on blocks; the first line names the version and the build.
set -eu
expected=$SOURCE/tests/golden/expected/reduce.txt
{
  "$BIN/rccebench" reduce --cores 8,48 --sizes 8,8192 | sed 1d
  "$BIN/rccebench" allreduce --cores 8,48 --sizes 8,8192 | sed 1d
  for operation in gather scatter allgather alltoall reduce_scatter scan; do
    "$BIN/rccebench" $operation --cores 8 --sizes 64,8192 | sed 1d
  done
  "$BIN/rccebench" reduce --cores 8,48 --sizes 8192 --type int --op max --root 5 --rcce 1.0 --repetitions 3 \
    --spread beta:500,100,80 --seed 3 | sed 1d
} >reduce.txt
if [ "${ACCEPT:-}" ]; then cp reduce.txt "$expected"; fi
. "$SOURCE/tests/support/first_difference.sh"
first_difference "$expected" reduce.txt "BIN=$BIN SOURCE=$SOURCE sh $SOURCE/tests/golden/reduce.sh"
