#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An algorithm in a file of one's own takes part in the benchmarks: found in help, tables, CSV and JSON, its parameters become
# options, its faults are named. And in a program of one's own.
set -eu
bench=$BIN/rccebench
fail() {
  echo "$*"
  exit 1
}
mkdir -p tmp
TMPDIR=$PWD/tmp
export TMPDIR
cp "$BIN/../share/rockcreek/programs/my_broadcast.c" chain.c

"$bench" compare --with chain.c --help >help
grep -q 'bcast/chain' help || fail "help: the algorithm is missing"
"$bench" compare --with chain.c --algorithms chain,linear --cores 1,5,12 --sizes 0,33,50000 --root 0 >table
grep -q '^# Cores .* chain .*linear' table || fail "compare: its column is missing"
grep -q 'every byte compared on every rank: correct' table || fail "compare: wrong bytes"
"$bench" bcast --with=chain.c --algorithms chain --cores 5 --sizes 9000 --part-bytes 512,4096 --root 3 --rcce 1.0 --format json >a.json
[ "$(grep -c '"algorithm": "bcast/chain"' a.json)" -eq 2 ] || fail "json: two rows wanted"
grep -q '"part_bytes": 512' a.json || fail "json: the parameter is missing"
"$bench" tune --with chain.c --algorithms chain --cores 5 --sizes 50000 --format csv >tuned.csv
[ "$(grep -c '^bcast/chain' tuned.csv)" -eq 5 ] || fail "tune: five parts from 1024 to 16384 wanted"

# Beyond the chip's 48 cores it is compiled for a larger mesh.
"$bench" scaling --with chain.c --algorithms chain,binomial --cores 47 --meshes 9x5,8x8 --sizes 33,9000 --format csv >large
[ "$(grep -c '^bcast/.*,true,' large)" -eq 12 ] || fail "large meshes: $(cat large)"
grep -q '^bcast/chain,scc-9x5,90,9000' large || fail "large meshes: the row of 90 cores is missing"

# Two files, C++, another parameter with its default under the former name, and one that forgets a rank when the root is not 0.
cat >late.cpp <<'CXX'
#include <RCCE.h>
#include <algorithms/algorithm.h>
namespace {
int kept = 0;
int prepare(const rockcreek_call* call) {
  kept = static_cast<int>(rockcreek_value(call, "sweeps"));
  return RCCE_SUCCESS;
}
int run(const rockcreek_call* call) {
  for (int i = 0; i < kept; ++i) RCCE_bcast(call->buffer, call->bytes, call->root, RCCE_COMM_WORLD);
  if (call->root > 0 && RCCE_ue() == 2 && call->bytes > 100) call->buffer[100] ^= 1;
  return RCCE_SUCCESS;
}
}
ROCKCREEK_ALGORITHM(late, .name = "bcast/late", .operation = ROCKCREEK_BCAST, .summary = "late", .source = "a test",
                    .parameters = {{.name = "sweeps", .least = 1, .most = 3, .standard = 1, .fixed = 1, .help = "how often"},
                                   {.name = "order", .words = "up down", .help = "unused"}},
                    .prepare = prepare, .run = run);
CXX
"$bench" bcast --with chain.c --with late.cpp --algorithms chain,late --cores 4 --sizes 8192 --sweeps 1,2 --order down --format csv >two.csv
[ "$(grep -c '^bcast/late,.*,true,' two.csv)" -eq 2 ] || fail "two files: $(cat two.csv)"
status=0
"$bench" bcast --with late.cpp --algorithms late,linear --cores 4 --sizes 50,8192 --root 1 >wrong || status=$?
[ $status -eq 1 ] || fail "a wrong algorithm: status $status instead of 1"
grep -q '^# wrong: bcast/late on 4 cores, 8192 bytes, root 1: rank 2 has 1 wrong bytes, the first of them byte 100$' wrong ||
  fail "a wrong algorithm: $(cat wrong)"
[ "$(grep -c '^bcast/.* ok$' wrong)" -eq 3 ] || fail "a wrong algorithm: the others are right"

# Wrong and fast: it does not win, nor where nobody else is.
cat >nothing.c <<'END'
#include <RCCE.h>
#include "algorithms/algorithm.h"
static int run(const rockcreek_call *call) { return call->bytes > 0 ? RCCE_SUCCESS : RCCE_ERROR_ID; }
ROCKCREEK_ALGORITHM(bcast_nothing, .name = "bcast/nothing", .operation = ROCKCREEK_BCAST, .summary = "does nothing",
                    .source = "a test", .run = run);
END
status=0
"$bench" compare --with nothing.c --algorithms nothing,linear --cores 4 --sizes 64 >wrong || status=$?
[ $status -eq 1 ] || fail "a wrong and fast algorithm: status $status instead of 1"
grep -q '\* *bcast/linear' wrong || fail "a wrong algorithm wins: $(cat wrong)"
status=0
"$bench" compare --with nothing.c --algorithms nothing --cores 4 --sizes 64 >wrong || status=$?
[ $status -eq 1 ] || fail "nothing but a wrong algorithm: status $status instead of 1"

