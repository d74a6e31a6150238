#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --engine mpi under Slurm: rccerun starts srun, or srun starts rccerun. The node is this machine. Status 77
# where there is no Slurm.
set -eu
# shellcheck source=../support/slurm.sh
. "$SOURCE/tests/support/slurm.sh"
if ! start_slurm "$WORK/slurm"; then
  echo "skipped: $no_slurm"
  exit 77
fi
trap stop_slurm EXIT
if ! srun --mpi=list 2>&1 | grep -q pmix || ! ldd "$BIN/../lib/rockcreek/librcce_mpi.so" |
  grep -q libmpi.so; then
  echo "skipped: this Slurm and this build's MPI have no PMIx in common"
  exit 77
fi
failed=0
# expect STATUS TEXT COMMAND...: in what it prints
expect() {
  wanted=$1 text=$2
  shift 2
  status=0
  timeout 60 "$@" >out 2>err </dev/null || status=$?
  if [ $status -ne "$wanted" ] || ! grep -q "$text" out err; then
    echo "'$*': status $status, $(cat out err)" && failed=1
  fi
}
expect 0 'rank 1 ok' srun -n 2 --overcommit --mpi=pmix "$BIN/rccerun" --engine mpi \
  "$PROGRAMS/api_send_recv_plain"
for ues in 2 5; do
  expect 0 "rank $((ues - 1)) ok" "$BIN/rccerun" --engine mpi -nue $ues --launcher srun \
    --launcher-args '--mpi=pmix --overcommit' \
    "$PROGRAMS/api_send_recv_plain"
done
expect 139 "rank 1 (core 01, tile 0) crashed" "$BIN/rccerun" --engine mpi -nue 2 --launcher srun \
  --launcher-args '--mpi=pmix --overcommit' "$PROGRAMS/crash" store
exit $failed
