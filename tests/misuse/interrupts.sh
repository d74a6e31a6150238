# SPDX-License-Identifier: Apache-2.0
# SIGINT and SIGTERM, on both engines: status 128+n, the lines printed by then, and a report of what each UE
# is doing. SIGKILL: nothing is left behind. rccebench writes what is done; rccecc leaves no temporary files.
failed=0
rm -rf tmp && mkdir tmp
export TMPDIR=$WORK/tmp
. "$SOURCE/tests/support/processes.sh"
fail() { echo "$1"; shift; for file; do echo "--- $file"; cat "$file"; done; failed=1; }
# But for what MPI makes there for tests that run at the same time.
in_shared_memory() { ls /dev/shm 2>/dev/null | grep -v '^vader_segment\|^sm_segment\|^ucx_\|^psm'; }
shared_memory=$(in_shared_memory)
for engine in sim threads; do
  for pair in TERM:143 INT:130 KILL:137; do
    signal=${pair%:*}
    : >out
    env --default-signal=INT "$BIN/rccerun" -nue 3 --engine $engine "$PROGRAMS/wrong" one-computes >out \
      2>err &
    child=$!
    for rank in 0 1 2; do says $child out "rank $rank waits"; done
    computes $child 20 # from the line to the call
    settles $child 1
    kill -$signal $child
    wait $child
    status=$?
    [ $status -eq "${pair#*:}" ] || fail "$engine, SIG$signal: status $status" out err
    # The last line of each UE is not finished: it is there all the same.
    if [ $signal != KILL ]; then
      for rank in 0 1 2; do grep -q "rank $rank waits" out ||
        fail "$engine, SIG$signal: output of rank $rank is missing" out; done
      grep -q 'rank 1 is half way' out || fail "$engine, SIG$signal: the unfinished line is missing" out
      [ $engine = sim ] && time=simulated || time=host
      grep -q "the run was ended by signal .* us of $time time" err ||
        fail "$engine, SIG$signal: no report" err
      grep -q "rank 0.*RCCE_recv from rank 1, 100 bytes, waiting for flag sent" err ||
        fail "$engine, SIG$signal: rank 0" err
      grep -q "rank 2.*RCCE_barrier" err || fail "$engine, SIG$signal: rank 2" err
    fi
    [ -z "$(ls tmp)" ] || fail "$engine, SIG$signal leaves $(ls tmp)"
    "$BIN/rccerun" -nue 3 --engine $engine "$PROGRAMS/wrong" finalize-early >out 2>err ||
      fail "$engine: the next run" out err
  done
done
[ "$shared_memory" = "$(in_shared_memory)" ] || fail "left in /dev/shm: $(in_shared_memory)"

# A sweep of which the small point is done when the signal comes, on a busy host after some attempts; the
# large one takes long.
for seconds in 0.2 1 2 4 8; do
  "$BIN/rccebench" bcast --cores 2,48 --sizes 32,100000000 --algorithms linear --jobs 2 --format csv \
    -o sweep.csv 2>err &
  child=$!
  handles $child TERM
  sleep $seconds
  kill -TERM $child
  wait $child
  status=$?
  [ $status -eq 143 ] || fail "rccebench: status $status" err
  grep -q '^bcast/linear,.*,32,' sweep.csv && break
done
grep -q '^bcast/linear,.*,32,' sweep.csv || fail 'rccebench: what was done is not written' sweep.csv err

# Whenever a signal comes, it is what has ended the command, and nothing is said to be right where no point is
# done. Before the sweep begins there is a job of rccebench's own.
for seconds in 0.001 0.002 0.003 0.004 0.005 0.007 0.01 0.03 0.1 0.5 2 10 60; do
  : >out # the shell may not have begun the command when the signal comes
  "$BIN/rccebench" bcast --cores 48 --sizes 100000000 --algorithms linear --jobs 1 >out 2>err &
  child=$!
  sleep $seconds
  kill -TERM $child
  status=0
  wait $child || status=$?
  [ $status = 143 ] || fail "rccebench, interrupted after $seconds s: status $status" out err
  ! grep -q 'ended with status' err || fail "rccebench, interrupted after $seconds s" out err
  if [ -s out ]; then
    grep -q '^# interrupted: 0 of 1 point, nothing compared$' out ||
      fail "rccebench, interrupted after $seconds s" out err
    break
  fi
done
[ -s out ] || fail 'rccebench did not begin within a minute' out err

# Statements rest on all points: nothing is written of some, and the status tells of the signal, not of a
# mistake. The signal comes to rccebench alone, then to its process group: the judge, its child, ends as well.
for group in '' -; do
  for tries in 0.2 0.5 1 2; do
    setsid "$BIN/rccebench" reproduce dynamic-reduction -o statements.csv >out 2>err &
    child=$!
    handles $child TERM
    sleep $tries
    kill -TERM $group$child
    wait $child
    status=$?
    grep -q 'interrupted: statements' err && break
  done
  [ $status -eq 143 ] || fail "rccebench reproduce, $group$child: status $status" err
  grep -q 'interrupted: statements' err || fail "rccebench reproduce, $group$child: it does not say so" err
  ! kill -0 -$child 2>/dev/null || fail "rccebench reproduce, $group$child: a child is left"
  [ ! -e statements.csv ] || fail 'rccebench reproduce, interrupted, has written statements.csv'
done

# rccecc, while a compiler runs that takes long.
mkdir -p slow &&
  printf '#!/bin/sh\ncase "$*" in *-c*) touch "%s/slow/started"; exec sleep 20 ;; esac\nexec cc "$@"\n' \
  "$WORK" >slow/slowcc
chmod +x slow/slowcc
echo 'int RCCE_APP(int c, char** v) { return 0; }' >slow/x.c
for pair in TERM:143 INT:130 HUP:129; do
  signal=${pair%:*}
  rm -f slow/started
  env --default-signal=INT,HUP "$BIN/rccecc" --cc "$WORK/slow/slowcc" slow/x.c -o slow/x >out 2>&1 &
  child=$!
  while [ ! -e slow/started ] && kill -0 $child 2>/dev/null; do sleep 0.02; done
  kill -$signal $child
  wait $child
  status=$?
  [ $status -eq "${pair#*:}" ] || fail "rccecc, SIG$signal: status $status" out
  [ -z "$(ls tmp)" ] || fail "rccecc, SIG$signal leaves $(ls tmp)"
done

# What SIGKILL leaves, the next command removes, if nobody holds it any more.
for command in rccecc rccebench; do
  mkdir tmp/$command-aaaaaa tmp/$command-bbbbbb tmp/$command-mine
  touch tmp/$command-aaaaaa/object.o
  touch -d '1 hour ago' tmp/$command-*
  (exec 9<tmp/$command-bbbbbb && flock 9 && touch locked && exec sleep 20) &
  holder=$!
  until [ -e locked ]; do sleep 0.05; done
  # What is compiled is wrong: the folder is made all the same.
  echo 'int' >wrong.c
  case $command in
  rccecc) "$BIN/rccecc" wrong.c -o wrong 2>/dev/null && fail 'rccecc compiles what is wrong' ;;
  rccebench) "$BIN/rccebench" bcast --with wrong.c 2>/dev/null && fail 'rccebench compiles what is wrong' ;;
  esac
  [ ! -e tmp/$command-aaaaaa ] || fail "$command: what a killed one has left is still there"
  [ -e tmp/$command-bbbbbb ] && [ -e tmp/$command-mine ] ||
    fail "$command has removed what is not its own: $(ls tmp)"
  kill $holder
  rm -rf tmp/$command-* locked
done
exit $failed
