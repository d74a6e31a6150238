#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Is the README's picture what the project draws today? Status 77: no Python, or a build without reports.
set -eu
command -v python3 >/dev/null || { echo 'skipped: there is no python3, which draws the picture'; exit 77; }
if ! ROCKCREEK_BIN=$BIN sh "$SOURCE/apps/picture/make.sh" "$PWD/broadcast.svg" 2>err; then
  grep -q 'uPlot was not there' err || { cat err; exit 1; }
  echo 'skipped: this build writes no reports; sh apps/setup.sh fetches uPlot'
  exit 77
fi
if ! cmp broadcast.svg "$SOURCE/apps/picture/broadcast.svg"; then
  echo 'the picture is not what the project draws; look at the new one: sh apps/picture/make.sh'
  exit 1
fi
grep -q '](apps/picture/broadcast.svg)' "$SOURCE/README.md" ||
  { echo 'the README does not show the picture'; exit 1; }
