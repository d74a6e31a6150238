#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --compute blocks: what loops take, the same for every target and host, on both engines; what counts nothing
# is named.
set -u
unset ROCKCREEK_COMPUTE
fail() { echo "computed.sh: $*" >&2; exit 1; }
PATH=$BIN:$PATH
program=$SOURCE/tests/smoke/computed.c
rccecc -O2 "$program" -o plain || fail "cannot compile"
rccerun -nue 1 --digest ./plain >plain.out 2>plain.err || fail "$(cat plain.err)"
cat >expected <<'END'
dependent adds   12 cycles
independent adds 6 cycles
divides          41 cycles
roots            78 cycles
integer divides  43 cycles
scalar product   7 cycles
unknown end      4 cycles
copies           0.25 cycles
sines            123 cycles
END
diff expected plain.out || fail "loops take other times than the table says"
grep -q '^rccerun: [0-9.]* ms on the chip; [0-9.]* computing, [0-9.]* in calls and polling, [0-9.]* '\
'waiting$' plain.err ||
  fail "no closing line: $(cat plain.err)"
grep -q '^digest blocks:[0-9a-f]* (table=[0-9]* compiler=clang-[0-9.]* level=O2)$' plain.err ||
  fail "the digest does not say what it stands for"
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
rccerun -nue 1 --engine threads --clock simulated ./plain >out 2>err || fail "$(cat err)"
diff plain.out out || fail "the threads engine gives other times"

# Options that change code are told, and nothing of the command line stays in the program.
rccecc -O2 -ffast-math -fno-inline-functions -fno-color-diagnostics "$program" -o flags ||
  fail "cannot compile with flags"
rccerun -nue 1 --digest ./flags 2>&1 >/dev/null |
  grep -q ' level=O2 flags=-ffast-math,-fno-inline-functions)$' ||
  fail "the digest does not tell the options"
grep -q no-color-diagnostics flags && fail "the command line is in the program"

# As it was.
rccerun -nue 1 --digest --compute none ./plain >none.out 2>none.err || fail "$(cat none.err)"
grep -q 'dependent adds   0 cycles' none.out || fail "--compute none counts"
grep -q '^digest [0-9a-f]*$' none.err || fail "the digest of --compute none has changed its form"
ROCKCREEK_COMPUTE=none rccerun -nue 1 --digest ./plain 2>&1 >/dev/null | diff none.err - ||
  fail "the environment counts otherwise"
ROCKCREEK_COMPUTE=nine rccerun -nue 1 ./plain 2>err && fail "ROCKCREEK_COMPUTE=nine is accepted"
grep -q "ROCKCREEK_COMPUTE=nine: takes 'none' or 'blocks'" err || fail "$(cat err)"

# Objects that count nothing are named, and only what is asked for then counts.
cat >old.c <<'END'
int old(int n) { int sum = 0; for (int i = 0; i < n; i++) sum ^= i * i; return sum; }
END
cat >new.c <<'END'
#include <RCCE.h>
int old(int n);
int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  const double begin = RCCE_wtime();
  printf("%d %d\n", old(100), RCCE_wtime() > begin);
  return RCCE_finalize();
}
END
cc -O2 -fPIC -c old.c || fail "cannot compile old.c"
rccecc -O2 new.c old.o -o mixed || fail "cannot link old.o"
rccerun -nue 1 ./mixed >/dev/null 2>err || fail "$(cat err)"
grep -q 'communication only: no cycles are counted in old.o' err || fail "old.o is not named: $(cat err)"
rccerun -nue 1 --compute blocks ./mixed >/dev/null 2>err || fail "$(cat err)"
grep -q 'code of old.o takes no time' err || fail "old.o is not named: $(cat err)"
grep -q 'on the chip' err || fail "nothing is counted"
# Its plain stores are not seen: whoever looks may find one early, whoever waits goes on with its UE's next
# call.
cat >kept.c <<'END'
static volatile int *kept;
void keep(volatile int *word) { kept = word; }
void set(void) { *kept = 1; }
END
cc -O2 -fPIC -c kept.c && cc -shared kept.o -o libkept.so || fail "cannot compile kept.c"
cat >stores.c <<'END'
#include <RCCE.h>
#include <stdio.h>
void keep(volatile int *word);
void set(void);
int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  volatile int *const word = argc > 1 ? (volatile int *)RCCE_shmalloc(64) : 0;
  if (word) keep(word);
  RCCE_barrier(&RCCE_COMM_WORLD);
  const long long begin = rcce_picoseconds();
  if (word && RCCE_ue() == 1) {
    rcce_compute(533000);
    set();
    rcce_compute(533000);
  } else if (word) {
    while (!word[0]) {
    }
    printf("goes on at %lld us\n", (rcce_picoseconds() - begin) / 1000000);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  return RCCE_wtime() < 0 || RCCE_finalize();
}
END
unseen="plain stores of [^ ]* to shared memory are not seen: another UE can read one early, and one that \
waits"
for object in kept.o ./libkept.so; do
  rccecc -O2 stores.c $object -o stores || fail "cannot link $object"
  for model in none blocks; do
    rccerun -nue 2 --compute $model ./stores >/dev/null 2>err || fail "$(cat err)"
    ! grep -q "$unseen" err || fail "a program without shared memory: $(cat err)"
    rccerun -nue 2 --compute $model ./stores shared >out 2>err || fail "$(cat err)"
    [ "$(grep -c "$unseen" err)" = 1 ] && grep -q "of $object to" err ||
      fail "$object --compute $model: $(cat err)"
    grep -Eq 'goes on at (0|999|[12]00[0-9]) us' out || fail "$object --compute $model: $(cat out)"
  done
  rccerun -nue 2 --engine threads --clock simulated ./stores shared >/dev/null 2>err || fail "$(cat err)"
  grep -q 'host has decided the order of .*plain stores that are not seen: the times can differ' err ||
    fail "threads: $(cat err)"
