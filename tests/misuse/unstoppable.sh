# SPDX-License-Identifier: Apache-2.0
# No UE keeps a run from its end: whatever it blocks, ignores or handles, wherever it stays, the time limit
# and each signal of people, terminals and batch systems end the run within a second or so, with the report,
# the lines printed by then and the recordings.
. "$SOURCE/tests/support/processes.sh"
failed=0
rm -f ./*.json
fail() { echo "$1"; shift; for file; do echo "--- $file"; cat "$file"; done; failed=1; }
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
# check NAME STATUS EXPECTED LATE: of a run that has written NAME.out and NAME.err
check() {
  [ "$2" -eq "$3" ] || fail "$1: status $2, expected $3" $1.err
  grep -q 'the run was ended by' $1.err || fail "$1: no report" $1.err
  grep -q 'rank 0 is here' $1.out || fail "$1: a line is missing" $1.out
  ! grep -q 'did not stop when it was asked to' $1.err || fail "$1: had to be given up" $1.err
  # Some tenths of a second are usual; a host that is busy otherwise takes longer.
  [ "$4" -lt 10000 ] || fail "$1: $4 ms late"
}
one() { # one NAME ENGINE MEANS PLACE [LIMIT]
  limit=${5:-1000}
  [ $4$limit != loop1000 ] || limit=300 # a loop takes a processor for all of that time
  begin=$(milliseconds)
  timeout -s KILL 30 "$BIN/rccerun" --timeout $((limit / 1000)).$((limit % 1000)) --engine $2 -nue 2 \
    "$PROGRAMS/unstoppable" $3 $4 </dev/null >$1.out 2>$1.err
  echo $? $(($(milliseconds) - begin - limit)) >$1.result
}
names=''
running=0
for engine in sim threads; do
  for means in mask thread-mask raw old ignore handler outside; do
    for place in loop read wait wait-outside; do
      name=$engine.$means.$place
      names="$names $name"
      one $name $engine $means $place &
      running=$((running + 1))
      [ $((running % 8)) -ne 0 ] || wait
    done
  done
done
wait
for name in $names; do
  # On a busy host rank 0 may not have been on a processor by then. Alone, and with more time.
  if ! grep -q 'rank 0 is here' $name.out; then
    place=${name##*.} means=${name#*.}
    one $name ${name%%.*} ${means%.*} $place 5000
  fi
  read -r status late <$name.result
  check $name $status 124 $late
done

for engine in sim threads; do
  for pair in TERM:143 INT:130 HUP:129; do
    for place in loop read; do
      name=$engine.$place.${pair%:*}
      : >$name.out
      recordings=
      [ $engine = threads ] || recordings="--trace $name.json --statistics"
      env --default-signal=INT,HUP "$BIN/rccerun" --engine $engine $recordings -nue 2 \
        "$PROGRAMS/unstoppable" mask $place \
        </dev/null >$name.out 2>$name.err &
      child=$!
      says $child $name.out 'rank 0 is here'
      [ $place = loop ] || settles $child 0
      [ $place = read ] || settles $child 1 # from the line to the place
      begin=$(milliseconds)
      kill -${pair%:*} $child
      wait $child
      check $name $? ${pair#*:} $(($(milliseconds) - begin))
      [ $engine = threads ] || [ -s $name.json ] || fail "$name: no timeline"
    done
  done
  # As it comes from the system: with a core where that is allowed, and without a report.
  (ulimit -c 0; exec timeout -s QUIT -k 20 1 "$BIN/rccerun" --engine $engine -nue 2 "$PROGRAMS/unstoppable" \
    mask loop) >out 2>&1
  [ $? -le 131 ] || fail "$engine: SIGQUIT does not end the run" out
done

# While --why makes its runs: nothing of them is left.
for pair in TERM:143 INT:130 HUP:129; do
  for place in --why '--explore 3'; do
    env --default-signal=INT,HUP "$BIN/rccerun" $place -nue 2 "$PROGRAMS/unstoppable" mask loop </dev/null \
      >out 2>err &
    child=$!
    handles $child ${pair%:*}
    sleep 0.3
    begin=$(milliseconds)
    kill -${pair%:*} $child
    wait $child
    status=$?
    [ $status -eq ${pair#*:} ] || fail "$place, ${pair%:*}: status $status" err
    [ $(($(milliseconds) - begin)) -lt 10000 ] || fail "$place, ${pair%:*}: late"
    grep -q "${pair#*:}\|signal [0-9]*" out err || fail "$place, ${pair%:*}: says nothing" out err
  done
done
sleep 0.2
left=$(ps -e -o args= | grep "[u]nstoppable mask loop" | grep "$WORK" || :)
[ -z "$left" ] || fail "left behind: $left"
exit $failed
