# SPDX-License-Identifier: Apache-2.0
# SIGTERM ends a run with status 143 and leaves no process behind; SIGINT with 130.
for pair in TERM:143 INT:130; do
  signal=${pair%:*}
  # A shell starts background jobs with SIGINT ignored; the launcher has to be started with the default action.
  env --default-signal=INT "$BIN/rccerun" -nue 2 "$PROGRAMS/wrong" endless >out 2>&1 &
  child=$!
  # Wait until the program turns: it has used 0.2 s of processor time (field 14 of stat, in ticks of 10 ms).
  tries=0
  until [ "$(cut -d ' ' -f 14 /proc/$child/stat)" -ge 20 ] || [ $tries -ge 100 ]; do
    tries=$((tries + 1))
    sleep 0.1
  done
  kill -$signal $child
  wait $child
  status=$?
  if [ $status -ne "${pair#*:}" ]; then
    echo "SIG$signal: status $status, expected ${pair#*:}"
    cat out
    exit 1
  fi
done
