#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Do the tests catch faults? Plants seeded one-line faults in a copy of the tree, builds, and runs the tests
# near each (near.txt) until one fails. Prints which fault was caught by which test, and each that survived
# with its line. By hand, no part of ctest:
#
#   sh tests/mutate.sh [--seed S] [--count N] [--jobs N] [--again] [--list] [FOLDER...]
#
# The copy has the last commit. It is in TMPDIR and stays, with its build and its results: a run that was
# killed goes on, and
# --again tries those again that have survived, after a test was added. Faults that change nothing are in
# mutants_equal.txt. Of tools for this, universalmutator rebuilds and tests everything for each fault, mutmut
# is for Python, Mull is not in Debian.
exec nice -n 10 python3 "$(dirname "$0")/mutate.py" "$@"
