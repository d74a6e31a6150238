// SPDX-License-Identifier: Apache-2.0
// reduce/dynamic_pair
//
// Idea: no tree: whoever is ready first waits at a shared word, and the next that is ready takes it as its
// partner. Both combine half of the elements into the result of the one that came later, which goes on; the
// other is done. A late rank holds nobody up but its one partner.
//
// n = 5, ranks come in the order 3 1 0 4 2 (root 0; a p b: a pair, the result is at a):
//
//     3 waits   1 p 3   1 waits   0 p 1   0 waits   4 p 0   4 waits   2 p 4   2->0
//
// Cost: each rank's work is that of one iteration of reduce/pair_tree and, on the way to the result, of the
// pairs that it leads: about log2 n where all come at once, a few behind the last one where they do not. A
// visit to the word takes a test-and-set register and a line each way; the result goes to the root by a
// message of its own.
//
// Hops: partners are whoever is ready; the words are in every rank's MPB in turn.
//
// Restrictions: any n up to 65535, any root. Order of operands: that of arrival. The operation has to be
// commutative, as all of RCCE's are, and sums of floating-point numbers differ between arrivals.
//
// Buffers and flags: a flag and two lines of every MPB; every UE's test-and-set register for the length of a
// visit, so the program must not hold one by RCCE_acquire_lock while it calls. Two vectors of memory.
//
// Source: a project report on reduction algorithms for multicore machines that introduces dynamic pair
// generation, by compare-and-swap in shared memory; the register and messages in their places, and a word for
// each operation, are ours.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/dynamic_pair.hpp"
#include "on_messages/flags.hpp"
#include "on_messages/mpb_copy.hpp"
#include "on_messages/pair.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

using dynamic_pair::Word;

/// A UE's state between reductions.
struct State {
  t_vcharp word, notice;        ///< lines of the own MPB, at the same place in all
  std::vector<RCCE_FLAG> told;  ///< one: there is a notice
  unsigned long operations = 0; ///< so far; all UEs count alike
};

std::unique_ptr<State> state;

/// A line of private memory, by way of which lines of MPBs are read and written. The last one of a page of
/// its own: neither what the linker puts beside it nor short vectors, which begin at pages, share its set of
/// L1.
class alignas(page_bytes) Line {
 public:
  void set(Word value) {
    std::memset(bytes(), 0, RCCE_LINE_SIZE);
    std::memcpy(bytes(), &value, sizeof value);
  }
  [[nodiscard]] Word value() {
    Word value = 0;
    std::memcpy(&value, bytes(), sizeof value);
    return value;
  }
  void read(t_vcharp place, int rank) { get(bytes(), place, RCCE_LINE_SIZE, rank); }
  void write(t_vcharp place, int rank) { put(place, bytes(), RCCE_LINE_SIZE, rank); }

 private:
  [[nodiscard]] char* bytes() { return page_ + page_bytes - RCCE_LINE_SIZE; }

  char page_[page_bytes];
};

Line line; // static: times do not depend on where the stack is

/// Comes to the word of this reduction; see dynamic_pair::visit.
Word visit(unsigned long operation, int operands) {
  const int keeper =
      static_cast<int>(operation % static_cast<unsigned long>(dynamic_pair::words(RCCE_num_ues())));
  RCCE_acquire_lock(keeper);
  line.read(state->word, keeper);
  Word word = line.value();
  const Word found = dynamic_pair::visit(word, RCCE_ue(), operands);
  line.set(word);
  line.write(state->word, keeper);
  RCCE_release_lock(keeper);
  return found;
}

/// Tells a rank that waits who its partner is.
int notify(int rank) {
  line.set(static_cast<Word>(RCCE_ue()));
  line.write(state->notice, rank);
  return RCCE_flag_write(&state->told[0], RCCE_FLAG_SET, rank);
}

/// Waits to be told, and says who did. The next notice comes only when what this one is about has been done.
int await_notice() {
  RCCE_wait_until(state->told[0], RCCE_FLAG_SET);
  line.read(state->notice, RCCE_ue());
  RCCE_flag_write(&state->told[0], RCCE_FLAG_UNSET, RCCE_ue());
  return static_cast<int>(line.value());
}

int prepare(const rockcreek_call* call) {
  if (RCCE_num_ues() > dynamic_pair::most_ranks)
    return rockcreek_refuse("%s: it serves up to %d UEs", call->algorithm->name, dynamic_pair::most_ranks);
  auto fresh = std::make_unique<State>();
  fresh->word = RCCE_malloc(RCCE_LINE_SIZE);
  fresh->notice = RCCE_malloc(RCCE_LINE_SIZE);
  if (fresh->word == nullptr || fresh->notice == nullptr)
    return rockcreek_refuse(
        "%s: two lines of the message-passing buffer are needed, which has no room; prepare it "
        "before others that take buffer space",
        call->algorithm->name);
  line.set(dynamic_pair::empty);
  line.write(fresh->word, RCCE_ue());
  if (const int error = allocate_flags(fresh->told, 1)) return error;
  state = std::move(fresh);
  return RCCE_SUCCESS;
}

int run(const rockcreek_call* call) {
  const int ranks = RCCE_num_ues(), self = RCCE_ue();
  Reduction own(*call);
  if (own.count() == 0) return RCCE_SUCCESS;
  if (const int error = own.prepare_partial(2)) return error;
  char* result = self == call->root ? call->buffer : own.partial(1);
  own.copy(result, own.source());
  const unsigned long operation = state->operations++;
  int operands = 1;
  while (operands < ranks) {
    const Word found = visit(operation, operands);
    if (found == dynamic_pair::empty) {
      if (const int error = combine_as_child(own, result, own.partial(0), await_notice())) return error;
      break;
    }
    const int partner = dynamic_pair::rank_of(found);
    if (const int error = notify(partner)) return error;
    if (const int error = combine_as_parent(own, result, own.partial(0), partner)) return error;
    operands += dynamic_pair::operands_of(found);
  }
  const bool has_result = operands == ranks, is_root = self == call->root;
  if (has_result == is_root) return RCCE_SUCCESS;
  if (is_root) return own.receive(call->buffer, await_notice());
  if (const int error = notify(call->root)) return error;
  return own.send(result, call->root);
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_dynamic_pair, .name = "reduce/dynamic_pair", .operation = ROCKCREEK_REDUCE,
    .summary = "pairs by order of arrival at a shared word; where ranks come at different times",
    .cost = "about log2 n pairs of combining half the elements where all come at once, a few behind the last "
            "one where they do not",
    .source = "a project report on reduction algorithms for multicore machines (dynamic pair generation); by "
              "messages, "
              "ours",
    .needs = ROCKCREEK_NEEDS_REGISTERS, .lines = 1, .prepare = prepare, .run = run);

} // namespace algorithms
