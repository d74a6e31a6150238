#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Algorithms of somebody's that are wrong where a trial seldom looks: minima and maxima without a rank that
# decides few elements, long vectors on the host, loops that miss a value where cores are delayed.
set -eu
. "$SOURCE/tests/support/checks.sh"
export CXX="$SOURCE/tests/support/compile_once.sh"
rm -f compiled-*

# wrong NAME PATTERN COMMAND...: the row is marked, the reason told, the status 1.
wrong() {
  name=$1 pattern=$2
  shift 2
  status=0
  "$bench" "$@" >out 2>err || status=$?
  [ $status -eq 1 ] || fail "$name: status $status: $(cat out err)"
  grep -q "^# wrong: .*/$name on .*$pattern" out || fail "$name: no reason: $(cat out)"
  grep -q "/$name .* wrong\$" out || fail "$name: its row: $(cat out)"
  ! grep -Eq "/$name .* (ok|explored)\$" out || fail "$name: right somewhere: $(cat out)"
}

# On messages: vectors of a few elements without one rank. Each of the ranks decides in some call.
cat >short.c <<'C'
#include <string.h>
#include <RCCE.h>
#include <RCCE_lib.h>
#include <algorithms/algorithm.h>
static char part[1 << 17];
static int run(const rockcreek_call *call) {
  const int all = RCCE_num_ues(), lost = call->bytes > 8 && call->bytes <= 32 ? all - LOST : -1;
  if (RCCE_ue() != call->root) return RCCE_send((char *)call->source, call->bytes, call->root);
  memcpy(call->buffer, call->source, call->bytes);
  for (int from = 0; from < all; ++from) {
    if (from == call->root) continue;
    RCCE_recv(part, call->bytes, from);
    if (from != lost) rcce_combine(call->op, call->type, call->buffer, part, (int)call->count);
  }
  return RCCE_SUCCESS;
}
ROCKCREEK_ALGORITHM(lost, .name = "reduce/short", .operation = ROCKCREEK_REDUCE, .summary = "a fault",
                    .source = "a test", .run = run);
C
for lost in 9 13 30; do
  sed "s/LOST/$lost/" short.c >lost.c
  wrong short 'wrong bytes' reduce --with lost.c --algorithms short,linear --op max --cores 48 --sizes 32
  grep -q '^reduce/linear .* ok$' out || fail "linear: $(cat out)"
done

# On more ranks than a trial calls 300 times, too; beyond 64 the last line says that it has not been seen.
many() { # many RANKS: on a mesh of 140 cores
  echo --set mesh.columns=10 --set mesh.rows=7 --cores $1
}
sed "s/LOST/10/" short.c >lost.c
# shellcheck disable=SC2046 # words of a command line
wrong short 'wrong bytes' reduce --with lost.c --algorithms short,linear --op max $(many 60) --sizes 32
sed "s/LOST/0/" short.c >whole.c
for ranks in 60 70; do
  # shellcheck disable=SC2046
  "$bench" reduce --with whole.c --algorithms short --op min $(many $ranks) --sizes 32 >out 2>err ||
    fail "$ranks ranks: $(cat out err)"
  grep -q '; 1 points of more than 48 cores not in 300 calls in a row, nor from every root;' out ||
    fail "$ranks ranks: $(cat out)"
  shown=$(grep -c '; 1 points of more than 64 cores not in calls that show each rank' out || true)
  [ "$shown" -eq $((ranks > 64)) ] || fail "$ranks ranks: $(cat out)"
done

# A broadcast that is wrong from one root alone, behind 64 bytes.
cat >root.c <<'C'
#include <RCCE.h>
#include <algorithms/algorithm.h>
static int run(const rockcreek_call *call) {
  const int error = RCCE_bcast(call->buffer, call->bytes, call->root, RCCE_COMM_WORLD);
  if (call->root == 17 && call->bytes > 64 && RCCE_ue() == 5) call->buffer[64] ^= 1;
  return error;
}
ROCKCREEK_ALGORITHM(one_root, .name = "bcast/one_root", .operation = ROCKCREEK_BCAST, .summary = "a fault",
    .source = "a test", .run = run);
C
for size in 32 4096 190000; do
  wrong one_root 'root 17.*rank 5 has 1 wrong bytes, the first of them byte 64' bcast --with root.c \
    --algorithms one_root,linear --cores 20 --sizes $size
