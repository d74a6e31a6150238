# SPDX-License-Identifier: Apache-2.0
# A UE that is asleep in a call of the host does not keep a run from its end: soon after the time limit or a
# signal the report says which call, the lines printed by then are there, and nothing is left behind. On both
# engines and loaders.
. "$SOURCE/tests/support/processes.sh"
failed=0
# Standard input from which nothing ever comes.
rm -f silent && mkfifo silent && exec 9<>silent
fail() { echo "$1"; shift; for file; do echo "--- $file"; cat "$file"; done; failed=1; }
seconds=7$$ # that the programs which a UE starts sleep: nobody else's do
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
# told NAME CALL: rank 0 was in its call when the run was ended, and rank 1 waited for it
told() {
  grep -q "rank 0 (core 00, tile 0): in $2.*, .*sleep_in.* at host_calls.cpp:.* since [0-9.]* us" $1.err &&
    grep -q "rank 1 (core 01, tile 0): RCCE_.*, waiting for flag" $1.err
}
# check NAME STATUS EXPECTED-STATUS CALL: of a run that has written NAME.out and NAME.err
check() {
  name=$1
  [ "$2" -eq "$3" ] || fail "$name: status $2, expected $3" $name.out $name.err
  grep -q "the run was ended by" $name.err || fail "$name: no report" $name.err
  told $name "$4" || fail "$name: '$4' or rank 1 is not told" $name.err
  for line in 'rank 0 is here' 'rank 1 is here' 'rank 1 begins' 'an unfinished line'; do
    grep -q "$line" $name.out || fail "$name: '$line' is missing" $name.out
  done
}

# call = what the report says
calls='read=read() getchar=read() scanf=read() cin=read() pipe=read() full-pipe=write() fifo=open()
semaphore=sem_wait() mutex=pthread_mutex_lock() condition=pthread_cond_wait() flock=flock() waitpid=waitpid()
system=waitpid() poll=poll() select=select()'
one() { # one LIMIT NAME CALL OPTIONS...: leaves the status and the time beyond the limit, which is in s
  limit=$1 name=$2 call=$3
  shift 3
  mkdir -p $name.d
  begin=$(milliseconds)
  (cd $name.d && timeout -k 1 50 "$BIN/rccerun" --timeout $limit -nue 2 "$@" "$PROGRAMS/host_calls" $call \
    $seconds) <silent >$name.out 2>$name.err
  echo $? $(($(milliseconds) - begin - 1000 * limit)) >$name.result
}
for options in '--engine=sim --loading=dlopen' '--engine=sim --loading=clone' '--engine=threads' \
  '--engine=threads --clock=simulated'; do
  label=$(echo "$options" | tr -d ' =-')
  running=0
  for pair in $calls; do
    one 1 $label.${pair%%=*} ${pair%%=*} $options &
    running=$((running + 1))
    [ $((running % 5)) -ne 0 ] || wait
  done
  wait
  for pair in $calls; do
    # On a busy host a UE may not have come to its call within a second. Then alone, and with more time.
    told $label.${pair%%=*} "${pair#*=}" || one 10 $label.${pair%%=*} ${pair%%=*} $options
    read -r status late <$label.${pair%%=*}.result
    check $label.${pair%%=*} $status 124 "${pair#*=}"
    # A tenth of a second is usual; a host that is busy otherwise takes longer.
    [ $late -lt 4000 ] || fail "$label.${pair%%=*}: $late ms after the limit"
  done
done
left=$(pgrep -f "^sleep $seconds\$")
[ -z "$left" ] || { fail "programs started by a UE are left"; kill $left; }

for engine in sim threads; do
  for pair in TERM:143 INT:130; do
    for call in 'read=read()' 'mutex=pthread_mutex_lock()'; do
      name=$engine.${pair%:*}.${call%=*}
      : >$name.out
      env --default-signal=INT "$BIN/rccerun" -nue 2 --engine $engine "$PROGRAMS/host_calls" ${call%=*} \
        $seconds <silent >$name.out 2>$name.err &
      child=$!
      says $child $name.out 'rank 1 begins'
      settles $child 0 # from the line to the calls
      begin=$(milliseconds)
      kill -${pair%:*} $child
      wait $child
      check $name $? ${pair#*:} "${call#*=}"
      late=$(($(milliseconds) - begin))
      [ $late -lt 4000 ] || fail "$name: $late ms after the signal"
    done
  done
done
exit $failed
