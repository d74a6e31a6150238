#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds and runs the tests near some files, the quickest first; stops at the first that fails: sh
# tests/near.sh FILE... near.txt says which these are. BUILD is the build folder, build/ unless set.
exec python3 "$(dirname "$0")/near.py" "$@"
