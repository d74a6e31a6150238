# SPDX-License-Identifier: Apache-2.0
# Where a program has left no line of its message-passing buffers, one or two, every collective gives right
# data or is refused on all ranks, and says why.
set -eu
"$BIN/rcceinfo" algorithms | awk '$2 == "messages" { print $1 }' >rows
[ "$(wc -l <rows)" -gt 50 ]
for rcce in 2.0 1.0; do
  "$BIN/rccecc" --rcce $rcce -DAIR -O2 -I"$SOURCE/tests/support" "$SOURCE/tests/misuse/full_buffer.c" \
    -lrockcreek_algorithms -o program
  while read -r row; do
    for lines in 0 1 2; do
      at="RCCE $rcce, $row, $lines lines"
      "$BIN/rccerun" -nue 5 ./program "$row" $lines >out 2>err </dev/null ||
        { echo "$at: status $?"; cat out err; exit 1; }
      [ "$(grep -c 'rank [0-4] ok' out)" = 5 ] || { echo "$at:"; cat out err; exit 1; }
      ! grep -q refused out || grep \
        -Eq "needs [0-9]+ bytes for messages|bytes are left for messages|of a call that it makes: Flag" err ||
        { echo "$at: refused without a reason"; cat out err; exit 1; }
    done
  done <rows
done
grep -q "rockcreek_bcast: 'bcast/oc_tree' needs 64 bytes for messages in each message-passing buffer, and \
the program has left 32; its flags, iRCCE_malloc" <<T
$("$BIN/rccerun" -nue 5 ./program bcast/oc_tree 1 2>&1)
T
