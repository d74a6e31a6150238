#!/bin/sh
# Installs what is missing, builds into build/ and runs every test. The last line is ctest's verdict, the status is ctest's.
# A second run builds and installs nothing that is there.
set -eu
cd "$(dirname "$0")/.."

sh apps/setup.sh
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

log=build/ctest.log
status=0
ctest --test-dir build --parallel "$jobs" --output-on-failure >"$log" 2>&1 || status=$?
# ctest's summary is not its last line when tests failed or carry labels: print the log without it, then the summary.
verdict='^[0-9]*% tests passed, [0-9]* tests failed out of [0-9]*$'
grep -v "$verdict" "$log"
grep "$verdict" "$log" || { echo "no test was run: see $log" >&2; [ "$status" -ne 0 ] || status=1; }
exit "$status"
