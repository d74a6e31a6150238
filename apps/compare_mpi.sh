#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Host speed of the threads engine beside Open MPI and MPICH, in one run: round trips of 32 B and 8 KB between
# 2 processes, and with 48 of them on however many processors there are a barrier and broadcasts of 8 KB and
# 190,000 B. The same of the MPI engine, whose UEs are processes of Open MPI, with 2 and 8 of them, where the
# build has it. Also what the machine itself takes: the hand-over of a cache line, a copy, a switch of thread.
#
#   sh apps/compare_mpi.sh [--install] [--runs N] [--bin DIR] [--check]
#
#   --install   install Open MPI and MPICH with apt, with sudo where needed
#   --runs N    runs of each side per figure, in turn; default 5
#   --bin DIR   where rccerun and rccecc are; default build/bin beside this script
#   --check     status 1 when a goal is missed
#
# All sides run the same program (compare_mpi/operations.c). A run times many short blocks and gives the
# fastest, and the least of all runs counts: what else runs on this host then matters little, as long as it
# leaves gaps. MPICH takes part in the round trips only: its processes spin, and 48 of them on 2 processors
# take minutes for a barrier. Ours is the fastest of the library's own call and several algorithms, named in
# the table; NAME:N is one with N stages.
set -u

# shellcheck source=compare_options.sh
. "$(dirname "$0")/compare_options.sh"
[ -x "$bin/rccerun" ] && [ -x "$bin/rccecc" ] ||
  fail "rccerun or rccecc is missing; build first (sh apps/setup.sh)"

missing() {
  for tool in mpicc.openmpi mpirun.openmpi mpicc.mpich mpiexec.mpich; do
    command -v $tool >/dev/null || echo $tool
  done
}
if [ $install = yes ] && [ -n "$(missing)" ]; then
  command -v apt-get >/dev/null || fail "--install works with apt only; install Open MPI and MPICH by hand"
  root=
  [ "$(id -u)" -eq 0 ] || root=sudo
  $root apt-get install -y --no-install-recommends openmpi-bin libopenmpi-dev mpich libmpich-dev >&2 ||
    fail "apt could not install Open MPI and MPICH"
fi
[ -z "$(missing)" ] || fail "$(missing |
  tr '\n' ' ')missing (Debian: libopenmpi-dev, libmpich-dev), or use --install"

make_work
source=$here/compare_mpi/operations.c
mpicc.openmpi -O2 -DUSE_MPI "$source" -o "$work/openmpi" >&2 || fail "mpicc.openmpi failed"
mpicc.mpich -O2 -DUSE_MPI "$source" -o "$work/mpich" >&2 || fail "mpicc.mpich failed"
"$bin/rccecc" -O2 -DAIR "$source" -o "$work/ours" -lrockcreek_algorithms >&2 || fail "rccecc failed"
"${CXX:-c++}" -O2 -std=c++20 -pthread "$here/compare_mpi/limits.cpp" -o "$work/limits" >&2 ||
  fail "${CXX:-c++} failed"

# Open MPI refuses to run as root, and more processes than processors, without being told twice.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# $1: side, $2: processes, $3...: words of the program -> microseconds of the fastest block
run_one() {
  side=$1 processes=$2
  shift 2
  case $side in
    openmpi) mpirun.openmpi --oversubscribe -np "$processes" "$work/openmpi" "$@" ;;
    mpich) mpiexec.mpich -n "$processes" "$work/mpich" "$@" ;;
    ours) "$bin/rccerun" -nue "$processes" --engine "$engine" --timeout 300 "$work/ours" "$@" ;;
  esac >"$work/out" 2>&1 || { cat "$work/out" >&2; fail "$side: '$*' failed"; }
  awk 'NF == 2 { print $1; exit }' "$work/out"
}

least() { sort -g | head -n 1; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

"$work/limits" >"$work/limits.out" || fail "the limits could not be measured"
limit() { awk -v name="$1" '$1 == name { print $2 }' "$work/limits.out"; }
line=$(limit line) copy8=$(limit copy8192) copy190=$(limit copy190000) change=$(limit switch)
processors=$(nproc)

echo "# $(mpirun.openmpi --version 2>/dev/null | head -n 1); MPICH $(mpichversion 2>/dev/null |
  awk 'NR == 1 { print $3 }'); $processors processors; least of $runs runs each"
