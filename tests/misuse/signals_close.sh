# SPDX-License-Identifier: Apache-2.0
# Two signals close together are one wish: `timeout`, shells and terminals signal a process and its group. The
# report is kept, whatever the first one was and however little lies between; one that comes later ends the
# process at once.
. "$SOURCE/tests/support/processes.sh"
failed=0
fail() { echo "$1"; shift; for file; do echo "--- $file"; cat "$file"; done; failed=1; }
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
begun() { # until the UEs are in their calls
  says $child out 'rank 1 waits'
  says $child out 'rank 2 waits'
  computes $child 5
  [ $engine = sim ] || settles $child 1
}
pair_of_signals() { # what went wrong into `why`
  : >out
  env --default-signal=INT "$BIN/rccerun" -nue 3 --engine $engine "$PROGRAMS/wrong" one-computes >out 2>err &
  child=$!
  begun
  first=${pair%%:*} second=${pair#*:} begin=$(milliseconds) why=
  kill -$first $child
  [ $pause = 0 ] || sleep $pause
  kill -${second%:*} $child 2>/dev/null
  wait $child
  status=$?
  took=$(($(milliseconds) - begin))
  case $status in $expected) ;; *) why="status $status" ;; esac
  grep -q 'the run was ended by signal' err || why="no report"
  grep -q 'rank 2.*RCCE_barrier' err || why="half a report"
}
for engine in sim threads; do
  for pause in 0 0 0.001 0.01 0.03; do
    for pair in TERM:TERM:143 INT:INT:130 TERM:INT:1[34][03] INT:TERM:1[34][03]; do
      expected=${pair##*:} # where two are under way at once, either may come first
      for try in 1 2 3 4 5; do
        pair_of_signals
        # Where a busy host has kept one of us waiting for half a second they were not close together.
        [ -n "$why" ] && [ $took -ge 500 ] || break
      done
      [ -z "$why" ] || fail "$engine, $pair after $pause s: $why" err
    done
  done
done

# A run that cannot end because nobody reads its output.
rm -f full && mkfifo full && exec 9<>full
"$BIN/rccerun" -nue 2 "$PROGRAMS/wrong" chatter >full 2>err &
child=$!
handles $child TERM
sleep 0.5 # until the pipe is full
kill -TERM $child
# One of these is the later one, even if a busy host has handled the first so late that the next is close.
for later in 1 2 3; do sleep 1; kill -TERM $child 2>/dev/null; done &
wait $child
status=$?
[ $status -eq 143 ] || fail "the second signal: status $status" err
# By itself it is given up after five seconds, and says so.
! grep -q 'did not stop when it was asked to' err || fail "the second signal has not ended the run" err
exit $failed
