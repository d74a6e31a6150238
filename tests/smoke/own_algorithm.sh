#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An algorithm in a file of one's own takes part in the benchmarks: found in help, tables, CSV and JSON, its
# parameters become options, its faults are named. And in a program of one's own.
set -eu
. "$SOURCE/tests/support/checks.sh"
mkdir -p tmp
TMPDIR=$PWD/tmp
export TMPDIR
cp "$BIN/../share/rockcreek/programs/my_broadcast.c" chain.c

"$bench" compare --with chain.c --help >help
grep -q 'bcast/chain' help || fail "help: the algorithm is missing"
"$bench" compare --with chain.c --algorithms chain,linear --cores 1,5,12 --sizes 0,33,50000 --root 0 >table
grep -q '^# Cores .* chain .*linear' table || fail "compare: its column is missing"
grep -q 'every byte compared on every rank: correct' table || fail "compare: wrong bytes"
"$bench" bcast --with=chain.c --algorithms chain --cores 5 --sizes 9000 --part-bytes 512,4096 --root 3 \
  --rcce 1.0 --format json >a.json
[ "$(grep -c '"algorithm": "bcast/chain"' a.json)" -eq 2 ] || fail "json: two rows wanted"
grep -q '"part_bytes": 512' a.json || fail "json: the parameter is missing"
"$bench" tune --with chain.c --algorithms chain --cores 5 --sizes 50000 --format csv >tuned.csv
[ "$(grep -c '^bcast/chain' tuned.csv)" -eq 5 ] || fail "tune: five parts from 1024 to 16384 wanted"

# Beyond the chip's 48 cores it is compiled for a larger mesh.
"$bench" scaling --with chain.c --algorithms chain,binomial --cores 47 --meshes 7x4 --sizes 33,9000 \
  --format csv >large
[ "$(grep -c '^bcast/.*,true,' large)" -eq 8 ] || fail "large meshes: $(cat large)"
grep -q '^bcast/chain,scc-7x4,56,9000' large || fail "large meshes: the row of 56 cores is missing"

# Two files, C++, another parameter with its default under the former name, and one that forgets a rank when
# the root is not 0.
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
  if (rockcreek_value(call, "order") == 0 && call->root > 0 && RCCE_ue() == 2 &&
      call->bytes > 100) call->buffer[100] ^= 1;
  return RCCE_SUCCESS;
}
}
ROCKCREEK_ALGORITHM(late, .name = "bcast/late", .operation = ROCKCREEK_BCAST, .summary = "late",
    .source = "a test",
                    .parameters = {{.name = "sweeps", .least = 1, .most = 3, .standard = 1, .fixed = 1,
                        .help = "how often"},
                                   {.name = "order", .words = "up down", .help = "up: wrong"}},
                    .prepare = prepare, .run = run);
CXX
"$bench" bcast --with chain.c --with late.cpp --algorithms chain,late --cores 4 --sizes 8192 --sweeps 1,2 \
  --order down --format csv >two.csv
[ "$(grep -c '^bcast/late,.*,true,' two.csv)" -eq 2 ] || fail "two files: $(cat two.csv)"
status=0
"$bench" bcast --with late.cpp --algorithms late,linear --cores 4 --sizes 50,8192 --root 1 >wrong || status=$?
[ $status -eq 1 ] || fail "a wrong algorithm: status $status instead of 1"
grep -q '^# wrong: bcast/late on 4 cores: a first call (8192 bytes, root 1): rank 2 has 1 wrong bytes, the '\
'first of them byte 100$' wrong ||
  fail "a wrong algorithm: $(cat wrong)"
[ "$(grep -c '^bcast/linear.* ok$' wrong)" -eq 2 ] || fail "a wrong algorithm: the others are right"

# Wrong and fast: it does not win, nor where nobody else is.
cat >nothing.c <<'END'
#include <RCCE.h>
#include "algorithms/algorithm.h"
static int run(const rockcreek_call *call) { return call->bytes > 0 ? RCCE_SUCCESS : RCCE_ERROR_ID; }
ROCKCREEK_ALGORITHM(bcast_nothing, .name = "bcast/nothing", .operation = ROCKCREEK_BCAST,
    .summary = "does nothing",
                    .source = "a test", .run = run);
