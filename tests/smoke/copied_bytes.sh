#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What apps/compare_smpi.sh sets beside simulated broadcasts: every schedule gives each of 47 ranks every byte
# once, by two copies. And the simulated twin runs each by name, its bytes compared.
set -eu
"${CXX:-c++}" -O2 -std=c++20 -I"$SOURCE/algorithms/include" "$SOURCE/apps/compare_smpi/copies.cpp" -o copies
for algorithm in linear binomial scatter_allgather; do
  for bytes in 1 1500 8193 190000; do
    printed=$(./copies $algorithm 2 $bytes)
    [ "$printed" = "2 $((2 * 47 * bytes))" ] || { echo "copies $algorithm 2 $bytes: $printed"; exit 1; }
  done
  "$BIN/rccerun" -nue 48 "$BIN/../libexec/rockcreek/operations-rcce20" bcast 2 1500 bcast/$algorithm >times
  grep -q '^2 [0-9.]*$' times || { cat times; exit 1; }
done
status=0
./copies cube 2 32 >usage || status=$?
[ $status -eq 2 ] && grep -q '^usage' usage || { echo "no usage: $status"; exit 1; }
status=0
"$BIN/rccerun" -nue 2 "$BIN/../libexec/rockcreek/operations-rcce20" bcast 2 32 bcast/cub >out 2>err ||
  status=$?
[ $status -eq 1 ] && grep -q "bcast/cub" err || { echo "an unknown algorithm: $status"; exit 1; }