echo "# limits: round trip of a cache line $line us, copy of 8 KB $copy8 us, of 190,000 B $copy190 us, \
switch of thread $change us"
row() { printf '%-24s %10s %10s %10s  %-24s %9s %9s %10s %9s %s\n' "$@"; }
row '# operation' 'OMPI (us)' 'MPICH (us)' 'ours (us)' 'by' 'OMPI/ours' 'MPICH/ours' 'limit (us)' \
  'ours/limit' 'verdict'
missed=0

# $1: name; $2: processes; $3: limit (us); $4: least OMPI/ours; $5: least MPICH/ours, - for none; $6:
# algorithms, "own" the library's call; $7...: words of the program
compare() {
  name=$1 processes=$2 limit=$3 goal=$4 goal_mpich=$5 algorithms=$6
  shift 6
  : >"$work/openmpi.us" && : >"$work/mpich.us" && rm -f "$work"/ours.*.us
  n=0
  while [ $n -lt "$runs" ]; do
    run_one openmpi "$processes" "$@" >>"$work/openmpi.us" || exit 2
    [ "$processes" -gt "$processors" ] || run_one mpich "$processes" "$@" >>"$work/mpich.us" || exit 2
    for algorithm in $algorithms; do
      chosen=$algorithm
      [ "$chosen" != own ] || chosen=
      run_one ours "$processes" "$@" ${chosen:+"$chosen"} | sed "s#\$# $algorithm#" >>"$work/ours.us" ||
        exit 2
    done
    n=$((n + 1))
  done
  openmpi=$(least <"$work/openmpi.us") mpich=-
  [ "$processes" -gt "$processors" ] || mpich=$(least <"$work/mpich.us")
  best=$(least <"$work/ours.us")
  rm -f "$work/ours.us"
  ours=${best% *} by=${best#* }
  verdict=$(awk -v a="$openmpi" -v b="$mpich" -v o="$ours" -v g="$goal" -v m="$goal_mpich" \
    'BEGIN { print (a / o >= g && (m == "-" || b / o >= m) ? "reached" : "missed") }')
  [ "$verdict" = reached ] || missed=$((missed + 1))
  row "$name" "$openmpi" "$mpich" "$ours" "$by" "$(ratio "$openmpi" "$ours")" \
    "$([ "$mpich" = - ] && echo - || ratio "$mpich" "$ours")" "$limit" \
    "$(ratio "$ours" "$limit")" "$verdict"
}
sum() { awk "BEGIN { printf \"%.3f\", $* }"; }

engine=threads
# A rendezvous there and back is no less than one hand-over each way, and two copies each way.
compare '32 B round trip, 2' 2 "$line" 1 - own pingpong 300 100 32
compare '8 KB round trip, 2' 2 "$(sum "$line + 4 * $copy8")" 1 1 own pingpong 300 100 8192
# Everybody has to have its turn once, and a broadcast brings its bytes to 47 others.
compare 'barrier, 48' 48 "$(sum "48 * $change / $processors")" 3 - \
  'own barrier/dissemination barrier/tree barrier/atomic_counter' barrier 30 20 0
trees='own bcast/binomial bcast/cube bcast/scatter_allgather bcast/oc_tree bcast/mcast bcast/staged_pull '\
'bcast/staged_pull:26 bcast/staged_pull:48'
compare '8 KB broadcast, 48' 48 "$(sum "(47 * 2 * $copy8 + 48 * $change) / $processors")" 1 - "$trees" bcast \
  20 20 8192
compare '190,000 B broadcast, 48' 48 "$(sum "(47 * 2 * $copy190 + 48 * $change) / $processors")" 1 - \
  "$trees" bcast 10 5 190000
if [ -e "$bin/../lib/rockcreek/librcce_mpi.so" ]; then
  engine=mpi
  compare '32 B round trip, mpi, 2' 2 "$line" 0.5 0.5 own pingpong 300 100 32
  compare '8 KB round trip, mpi, 2' 2 "$(sum "$line + 4 * $copy8")" 0.5 0.5 own pingpong 300 100 8192
  compare '8 KB broadcast, mpi, 8' 8 "$(sum "(7 * 2 * $copy8 + 8 * $change) / $processors")" 0.5 - \
    'own bcast/binomial bcast/mcast' bcast 20 20 8192
else
  echo "# left out: the MPI engine, which this build does not have"
fi
[ $check = no ] || [ $missed -eq 0 ]
