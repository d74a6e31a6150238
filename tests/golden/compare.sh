#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A small grid of rccebench compare, simulated times included; the first line names the version and the build.
set -eu
expected=$SOURCE/tests/golden/expected/compare.txt
"$BIN/rccebench" compare --algorithms linear,binomial,cube,auto --sizes 32,8192,50000 --cores 12,48 |
  sed 1d >compare.txt
if [ "${ACCEPT:-}" ]; then cp compare.txt "$expected"; fi
. "$SOURCE/tests/support/first_difference.sh"
first_difference "$expected" compare.txt "BIN=$BIN SOURCE=$SOURCE sh $SOURCE/tests/golden/compare.sh"
