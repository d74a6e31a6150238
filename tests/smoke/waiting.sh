# SPDX-License-Identifier: Apache-2.0
# Waiting by reading memory lets the others run, and takes the same simulated time at every optimisation
# level.
set -e
for level in O0 O2 O3; do
  "$BIN/rccerun" --digest --timeout 20 -nue 6 "$PROGRAMS/waiting_$level" >"$level.out" 2>"$level.err" || {
    echo "-$level: status $?"
    cat "$level.err"
    exit 1
  }
  cmp O0.out "$level.out"
  cmp O0.err "$level.err"
done
cat O0.out
