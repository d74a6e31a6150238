#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a test's script in its work folder, the present one; where that belongs to somebody else, in a
# temporary folder.
[ ! -w . ] || exec sh "$@"
WORK=$(mktemp -d) || exit 1
export WORK
cd "$WORK" || exit 1
sh "$@"
status=$?
cd / && rm -rf "$WORK"
exit $status
