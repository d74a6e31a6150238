#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --engine mpi: whatever ends one process of a job, all end within 3 s, and the report names the rank and the
# signal.
set -u
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
failed=0
# Those of which nothing is left but a status that nobody asks for have ended, too.
gone() {
  for process in $processes; do
    case $(sed 's/.*) //' "/proc/$process/stat" 2>/dev/null) in '' | Z*) ;; *) return 1 ;; esac
  done
}

# ends NAME STATUS TEXT RANK SIGNAL [OPTION...]: sends the signal to a rank's process, or to rccerun itself
ends() {
  name=$1 wanted=$2 text=$3 rank=$4 signal=$5
  shift 5
  "$BIN/rccerun" --engine mpi -nue 4 "$@" "$PROGRAMS/mpi_ends" >out 2>err &
  run=$!
  for look in $(seq 200); do
    [ "$(grep -c '^rank' out)" -eq 4 ] && break
    sleep 0.05
  done
  processes=$(sed -n 's/^rank . is process //p' out)
  sleep 0.5
  case $rank in
  launcher) kill "-$signal" $run ;;
  *) kill "-$signal" "$(sed -n "s/^rank $rank is process //p" out)" ;;
  esac
  [ $# -eq 0 ] || sleep $((rank == 0 ? 5 : 2)) # --timeout; without the first the others wait for longer
  ended=late
  for look in $(seq 60); do
    gone && ended="in time" && break
    sleep 0.05
  done
  [ "$ended" = late ] && kill -KILL $processes
  status=0
  wait $run 2>/dev/null || status=$?
  [ "$ended" = "in time" ] && [ $status -eq "$wanted" ] && grep -q "$text" err &&
    [ "$(grep -c 'was ended by' err)" -le 1 ] ||
    { echo "$name: $ended, status $status instead of $wanted, without '$text'?"; cat out err; failed=1; }
}

ends "one is killed" 137 "ended by signal 9 (killed) of rank 2 " 2 KILL
ends "the first is killed" 137 "ended by signal 9 (killed) of rank 0 " 0 KILL
ends "one is to end" 143 "ended by signal 15 (terminated) of rank 2 " 2 TERM
ends "the first is to end" 143 "ended by signal 15 (terminated) of rank 0 " 0 TERM
ends "one is stopped" 124 \
  "rank 2 (process [0-9]*) does not end with the others: it is stopped, as by signal 19" 2 STOP --timeout 2
ends "the first is stopped" 124 \
  "rank 0 (process [0-9]*) does not end with the others: it is stopped, as by signal 19" 0 STOP --timeout 2
ends "the launcher is to end" 143 "ended by signal 15 (terminated) at" launcher TERM
ends "the launcher is killed" 137 "" launcher KILL
exit $failed