done
rccecc -O2 -c kept.c -o seen.o && rccecc -O2 stores.c seen.o -o stores &&
  rccerun -nue 2 ./stores shared >out 2>err || fail "$(cat err)"
! grep -q "$unseen" err && grep -Eq 'goes on at (999|1000) us' out ||
  fail "all stores are seen: $(cat out err)"
for i in 1 2 3 4 5 6 7 8 9; do
  echo "int a_function_in_a_file_with_a_rather_long_name_$i(void) { return $i; }" \
    >a_file_with_a_rather_long_name_$i.c
done
rccecc --no-count -c a_file_with_a_rather_long_name_?.c && rccecc new.c old.o \
  a_file_with_a_rather_long_name_?.o -o many || fail "cannot link many objects that count nothing"
rccerun -nue 1 ./many >/dev/null 2>err || fail "$(cat err)"
grep -q 'no cycles are counted in .* and 7 more' err || fail "the objects are not counted: $(cat err)"
rccecc --cc gcc -O2 "$program" -o gcc || exit 0 # there is no gcc
rccerun -nue 1 ./gcc >/dev/null 2>err || fail "$(cat err)"
rccerun -nue 1 --compute blocks ./gcc 2>err && fail "a program that counts nothing is said to"
grep -q 'does not count what its code takes' err || fail "$(cat err)"

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

# A core that computes for long lets others run, and ends with the time.
cat >long.c <<'END'
#include <RCCE.h>
int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  volatile unsigned long x = 1;
  if (RCCE_ue() == 0)
    for (long i = 0; i < 20000000; i++) x = x * 3 + 1;
  printf("UE %d at %.3f s\n", RCCE_ue(), RCCE_wtime());
  return RCCE_finalize();
}
END
rccecc -O2 long.c -o long || fail "cannot compile long.c"
rccerun -nue 2 ./long >out 2>/dev/null || fail "long.c"
[ "$(head -1 out)" = "UE 1 at 0.000 s" ] || fail "the core that computes is waited for: $(cat out)"

# A program that changes the clock sees its own code's speed change.
cat >speed.c <<'END'
#include <RCCE.h>
static volatile int left;
__attribute__((noinline)) static long long work(void) {
  const long long begin = rcce_picoseconds();
  for (left = 1000000; left > 0;) left = left - 1;
  return rcce_picoseconds() - begin;
}
int RCCE_APP(int argc, char **argv) {
  RCCE_REQUEST request;
  int divider, level;
  RCCE_init(&argc, &argv);
  const long long before = work();
  RCCE_iset_power(6, &request, &divider, &level);
  RCCE_wait_power(&request);
  printf("%d %.4f\n", divider, (double)work() / before);
  return RCCE_finalize();
}
END
rccecc -O2 -DRC_POWER_MANAGEMENT speed.c -o speed || fail "cannot compile speed.c"
rccerun -nue 1 ./speed 2>/dev/null | grep -q '^6 2[.]0000$' || fail "half the clock does not double the time"