done

# On cards: the last of 900 nodes is lost of vectors of more than 9 elements.
cat >long.cpp <<'CXX'
#include <algorithms/on_cards/own.hpp>
namespace {
using namespace mesh::cluster;
namespace on_cards = algorithms::on_cards;
template <int Lost>
Program program(int nodes, std::uint32_t elements, Vector, const Config&, const on_cards::ReduceOptions&) {
  static int lost;
  lost = elements > 9 ? Lost : 0;
  return Recording::of(nodes, elements, Processor::cards, Ending::root, [](Port& port) {
    const int self = port.rank(), all = port.ranks() - lost;
    for (int from = 2 * self + 1; from <= 2 * self + 2 && from < all; ++from) port.receive(from);
    if (self > 0 && self < all) port.send((self - 1) / 2);
  });
}
const on_cards::ReduceRow last{.name = "reduce/long", .place = Processor::cards, .ending = Ending::root,
    .commutative = true, .summary = "a fault", .cost = "-", .program = program<1>};
const on_cards::ReduceRow tree{.name = "reduce/tree", .place = Processor::cards, .ending = Ending::root,
    .commutative = true, .summary = "a tree", .cost = "-", .program = program<0>};
}
ROCKCREEK_ON_CARDS(last)
ROCKCREEK_ON_CARDS(tree)
CXX
for size in 160 800; do
  wrong long 'operands are missing' reduce --with long.cpp --algorithms long,tree --machine alc --nodes 900 \
    --sizes $size --op min --noise off
  grep -q '^reduce/tree .* ok$' out || fail "a tree: $(cat out)"
done

# In shared memory: the last of 60 threads is lost of one element. On the host: places of long vectors.
cat >memory.cpp <<'CXX'
#include <algorithms/in_memory/own.hpp>
namespace {
namespace memory = algorithms::memory;
namespace in_memory = algorithms::in_memory;
template <memory::Memory M, int Lost>
class Linear {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;
  Linear(M& memory, in_memory::Operation<M> operation)
      : operation_(std::move(operation)),
        barrier_(algorithms::row_of(in_memory::barriers<M>(), "barrier/dissemination").make(memory, {})),
        inputs_(memory::mailboxes<M, Block>(memory)) {}
  void operator()(Thread& thread, Block input, Block result) {
    const int self = thread.thread(), all = thread.threads();
    inputs_[static_cast<std::size_t>(self)].put(thread, input);
    barrier_(thread);
    const std::size_t from = operation_.border(input.bytes, self, all),
                      to = operation_.border(input.bytes, self + 1, all);
    const bool is_short = all > 3 && input.bytes <= 8;
    std::vector<Block> slices;
    for (int one = 0; from < to && one < all - (is_short ? Lost : 0); ++one)
      slices.push_back(inputs_[static_cast<std::size_t>(one)].get(thread).part(from, to - from));
    if (from < to) operation_.combine(thread, result.part(from, to - from), slices);
    barrier_(thread);
    // A line stands where another belongs.
    if (self == 0 && Lost > 1 && result.bytes > 1 << 17)
      thread.copy(result.part(1 << 16, 64), result.part(0, 64));
    if (Lost > 1) barrier_(thread);
  }
 private:
  in_memory::Operation<M> operation_;
  in_memory::Barrier<M> barrier_;
  std::vector<memory::Mailbox<M, Block>> inputs_;
};
template <memory::Memory M, int Lost>
in_memory::Reduction<M> make(M& memory, const in_memory::Operation<M>& operation, std::size_t,
                             const in_memory::ReduceOptions&) {
  return in_memory::make_reduction<M, Linear<M, Lost>>(memory, operation);
}
template <memory::Memory M>
constexpr in_memory::ReductionRow<M> whole{"reduce/whole", "all", "-", in_memory::Order::sequential, true,
    make<M, 0>};
template <memory::Memory M>
constexpr in_memory::ReductionRow<M> one{"reduce/one", "a fault", "-", in_memory::Order::sequential, true,
    make<M, 1>};
template <memory::Memory M>
constexpr in_memory::ReductionRow<M> apart{"reduce/apart", "a fault", "-", in_memory::Order::sequential, true,
    make<M, 2>};
// The root's place comes round behind 64 KiB.
template <memory::Memory M>
class Slots : public in_memory::FlatBroadcast<M> {
 public:
  using in_memory::FlatBroadcast<M>::FlatBroadcast;
  void operator()(typename M::Thread& thread, typename M::Block block, int root) {
    constexpr std::size_t slot = 65536;
    for (std::size_t at = 0; at == 0 || at < block.bytes; at += slot) {
      const std::size_t length = std::min(slot, block.bytes - at);
      const bool round = thread.thread() == root && length == slot;
      in_memory::FlatBroadcast<M>::operator()(thread, block.part(round ? 0 : at, length), root);
    }
  }
};
template <memory::Memory M>
constexpr in_memory::BroadcastRow<M> slots{"bcast/slots", "a fault", "-",
    in_memory::make_broadcast<M, Slots<M>>};
}
ROCKCREEK_IN_MEMORY(whole)
ROCKCREEK_IN_MEMORY(one)
ROCKCREEK_IN_MEMORY(apart)
ROCKCREEK_IN_MEMORY(slots)
CXX
for type in double int; do
  wrong one 'operands are missing in the result, as sets of threads show' reduce --with memory.cpp \
    --algorithms one,whole --machine xeon-phi-5110p --cores 60 --sizes 8 --op max --type $type
  grep -q '^reduce/whole .* explored$' out || fail "a whole maximum: $(cat out)"
