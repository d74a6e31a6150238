#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rccebench power: a slower clock takes longer, by less than the clock where memory is waited for; slow idle
# cores save energy.
set -eu
. "$SOURCE/tests/support/checks.sh"
for compute in blocks cache; do
  "$bench" power --side 96 --rounds 20 --compute $compute --format csv -o $compute.csv 2>err ||
    fail "$(cat err)"
done
# columns: divider, clock, voltage, others, time, energy, power, energy x time
awk -F, '!/^#/ && $1 + 0 > 1 { time[FILENAME $1] = $5; energy[$1 $4] = $6; rows++
    if ($4 == "slowest" && $6 > energy[$1 "as fast"] * 1.0001) { print "slow idle cores cost energy: " $0;
    bad = 1 } }
  END { blocks = time["blocks.csv16"] / time["blocks.csv2"]; cache = time["cache.csv16"] / time["cache.csv2"]
    if (rows != 60) { print rows " rows"; bad = 1 }
    if (blocks > 8 || blocks < 5 || cache > blocks) {
    print "an eighth of the clock takes " blocks " and " cache " times as long"; bad = 1 }
    exit bad }' blocks.csv cache.csv || fail "$(head -4 blocks.csv)"
"$bench" power --set mesh.columns=12 --side 24 --rounds 1 --compute blocks >wide.txt
grep -q '^# power  *of a tile: 1/48 of ' wide.txt || fail "a tile's share of the power of 48: $(cat wide.txt)"
refused 'give a multiple' power --side 100

# A build without passes has no such program.
mkdir -p bare/bin && cp "$BIN/rccebench" bare/bin/
! LD_LIBRARY_PATH=$BIN/../lib bare/bin/rccebench power >out 2>&1 || fail 'it works without its program'
grep -q "install clang-14 and llvm-14-dev, and build again" out || fail "$(cat out)"
