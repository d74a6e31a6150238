# SPDX-License-Identifier: Apache-2.0
# Ctrl-C while exploring: what is known so far, status 130, and no process is left.
. "$SOURCE/tests/support/processes.sh"
cp "$PROGRAMS/racing" interrupted_run
env --default-signal=INT "$BIN/rccerun" -nue 2 --explore 100000 ./interrupted_run polls >out 2>err &
explorer=$!
handles $explorer INT
sleep 0.5
kill -INT $explorer
wait $explorer
status=$?
if [ $status -ne 130 ] || ! grep -q "interrupted by signal 2; [0-9]* runs* so far agree" out ||
  [ -s err ]; then
  echo "status $status"
  cat out err
  exit 1
fi
if grep -lx interrupted_run /proc/[0-9]*/comm 2>/dev/null; then
  echo "a run is left"
  exit 1
fi