END
status=0
"$bench" compare --with nothing.c --algorithms nothing,linear --cores 4 --sizes 64 >wrong || status=$?
[ $status -eq 1 ] || fail "a wrong and fast algorithm: status $status instead of 1"
grep -q '\* *bcast/linear' wrong || fail "a wrong algorithm wins: $(cat wrong)"
status=0
"$bench" compare --with nothing.c --algorithms nothing --cores 4 --sizes 64 >wrong || status=$?
[ $status -eq 1 ] || fail "nothing but a wrong algorithm: status $status instead of 1"

echo 'int x' >bad.c
echo 'int x;' >none.c
sed 's#bcast/late#bcst/late#' late.cpp >misnamed.cpp
sed 's#bcast/late#bcast/cube#' late.cpp >again.cpp
refused "did you mean 'bcast/chain'" compare --with chain.c --algorithms chan
refused 'out of range 1..3' bcast --with late.cpp --sweeps 4
ends 2 'bad.c:1:6: error' "$bench" bcast --with bad.c
refused "'none.c': there is no algorithm in it" bcast --with none.c
refused "'missing.c': there is no such file" bcast --with missing.c
refused "--with 'late.cpp': no algorithm of reduce, so nothing of it would run; it has some of bcast" \
  reduce --with late.cpp
refused "algorithm 'bcst/late' cannot be used: its name has to be its operation" bcast --with misnamed.cpp
refused "algorithm 'bcast/cube' cannot be used: there is another algorithm of that name" bcast \
  --with again.cpp
sed 's#bcast/late#bcast/auto#' late.cpp >auto.cpp
refused "algorithm 'bcast/auto' cannot be used: 'auto' is the choice among all algorithms" bcast \
  --with auto.cpp
for name in auto 'one,word'; do
  sed "s#barrier/one_word#barrier/$name#" "$BIN/../share/rockcreek/programs/my_barrier.cpp" >memory_name.cpp
  refused "a row is named 'barrier/$name'; its name is the operation .* other than auto" barrier \
    --machine x4600 --cores 2 --with memory_name.cpp
done
# Without payload: a row that does as the data say, which a short message shows; and one that says so.
"$bench" bcast --with chain.c --algorithms chain --cores 5 --sizes 50000 --payload none >blind
grep -q '^# 1 points, payload: not moved$' blind || fail "an own row without payload: $(cat blind)"
cat >reader.c <<'C'
#include <RCCE.h>
#include <algorithms/algorithm.h>
static int run(const rockcreek_call *call) {
  const int error = RCCE_bcast(call->buffer, call->bytes, call->root, RCCE_COMM_WORLD);
  if (call->buffer[call->bytes / 2] != 0) RCCE_barrier(&RCCE_COMM_WORLD);
  return error;
}
ROCKCREEK_ALGORITHM(reader, .name = "bcast/reader", .operation = ROCKCREEK_BCAST, .summary = "reads",
    .source = "a test", .run = run);
C
refused 'bcast/reader takes another time where 8192 bytes are not moved' bcast --with reader.c \
  --algorithms reader --cores 4 \
  --sizes 50000 --payload none
sed 's/.run = run/.needs = ROCKCREEK_READS_PAYLOAD, &/' reader.c >honest.c
refused 'bcast/reader decides by the data of messages (ROCKCREEK_READS_PAYLOAD)' bcast --with honest.c \
  --algorithms reader --payload none
"$bench" bcast --with honest.c --algorithms reader --cores 4 >/dev/null || fail "with payload it runs"
refused "its flags take a line each and leave no buffer on 96 cores" bcast --with chain.c --rcce 1.0 \
  --set mesh.columns=12 --cores 96
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"

# A row's parameters: a default that is not allowed, one too many; options with commas, and as tables name
# them.
parameters() { # parameters NAME DEFAULT COUNT
  {
    echo '#include <RCCE.h>'
    echo '#include <algorithms/algorithm.h>'
    echo 'static int run(const rockcreek_call *call) { return RCCE_bcast(call->buffer, call->bytes, '\
'call->root, RCCE_COMM_WORLD); }'
    echo "ROCKCREEK_ALGORITHM(row, .name = \"bcast/$1\", .operation = ROCKCREEK_BCAST, .summary = \"a \
test\", .source = \"me\","
    echo '  .parameters = {'
    for number in $(seq "$3"); do echo \
      "{.name = \"p$number\", .unit = \"bytes\", .least = 1, .most = 8, .default_value = $2, .help = \
\"none\"},"; done
    echo '}, .run = run);'
  } >"$1.c"
}
parameters beyond 9 1
parameters nine 8 9
parameters eight 0 8
refused "algorithm 'bcast/beyond' cannot be used: parameter 'p1': its default value is none of those \
allowed; 0 lets the algorithm choose" \
  bcast --with beyond.c
