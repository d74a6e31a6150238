# SPDX-License-Identifier: Apache-2.0
# The launcher of processes takes no notice of output that cannot be written.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
"$BIN/rccerun" -nue 2 --engine mpi "$PROGRAMS/plain_main" >/dev/full 2>err
status=$?
[ $status -eq 74 ] && grep -q 'cannot write standard output: No space left' err ||
  { echo "status $status, expected 74"; cat err; exit 1; }
