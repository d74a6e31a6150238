#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The sweeps of which the suites take a seeded sample, whole, and the tests that build: label `nightly` of
# ctest, an hour and more on 2 processors. Prints a table: test, verdict, seconds, and the last line that the
# test printed. The status is ctest's.
#
#   sh tests/nightly.sh [CTEST OPTIONS]
set -eu
cd "$(dirname "$0")/.."
sh apps/setup.sh --tests
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
status=0
ctest --test-dir build -C nightly -L nightly --parallel "$jobs" --no-label-summary --verbose "$@" \
  >build/nightly.log 2>&1 || status=$?
# Lines of ctest: "12: text" of test 12, "3/9 Test #12: NAME ....   Passed  1.23 sec".
awk '
  match($0, /^[0-9]+: /) && !/Test timeout computed/ { number = substr($0, 1, RLENGTH - 2);
  said[number] = substr($0, RLENGTH + 1) }
  match($0, /Test +#[0-9]+: /) {
    number = substr($0, RSTART, RLENGTH); gsub(/[^0-9]/, "", number)
    rest = substr($0, RSTART + RLENGTH); name = rest; sub(/ .*/, "", name)
    verdict = rest ~ /Passed/ ? "passed" : rest ~ /Skipped/ ? "skipped" : "FAILED"
    seconds = rest; sub(/ sec.*/, "", seconds); sub(/.* /, "", seconds)
    printf "%-28s %-8s %7.1f s  %s\n", name, verdict, seconds, said[number]
  }' build/nightly.log
[ $status -eq 0 ] || echo "nightly.sh: what failed is in build/nightly.log" >&2
grep '^[0-9]*% tests passed, [0-9]* tests failed out of [0-9]*$' build/nightly.log || status=1
exit $status