refused "algorithm 'bcast/nine' cannot be used: it has more than 8 parameters" bcast --with nine.c
"$bench" bcast --with eight.c --algorithms eight --cores 2 --p8-bytes 3 >out ||
  fail "eight parameters: $(cat out)"
grep -q 'p8=3' out || fail "the eighth parameter: $(cat out)"
refused "no option '--p8'; did you mean '--p8-bytes'?" bcast --with eight.c --algorithms eight --p8 3
cat >commas.c <<'C'
#include <RCCE.h>
#include <algorithms/collectives.h>
int RCCE_APP(int argc, char **argv) {
  char text[16] = "";
  RCCE_init(&argc, &argv);
  rockcreek_bcast("bcast/eight", text, sizeof text, 0, "p1=5,p2=3");
  rockcreek_bcast("bcast/eight", text, sizeof text, 0, "p1,p2=3");
  rockcreek_bcast("bcast/nine", text, sizeof text, 0, "");
  return RCCE_finalize();
}
C
"$BIN/rccecc" commas.c eight.c -lrockcreek_algorithms -o commas && "$BIN/rccerun" -nue 2 ./commas 2>err
[ "$(grep -c 'options are separated by blanks, not by commas$' err)" = 2 ] || fail "commas: $(cat err)"
sed 's/ROCKCREEK_ALGORITHM(row/ROCKCREEK_ALGORITHM(nine/' nine.c >nine_row.c
"$BIN/rccecc" commas.c eight.c nine_row.c -lrockcreek_algorithms -o commas 2>/dev/null &&
  "$BIN/rccerun" -nue 2 ./commas 2>err
grep -q "algorithm 'bcast/nine' cannot be used: it has more than 8 parameters" err ||
  fail "a faulty row in a program: $(cat err)"

# What algorithms print is shown, in the order of the points, whatever order they are run in; what has been
# kept of a run too.
cat >talking.c <<'C'
#include <stdio.h>
#include <RCCE.h>
#include <algorithms/algorithm.h>
static int run(const rockcreek_call *call) {
  if (RCCE_ue() == 1) printf("12 %d\n", (int)call->bytes);
  if (RCCE_ue() == 0) fprintf(stderr, "root of %d\n", (int)call->bytes);
  return RCCE_bcast(call->buffer, call->bytes, call->root, RCCE_COMM_WORLD);
}
ROCKCREEK_ALGORITHM(talking, .name = "bcast/talking", .operation = ROCKCREEK_BCAST, .summary = "prints",
    .source = "me", .run = run);
C
cat >said <<'END'
# bcast/talking on 3 cores, 8 bytes, root 0 printed:
12 8
root of 8
# bcast/talking on 3 cores, 9000 bytes, root 0 printed:
12 9000
root of 9000
END
"$bench" bcast --with talking.c --algorithms talking,linear --cores 3 --sizes 8,9000 2>err >out ||
  fail "talking: $(cat err)"
cmp said err || fail "what an algorithm prints: $(cat err)"
"$bench" compare --with talking.c --algorithms talking --cores 3 --sizes 8,9000 2>err >out && cmp said err ||
  fail "compare: $(cat err)"

# Flags and buffers that one rank alone takes, when it prepares or later.
for when in prepare run; do
  for what in 'RCCE_flag_alloc(\&kept)' 'RCCE_malloc(32)'; do
    sed "s/WHAT/$what/; s/WHEN/$when/" >alone.c <<'C'
