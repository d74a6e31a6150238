#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A change of a UE's mask costs the host the same whatever the number of UEs: processor time in hundredths of
# a second, with room for what 48 UEs cost beside it. It was 37 times as much.
set -eu
spent() {
  cut -d' ' -f16,17 "/proc/$$/stat" | tr ' ' '+'
}
cost() {
  before=$(($(spent)))
  "$BIN/rccerun" -nue "$1" --compute none "$PROGRAMS/signal_mask_cost"
  took=$(($(spent) - before))
}
cost 1
one=$took
cost 48
many=$took
echo "1 UE: $one, 48 UEs: $many"
[ "$many" -lt $((2 * one + 40)) ]
