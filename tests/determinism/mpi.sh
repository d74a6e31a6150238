#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --engine mpi --clock simulated against the simulation engine without contention: programs without races print the same picoseconds. The
# processes share memory, then take each other for hosts of their own, which MPI joins (of Open MPI by TCP alone). engines.cpp says of
# which programs that is not to be expected.
set -eu
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
failed=0
# compare UES PROGRAM WORDS...: the lines, whose order is the host's
compare() {
  ues=$1 program=$2
  shift 2
  wanted=0 status=0
  "$BIN/rccerun" -nue "$ues" --contention off "$PROGRAMS/$program" "$@" >sim.out 2>sim.err || wanted=$?
  "$BIN/rccerun" -nue "$ues" --engine mpi --clock simulated "$PROGRAMS/$program" "$@" >mpi.out 2>mpi.err || status=$?
  sort sim.out >wanted.out && sort mpi.out >found.out
  [ $status -eq $wanted ] && cmp -s wanted.out found.out && return
  echo "$program on $ues UEs: status $status, wanted $wanted"
  diff wanted.out found.out || cat sim.err mpi.err
  failed=1
}
for ues in 2 5 8; do compare $ues determinism_clocks; done
compare 5 determinism_clocks_old
compare 5 gory_stencil
compare 5 early_exit 2 3
# What checks its own times.
for case in api.time_plain_2 api.power_acts_power_2; do
  sed 's/;--engine;threads;/;--engine;mpi;/' "$BUILD/tests/cases/$case@threads.cmake" >case.cmake
  cmake -P case.cmake >case.log 2>&1 || { cat case.log && failed=1; }
done
export ROCKCREEK_MPI_APART=1 OMPI_MCA_btl=tcp,self
for ues in 2 5 8; do compare $ues determinism_clocks; done
exit $failed