#include <RCCE.h>
#include <RCCE_lib.h>
#include <algorithms/algorithm.h>
static RCCE_FLAG kept;
static int take(void) {
  if (RCCE_ue() == 1) WHAT;
  return kept.location & 0;
}
static int in_prepare(const rockcreek_call *call) { return "WHEN"[0] == 'p' && call ? take() : RCCE_SUCCESS; }
static int run(const rockcreek_call *call) {
  const int error = RCCE_bcast(call->buffer, call->bytes, call->root, RCCE_COMM_WORLD);
  return "WHEN"[0] == 'r' ? take() : error;
}
ROCKCREEK_ALGORITHM(alone, .name = "bcast/alone", .operation = ROCKCREEK_BCAST, .summary = "takes alone",
    .source = "me",
                    .prepare = in_prepare, .run = run);
C
    status=0
    "$bench" bcast --with alone.c --algorithms alone --cores 3 --sizes 9000 >out 2>err || status=$?
    [ $status = 1 ] &&
      grep -q 'bcast/alone: rank 1 has [0-9]* flags and [0-9]* bytes left for messages, rank 0 has [0-9]* '\
'flags and [0-9]* bytes; every rank must allocate the same' out err ||
      fail "$what in $when on one rank: status $status: $(cat out err)"
  done
done

# A reduction that combines whoever comes first must not say that its order is fixed.
cat >first_come.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <iRCCE.h>
#include <algorithms/algorithm.h>
static int run(const rockcreek_call *call) {
  char *other = (char *)malloc(call->bytes + 1);
  int sender;
  if (call->count == 0) return RCCE_SUCCESS;
  free(RCCE_ue() != call->root ? other : NULL);
  if (RCCE_ue() != call->root) /* the barriers keep messages of the next call out */
    return RCCE_send((char *)call->source, call->bytes, call->root) != RCCE_SUCCESS ?
        RCCE_ERROR_ID : RCCE_barrier(&RCCE_COMM_WORLD);
  memcpy(call->buffer, call->source, call->bytes);
  for (int left = RCCE_num_ues() - 1; left > 0; --left) {
    iRCCE_RECV_REQUEST request;
    iRCCE_irecv(other, (int)call->bytes, iRCCE_ANY_SOURCE, &request);
    iRCCE_irecv_wait(&request);
    sender = iRCCE_get_source(&request);
    if (sender < 0) return RCCE_ERROR_ID;
    rcce_combine(call->op, call->type, call->buffer, other, (int)call->count);
  }
  free(other);
  return RCCE_barrier(&RCCE_COMM_WORLD);
}
ROCKCREEK_ALGORITHM(first_come, .name = "reduce/first_come", .operation = ROCKCREEK_REDUCE,
    .summary = "in the order of arrival",
                    .source = "me", .needs = NEEDS, .run = run);
C
sed 's/NEEDS/ROCKCREEK_FIXED_ORDER/' first_come.c >claims.c
sed 's/NEEDS/0/' first_come.c >honest.c
status=0
"$bench" reduce --with claims.c --algorithms first_come,linear --cores 5 --sizes 512 >out 2>err || status=$?
[ $status = 1 ] || fail "a claimed order: status $status: $(cat out err)"
grep -q '^# wrong: reduce/first_come on 5 cores, 512 bytes, root 0: rank 0 gets other bits if the ranks '\
'arrive in another order, against ROCKCREEK_FIXED_ORDER in the row: [0-9]* wrong bytes' out ||
  fail "a claimed order: $(cat out)"
"$bench" reduce --with honest.c --algorithms first_come --cores 5 --sizes 512 >out 2>err ||
  fail "no claim: $(cat out err)"
"$bench" reduce --with claims.c --algorithms first_come --cores 5 --sizes 512 --type long >out 2>err ||
  fail "whole numbers have no order: $(cat out err)"

# The example without messages: right for odd sizes, roots and lengths, with its flags counted beyond 255.
cp "$BIN/../share/rockcreek/programs/my_one_sided.c" .
put_chain() { # put_chain CORES ROOT SIZES
  "$bench" reduce --with my_one_sided.c --algorithms put_chain --cores $1 --root $2 --sizes $3 \
    --part-bytes $parts >out 2>err || fail "my_one_sided: $(cat out err)"
}
parts=64,100000
if [ -z "${WHOLE:-}" ]; then
  put_chain 1,2,7 0 0,8,1000,50000 # 1 core has rank 0 alone
  put_chain 3 2 0,1000,8192
  put_chain 13 2 8,8192
