#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Colours of the HTML reports: are neighbours told apart with any colour vision (colours.py)? Status 77: there
# is no Python.
set -eu
command -v python3 >/dev/null || { echo 'skipped: there is no Python'; exit 77; }
PYTHONDONTWRITEBYTECODE=1 python3 "$SOURCE/tests/smoke/colours.py" "$SOURCE/rcce_emu/report/base.js" \
  "$SOURCE/rcce_emu/report/style.css"
# A palette that is none is found out: two lines of one colour, a red and a green of one lightness.
sed 's/"#d55e00", "#00805d"/"#0072b2", "#00805d"/' "$SOURCE/rcce_emu/report/base.js" >same.js
sed 's/"#d55e00", "#00805d"/"#b85450", "#7d7a45"/' "$SOURCE/rcce_emu/report/base.js" >red_green.js
for wrong in same red_green; do
  if PYTHONDONTWRITEBYTECODE=1 python3 "$SOURCE/tests/smoke/colours.py" $wrong.js \
    "$SOURCE/rcce_emu/report/style.css" >out 2>err; then
    echo "$wrong.js passes: $(cat out)"
    exit 1
  fi
done
