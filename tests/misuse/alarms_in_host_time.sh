# SPDX-License-Identifier: Apache-2.0
# On threads each UE has an alarm of its own in the host's time; without a handler it ends the run,
# with one nobody waits for ever.
failed=0
"$BIN/rccerun" --engine threads -nue 3 "$PROGRAMS/alarms" host-time >out 2>err &&
  [ "$(grep -cFx ok out)" -eq 3 ] && ! grep FAILED out ||
  { echo "own alarms:"; cat out err; failed=1; }
"$BIN/rccerun" --engine threads -nue 2 "$PROGRAMS/alarms" default >out 2>err
status=$?
[ $status -eq 142 ] && grep -q 'signal 14 (alarm clock) of rank 0' err && ! grep -q never out ||
  { echo "without a handler: status $status"; cat out err; failed=1; }
"$BIN/rccerun" --engine threads -nue 2 "$PROGRAMS/alarms" leave >out 2>err
status=$?
[ $status -eq 3 ] && grep -q 'rank 0 leaves' out && [ ! -s err ] ||
  { echo "out of a wait: status $status"; cat out err; failed=1; }
exit $failed
