#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --profile: do calls and stacks add up to the statistics, does nothing change, whose is the program's own
# code?
set -eu
. "$SOURCE/tests/support/checks.sh"
program=$PROGRAMS/profiled
rm -f ./*.csv ./*.folded ./*.out ./*.json
"$BIN/rccerun" -nue 3 --digest "$program" >plain.out 2>&1
"$BIN/rccerun" -nue 3 --digest --profile=calls.csv "$program" >profiled.out 2>&1
cmp plain.out profiled.out
"$BIN/rccerun" -nue 3 --profile=calls.folded "$program" 2>/dev/null
"$BIN/rccerun" -nue 3 --statistics=all.csv "$program" 2>/dev/null
"$BIN/rccerun" -nue 3 --profile=again.folded "$program" 2>/dev/null
cmp calls.folded again.folded

# equal WHAT SUM EXPECTED: both in us, the expected one not 0.
equal() {
  awk -v sum="$2" -v wanted="$3" 'BEGIN { d = sum - wanted; exit !(wanted > 0 && d < 1e-5 && d > -1e-5) }' ||
    fail "$1: $2 us, expected $3 us (in $PWD)"
}
# sum FAMILY CALL FILE: of the values of a family, of one call or of all ("").
sum() { awk -F, -v family="$1" -v call="$2" \
  '$1 == family && (call == "" || $2 ~ "call=" call "$") { sum += $4 } END { printf "%.6f", sum }' "$3"; }
# By function the same as the statistics.
for call in RCCE_send RCCE_recv RCCE_barrier RCCE_finalize rcce_compute; do
  equal "sum of profile.time of $call, against call.time of the statistics" \
    "$(sum profile.time "$call" calls.csv)" \
    "$(sed -n "s/^call.time,function=$call,us,//p" all.csv)"
done
# The parts of all calls are those of all cores.
for part in copying waiting; do
  equal "sum of profile.$part, against core.$part of the statistics" "$(sum profile.$part "" calls.csv)" \
    "$(sum core.$part "" all.csv)"
done
equal "sum of the stacks, against profile.time" \
  "$(awk '{ sum += $NF } END { printf "%.6f", sum / 1e6 }' calls.folded)" "$(sum profile.time "" calls.csv)"

# Own code that stores to shared memory is the program's, not that of the runtime's function which sees the
# store; so is what polls plain memory behind the last call. All is what the cores do until they end.
cat >own.c <<'END'
#include <RCCE.h>
static __attribute__((noinline)) double kernel(volatile double *out) {
  double x = 1;
  for (int i = 0; i < 200000; ++i) x *= 1.00001;
  *out = x;
  return x;
}
int main(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  volatile double *place = (volatile double *)RCCE_shmalloc(64);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_ue() == 0) return kernel(place) < 0;
  while (*place == 0) continue;
  return 0;
}
END
"$BIN/rccecc" -g -O2 own.c -o own
"$BIN/rccerun" -nue 3 --force --compute blocks --profile=own.csv --statistics=own-all.csv \
  --why=why.txt ./own 2>/dev/null
! grep rockcreek_ own.csv why.txt || fail "a function of the runtime's has the program's time"
grep -q '^profile.time,function=kernel place=own.c:' own.csv || fail "no time of kernel: $(cat own.csv)"
equal "sum of profile.time, against what the cores do" "$(sum profile.time "" own.csv)" \
  "$(awk -F, '$1 ~ /^core[.](waiting|computing|copying|accessing)$/ { sum += $4 }
    END { printf "%.6f", sum }' own-all.csv)"
