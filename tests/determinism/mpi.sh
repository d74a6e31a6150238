#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --engine mpi --clock simulated against the simulation engine without contention: programs without races
# print the same picoseconds, and have the same matrix, profile and mean of what UEs compute. Their timeline
# is that of threads. The processes share memory, then take each other for hosts of their own, which MPI joins
# (of Open MPI by TCP alone). engines.cpp says of which programs that is not to be expected.
set -eu
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
failed=0
# record NAME OPTIONS AND PROGRAM...: the lines in NAME.out, their order is the host's
record() {
  name=$1
  shift
  status=0
  "$BIN/rccerun" -nue "$ues" --force --matrix $name.csv --profile=$name.folded "$@" >$name.lines \
    2>$name.err || status=$?
  sort $name.lines >$name.out
}
# compare UES PROGRAM WORDS...
compare() {
  ues=$1 program=$2
  shift 2
  record sim --contention off "$PROGRAMS/$program" "$@"
  wanted=$status
  record mpi --engine mpi --clock simulated --trace mpi.json "$PROGRAMS/$program" "$@"
  [ $status -eq $wanted ] || { echo "$program on $ues UEs: status $status, wanted $wanted" && cat mpi.err &&
    failed=1; }
  for engine in sim mpi; do # of all UEs, as the closing line has it
    grep -o ' on the chip; mean UE: .* computing' $engine.err >$engine.mean || :
  done
  for result in out csv folded mean; do
    cmp sim.$result mpi.$result || { diff sim.$result mpi.$result || failed=1; }
  done
}
# Without what viewers tie arrows by: messages are numbered as they come.
events() {
  sed -e 's/,$//' -e 's/"id":[0-9]*,//' "$1" | sort
}
for ues in 2 5 8; do
  compare $ues determinism_clocks
  mv mpi.json shared$ues.json
done
record threads --engine threads --clock simulated --trace threads.json "$PROGRAMS/determinism_clocks"
events threads.json >threads.events
events shared8.json | cmp - threads.events || failed=1
compare 5 determinism_clocks_old
compare 5 gory_stencil
compare 5 early_exit 2 3
# What checks its own times.
for case in api.time_plain_2 api.power_acts_power_2; do
  sed 's/;--engine;threads;/;--engine;mpi;/' "$BUILD/tests/cases/$case@threads.cmake" >case.cmake
  cmake -P case.cmake >case.log 2>&1 || { cat case.log && failed=1; }
done
# What needs more than each process knows, here without any other.
for option in --statistics --energy --links=l.csv --why --report=r.html --digest --check=mpb; do
  status=0
  OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 "$BIN/rccerun" -nue 2 --engine mpi $option \
    "$PROGRAMS/determinism_clocks" 2>err || status=$?
  [ $status -eq 2 ] && grep -q -- "^rccerun: ${option%=*}.* with --engine mpi: .*; use --engine sim" err ||
    { echo "$option: status $status" && cat err && failed=1; }
done
# What the host has decided at another process than rank 0's.
cat >lock.c <<'END'
#include "RCCE.h"
#include <stdio.h>
int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  if (RCCE_ue() == 1) {
    RCCE_acquire_lock(0);
    RCCE_release_lock(0);
  }
  printf("%d\n", RCCE_wtime() > 0);
  RCCE_finalize();
  return 0;
}
END
"$BIN/rccecc" lock.c -o lock
order() {
  "$BIN/rccerun" -nue 2 --engine mpi --clock simulated ./lock >lock.out 2>lock.err || failed=1
  grep -q 'the host has decided the order of locks: ' lock.err || { echo "rank 1's lock is not named" &&
    cat lock.err && failed=1; }
}
order
export ROCKCREEK_MPI_APART=1 OMPI_MCA_btl=tcp,self
order
for ues in 2 5 8; do
  compare $ues determinism_clocks
  cmp mpi.json shared$ues.json || failed=1
done
exit $failed