mistake() { # mistake WORDS COMMAND...
  words=$1
  shift
  status=0
  "$bench" "$@" >out 2>&1 || status=$?
  [ $status -eq 2 ] || fail "$*: status $status instead of 2: $(cat out)"
  grep -q -e "$words" out || fail "$*: the message lacks '$words': $(cat out)"
}
echo 'int x' >bad.c
echo 'int x;' >none.c
sed 's#bcast/late#bcst/late#' late.cpp >misnamed.cpp
sed 's#bcast/late#bcast/cube#' late.cpp >again.cpp
mistake "did you mean 'bcast/chain'" compare --with chain.c --algorithms chan
mistake 'out of range 1..3' bcast --with late.cpp --sweeps 4
mistake 'bad.c:1:6: error' bcast --with bad.c
mistake "'none.c': there is no algorithm in it" bcast --with none.c
mistake "'missing.c': there is no such file" bcast --with missing.c
mistake "algorithm 'bcst/late' cannot be used: its name has to be its operation" bcast --with misnamed.cpp
mistake "algorithm 'bcast/cube' cannot be used: there is another algorithm of that name" bcast --with again.cpp
mistake "its flags take a line each and leave no buffer on 96 cores" bcast --with chain.c --rcce 1.0 --set mesh.columns=12 --cores 96
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"

# In a program of one's own: the file is one more on the line.
cat >program.c <<'C'
#include <stdio.h>
#include <string.h>
#include <RCCE.h>
#include <algorithms/collectives.h>
int RCCE_APP(int argc, char **argv) {
  char text[16] = "";
  RCCE_init(&argc, &argv);
  if (RCCE_ue() == 1) strcpy(text, "chained");
  if (rockcreek_bcast("bcast/chain", text, sizeof text, 1, "part=5") != RCCE_SUCCESS) return 1;
  if (RCCE_ue() == 0) printf("%s\n", text);
  RCCE_finalize();
  return 0;
}
C
"$BIN/rccecc" program.c chain.c -lrockcreek_algorithms -o program
[ "$("$BIN/rccerun" -nue 3 ./program 2>err)" = chained ] || fail "a program of one's own: $(cat err)"

# Reductions that write where they must not: at the others' target, or at an operand. The former name in C.
cat >greedy.c <<'C'
#include <string.h>
#include <RCCE.h>
#include <algorithms/algorithm.h>
static int greedy(const rockcreek_call *call) {
  double *sum = (double *)call->buffer, other[4];
  if (RCCE_ue() == 1) memset(rockcreek_value(call, "victim") ? (char *)call->source : call->buffer, 7, 8);
  if (RCCE_ue() != call->root) return RCCE_send((char *)call->source, (int)call->bytes, call->root);
  memcpy(sum, call->source, call->bytes);
  for (int rank = 0; rank < RCCE_num_ues(); ++rank) {
    if (rank == call->root) continue;
    RCCE_recv((char *)other, (int)call->bytes, rank);
    for (int i = 0; i < 4; ++i) sum[i] += other[i];
  }
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM(my_greedy, .name = "reduce/greedy", .operation = ROCKCREEK_REDUCE, .summary = "writes too much", .source = "me",
    .parameters = {{.name = "victim", .unit = "", .least = 0, .most = 1, .standard = 0, .help = "what it overwrites"}}, .run = greedy);
C
"$bench" reduce --with greedy.c --algorithms greedy --cores 3 --sizes 32 >wrong || :
grep -q 'rank 1 is not the root and its target was written: 8 wrong bytes, the first of them byte 0$' wrong || fail "a target: $(cat wrong)"
"$bench" reduce --with greedy.c --algorithms greedy --cores 3 --sizes 32 --victim 1 --root 1 >wrong || :
grep -q 'root 1: rank 1 has its own operand changed: ' wrong || grep -q 'root 1: rank 1 has [0-9]* wrong bytes' wrong || fail "an operand: $(cat wrong)"

# One that hangs in the second repetition: the verdict alone, without the lines that hand times over.
cat >stuck.c <<'C'
#include <RCCE.h>
#include <algorithms/algorithm.h>
static int calls;
static int stuck(const rockcreek_call *call) {
  char byte;
  (void)call;
  return ++calls == 1 ? RCCE_barrier(&RCCE_COMM_WORLD) : RCCE_recv(&byte, 1, (RCCE_ue() + 1) % RCCE_num_ues());
}
ROCKCREEK_ALGORITHM(my_stuck, .name = "bcast/stuck", .operation = ROCKCREEK_BCAST, .summary = "hangs", .source = "me", .run = stuck);
C
status=0
"$bench" bcast --with stuck.c --algorithms stuck --cores 3 --sizes 32 --repetitions 2 >out 2>err || status=$?
[ $status = 1 ] && grep -q 'ended with status 121' err && grep -q '^rccerun: deadlock at' err || fail "a deadlock: status $status: $(cat err)"
! grep -Eq '^[-0-9 ]+$' err || fail "lines of the protocol: $(cat err)"