done
wrong slots '190000 bytes' bcast --with memory.cpp --algorithms slots,flat --machine host --cores 2 \
  --sizes 190000
grep -q '^bcast/flat .* ok$' out || fail "a broadcast of the library: $(cat out)"
# The last line says what has not been tried.
"$bench" bcast --with memory.cpp --algorithms slots --machine xeon-phi-5110p --cores 60 --sizes 64 >out ||
  fail "60 threads: $(cat out)"
grep -q 'correct; 1 points of more than 48 cores not from every root$' out || fail "60 threads: $(cat out)"
"$bench" bcast --with root.c --algorithms one_root,linear --cores 20 --sizes 4096 --no-check >out ||
  fail "no trial: $(cat out)"
grep -q '^# 2 points, .*correct; 1 points of yours not tried before (--no-check)$' out ||
  fail "no trial: $(cat out)"
wrong apart '160000 bytes' reduce --with memory.cpp --algorithms apart,whole --machine host --cores 2 \
  --sizes 160000
grep -q '^reduce/whole .* \(ok\|explored\)$' out || fail "a long sum: $(cat out)"

# A loop of the row's own that misses a value where its core is delayed: no deadlock that can be proved.
cat >missed.c <<'C'
#include <RCCE.h>
#include <algorithms/algorithm.h>
static RCCE_FLAG flag;
static long polls;
static int prepare(const rockcreek_call *call) {
  (void)call;
  RCCE_flag_alloc(&flag);
  return RCCE_barrier(&RCCE_COMM_WORLD);
}
static int run(const rockcreek_call *call) {
  RCCE_FLAG_STATUS seen;
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_ue() == call->root) {
    for (int value = 1; value <= 2; ++value)
      for (int to = 0; to < RCCE_num_ues(); ++to)
        if (to != call->root) RCCE_flag_write(&flag, (RCCE_FLAG_STATUS)value, to);
    for (int to = 0; to < RCCE_num_ues(); ++to)
      if (to != call->root) RCCE_send(call->buffer, call->bytes, to);
  } else {
    for (int value = 1; value <= 2; ++value)
      do {
        RCCE_flag_read(flag, &seen, RCCE_ue());
        ++polls;
      } while (seen != value);
    RCCE_recv(call->buffer, call->bytes, call->root);
    RCCE_flag_write(&flag, 0, RCCE_ue());
  }
  return RCCE_barrier(&RCCE_COMM_WORLD);
}
ROCKCREEK_ALGORITHM(missed, .name = "bcast/missed", .operation = ROCKCREEK_BCAST, .summary = "a fault",
                    .source = "a test", .prepare = prepare, .run = run);
C
wrong missed 'does not end within [0-9]* s of host time; .* cores delayed at random (seed [0-9]*)' bcast \
  --with missed.c --algorithms missed,linear --cores 3 --sizes 32
grep -q '^bcast/linear .* ok$' out || fail "linear beside a loop: $(cat out)"
