#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pingpong with several messages in flight, and with a computation beside a message: do the figures agree with
# each other, does a window shorten a message's time, and do pushes hide what a wait alone cannot?
set -eu
. "$SOURCE/tests/support/checks.sh"
cd "$WORK"
holds() { # holds FILE CONDITION: of every row, with the columns by name; `rows` counts them
  awk -F, "/^#/ { next } !n { for (i = 1; i <= NF; ++i) at[\$i] = i; n = NF; next }
    { ++rows; if (!($2)) { print \"not in: \" \$0; wrong = 1 } } END { exit wrong || !rows }" "$1" ||
    fail "$2: $(cat "$1")"
}

for window in 1 8; do
  "$bench" pingpong --window $window --pairs 0:47,5:2 --sizes 1,32,33,8193 --format csv >window$window.csv
  holds window$window.csv '$at["check"] == "ok" && $at["window"] == '$window
  holds window$window.csv '($at["round_us"] / $at["message_us"] / $at["window"] - 1) ^ 2 < 1e-8'
  holds window$window.csv \
    '($at["bandwidth_mib_per_s"] * 1.048576 * $at["message_us"] / $at["bytes"] - 1) ^ 2 < 1e-8'
  [ "$(grep -c '^[0-9]' window$window.csv)" -eq 8 ] || fail "not eight rows: $(cat window$window.csv)"
done
# The byte that comes back is paid once for eight messages, but eight of them take longer than one.
awk -F, '/^[0-9]/ && NR == FNR { one[$1 $2 $4] = $6 }
  /^[0-9]/ && NR != FNR { ++rows; if ($6 < 2 * one[$1 $2 $4] || $4 < 64 && $7 > one[$1 $2 $4]) wrong = 1 }
  END { exit wrong || rows != 8 }' window1.csv window8.csv || fail "$(cat window1.csv window8.csv)"

overlap="pingpong --overlap --pairs 0:47 --sizes 1,2048,131072"
"$bench" $overlap --pushes 0,16 --format csv >overlap.csv
holds overlap.csv '$at["check"] == "ok" && $at["hidden_percent"] < 100'
holds overlap.csv '($at["hidden_percent"] - (2 - $at["both_us"] / $at["alone_us"]) * 100) ^ 2 < 1e-8'
holds overlap.csv '$at["both_us"] >= $at["alone_us"]' # the computation alone takes that long
# A request advances only inside calls: of a long message the computation hides little unless it pushes.
awk -F, '$4 == 131072 { hidden[$5] = $8 } END { exit !(hidden[0] < 10 && hidden[16] > 25) }' overlap.csv ||
  fail "pushes hide nothing: $(cat overlap.csv)"
"$bench" $overlap --pushes 0,16 --format csv | cmp - overlap.csv || fail "other times in another run"
"$bench" $overlap --set mesh.router_cycles=4,8 --format json >overlap.json
grep -q '"machine": ' overlap.json && grep -q '"points": 12' overlap.json || fail "$(cat overlap.json)"