else
  parts=64,1024,100000
  put_chain 1,2,3,7 0 0,8,1000,8192,50000
  put_chain 3,7 2 0,8,1000,8192,50000
  put_chain 48 0 0,8,1000,8192,50000
  put_chain 48 2 0,8,1000,8192,50000
fi
# Long vectors, whose operands are combined straight from memory: not below the limit.
"$bench" reduce --with my_one_sided.c --algorithms put_chain --cores 12 --sizes 1048576 --format csv 2>err |
  awk -F, '
  /^#/ { next } !of { for (i = 1; i <= NF; ++i) if ($i == "of_limit_percent") of = i; next } { seen = 1;
  if ($of > 100) exit 1 }
  END { exit !seen }' || fail "my_one_sided: faster than its limit: $(cat err)"
"$bench" reduce --with my_one_sided.c --algorithms put_chain --cores 7 --sizes 50000 --part-bytes 32 \
  --repetitions 3 --root 5 --type float --op prod --rcce 1.0 >out 2>err ||
  fail "my_one_sided, RCCE 1.0: $(cat out err)"
grep -q '; yours with float, prod alone$' out || fail "what was tried alone is not told: $(cat out)"

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
  static double other[8192];
  double *sum = (double *)call->buffer;
  if (RCCE_ue() == 1) memset(rockcreek_value(call, "victim") ? (char *)call->source : call->buffer, 7, 8);
  if (RCCE_ue() != call->root) return RCCE_send((char *)call->source, (int)call->bytes, call->root);
  memcpy(sum, call->source, call->bytes);
  for (int rank = 0; rank < RCCE_num_ues(); ++rank) {
    if (rank == call->root) continue;
    RCCE_recv((char *)other, (int)call->bytes, rank);
    for (size_t i = 0; i < call->count; ++i) sum[i] += other[i];
  }
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM(my_greedy, .name = "reduce/greedy", .operation = ROCKCREEK_REDUCE,
    .summary = "writes too much", .source = "me",
    .parameters = {{.name = "victim", .unit = "", .least = 0, .most = 1, .standard = 0,
    .help = "what it overwrites"}}, .run = greedy);
C
"$bench" reduce --with greedy.c --algorithms greedy --cores 3 --sizes 32 >wrong || :
grep -q 'rank 1 is not the root and its target was written: 8 wrong bytes, the first of them byte 0$' \
  wrong || fail "a target: $(cat wrong)"
"$bench" reduce --with greedy.c --algorithms greedy --cores 3 --sizes 32 --victim 1 --root 1 >wrong || :
grep -q 'root 1): rank 1 has its own operand changed: ' wrong ||
  grep -q 'root 1): rank 1 has [0-9]* wrong bytes' wrong || fail "an operand: $(cat wrong)"

# One that hangs in the second repetition: the verdict alone, without the lines that hand times over.
cat >stuck.c <<'C'
#include <RCCE.h>
#include <algorithms/algorithm.h>
static int calls;
static int stuck(const rockcreek_call *call) {
  char byte;
  (void)call;
  return ++calls == 1 ?
      RCCE_barrier(&RCCE_COMM_WORLD) : RCCE_recv(&byte, 1, (RCCE_ue() + 1) % RCCE_num_ues());
}
ROCKCREEK_ALGORITHM(my_stuck, .name = "bcast/stuck", .operation = ROCKCREEK_BCAST, .summary = "hangs",
    .source = "me", .run = stuck);
C
status=0
"$bench" bcast --with stuck.c --algorithms stuck,linear --cores 3 --sizes 32 >out 2>err || status=$?
[ $status = 1 ] && grep -q '^#   rccerun: deadlock at' out && grep -q '^bcast/linear .* ok$' out ||
  fail "a deadlock: status $status: $(cat out err)"
status=0
"$bench" bcast --with stuck.c --algorithms stuck --cores 3 --sizes 32 --repetitions 2 --no-check >out \
  2>err || status=$?
[ $status = 1 ] && grep -q '^# wrong: .*: the run that is timed (.*): a deadlock$' out &&
  grep -q '^#   rccerun: deadlock at' out || fail "a deadlock: status $status: $(cat out err)"
! grep -Eq '^#  *[-0-9 ]+$' out || fail "lines of the protocol: $(cat out)"
