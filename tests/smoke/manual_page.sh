#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does man find the manual pages of the build tree, and has that of rccerun every status that its help tells?
set -eu
. "$SOURCE/tests/support/checks.sh"
! command -v man >/dev/null || ! PATH=$BIN:$PATH man -w rccecc >where 2>/dev/null || [ -s where ] ||
  fail "man rccecc"
[ -f "$BUILD/share/man/man1/rccerun.1" ] || fail "man rccerun of the build tree"
statuses=$("$BIN/rccerun" --help | sed -n '/^status:/,/^$/s/^  \([0-9][0-9]*\) .*/\1/p')
[ "$(printf '%s\n' "$statuses" | grep -c .)" -eq 9 ] || fail "statuses in the help: $statuses"
for status in $statuses; do
  sed -n '/^.SH EXIT STATUS/,/^.SH EXAMPLES/p' "$BUILD/share/man/man1/rccerun.1" |
    grep -q "^\.B .*\b$status\b" ||
    fail "rccerun(1) lacks status $status"
done
