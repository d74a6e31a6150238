#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --engine mpi: a process that waits for several things, and does not run for longer than a deadlock takes to
# be seen, is not taken for dead where one of these has come meanwhile, the second one as little as the first.
set -eu
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
"$BIN/rccerun" --engine mpi --timeout 20 -nue 3 "$PROGRAMS/second_condition" >out 2>&1 &
run=$!
process=
for look in $(seq 300); do # starting processes takes long on a busy host
  process=$(sed -n 's/^process \([0-9]*\) waits$/\1/p' out)
  [ -z "$process" ] || break
  sleep 0.05
done
[ -n "$process" ] || { cat out; exit 1; }
sleep 0.35 # it has written down what it waits for
kill -STOP "$process"
sleep 2.3 # rank 0 has sent, and all have waited for long enough
kill -CONT "$process"
status=0
wait $run || status=$?
[ $status -eq 0 ] && grep -q '^the second request was met first$' out && exit
echo "status $status" && cat out
exit 1
