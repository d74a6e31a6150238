#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the golden tests and pages and takes their present output as the expected one. Look at the difference
# before committing it: it may be a change of results, which belongs in CHANGELOG.md.
set -eu
cd "$(dirname "$0")/.."
ACCEPT=1 ctest --test-dir build --label-regex 'golden|page' --output-on-failure "$@"
git --no-pager diff --stat 2>/dev/null || true
