#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Algorithms of somebody's that look right when each is called once, with everybody there at the same time:
# the check before the times has to find each, and has to let the right ones through.
set -eu
. "$SOURCE/tests/support/checks.sh"
export CXX="$SOURCE/tests/support/compile_once.sh"
rm -f compiled-*

# Right once: the root does not wait until all have read its buffer.
cat >no_answer.c <<'C'
#include <iRCCE.h>
#include <RCCE_lib.h>
#include <algorithms/algorithm.h>
static RCCE_FLAG full;
static unsigned char calls;
static int prepare(const rockcreek_call *call) {
  (void)call;
  return RCCE_flag_alloc(&full);
}
static int run(const rockcreek_call *call) {
  ++calls;
  if (call->bytes > RCCE_chunk) return rockcreek_refuse("too long");
  if (RCCE_ue() == call->root) {
    iRCCE_put(RCCE_buff_ptr, (t_vcharp)call->buffer, (int)call->bytes, call->root);
    for (int to = 0; to < RCCE_num_ues(); ++to)
      if (to != call->root) RCCE_flag_write(&full, calls, to);
  } else {
    RCCE_wait_until(full, calls);
    iRCCE_get((t_vcharp)call->buffer, RCCE_buff_ptr, (int)call->bytes, call->root);
  }
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM(no_answer, .name = "bcast/no_answer", .operation = ROCKCREEK_BCAST,
    .summary = "no answer", .source = "a test",
                    .prepare = prepare, .run = run);
C

# A barrier that never hears of the last rank.
cat >deaf.c <<'C'
#include <RCCE.h>
#include <algorithms/algorithm.h>
static RCCE_FLAG come[48], go;
static RCCE_FLAG_STATUS value;
static int prepare(const rockcreek_call *call) {
  (void)call;
  for (int rank = 0; rank < RCCE_num_ues(); ++rank) RCCE_flag_alloc(&come[rank]);
  return RCCE_flag_alloc(&go);
}
static int run(const rockcreek_call *call) {
  const int last = RCCE_num_ues() - HEARD;
  (void)call;
  value = !value;
  if (RCCE_ue() == 0) {
    for (int rank = 1; rank <= last; ++rank) RCCE_wait_until(come[rank], value);
    for (int rank = 1; rank < RCCE_num_ues(); ++rank) RCCE_flag_write(&go, value, rank);
    return RCCE_SUCCESS;
  }
  if (RCCE_ue() <= last) RCCE_flag_write(&come[RCCE_ue()], value, 0);
  RCCE_wait_until(go, value);
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM(barrier_name, .name = "barrier/NAME", .operation = ROCKCREEK_BARRIER, .summary = "flags",
    .source = "a test",
                    .prepare = prepare, .run = run);
C

# wrong NAME PATTERN COMMAND...: the row is marked, the reason told, the status 1; others beside it are right.
wrong() {
  name=$1 pattern=$2
  shift 2
  status=0
  "$bench" "$@" >out 2>err || status=$?
  [ $status -eq 1 ] || fail "$name: status $status: $(cat out err)"
  grep -q "^# wrong: .*/$name on .*$pattern" out || fail "$name: no reason: $(cat out err)"
  grep -q "/$name .* wrong\$" out || fail "$name: its row: $(cat out)"
  ! grep -Eq "/$name .* (ok|explored)\$" out || fail "$name: right somewhere: $(cat out)"
}
wrong no_answer 'call [0-9]* of [0-9]* in a row' bcast --with no_answer.c --algorithms no_answer,linear \
  --cores 2,12,48 --sizes 4096
[ "$(grep -c '^bcast/linear .* ok$' out)" -eq 3 ] || fail "linear: $(cat out)"
sed 's/HEARD/2/; s/NAME/deaf/' deaf.c >deaf_one.c
sed 's/HEARD/1/; s/NAME/hears/; s/barrier_name/barrier_right/' deaf.c >hears.c
wrong deaf 'leaves before rank [0-9]* has come' barrier --with deaf_one.c --with hears.c \
  --algorithms deaf,hears --cores 2,12,47
[ "$(grep -c '^barrier/hears .* ok$' out)" -eq 3 ] || fail "a right barrier: $(cat out)"

# Right for 100 calls; wrong, or hanging, where only the run that is timed comes to: the others' rows stay.
tree() { # tree FILE NAME LINE: the root sends to all, behind that line
  cat >"$1" <<C
#include <RCCE.h>
#include <algorithms/algorithm.h>
static int run(const rockcreek_call *call) {
  static int calls;
  ++calls;
  $3
  if (RCCE_ue() != call->root) return RCCE_recv(call->buffer, call->bytes, call->root);
  for (int to = 0; to < RCCE_num_ues(); ++to)
    if (to != call->root) RCCE_send(call->buffer, call->bytes, to);
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM($2, .name = "bcast/$2", .operation = ROCKCREEK_BCAST, .summary = "one by one",
                    .source = "a test", .run = run);
C
}
tree tired.c tired 'if (calls > 100 && RCCE_ue() == call->root && call->bytes > 0) call->buffer[0] ^= 1;'
sed -i 's/call->buffer\[0\]/((char *)call->buffer)[0]/' tired.c
wrong tired 'call 9[0-9] of [0-9]* in a row' bcast --with tired.c --algorithms tired,linear --cores 2,5 \
  --sizes 64
tree deaf_late.c deaf_late 'if (call->bytes > 65536 && RCCE_ue() == 1) return RCCE_SUCCESS;'
wrong deaf_late 'the run that is timed (bcast/deaf_late on 3 cores, 65568 bytes, root 0): a deadlock' bcast \
  --with deaf_late.c --algorithms deaf_late,linear --cores 3 --sizes 65568
[ "$(grep -c '^bcast/linear .* ok$' out)" -eq 1 ] || fail "linear beside a hang: $(cat out)"
grep -q '^# 2 points, 1 not timed: the algorithm is wrong$' out || fail "the last line: $(cat out)"

# No bytes at all are no part, and no message to wait for.
tree none.c none 'if (call->bytes == 0 && RCCE_ue() != call->root) return RCCE_send("", 1, call->root);'
wrong none '(0 bytes, root 0): a deadlock' bcast --with none.c --algorithms none,linear --cores 3 --sizes 64

# A message from the line on in which the buffer begins.
tree lines_only.c lines_only '(void)calls;'
sed -i 's|(call->buffer,|((char *)((unsigned long)call->buffer / 32 * 32),|' lines_only.c
wrong lines_only 'wrong bytes' bcast --with lines_only.c --algorithms lines_only,linear --cores 5 --sizes 64

# More than a line lies in the root's payload area when its call returns, until its next call.
cat >lingers.c <<'C'
#include <iRCCE.h>
#include <RCCE_lib.h>
#include <algorithms/algorithm.h>
static RCCE_FLAG full, taken[48];
static unsigned char calls, awaited;
static int prepare(const rockcreek_call *call) {
  (void)call;
  RCCE_flag_alloc(&full);
  for (int rank = 0; rank < RCCE_num_ues(); ++rank) RCCE_flag_alloc(&taken[rank]);
  return RCCE_barrier(&RCCE_COMM_WORLD);
}
static void await(void) {
  for (int rank = 0; awaited && rank < RCCE_num_ues(); ++rank)
    if (rank != RCCE_ue()) RCCE_wait_until(taken[rank], awaited);
  awaited = 0;
}
static int run(const rockcreek_call *call) {
  const int me = RCCE_ue(), all = RCCE_num_ues();
  if (call->bytes > RCCE_chunk) return rockcreek_refuse("too long");
  await();
  RCCE_barrier(&RCCE_COMM_WORLD);
  calls = calls % 255 + 1;
  if (me == call->root) {
    iRCCE_put(RCCE_buff_ptr, (t_vcharp)call->buffer, (int)call->bytes, me);
    for (int to = 0; to < all; ++to)
      if (to != me) RCCE_flag_write(&full, calls, to);
    awaited = calls;
    if (call->bytes <= RCCE_LINE_SIZE) await();
    return RCCE_SUCCESS;
  }
  RCCE_wait_until(full, calls);
  iRCCE_get((t_vcharp)call->buffer, RCCE_buff_ptr, (int)call->bytes, call->root);
  return RCCE_flag_write(&taken[me], calls, call->root);
}
ROCKCREEK_ALGORITHM(lingers, .name = "bcast/lingers", .operation = ROCKCREEK_BCAST,
    .summary = "a receipt later on", .source = "a test", .prepare = prepare, .run = run);
C
wrong lingers 'wrong bytes.*; behind it rank 0 sends a message at once' bcast --with lingers.c \
  --algorithms lingers,linear --cores 12 --sizes 4096

# Every rank looks at a buffer that only the root has to have.
for what in gather/buffer scatter/source; do
  operation=${what%%/*} member=${what##*/}
  cat >looks.c <<C
#include <RCCE.h>
#include <algorithms/algorithm.h>
#include <algorithms/collectives.h>
static int run(const rockcreek_call *call) {
  static volatile char first;
  if (call->bytes > 0) first = call->$member[0];
  return rockcreek_$operation("$operation/linear", call->source, call->buffer, call->bytes, call->root, "");
}
ROCKCREEK_ALGORITHM(looks, .name = "$operation/looks", .operation = ROCKCREEK_$(echo $operation | tr a-z A-Z),
                    .summary = "a fault", .source = "a test", .run = run);
C
  wrong looks 'others than the root pass NULL): .*ended by signal' $operation --with looks.c \
    --algorithms looks,linear --cores 5 --sizes 1024
done

# A rank in the middle that a barrier does not hear of.
cat >middle.c <<'C'
#include <RCCE.h>
#include <algorithms/algorithm.h>
static int run(const rockcreek_call *call) {
  const int all = RCCE_num_ues(), deaf = 20;
  char word = 0;
  (void)call;
  if (RCCE_ue() != 0) {
    if (RCCE_ue() != deaf) RCCE_send(&word, 1, 0);
    return RCCE_recv(&word, 1, 0);
  }
  for (int from = 1; from < all; ++from)
    if (from != deaf) RCCE_recv(&word, 1, from);
  for (int to = 1; to < all; ++to) RCCE_send(&word, 1, to);
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM(middle, .name = "barrier/middle", .operation = ROCKCREEK_BARRIER, .summary = "one by one",
                    .source = "a test", .run = run);
C
wrong middle 'leaves before rank 20 has come' barrier --with middle.c --algorithms middle,linear --cores 48

# It crashes before rank 0 has come: the size is that of the call that crashed.
tree crash.c crash 'if (calls == 5 && RCCE_ue() == 1) __builtin_trap();'
wrong crash '([1-9][0-9]* bytes, .*ended by signal' bcast --with crash.c --algorithms crash,linear \
  --cores 5 --sizes 64

# Every call takes a flag, until there are none.
tree leaks.c leaks 'RCCE_FLAG flag; if (RCCE_flag_alloc(&flag) != RCCE_SUCCESS) return RCCE_ERROR_ID;'
wrong leaks 'it is refused, and an earlier one like it was carried out' bcast --with leaks.c --rcce 1.0 \
  --algorithms leaks,linear --cores 5 --sizes 64

# One bit for all calls: who is slow never sees the value that the next call overwrites.
cat >one_bit.c <<'C'
#include <RCCE.h>
#include <algorithms/algorithm.h>
static RCCE_FLAG flags[6];
static RCCE_FLAG_STATUS value;
static int prepare(const rockcreek_call *call) {
  (void)call;
  for (int i = 0; i < 6; ++i) RCCE_flag_alloc(&flags[i]);
  return RCCE_SUCCESS;
}
static int run(const rockcreek_call *call) {
  const int all = RCCE_num_ues();
  (void)call;
  value = !value;
  for (int round = 0, distance = 1; distance < all; ++round, distance *= 2) {
    RCCE_flag_write(&flags[round], value, (RCCE_ue() + distance) % all);
    RCCE_wait_until(flags[round], value);
  }
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM(one_bit, .name = "barrier/one_bit", .operation = ROCKCREEK_BARRIER, .summary = "rounds",
                    .source = "a test", .prepare = prepare, .run = run);
C
wrong one_bit 'cores delayed at random (seed [0-9]*)' barrier --with one_bit.c --algorithms one_bit,linear \
  --cores 5

# A put that is longer than the area in the buffer that was allocated for it.
cat >over.c <<'C'
#include <RCCE.h>
#include <RCCE_lib.h>
#include <iRCCE.h>
#include <algorithms/algorithm.h>
static t_vcharp area;
static int prepare(const rockcreek_call *call) {
  (void)call;
  area = iRCCE_malloc(4096);
  return RCCE_barrier(&RCCE_COMM_WORLD);
}
static int run(const rockcreek_call *call) {
  for (size_t done = 0; done < call->bytes; done += 4128) {
    const int part = (int)(call->bytes - done < 4128 ? call->bytes - done : 4128);
    if (RCCE_ue() == call->root) iRCCE_put(area, (t_vcharp)call->buffer + done, part, RCCE_ue());
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() != call->root) iRCCE_get((t_vcharp)call->buffer + done, area, part, call->root);
    RCCE_barrier(&RCCE_COMM_WORLD);
  }
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM(over, .name = "bcast/over", .operation = ROCKCREEK_BCAST, .summary = "parts",
                    .source = "a test", .prepare = prepare, .run = run);
C
wrong over 'wrong use of message-passing buffers' bcast --with over.c --algorithms over,linear \
  --cores 3 --sizes 8192

# A product in which one operand stands for another, and a vector of double that is sent as float.
for fault in twice narrow; do
  cat >$fault.c <<C
#include <string.h>
#include <RCCE.h>
#include <algorithms/algorithm.h>
static char other[1 << 17];
static int run(const rockcreek_call *call) {
  const int narrow = strcmp("$fault", "narrow") == 0;
  const size_t bytes = narrow ? call->bytes / 2 : call->bytes;
  if (narrow)
    for (size_t i = 0; i < call->count; ++i) ((float *)other)[i] = (float)((const double *)call->source)[i];
  if (RCCE_ue() != call->root) return RCCE_send(narrow ? other : (char *)call->source, bytes, call->root);
  memcpy(call->buffer, call->source, call->bytes);
  for (int from = 0; from < RCCE_num_ues(); ++from) {
    if (from == call->root) continue;
    RCCE_recv(other, bytes, from);
    for (size_t i = call->count; narrow && i-- > 0;) ((double *)other)[i] = ((float *)other)[i];
    if (!narrow && from == 2 && call->root == 0) continue; /* rank 1 counts for it */
    rcce_combine(call->op, call->type, call->buffer, other, (int)call->count);
    if (!narrow && from == 1 && call->root == 0)
      rcce_combine(call->op, call->type, call->buffer, other, (int)call->count);
  }
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM($fault, .name = "reduce/$fault", .operation = ROCKCREEK_REDUCE, .summary = "a fault",
                    .source = "a test", .run = run);
C
done
wrong twice 'wrong bytes' reduce --with twice.c --algorithms twice,linear --cores 5 --sizes 64 --op prod
wrong narrow 'wrong bytes' reduce --with narrow.c --algorithms narrow,linear --cores 5 --sizes 64

# A number of the own puts that a flag does not hold from 256 on: each rank but the root counts 256 calls.
cat >late.c <<'C'
#include <string.h>
#include <RCCE.h>
#include <RCCE_lib.h>
#include <iRCCE.h>
#include <algorithms/algorithm.h>
static RCCE_FLAG full[48], taken;
static int sent;
static int prepare(const rockcreek_call *call) {
  (void)call;
  for (int rank = 0; rank < RCCE_num_ues(); ++rank) RCCE_flag_alloc(&full[rank]);
  return RCCE_flag_alloc(&taken);
}
static int run(const rockcreek_call *call) {
  const int me = RCCE_ue(), all = RCCE_num_ues();
  for (int rank = 0; rank < all; ++rank) {
    const size_t begin = rockcreek_block_begin(call->bytes, all, rank);
    const size_t bytes = rockcreek_block_begin(call->bytes, all, rank + 1) - begin;
    if (bytes > RCCE_chunk) return rockcreek_refuse("too long");
    if (bytes == 0) continue;
    if (rank == me && me != call->root) {
      iRCCE_put(RCCE_buff_ptr, (t_vcharp)call->source, (int)bytes, me);
      ++sent;
      RCCE_flag_write(&full[me], (RCCE_FLAG_STATUS)sent, call->root);
      RCCE_wait_until(taken, (RCCE_FLAG_STATUS)sent);
    } else if (rank == me) {
      memcpy((char *)call->buffer + begin, call->source, bytes);
    } else if (me == call->root) {
      RCCE_FLAG_STATUS value;
      do RCCE_flag_read(full[rank], &value, me);
      while (value == 0);
      RCCE_flag_write(&full[rank], 0, me);
      iRCCE_get((t_vcharp)call->buffer + begin, RCCE_buff_ptr, (int)bytes, rank);
      RCCE_flag_write(&taken, value, rank);
    }
  }
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM(late, .name = "gather/late", .operation = ROCKCREEK_GATHER, .summary = "counts",
                    .source = "a test", .prepare = prepare, .run = run);
C
wrong late 'call 3[0-9]* of 389 in a row (40 bytes' gather --with late.c --algorithms late,linear --cores 5 \
  --sizes 1024

# Each rank adds up from itself on: the same sum, rounded otherwise. Elements 61 places apart are exchanged.
# rotated NAME FIRST LINE: FIRST is whom a rank adds first, LINE comes behind the sum
rotated() {
  cat >$1.c <<C
#include <string.h>
#include <RCCE.h>
#include <algorithms/algorithm.h>
static char all[48][1 << 17];
static int run(const rockcreek_call *call) {
  const int ranks = RCCE_num_ues(), me = RCCE_ue(), first = $2;
  for (int from = 0; from < ranks; ++from)
    if (from != me) RCCE_recv(all[from], call->bytes, from);
    else
      for (int to = 0; to < ranks; ++to)
        if (to != me) RCCE_send((char *)call->source, call->bytes, to);
  memcpy(all[me], call->source, call->bytes);
  memcpy(call->buffer, all[first], call->bytes);
  for (int i = 1; i < ranks; ++i)
    rcce_combine(call->op, call->type, call->buffer, all[(first + i) % ranks], (int)call->count);
  double *sum = (double *)call->buffer;
  $3
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM($1, .name = "allreduce/$1", .operation = ROCKCREEK_ALLREDUCE, .summary = "a fault",
                    .source = "a test", .run = run);
C
}
rotated own_order me '(void)sum;'
rotated apart 0 'if (call->count > 61) { double x = sum[0]; sum[0] = sum[61]; sum[61] = x; }'
rotated from_0 0 '(void)sum;'
wrong own_order 'rank [0-9]* gets other bits than rank 0 in the same call' allreduce --with own_order.c \
  --with from_0.c --algorithms own_order,from_0 --cores 5 --sizes 64
[ "$(grep -c '^allreduce/from_0 .* ok$' out)" -eq 1 ] || fail "from_0: $(cat out)"
# Every second call begins with the last rank: one number is rounded alike often enough.
rotated in_turn 'calls++ % 2 * (ranks - 1)' '(void)sum;'
sed -i 's/^static int run/static int calls;\n&/; s/\.run/.needs = ROCKCREEK_FIXED_ORDER, &/' in_turn.c
wrong in_turn 'rank 0 gets other bits if the ranks arrive in another order' allreduce --with in_turn.c \
  --algorithms in_turn,reduce_bcast --cores 3 --sizes 8
wrong apart 'wrong bytes' allreduce --with apart.c --algorithms apart,reduce_bcast --cores 3 --sizes 1024

# On cards: node 12 counts twice and node 1 never; a maximum without node 13; not in the order of the ranks.
cat >cards.cpp <<'CXX'
#include <unistd.h>
#include <algorithms/on_cards/own.hpp>
namespace {
using namespace mesh::cluster;
namespace on_cards = algorithms::on_cards;
template <int Left, int Twice>
void all_to_0(Port& port) {
  for (int from = 1; port.rank() == 0 && from < port.ranks(); ++from)
    if (from != Left || Twice > 0) port.receive(from == Left ? Twice : from);
  if (port.rank() == 0 || port.rank() == Left) return;
  port.send(0);
  if (port.rank() == Twice) port.send(0);
}
void from_the_last(Port& port) {
  for (int from = port.ranks() - 1; port.rank() == 0 && from > 0; --from) port.receive(from);
  if (port.rank() > 0) port.send(0);
}
template <int Left, int Twice>
Program program(int nodes, std::uint32_t elements, Vector, const Config&, const on_cards::ReduceOptions&) {
  return Recording::of(nodes, elements, Processor::cards, Ending::root,
                       Left == 0 ? from_the_last : all_to_0<Left, Twice>);
}
const on_cards::ReduceRow twin{.name = "reduce/twin", .place = Processor::cards, .ending = Ending::root,
    .commutative = true, .summary = "a fault", .cost = "-", .program = program<1, 12>};
const on_cards::ReduceRow left{.name = "reduce/left", .place = Processor::cards, .ending = Ending::root,
    .commutative = true, .summary = "a fault", .cost = "-", .program = program<13, 0>};
const on_cards::ReduceRow far{.name = "reduce/far", .place = Processor::cards, .ending = Ending::root,
    .commutative = true, .summary = "a fault", .cost = "-", .program = program<1250, 0>};
void quits(Port&) { _exit(0); }
const on_cards::ReduceRow quit{.name = "reduce/quit", .place = Processor::cards, .ending = Ending::root,
    .commutative = true, .summary = "a fault", .cost = "-",
    .program = [](int nodes, std::uint32_t elements, Vector, const Config&, const on_cards::ReduceOptions&) {
      return Recording::of(nodes, elements, Processor::cards, Ending::root, quits);
    }};
const on_cards::ReduceRow mixed{.name = "reduce/mixed", .place = Processor::hosts, .ending = Ending::root,
    .commutative = true, .summary = "a fault", .cost = "-", .program = program<0, 0>};
// Node 0 has the order of the ranks, the others have not.
void each_from_the_last(Port& port) {
  for (int to = 0; to < port.ranks(); ++to)
    if (to != port.rank()) port.send(to);
  for (int i = 1; i < port.ranks(); ++i)
    port.receive(port.rank() == 0 ? i : (port.rank() + port.ranks() - i) % port.ranks());
}
const on_cards::ReduceRow others{.name = "reduce/others", .place = Processor::hosts,
    .ending = Ending::everywhere, .commutative = false, .summary = "a fault", .cost = "-",
    .program = [](int nodes, std::uint32_t elements, Vector, const Config&, const on_cards::ReduceOptions&) {
      return Recording::of(nodes, elements, Processor::hosts, Ending::everywhere, each_from_the_last);
    }};
const on_cards::ReduceRow doubles{.name = "reduce/doubles", .place = Processor::cards, .ending = Ending::root,
    .commutative = false, .summary = "a fault", .cost = "-",
    .program = [](int nodes, std::uint32_t elements, Vector what, const Config&,
                  const on_cards::ReduceOptions&) {
      return Recording::of(nodes, elements, Processor::cards, Ending::root,
                           what.type == Type::float64 ? from_the_last : all_to_0<0, 0>);
    }};
const on_cards::ReduceRow last{.name = "reduce/last", .place = Processor::cards, .ending = Ending::root,
    .commutative = false, .summary = "a fault", .cost = "-", .program = program<0, 0>};
// By arrival is no order of the ranks.
void all_as_they_come(Port& port) {
  if (port.rank() > 0) return port.send(0);
  std::vector<int> from;
  for (int rank = 1; rank < port.ranks(); ++rank) from.push_back(rank);
  port.collect(from, Order::arrival);
}
const on_cards::ReduceRow by_arrival{.name = "reduce/by_arrival", .place = Processor::cards,
    .ending = Ending::root, .commutative = false, .summary = "a fault", .cost = "-",
    .program = [](int nodes, std::uint32_t elements, Vector, const Config&, const on_cards::ReduceOptions&) {
      return Recording::of(nodes, elements, Processor::cards, Ending::root, all_as_they_come); }};
}
ROCKCREEK_ON_CARDS(by_arrival)
ROCKCREEK_ON_CARDS(others)
ROCKCREEK_ON_CARDS(doubles)
ROCKCREEK_ON_CARDS(last)
ROCKCREEK_ON_CARDS(quit)
ROCKCREEK_ON_CARDS(mixed)
ROCKCREEK_ON_CARDS(twin)
ROCKCREEK_ON_CARDS(left)
ROCKCREEK_ON_CARDS(far)
CXX
wrong twin 'wrong bytes' reduce --with cards.cpp --algorithms twin,serial --machine alc --nodes 48 --sizes 8
wrong last 'not combined in the order of the ranks' reduce --with cards.cpp --algorithms last,serial \
  --machine alc --nodes 5 --sizes 8
for row in others doubles; do
  wrong $row 'not combined in the order of the ranks' reduce --with cards.cpp --algorithms $row,serial \
    --machine alc --nodes 5 --sizes 8
done
wrong quit 'it ended the process with status 0' reduce --with cards.cpp --algorithms quit,serial \
  --machine alc --nodes 5 --sizes 8
wrong mixed 'another place or ending than the row says' reduce --with cards.cpp --algorithms mixed,serial \
  --machine alc --nodes 5 --sizes 8
sed 's#reduce/left#bcast/left#' cards.cpp >named.cpp
refused "a row is named 'bcast/left'; its name is the operation that it is for" reduce --with named.cpp \
  --machine alc --nodes 5 --sizes 8
wrong left 'operands are missing' reduce --with cards.cpp --algorithms left,serial --machine alc --nodes 48 \
  --sizes 8 --op max
wrong far 'operands are missing' reduce --with cards.cpp --algorithms far,serial --machine alc --nodes 1300 \
  --set machine.nodes=1300 --sizes 8 --op max

# In shared memory, simulated and on this host.
cat >memory.cpp <<'CXX'
#include <algorithms/in_memory/own.hpp>
namespace {
namespace memory = algorithms::memory;
namespace in_memory = algorithms::in_memory;
template <memory::Memory M, bool Right, std::size_t Spare>
class Count {
 public:
  explicit Count(M& memory)
      : count_(memory.words(1, memory::line, 0)[0]), spare_(memory.block(Spare, 0)),
        episode_(static_cast<std::size_t>(memory.threads())) {}
  void operator()(typename M::Thread& thread) {
    constexpr auto acquire = std::memory_order_acquire;
    auto& episode = episode_[static_cast<std::size_t>(thread.thread())].value;
    const std::uint64_t all = ++episode * static_cast<std::uint64_t>(thread.threads());
    const std::uint64_t before = Right ? thread.fetch_add(count_, 1, std::memory_order_acq_rel)
                                       : thread.load(count_, acquire);
    if (!Right) thread.store(count_, before + 1, std::memory_order_release);
    if (before + 1 < all)
      thread.wait(count_, [all](std::uint64_t count) { return memory::reached(count, all); }, acquire);
  }
 private:
  typename M::Word count_;
  typename M::Block spare_;
  std::vector<memory::PerThread<std::uint64_t>> episode_;
};
template <memory::Memory M, bool Right, std::size_t Spare>
in_memory::Barrier<M> make(M& memory, const in_memory::BarrierOptions&) {
  return in_memory::make_barrier<M, Count<M, Right, Spare>>(memory);
}
template <memory::Memory M>
constexpr in_memory::BarrierRow<M> right{"barrier/count", "a count", make<M, true, 8>};
template <memory::Memory M>
constexpr in_memory::BarrierRow<M> lost{"barrier/count_lost", "a count", make<M, false, 8>};
template <memory::Memory M>
constexpr in_memory::BarrierRow<M> roomy{"barrier/roomy", "a count", make<M, true, 1 << 20>};
// All meet by a barrier that is wrong where the vector is one part, as it is by default: whoever is quick is
// counted in the next episode before the count is set back.
template <memory::Memory M>
class OnePart {
 public:
  OnePart(M& memory, const algorithms::Shares& shares, const in_memory::Operation<M>& operation,
          const in_memory::ExchangeOptions& options)
      : shares_(shares), parts_(shares.bytes(), operation.element_bytes, options), progress_(memory),
        right_(in_memory::make_barrier<M, Count<M, true, 8>>(memory)),
        count_(memory.words(1, memory::line, 0)[0]), episode_(memory.words(1, memory::line, 0)[0]),
        episodes_(static_cast<std::size_t>(memory.threads())) {}
  void operator()(typename M::Thread& thread, typename M::Block source, typename M::Block target, int root) {
    progress_.show(thread, {source, target});
    meet(thread);
    for (int from = 0; from < thread.threads(); ++from) {
      const auto part = shares_.transfer(from, thread.thread(), root);
      if (part.bytes > 0)
        thread.copy(target.part(part.to, part.bytes),
                    progress_.buffers(thread, from).source.part(part.from, part.bytes));
    }
    meet(thread);
  }
 private:
  void meet(typename M::Thread& thread) {
    if (parts_.count() > 1) return right_(thread);
    const std::uint64_t episode = ++episodes_[static_cast<std::size_t>(thread.thread())].value;
    if (thread.fetch_add(count_, 1, std::memory_order_acq_rel) + 1 < std::uint64_t(thread.threads())) {
      thread.wait(episode_, [episode](std::uint64_t now) { return now >= episode; },
          std::memory_order_acquire);
      return;
    }
    thread.store(episode_, episode, std::memory_order_release);
    thread.store(count_, 0, std::memory_order_release);
  }
  algorithms::Shares shares_;
  in_memory::Parts parts_;
  in_memory::Progress<M> progress_;
  in_memory::Barrier<M> right_;
  typename M::Word count_, episode_;
  std::vector<memory::PerThread<std::uint64_t>> episodes_;
};
template <memory::Memory M>
constexpr in_memory::ExchangeRow<M> one_part{"allgather/one_part", "a fault", "-", ROCKCREEK_ALLGATHER,
    in_memory::make_exchange<M, OnePart<M>, ROCKCREEK_ALLGATHER>, in_memory::part_parameters};
template <memory::Memory M>
struct Empty {
  explicit Empty(M&) {}
  void operator()(typename M::Thread&) {}
};
template <memory::Memory M>
constexpr in_memory::BarrierRow<M> empty{"barrier/empty", "nothing",
    [](M& memory, const in_memory::BarrierOptions&) {
                                           return in_memory::make_barrier<M, Empty<M>>(memory);
                                         }};
// Whoever is quick comes back and counts on before the others have looked.
template <memory::Memory M>
class Multiple {
 public:
  explicit Multiple(M& memory) : count_(memory.words(1, memory::line, 0)[0]) {}
  void operator()(typename M::Thread& thread) {
    const auto all = static_cast<std::uint64_t>(thread.threads());
    if ((thread.fetch_add(count_, 1, std::memory_order_acq_rel) + 1) % all != 0)
      thread.wait(count_, [all](std::uint64_t count) { return count % all == 0; }, std::memory_order_acquire);
  }
 private:
  typename M::Word count_;
};
template <memory::Memory M>
constexpr in_memory::BarrierRow<M> multiple{"barrier/multiple", "a multiple",
    [](M& memory, const in_memory::BarrierOptions&) {
                                              return in_memory::make_barrier<M, Multiple<M>>(memory);
                                            }};
// The root's block is its own again before all have read it.
template <memory::Memory M>
class Hasty {
 public:
  explicit Hasty(M& memory, const in_memory::BroadcastOptions&)
      : full_(memory.words(1, memory::line, 0)[0]), block_(memory::mailboxes<M, typename M::Block>(memory)),
        calls_(static_cast<std::size_t>(memory.threads())) {}
  void operator()(typename M::Thread& thread, typename M::Block block, int root) {
    const std::uint64_t call = ++calls_[static_cast<std::size_t>(thread.thread())].value;
    if (thread.thread() == root) {
      block_[static_cast<std::size_t>(root)].put(thread, block);
      thread.store(full_, call, std::memory_order_release);
      return;
    }
    thread.wait(full_, [call](std::uint64_t count) { return count >= call; }, std::memory_order_acquire);
    thread.copy(block, block_[static_cast<std::size_t>(root)].get(thread));
  }
 private:
  typename M::Word full_;
  std::vector<memory::Mailbox<M, typename M::Block>> block_;
  std::vector<memory::PerThread<std::uint64_t>> calls_;
};
template <memory::Memory M>
constexpr in_memory::BroadcastRow<M> hasty{"bcast/hasty", "hasty", "-",
    [](M& memory, const in_memory::BroadcastOptions& options) {
                                             return in_memory::make_broadcast<M, Hasty<M>>(memory, options);
                                           }};
// The root fills everybody's block, for which nobody waits: right in the end.
template <memory::Memory M>
class Pushed {
 public:
  explicit Pushed(M& memory, const in_memory::BroadcastOptions&)
      : ready_(memory.words(static_cast<std::size_t>(memory.threads()), memory::line, 0)),
        calls_(static_cast<std::size_t>(memory.threads())) {
    for (int call = 0; call < most_calls; ++call) blocks_.push_back(memory::mailboxes<M,
        typename M::Block>(memory));
  }
  void operator()(typename M::Thread& thread, typename M::Block block, int root) {
    const auto self = static_cast<std::size_t>(thread.thread());
    const std::uint64_t call = ++calls_[self].value;
    if (thread.thread() != root) {
      blocks_[call % most_calls][self].put(thread, block);
      thread.store(ready_[self], call, std::memory_order_release);
      return;
    }
    for (std::size_t other = 0; other < ready_.size(); ++other) {
      if (other == self) continue;
      thread.wait(ready_[other], [call](std::uint64_t count) { return count >= call; },
          std::memory_order_acquire);
      thread.copy(blocks_[call % most_calls][other].get(thread), block);
    }
    thread.store(ready_[self], call, std::memory_order_release);
  }
 private:
  std::vector<typename M::Word> ready_;
  static constexpr int most_calls = 32; // nobody is so far ahead
  std::vector<std::vector<memory::Mailbox<M, typename M::Block>>> blocks_;
  std::vector<memory::PerThread<std::uint64_t>> calls_;
};
template <memory::Memory M>
constexpr in_memory::BroadcastRow<M> pushed{"bcast/pushed", "pushed", "-",
    [](M& memory, const in_memory::BroadcastOptions& options) {
                                              return in_memory::make_broadcast<M, Pushed<M>>(memory, options);
                                            }};
// The root waits for the three behind it alone.
template <memory::Memory M>
class ThreeAnswers {
 public:
  explicit ThreeAnswers(M& memory, const in_memory::BroadcastOptions&)
      : full_(memory.words(static_cast<std::size_t>(memory.threads()), memory::line, 0)),
        read_(memory.words(static_cast<std::size_t>(memory.threads()), memory::line, 0)),
        calls_(static_cast<std::size_t>(memory.threads())) {
    for (int call = 0; call < most_calls; ++call) blocks_.push_back(memory::mailboxes<M,
        typename M::Block>(memory));
  }
  void operator()(typename M::Thread& thread, typename M::Block block, int root) {
    const auto self = static_cast<std::size_t>(thread.thread()), from = static_cast<std::size_t>(root);
    const std::uint64_t call = ++calls_[self].value;
    const auto come = [call](std::uint64_t count) { return count >= call; };
    auto& mailbox = blocks_[call % most_calls][from];
    if (self != from) {
      thread.wait(full_[from], come, std::memory_order_acquire);
      thread.copy(block, mailbox.get(thread));
      thread.store(read_[self], call, std::memory_order_release);
      return;
    }
    mailbox.put(thread, block);
    thread.store(full_[self], call, std::memory_order_release);
    for (std::size_t other = 1; other < full_.size() && other <= 3; ++other)
      thread.wait(read_[(self + other) % full_.size()], come, std::memory_order_acquire);
  }
 private:
  std::vector<typename M::Word> full_, read_;
  static constexpr int most_calls = 32; // nobody is so far ahead
  std::vector<std::vector<memory::Mailbox<M, typename M::Block>>> blocks_;
  std::vector<memory::PerThread<std::uint64_t>> calls_;
};
template <memory::Memory M>
constexpr in_memory::BroadcastRow<M> three{"bcast/three", "three answers", "-",
    in_memory::make_broadcast<M, ThreeAnswers<M>>};
// Sums under a lock. Whoever comes first begins: right. If thread 0 begins, who comes before it is lost; with
// zeros to begin with, minima and maxima are wrong.
enum class Begins { first, thread_0, zeros };
template <memory::Memory M, Begins Who>
class Locked {
 public:
  Locked(M& memory, in_memory::Operation<M> operation, std::size_t bytes)
      : operation_(std::move(operation)), zeros_(memory.block(Who == Begins::zeros ? bytes : 8, 0)),
        lock_(memory.words(1, memory::line, 0)[0]),
        count_(memory.words(1, memory::line, 0)[0]), calls_(static_cast<std::size_t>(memory.threads())) {}
  void operator()(typename M::Thread& thread, typename M::Block input, typename M::Block result) {
    constexpr auto acquire = std::memory_order_acquire;
    const auto threads = static_cast<std::uint64_t>(thread.threads());
    const std::uint64_t all = ++calls_[static_cast<std::size_t>(thread.thread())].value * threads;
    while (thread.exchange(lock_, 1, std::memory_order_acq_rel) != 0)
      thread.wait(lock_, [](std::uint64_t taken) { return taken == 0; }, acquire);
    const bool begins =
        Who == Begins::thread_0 ? thread.thread() == 0 : thread.load(count_, acquire) % threads == 0;
    const typename M::Block both[] = {result, input};
    if (input.bytes > 0 && begins)
      thread.copy(result, Who == Begins::zeros ? zeros_.part(0, input.bytes) : input);
    if (input.bytes > 0 && (!begins || Who == Begins::zeros)) operation_.combine(thread, result, both);
    thread.fetch_add(count_, 1, std::memory_order_acq_rel);
    thread.store(lock_, 0, std::memory_order_release);
    thread.wait(count_, [all](std::uint64_t count) { return count >= all; }, acquire);
  }
 private:
  in_memory::Operation<M> operation_;
  typename M::Block zeros_;
  typename M::Word lock_, count_;
  std::vector<memory::PerThread<std::uint64_t>> calls_;
};
template <memory::Memory M, Begins Who>
in_memory::Reduction<M> locked(M& memory, const in_memory::Operation<M>& operation, std::size_t bytes,
                               const in_memory::ReduceOptions&) {
  return in_memory::make_reduction<M, Locked<M, Who>>(memory, operation, bytes);
}
template <memory::Memory M>
constexpr in_memory::ReductionRow<M> by_first{"reduce/by_first", "a lock", "-", in_memory::Order::arrival,
                                              true, locked<M, Begins::first>};
template <memory::Memory M>
constexpr in_memory::ReductionRow<M> by_0{"reduce/by_0", "a lock", "-", in_memory::Order::arrival, true,
                                          locked<M, Begins::thread_0>};
template <memory::Memory M>
constexpr in_memory::ReductionRow<M> by_zeros{"reduce/by_zeros", "a lock", "-", in_memory::Order::arrival,
                                              true, locked<M, Begins::zeros>};
// Right for 100 calls, and half right for the next 100; or right, unless there is nothing to send.
template <memory::Memory M, bool Sends>
class Fades {
 public:
  Fades(M& memory, const in_memory::BroadcastOptions&)
      : barrier_(in_memory::barriers<M>()[1].make(memory, {})), block_(memory.block(1 << 16, 0)),
        calls_(static_cast<std::size_t>(memory.threads())) {}
  void operator()(typename M::Thread& thread, typename M::Block block, int root) {
    const int calls = ++calls_[static_cast<std::size_t>(thread.thread())].value;
    const std::size_t bytes = !Sends && calls > 100 && calls < 200 ? block.bytes / 2 : block.bytes;
    if (Sends && bytes == 0 && thread.thread() == root) return;
    if (thread.thread() == root) thread.copy(block_.part(0, block.bytes), block);
    barrier_(thread);
    if (thread.thread() != root) thread.copy(block.part(0, bytes), block_.part(0, bytes));
    barrier_(thread);
  }
 private:
  in_memory::Barrier<M> barrier_;
  typename M::Block block_;
  std::vector<memory::PerThread<int>> calls_;
};
template <memory::Memory M>
constexpr in_memory::BroadcastRow<M> fades{"bcast/fades", "fades", "-",
    in_memory::make_broadcast<M, Fades<M, false>>};
template <memory::Memory M>
constexpr in_memory::BroadcastRow<M> sends{"bcast/sends", "sends", "-",
    in_memory::make_broadcast<M, Fades<M, true>>};
// Who has been the last of three leaves the next barrier at once, if it is thread 0.
template <memory::Memory M>
class Spoilt {
 public:
  explicit Spoilt(M& memory)
      : count_(memory.words(1, memory::line, 0)[0]), mine_(static_cast<std::size_t>(memory.threads())) {}
  void operator()(typename M::Thread& thread) {
    auto& mine = mine_[static_cast<std::size_t>(thread.thread())].value;
    const std::uint64_t all = ++mine.calls * static_cast<std::uint64_t>(thread.threads());
    const bool leaves = mine.was_last && thread.threads() == 3 && thread.thread() == 0;
    mine.was_last = thread.fetch_add(count_, 1, std::memory_order_acq_rel) + 1 == all;
    if (!mine.was_last && !leaves)
      thread.wait(count_, [all](std::uint64_t count) { return count >= all; }, std::memory_order_acquire);
  }
 private:
  struct Mine { std::uint64_t calls = 0; bool was_last = false; };
  typename M::Word count_;
  std::vector<memory::PerThread<Mine>> mine_;
};
template <memory::Memory M>
constexpr in_memory::BarrierRow<M> spoilt{"barrier/spoilt", "spoilt",
    [](M& memory, const in_memory::BarrierOptions&) {
                                            return in_memory::make_barrier<M, Spoilt<M>>(memory);
                                          }};
}
ROCKCREEK_IN_MEMORY(spoilt)
ROCKCREEK_IN_MEMORY(three)
ROCKCREEK_IN_MEMORY(by_first)
ROCKCREEK_IN_MEMORY(by_0)
ROCKCREEK_IN_MEMORY(by_zeros)
ROCKCREEK_IN_MEMORY(fades)
ROCKCREEK_IN_MEMORY(one_part)
ROCKCREEK_IN_MEMORY(right)
ROCKCREEK_IN_MEMORY(lost)
ROCKCREEK_IN_MEMORY(roomy)
ROCKCREEK_IN_MEMORY(sends)
ROCKCREEK_IN_MEMORY(pushed)
ROCKCREEK_IN_MEMORY(empty)
ROCKCREEK_IN_MEMORY(multiple)
ROCKCREEK_IN_MEMORY(hasty)
CXX
# A name that begins another's: the explorer's verdict is on the row itself. More memory than the explorer has
# is no fault.
"$bench" barrier --with memory.cpp --algorithms count,roomy --machine xeon-phi-5110p --cores 6 >out 2>err ||
  fail "a name that begins another's: $(cat out err)"
grep -q '/count .* explored$' out && grep -q '/roomy .* ok$' out ||
  fail "a name that begins another's: $(cat out)"
"$bench" explore --with memory.cpp --algorithms barrier/count,barrier/count_lost,barrier/roomy --threads 2 \
  >out && fail "explored: $(cat out)"
grep -q '^# barrier/roomy, 2 threads: it takes more memory than the explorer has$' out &&
  grep -q '/count  .* yes$' out || fail "no room: $(cat out)"

wrong one_part 'threads can come to this' allgather --with memory.cpp --algorithms one_part,ring \
  --machine xeon-phi-5110p --cores 6 --sizes 1024

wrong empty 'leaves before rank [0-9]* has come' barrier --with memory.cpp --algorithms empty,dissemination \
  --machine x4600,host --cores 2
wrong multiple 'nobody can go on' barrier --with memory.cpp --algorithms multiple \
  --machine x4600,xeon-phi-5110p --cores 2,5
wrong multiple 'does not end within 10 s; thread 0 waits for a change of word 0' barrier --with memory.cpp \
  --algorithms multiple,dissemination \
  --machine host --cores 2
grep -q '^barrier/dissemination .* ok$' out || fail "the next row of the host: $(cat out)"
wrong pushed 'a first call .*wrong bytes' bcast --with memory.cpp --algorithms pushed --machine x4600 \
  --cores 2 --sizes 4096
"$bench" explore --with memory.cpp --algorithms bcast/pushed --threads 2 >out && fail "explore: $(cat out)"
grep -q 'nothing keeps two threads apart' out || fail "explore: $(cat out)"
wrong hasty 'wrong bytes' bcast --with memory.cpp --algorithms hasty --machine x4600 --cores 3,13 --sizes 4096

wrong three 'wrong bytes' bcast --with memory.cpp --algorithms three --machine x4600,xeon-phi-5110p \
  --cores 8 --sizes 64
wrong spoilt '3 threads can come to this: thread 0 leaves barrier 2' barrier --with memory.cpp \
  --algorithms spoilt --machine x4600 --cores 4
"$bench" reduce --with memory.cpp --algorithms by_first --machine x4600 --cores 8 --sizes 64 >out ||
  fail "by_first: $(cat out)"
grep -q '^reduce/by_first .* explored$' out || fail "by_first: $(cat out)"
"$bench" explore --with memory.cpp --algorithms reduce/by_first,reduce/by_0 --threads 2 --operations 1 >out &&
  fail "explore by_0: $(cat out)"
grep -q '^reduce/by_first .* yes' out && grep -q '^reduce/by_0 .* no' out || fail "explore by_0: $(cat out)"
# Who is wrong has no time, and is not the next behind the winner.
"$bench" compare --operation bcast --with memory.cpp --algorithms hasty,binomial \
  --machine x4600,xeon-phi-5110p --cores 3 --sizes 4096 >out && fail "compare: $(cat out)"
! grep -q -e '-100.0' out || fail "compare: $(cat out)"

# Files for other machines have nothing to explore.
refused "its algorithms are for messages; explored are those in shared memory" explore --with hears.c

# Its interleaving, as shown and again.
status=0
"$bench" explore --with memory.cpp --algorithms barrier/multiple --threads 2 >out || status=$?
[ $status -eq 1 ] || fail "explore: status $status: $(cat out)"
schedule=$(sed -n 's/^#   rccebench explore .*--replay //p' out)
"$bench" explore --with memory.cpp --algorithms barrier/multiple --threads 2 --replay "$schedule" >out &&
  fail "replay: $(cat out)"
grep -q 'nobody can go on' out || fail "replay: $(cat out)"
cp "$BIN/../share/rockcreek/programs/my_barrier.cpp" .

# Explored are the defaults: with another value this barrier waits only for a while, which the trial lets
# pass.
sed 's/const in_memory::BarrierOptions&) {/const in_memory::BarrierOptions\& options) {/
  s/make_barrier<M, OneWord<M>>(memory)/make_barrier<M, OneWord<M>>(memory, options.partners)/
  s/^                                            }};/}, in_memory::dissemination_parameters};/
  s/explicit OneWord(M& memory)/OneWord(M\& memory, int partners)/
  s/(memory.threads())) {}/(memory.threads())), partners_(partners) {}/
  s/  typename M::Word count_;/  typename M::Word count_; int partners_;/
  s/^    if (thread.fetch_add/    if (partners_ > 1) {\
      thread.fetch_add(count_, 1, std::memory_order_acq_rel);\
      for (int i = 0; i < 400 \&\& thread.load(count_, std::memory_order_acquire) < all; ++i)\
        thread.compute(2e5);\
      return;\
    }\
&/' my_barrier.cpp >impatient.cpp
"$bench" barrier --with impatient.cpp --algorithms one_word --partners 1,2 --machine x4600 --cores 8 >out ||
  fail "impatient: $(cat out)"
grep -q ' partners=1 .* explored$' out && grep -q ' partners=2 .* ok$' out || fail "impatient: $(cat out)"

# A counter that never comes round, in calls of whole lines alone: those that it refuses are made with a
# line.
cat >lines.c <<'C'
#include <iRCCE.h>
#include <RCCE_lib.h>
#include <algorithms/algorithm.h>
static RCCE_FLAG full, empty;
static int got, sent;
static int prepare(const rockcreek_call *call) {
  (void)call;
  RCCE_flag_alloc(&full);
  RCCE_flag_write(&full, 0, RCCE_ue());
  RCCE_flag_alloc(&empty);
  RCCE_flag_write(&empty, 0, RCCE_ue());
  return RCCE_barrier(&RCCE_COMM_WORLD);
}
static int run(const rockcreek_call *call) {
  const int me = RCCE_ue(), all = RCCE_num_ues(), place = (me - call->root + all) % all;
  if (call->bytes % 32 != 0 || call->bytes > RCCE_chunk) return rockcreek_refuse("whole lines of one buffer");
  if (place > 0) {
    RCCE_wait_until(full, ++got);
    RCCE_get((t_vcharp)call->buffer, RCCE_buff_ptr, (int)call->bytes, (me + all - 1) % all);
    RCCE_flag_write(&empty, got % 256, (me + all - 1) % all);
  }
  if (place < all - 1) {
    RCCE_put(RCCE_buff_ptr, (t_vcharp)call->buffer, (int)call->bytes, me);
    RCCE_flag_write(&full, ++sent % 256, (me + 1) % all);
    RCCE_wait_until(empty, sent % 256);
  }
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM(lines, .name = "bcast/lines", .operation = ROCKCREEK_BCAST, .summary = "lines",
                    .source = "a test", .prepare = prepare, .run = run);
C
wrong lines 'in a row (32 bytes, .*a deadlock' bcast --with lines.c --algorithms lines,linear --cores 8 \
  --sizes 32
tree long_only.c long_only 'if (call->bytes <= 65536) return rockcreek_refuse("long messages only");'
"$bench" bcast --with long_only.c --algorithms long_only --cores 3 --sizes 65568 >out || fail "$(cat out)"
grep -q 'correct; 1 points not in calls in a row, whose sizes or roots yours refuses$' out ||
  fail "$(cat out)"

# One root in five is a fifth of the calls in a row.
cat >one_root.c <<'C'
#include <RCCE.h>
#include <algorithms/algorithm.h>
static int run(const rockcreek_call *call) {
  if (call->root != 2) return rockcreek_refuse("root 2 alone");
  return RCCE_bcast(call->buffer, call->bytes, call->root, RCCE_COMM_WORLD);
}
ROCKCREEK_ALGORITHM(one_root, .name = "bcast/one_root", .operation = ROCKCREEK_BCAST, .summary = "one root",
    .source = "a test", .run = run);
C
"$bench" bcast --with one_root.c --algorithms one_root --cores 5 --root 2 --sizes 64 >out 2>err ||
  fail "one root: $(cat out err)"
grep -q 'correct; 1 points not in calls in a row, whose sizes or roots yours refuses$' out ||
  fail "$(cat out)"
# A size that it refuses ends its point alone.
wrong long_only 'on 3 cores, 64 bytes, root 0: rank 0 refuses the call' bcast --with long_only.c --cores 3 \
  --algorithms long_only,linear --sizes 64
grep -q '^bcast/linear .* ok$' out || fail "a refused size: $(cat out)"

# A minimum of long vectors without rank 3.
cat >gap.c <<'C'
#include <stdlib.h>
#include <RCCE.h>
#include <RCCE_lib.h>
#include <algorithms/algorithm.h>
static int run(const rockcreek_call *call) {
  const int me = RCCE_ue(), left_out = call->bytes > 16384 ? 3 : -1;
  if (me != call->root)
    return me == left_out ? RCCE_SUCCESS : RCCE_send((char *)call->source, call->bytes, call->root);
  char *part = malloc(call->bytes);
  rcce_copy(call->buffer, call->source, call->bytes);
  for (int from = 0; from < RCCE_num_ues(); ++from)
    if (from != me && from != left_out) {
      RCCE_recv(part, call->bytes, from);
      rcce_combine(call->op, call->type, call->buffer, part, (int)call->count);
    }
  free(part);
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM(gap, .name = "reduce/gap", .operation = ROCKCREEK_REDUCE, .summary = "a fault",
                    .source = "a test", .run = run);
C
for op in min max; do
  wrong gap 'wrong bytes' reduce --with gap.c --algorithms gap,linear --op $op --cores 8 --sizes 32768
done

# A minimum or maximum that begins with 0, on messages and in shared memory.
sed 's/rcce_copy(call->buffer, call->source, call->bytes);/memset(call->buffer, 0, call->bytes);\
  rcce_combine(call->op, call->type, call->buffer, call->source, (int)call->count);/
  s/<stdlib.h>/<string.h>\n#include <stdlib.h>/; s/call->bytes > 16384 ? 3 : -1/-1/
  s/gap/from_zero/g' gap.c >from_zero.c
for op in min max; do
  wrong from_zero 'wrong bytes' reduce --with from_zero.c --algorithms from_zero,linear --op $op --type int \
    --cores 5 --sizes 64
  wrong by_zeros 'wrong bytes' reduce --with memory.cpp --algorithms by_zeros,linear --op $op --type int \
    --machine x4600 --cores 4 --sizes 64
done

# Who is wrong has no time in tables of scaling.
"$bench" scaling --with tired.c --algorithms tired,linear --cores 2,5 --sizes 64 --meshes none >out &&
  fail "scaling: $(cat out)"
! grep -q -e nan -e '0\.0 (' out || fail "scaling: $(cat out)"

# A machine with too much noise is no fault of an algorithm.
wrong by_arrival 'not combined in the order of the ranks' reduce --with cards.cpp \
  --algorithms by_arrival,serial --machine alc --nodes 16
refused 'choose less of them' reduce --with cards.cpp --algorithms by_arrival --machine alc --nodes 16 \
  --set noise.daemons=20000

# Right as long as nobody sends a message between two calls: the root puts without asking whether the others
# have come.
cat >unasked.c <<'C'
#include <iRCCE.h>
#include <RCCE_lib.h>
#include <algorithms/algorithm.h>
static RCCE_FLAG full;
static unsigned char calls;
static int prepare(const rockcreek_call *call) {
  (void)call;
  RCCE_flag_alloc(&full);
  RCCE_flag_write(&full, 0, RCCE_ue());
  return RCCE_barrier(&RCCE_COMM_WORLD);
}
static int run(const rockcreek_call *call) {
  if (call->bytes > RCCE_chunk) return rockcreek_refuse("too long");
  if (ASKS) RCCE_barrier(&RCCE_COMM_WORLD);
  ++calls;
  if (RCCE_ue() == call->root) {
    for (int to = 0; to < RCCE_num_ues(); ++to) {
      if (to == call->root) continue;
      iRCCE_put(RCCE_buff_ptr, (t_vcharp)call->buffer, (int)call->bytes, to);
      RCCE_flag_write(&full, calls, to);
    }
  } else {
    RCCE_wait_until(full, calls);
    iRCCE_get((t_vcharp)call->buffer, RCCE_buff_ptr, (int)call->bytes, RCCE_ue());
  }
  return RCCE_barrier(&RCCE_COMM_WORLD);
}
ROCKCREEK_ALGORITHM(unasked, .name = "bcast/unasked", .operation = ROCKCREEK_BCAST,
    .summary = "does not ask", .source = "a test", .prepare = prepare, .run = run);
C
sed 's/ASKS/0/' unasked.c >unasked_one.c
sed 's/ASKS/1/; s/unasked/asked/g' unasked.c >asked.c
wrong unasked 'others write to the payload area of rank [0-9]* while it is in no call' bcast \
  --with unasked_one.c --with asked.c --algorithms unasked,asked --cores 4,48 --sizes 4096
[ "$(grep -c '^bcast/asked .* ok$' out)" -eq 2 ] || fail "a root that asks: $(cat out)"

# In shared memory every call that is timed is compared: this one is right for 100 calls, and half right for
# the next 100.
wrong fades 'rank [123] has 2048 wrong bytes, the first of them byte 2048' bcast --with memory.cpp \
  --algorithms fades,flat --machine x4600 --cores 4 --sizes 4096 --repetitions 300
wrong sends 'wrong bytes' bcast --with memory.cpp --algorithms sends,flat --machine x4600 --cores 4 \
  --sizes 4096

# Where no point is compared, nothing is said to be correct.
"$bench" reduce --algorithms awake_tree --machine alc --set machine.nodes=40000 --nodes 40000 --sizes 8192 \
  >out 2>err || fail "too large: $(cat out err)"
grep -q '^# 1 points, nothing compared; 1 points are too large to be compared$' out ||
  fail "too large: $(cat out)"