# Loads and stores through the caches: what the formulas of the machine say (rccerun --print-machine), on both
# sides of each size.
cat >memory.c <<'END'
#include <RCCE.h>
enum { CYCLE = 1875, LINE = 8, MOST = 1 << 20 };
static int chain[MOST];
static double stream[MOST];
__attribute__((noinline)) static double sum_of(const double *from, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += from[i];
  return sum;
}
__attribute__((noinline)) static void fill(int n, double with) {
  for (int i = 0; i < n; i++) stream[i] = with;
}
__attribute__((noinline)) static int follow(int steps) {
  int at = 0;
  for (int i = 0; i < steps; i++) at = chain[at];
  return at;
}
int RCCE_APP(int argc, char **argv) {
  static const int sizes[] = {4, 64, 4096}; /* KB */
  int sum = 0;
  RCCE_init(&argc, &argv);
  for (int k = 0; k < 3; k++) {
    const int lines = sizes[k] * 32;
    for (int i = 0; i < lines; i++) chain[i * LINE] = (i * 7 + 1) % lines * LINE;
    sum += follow(lines);
    const long long begin = rcce_picoseconds();
    sum += follow(lines);
    printf("%d KB: %.0f cycles a load\n", sizes[k], (double)(rcce_picoseconds() - begin) / CYCLE / lines);
  }
  for (int k = 0; k < 3; k++) {
    const int n = sizes[k] * 128;
    double with = sum_of(stream, n);
    with += sum_of(stream + MOST / 2, n); /* nothing of the first is left in a cache that is smaller */
    const long long begin = rcce_picoseconds();
    fill(n, with);
    printf("%d KB: %.1f cycles a store\n", sizes[k], (double)(rcce_picoseconds() - begin) / CYCLE / n);
  }
  printf("Mop/s total = %d\n", 17 + sum);
  return RCCE_finalize();
}
END
rccecc --memory -O2 memory.c -o lu.B.1 || fail "cannot compile memory.c"
rccerun -nue 1 --compute cache ./lu.B.1 >out 2>err || fail "$(cat err)"
# Loads: 2 cycles a round, 18 more from the second level; 40 + 46 of 2.5 ns + 8 mesh cycles a hop from memory.
# Stores take as long as a load from there, and the round of 4 cycles is hidden behind them.
cat >expected <<'END'
4 KB: 2 cycles a load
64 KB: 20 cycles a load
4096 KB: 103 cycles a load
4 KB: 4.1 cycles a store
64 KB: 18.0 cycles a store
4096 KB: 101.3 cycles a store
Mop/s total = 17
END
diff expected out || fail "loads and stores take other times"
rccerun -nue 1 --engine threads --clock simulated --compute cache ./lu.B.1 2>/dev/null | diff out - ||
  fail "the threads engine has other caches"
# A short run's average, charged on the blocks of another.
rccerun -nue 1 --compute cache --memory-profile profile ./lu.B.1 >/dev/null 2>err || fail "$(cat err)"
grep -q '^cycles [1-9]' profile && grep -q '^picoseconds [1-9]' profile || fail "$(cat profile)"
whole() { sed -n 's/^rccerun: \([0-9.]*\) ms on the chip.*/\1/p' "$1"; }
rccerun -nue 1 --compute cache ./lu.B.1 >/dev/null 2>cached
rccerun -nue 1 --compute blocks --memory-profile profile --digest ./lu.B.1 >/dev/null 2>err ||
  fail "$(cat err)"
awk -v a="$(whole cached)" -v b="$(whole err)" 'BEGIN { exit !(a > 0 && b / a > 0.99 && b / a < 1.01) }' ||
  fail "the average gives $(whole err) ms, the caches gave $(whole cached)"
grep -q 'level=O2 memory=[1-9]' err || fail "the digest does not name the average: $(cat err)"
rccerun -nue 1 --compute none --memory-profile profile ./lu.B.1 2>err &&
  fail "an average is taken that nothing charges"
grep -q 'needs --compute cache' err || fail "$(cat err)"
rccerun -nue 1 --compute blocks --memory-profile err ./lu.B.1 2>err2 &&
  fail "a file without an average is taken"
grep -q 'it has no lines' err2 || fail "$(cat err2)"

# What stands for the program's own code counts as that.
cat >copies.c <<'END'
#include <RCCE.h>
static char from[1 << 20], to[1 << 20];
int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  rcce_copy(to, from, sizeof to);
  rcce_combine(RCCE_SUM, RCCE_INT, to, from, 1 << 18);
  return RCCE_wtime() > 0 ? RCCE_finalize() : 1;
}
END
rccecc -O2 copies.c -o copies && rccerun -nue 1 ./copies 2>err || fail "$(cat err)"
grep -Eq '[1-9][0-9.]* ms on the chip; [1-9][0-9.]* computing, 0.00 in calls and polling, 0.00 waiting' \
  err || fail "copies: $(cat err)"

rccerun -nue 1 --compute cache ./plain 2>err && fail "a program without --memory is taken"
grep -q 'build it with rccecc --memory' err || fail "$(cat err)"

# Whole programs beside what was published.
rccebench validate --programs . >out 2>err || fail "$(cat err)"
grep -q 'lu.B.1 .* 17.8 ' out || fail "$(cat out)"
mkdir -p empty
rccebench validate --programs empty 2>err && fail "an empty folder is taken"
grep -q 'none of the published programs is there' err || fail "$(cat err)"
