#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --engine mpi between hosts: the processes take each other for hosts of their own, and MPI for a network (of
# Open MPI TCP alone). The cases are those of the tests named @mpi. What needs shared memory says so.
set -eu
failed=0
export ROCKCREEK_MPI_APART=1 OMPI_MCA_btl=tcp,self OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
run() { # run CASE...
  for case; do
    file=$BUILD/tests/cases/$case@mpi.cmake
    if [ ! -e "$file" ]; then
      echo "there is no case $case@mpi" && failed=1
    elif ! cmake -P "$file" >"$case.log" 2>&1; then
      cat "$case.log"
      failed=1
    fi
  done
}
run api.send_recv_plain_5 api.send_recv_old_5 api.reduce_plain_5 api.bcast_mcast_2.0_5 api.bcast_dopl_2.0_2 \
  api.recv_test_plain_5 \
  api.ircce_messages_plain_2 api.gory_order_gory_5 api.gory_order_gory_small_5 \
  api.back_to_back_oc_tree_2.0_5 \
  api.back_to_back_staged_pull_2.0_5 api.back_to_back_schedule_lines_5 api.reduce_dynamic_pair_all_2.0_5 \
  misuse.flag_that_nobody_sets
status=0
"$BIN/rccerun" --engine mpi -nue 2 "$PROGRAMS/api_shared_memory_plain" >out 2>err || status=$?
if [ $status -eq 0 ] || ! grep -q 'RCCE_shmalloc.*hosts' err; then
  echo "shared memory between hosts: status $status, $(cat out err)" && failed=1
fi
exit $failed
