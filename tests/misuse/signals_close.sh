# SPDX-License-Identifier: Apache-2.0
# Two signals close together are one wish: `timeout`, shells and terminals signal a process and its group. The
# report is kept, whatever the first one was and however little lies between; one that comes later ends the
# process at once.
. "$SOURCE/tests/support/processes.sh"
failed=0
fail() { echo "$1"; shift; for file; do echo "--- $file"; cat "$file"; done; failed=1; }
begun() { # until the UEs are in their calls
  says $child out 'rank 1 waits'
  says $child out 'rank 2 waits'
  computes $child 5
}
for engine in sim threads; do
  for pause in 0 0 0 0 0.001 0.003 0.01 0.03; do
    for pair in TERM:TERM:143 INT:INT:130 TERM:INT:1[34][03] INT:TERM:1[34][03]; do
      expected=${pair##*:} # where two are under way at once, either may come first
      : >out
      env --default-signal=INT "$BIN/rccerun" -nue 3 --engine $engine "$PROGRAMS/wrong" one-computes >out \
        2>err &
      child=$!
      begun
      first=${pair%%:*} second=${pair#*:}
      kill -$first $child
      [ $pause = 0 ] || sleep $pause
      kill -${second%:*} $child 2>/dev/null
      wait $child
      status=$?
      case $status in $expected) ;; *) fail "$engine, $pair after $pause s: status $status" err ;; esac
      grep -q 'the run was ended by signal' err || fail "$engine, $pair after $pause s: no report" err
      grep -q 'rank 2.*RCCE_barrier' err || fail "$engine, $pair after $pause s: half a report" err
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
sleep 1
begin=$(date +%s)
kill -TERM $child
wait $child
status=$?
[ $status -eq 143 ] || fail "the second signal: status $status" err
[ $(($(date +%s) - begin)) -lt 3 ] || fail "the second signal has not ended the run"
exit $failed
