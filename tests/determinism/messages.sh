# SPDX-License-Identifier: Apache-2.0
# Random programs without races (messages.c): what waits for messages and collective calls alone ends at the
# same picoseconds on threads with simulated clocks as in the simulator without contention, and no word is
# said. Where requests stay pending the bytes are the same, and the last line says that the times may not be.
set -e
seeds=${WHOLE:+2000}
for seed in $(seq "${seeds:-24}"); do
  ues=$((2 + seed * 5 % 11))
  "$BIN/rccerun" -nue $ues --contention off "$PROGRAMS/messages" "$seed" 60 >sim
  "$BIN/rccerun" -nue $ues --engine threads --clock simulated "$PROGRAMS/messages" "$seed" 60 >threads 2>err
  sort -n sim >one && sort -n threads | cmp - one || { echo "seed $seed on $ues UEs"; sort -n threads |
    diff one -; exit 1; }
  if grep 'the host has decided' err; then echo "seed $seed: nothing was left to the host"; exit 1; fi
  [ $((seed % 3)) = 0 ] || continue
  "$BIN/rccerun" -nue $ues "$PROGRAMS/messages" "$seed" 60 requests >sim
  "$BIN/rccerun" -nue $ues "$PROGRAMS/messages" "$seed" 60 requests | cmp - sim
  "$BIN/rccerun" -nue $ues --engine threads --clock simulated "$PROGRAMS/messages" "$seed" 60 requests \
    >threads 2>err
  sort -n sim | sed 's/.*digest/digest/' >one && sort -n threads | sed 's/.*digest/digest/' | cmp - one ||
    { echo "seed $seed: other bytes"; exit 1; }
  sort -n sim | cmp -s - threads || grep -q 'order of .*requests that stayed pending' err ||
    { echo "seed $seed: in silence"; cat err; exit 1; }
done
