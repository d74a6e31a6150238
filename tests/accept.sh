#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the golden tests and takes their present output as the expected one. Look at the difference before
# committing it: it is a change of results and belongs in CHANGELOG.md.
set -eu
cd "$(dirname "$0")/.."
ACCEPT=1 ctest --test-dir build --label-regex golden --output-on-failure "$@"
git --no-pager diff --stat -- tests 2>/dev/null || true
