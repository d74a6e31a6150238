# SPDX-License-Identifier: Apache-2.0
# Correct programs of every kind under --check mpb: nothing is reported, and neither output nor events change.
# (api_locks_gory is none of them: it releases locks that its UE does not hold.)
# Lines below: number of UEs, program, arguments.
failed=0
while read -r ues program arguments; do
  # shellcheck disable=SC2086 # arguments are words
  "$BIN/rccerun" -nue "$ues" --digest --compute none "$PROGRAMS/$program" $arguments >plain.out 2>plain.err
  # shellcheck disable=SC2086
  "$BIN/rccerun" -nue "$ues" --digest --compute none --check mpb "$PROGRAMS/$program" $arguments \
    >checked.out 2>checked.err
  status=$?
  sed -i '/^rccerun: built without --observe: /d' checked.err # no finding
  if [ $status -ne 0 ] || ! cmp plain.out checked.out || ! cmp plain.err checked.err; then
    echo "$program $arguments on $ues: status $status"
    cat checked.err
    failed=1
  fi
done <<'END'
5 api_send_recv_plain
5 api_send_recv_small
3 api_send_recv_old
5 api_recv_test_plain
5 api_bcast_plain
5 api_reduce_small
3 api_reduce_old
5 api_communicators_plain
5 api_communicators_gory_small
5 api_communicators_old
5 api_gory_put_get_gory
5 api_gory_put_get_gory_small
5 api_gory_put_get_old_gory
5 api_gory_send_recv_gory
5 api_gory_send_recv_old_gory
2 api_own_copies_gory
5 api_internals_small
3 api_ircce_messages_plain
3 api_ircce_messages_old_first
3 api_ircce_lists_small
3 api_ircce_sources_old
3 api_ircce_memory_small_air
3 api_ircce_tm2c_tm2c
3 api_rwth_messages_rwth
3 api_rwth_interface_rwth_small
5 api_algorithms_back_to_back_2.0 bcast/oc_tree
5 api_algorithms_back_to_back_1.0 bcast/staged_pull
5 api_algorithms_bcast_2.0 bcast/dopl
5 api_algorithms_barrier_1.0 barrier/atomic_counter
5 api_algorithms_barrier_2.0 barrier/test_and_set
END
exit $failed
