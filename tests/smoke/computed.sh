#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --compute blocks: the same for every target and host, and a profile of it.
set -u
unset ROCKCREEK_COMPUTE
fail() { echo "computed.sh: $*" >&2; exit 1; }
PATH=$BIN:$PATH
program=$SOURCE/tests/smoke/computed.c
rccecc -O2 "$program" -o plain || fail "cannot compile"
rccerun -nue 1 --digest ./plain >plain.out 2>plain.err || fail "$(cat plain.err)"
digest=$(grep digest plain.err)

# Neither the host's processor, nor debugging, nor the C library's choice of routines changes a picosecond.
same() {
  name=$1
  shift
  "$@" --digest ./"$name" >out 2>err || fail "$*: $(cat err)"
  diff plain.out out || fail "$name: other times"
  [ "$(grep digest err)" = "$digest" ] || fail "$name: other digest"
}
rccecc -O2 -march=native -g "$program" -o native && same native rccerun -nue 1
rccecc -O2 -march=haswell "$program" -o haswell || fail "cannot compile for haswell"
if grep -q avx2 /proc/cpuinfo; then same haswell rccerun -nue 1; fi
same plain env GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2_Usable,-AVX512F_Usable,-ERMS rccerun -nue 1

# A profile charges each function what it takes itself, and changes nothing.
cat >functions.c <<'END'
#include <RCCE.h>
static volatile double sum;
__attribute__((noinline)) static void short_one(void) {
  for (int i = 0; i < 100; i++) sum += i;
}
__attribute__((noinline)) static void long_one(int n) {
  for (int i = 0; i < n; i++) sum += i;
  for (int i = 0; i < 10; i++) short_one();
}
int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  long_one(9000);
  RCCE_barrier(&RCCE_COMM_WORLD);
  return RCCE_finalize();
}
END
rccecc -O1 -g functions.c -o functions || fail "cannot compile functions.c"
rccerun -nue 2 --digest ./functions 2>unprofiled || fail "$(cat unprofiled)"
rccerun -nue 2 --digest --force --profile=functions.csv ./functions 2>profiled || fail "$(cat profiled)"
grep digest unprofiled | diff - profiled || fail "the profile changes the digest"
own() { awk -F, -v at="function=$1 " \
  '$1 == "profile.time" && index($2, at) == 1 && / call=-,/ { sum += $4 } END { print sum + 0 }' \
  functions.csv; }
# 14 cycles of 1.875 ns a round, on 2 UEs.
awk -v short="$(own short_one)" -v long="$(own long_one)" -v main="$(own RCCE_APP)" 'BEGIN {
  exit !(short > 52.5 && short < 55 && long > 472 && long < 474 && main < 1) }' ||
  fail "short_one $(own short_one), long_one $(own long_one), main $(own RCCE_APP): $(cat functions.csv)"
rccerun -nue 2 --force --profile=functions.folded ./functions 2>/dev/null
grep -q ';long_one;short_one [0-9]*$' functions.folded || fail "$(cat functions.folded)"
