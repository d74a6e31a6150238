# SPDX-License-Identifier: Apache-2.0
# A UE that waits in a call of the host lets the others run, who may bring what it waits for: on both engines,
# and in simulated time with the same output each time.
. "$SOURCE/tests/support/processes.sh"
failed=0
fail() { echo "$1"; shift; for file; do echo "--- $file"; cat "$file"; done; failed=1; }
run() { # run ENGINE CALL NAME
  mkdir -p $3.d
  (cd $3.d && timeout -k 1 40 "$BIN/rccerun" --engine $1 -nue 2 "$PROGRAMS/waits_for_ues" $2) </dev/null \
    >$3.out 2>$3.err
}
calls='read stream readv socket poll poll-time select epoll full-pipe full-socket full-datagrams connect '\
'flock record lockf
mutex c11 timed spin read-lock write-lock semaphore reader-first writer-first child popen waitid'
for call in $calls; do
  for name in sim.$call again.$call threads.$call; do
    engine=${name%%.*}
    [ $engine != again ] || engine=sim
    run $engine $call $name
    status=$?
    [ $status -eq 0 ] || fail "$name: status $status" $name.out $name.err
    grep -q 'rank 0 ok' $name.out && grep -q 'rank 1 ok' $name.out ||
      fail "$name: not to its end" $name.out $name.err
  done
  cmp -s sim.$call.out again.$call.out ||
    fail "$call: another output the second time" sim.$call.out again.$call.out
done

# A call for which nothing is done: told while the run goes on. A look at the UE meanwhile does not break a
# call off.
# Ten seconds after a look has found it there: the first is after one second, the second ten later.
rm -f still.err # of an earlier run, which says() would take for this one
"$BIN/rccerun" --timeout 60 -nue 2 "$PROGRAMS/host_calls" condition 0 </dev/null >still.out 2>still.err &
child=$!
says $child still.err 'has been blocked'
kill -TERM $child
wait $child
[ $? -eq 143 ] || fail 'a call of the host: status' still.err
grep -q '^rccerun: rank 0 (core 00, tile 0) has been blocked in pthread_cond_wait(), .* for [1-9][0-9] s of '\
'host time, and all others with it' still.err ||
  fail 'a call of the host: not told' still.err
run sim looked-at looked-at
[ $? -eq 0 ] && grep -q 'rank 0 ok' looked-at.out ||
  fail 'a look breaks a call off' looked-at.out looked-at.err
exit $failed
