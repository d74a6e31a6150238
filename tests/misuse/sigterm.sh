# SPDX-License-Identifier: Apache-2.0
# SIGTERM ends a run with status 143 and leaves no process behind; SIGINT with 130, SIGQUIT, by which a
# terminal asks for a core, with 131. SIGUSR1, which batch systems send, loses nothing either.
. "$SOURCE/tests/support/processes.sh"
for pair in TERM:143 INT:130 QUIT:131 USR1:138; do
  signal=${pair%:*}
  # A shell starts background jobs with SIGINT ignored; the launcher has to be started with the default
  # action.
  env --default-signal=INT,QUIT "$BIN/rccerun" -nue 2 "$PROGRAMS/wrong" endless >out 2>&1 &
  child=$!
  handles $child $signal
  computes $child 20 # the program turns
  kill -$signal $child
  wait $child
  status=$?
  if [ $status -ne "${pair#*:}" ]; then
    echo "SIG$signal: status $status, expected ${pair#*:}"
    cat out
    exit 1
  fi
  grep -q "ended by signal" out || { echo "SIG$signal: no report"; cat out; exit 1; }
done
