#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds into build/ and runs every test. Where root does that, the tests that write
# or ask for rights run once more as an ordinary user who may only read the tree. The last line is ctest's
# verdict on the whole, the status the worse one. A second run builds and installs nothing that is there.
set -eu
cd "$(dirname "$0")/.."

sh apps/setup.sh --tests
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
tests_at_once=$((jobs + 2)) # some of them sleep

# The verdict is held back, because lists and timings follow it. The status travels through a file: a pipe in
# sh loses it.
verdict='^[0-9]*% tests passed, [0-9]* tests failed out of [0-9]*$'
log=build/ctest.log
{
  status=0
  ctest --test-dir build --parallel "$tests_at_once" --no-label-summary --output-on-failure 2>&1 || status=$?
  echo "$status" >build/ctest.status
} | tee "$log" | grep -v "$verdict" || true
read -r status <build/ctest.status
rm -f build/ctest.status
if [ "$(id -u)" -eq 0 ]; then
  {
    again=0
    sh tests/unprivileged.sh 2>&1 || again=$?
    echo "$again" >build/ctest.status
  } |
    sed 's/^[0-9]*% tests passed, \([0-9]*\) tests failed out of \([0-9]*\)$/'\
'as an ordinary user: \1 of \2 tests failed/'
  read -r again <build/ctest.status
  rm -f build/ctest.status
  [ "$again" -le "$status" ] || status=$again
fi
if ! grep "$verdict" "$log"; then
  echo "tests/run.sh: no test was run, see $log" >&2
  [ "$status" -ne 0 ] || status=1
fi
exit "$status"
