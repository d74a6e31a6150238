#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does the runtime hold out? 10,000,000 messages and 100,000 barriers on each engine, 1,000 jobs in one
# process, 1,000 runs one after the other: constant memory, nothing left behind. And 10,000,000 operations of
# each algorithm in shared memory: every result right. Takes half an hour; ctest runs a thousandth of it.
# sh tests/soak.sh [BUILD-FOLDER [DIVISOR]]
set -eu
build=$(cd "${1:-$(dirname "$0")/../build}" && pwd)
divisor=${2:-1}
programs=$build/tests/programs
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT # not every sh runs the trap above then
trap 'exit 143' TERM
failed=0
cd "$scratch"

# Growth behind the first tenth: what a run keeps for good has been taken by then. In KiB.
most_growth=1024
check() { # check FILE: prints it, and looks at the growth in each line
  sed "s/^/$engine: /" "$1"
  growth=$(sed -n 's/.* growth //p' "$1" | sort -n | tail -1)
  [ -n "$growth" ] && [ "$growth" -le $most_growth ] ||
    { echo "$engine: grows by more than $most_growth KiB"; failed=1; }
}

for engine in sim threads; do
  "$build/bin/rccerun" -nue 2 --engine $engine "$programs/soak_messages" $((10000000 / divisor)) 0 >out
  grep messages out >messages && check messages
  "$build/bin/rccerun" -nue 48 --engine $engine "$programs/soak_messages" 0 $((100000 / divisor)) >out
  grep barriers out >barriers && check barriers
done

# Jobs that crash or hang leave what lay on the stacks of their UEs, some 100 bytes each.
engine=both
jobs=$((1000 / divisor))
[ $jobs -ge 100 ] || jobs=100 # of which a tenth meet each place for the first time
most_growth=$((1024 + jobs / 4))
"$build/tests/soak/soak_jobs" $jobs "$programs/wrong" >out || { echo "jobs: status $?"; failed=1; }
check out

# Runs: temporary files, shared memory, processes.
runs=$((1000 / divisor))
[ $runs -ge 10 ] || runs=10
mkdir tmp
export TMPDIR=$scratch/tmp
cp "$programs/wrong" "soaked_$$"
# But for what MPI makes there for tests that run at the same time.
in_shared_memory() { ls /dev/shm 2>/dev/null | grep -v '^vader_segment\|^sm_segment\|^ucx_\|^psm' || true; }
shared_memory=$(in_shared_memory)
run=0
while [ $run -lt $runs ]; do
  engine=sim
  [ $((run % 2)) -eq 0 ] || engine=threads
  case $((run % 5)) in
  0) what=null-write expected=139 ;;
  1) what=left expected=121 ;;
  *) what=finalize-early expected=0 ;;
  esac
  status=0
  "$build/bin/rccerun" -nue 4 --engine $engine "./soaked_$$" $what >out 2>err || status=$?
  [ $status -eq $expected ] || { echo "run $run, $what, $engine: status $status, expected $expected"
    cat err; failed=1; }
  run=$((run + 1))
done
[ -z "$(ls tmp)" ] || { echo "left in TMPDIR: $(ls tmp)"; failed=1; }
[ "$shared_memory" = "$(in_shared_memory)" ] ||
  { echo "left in /dev/shm: $(in_shared_memory)"; failed=1; }
for process in /proc/[0-9]*; do
  case $(readlink "$process/exe" 2>/dev/null) in
  *"soaked_$$"*) echo "left: process ${process#/proc/}"; failed=1 ;;
  esac
done
echo "runs: $runs, nothing left"

# Algorithms in shared memory, on threads that wait at random.
if [ -x "$build/tests/soak/soak_in_memory" ]; then
  "$build/tests/soak/soak_in_memory" $((10000000 / divisor)) 4 || failed=1
fi
[ $failed -eq 0 ] && echo "soaked"
exit $failed
