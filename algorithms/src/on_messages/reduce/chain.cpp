// SPDX-License-Identifier: Apache-2.0
// reduce/chain
//
// Idea: a chain without messages. The vector goes in segments. Each rank gets the partial result of a segment
// from its own MPB, combines its operand into it, and puts it straight into the MPB of the rank before it.
// While a segment is read from one half of the payload area, the next one is written to the other.
//
// n = 4, root 0, three segments a, b, c; two halves, so a rank is a segment ahead of the one before it:
//
//     3 -> 2    a  b  c
//     2 -> 1       a  b  c
//     1 -> 0          a  b  c
//
// Cost: (m + n - 2) times a get from the own MPB, a combining, a put and four flags, for m segments.
//
// Hops: one rank to the next, which is mostly the same tile or the one beside it.
//
// Restrictions: any n, any root. Operands are combined in the order of the chain, of the ranks root - 1,
// root - 2 and so on to the root, modulo n, whoever comes first.
//
// Buffers and flags: the payload area of every MPB, of which two lines are needed; four flags; as much memory
// as a segment.
//
// Source: this project; a pipelined chain, as in Barnett, Littlefield, Payne, van de Geijn: Global Combine on
// Mesh Architectures with Wormhole Routing (IPPS 1993), by one-sided puts.
#include <algorithm>
#include <cstddef>
#include <vector>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "algorithms/algorithm.h"
#include "on_messages/flags.hpp"
#include "on_messages/mpb_copy.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

constexpr std::size_t halves = 2;

/// Flags of a half of the payload areas: `written` in the reader's MPB; `free`, which allows a write, in the
/// writer's.
struct Half {
  Turn written, free;
};

std::vector<RCCE_FLAG> flags; // one per UE, as every variable of a program
std::vector<Half> area;

int prepare(const rockcreek_call* /*call*/) {
  if (const int error = allocate_flags(flags, 2 * halves)) return error;
  area.clear();
  for (std::size_t i = 0; i < halves; ++i) area.push_back({Turn(flags[2 * i]), Turn(flags[2 * i + 1])});
  return RCCE_SUCCESS;
}

int run(const rockcreek_call* call) {
  const int ranks = RCCE_num_ues(), self = RCCE_ue();
  const int up = (self + ranks - 1) % ranks, down = (self + 1) % ranks;
  const bool reads = down != call->root, writes = self != call->root;
  Reduction own(*call);
  if (ranks == 1) {
    own.copy(call->buffer, own.source());
    return RCCE_SUCCESS;
  }
  const std::size_t line = RCCE_LINE_SIZE, most = static_cast<std::size_t>(RCCE_chunk) / halves / line * line;
  const std::size_t segment =
      std::min(most, static_cast<std::size_t>(rockcreek_value(call, "part")) / line * line);
  const std::size_t segments = (call->bytes + segment - 1) / segment;
  char* const partial = partial_results((segment + page_bytes - 1) / page_bytes * page_bytes);
  if (partial == nullptr)
    return rockcreek_refuse("%s: no memory for %zu bytes", call->algorithm->name, segment);
  // The own payload area is free between calls.
  for (std::size_t i = 0; reads && i < std::min(halves, segments); ++i) area[i].free.tell(down);
  for (std::size_t i = 0; i < segments; ++i) {
    const std::size_t offset = i * segment, bytes = std::min(segment, call->bytes - offset);
    Half& half = area[i % halves];
    const t_vcharp place = RCCE_buff_ptr + i % halves * segment;
    const char* const operand = call->source + offset;
    if (reads) {
      half.written.await();
      get(partial, place, bytes, self);
      if (i + halves < segments) half.free.tell(down);
      if (const int error = combine_bytes(*call, partial, operand, bytes)) return error;
    }
    const char* const result = reads ? partial : operand;
    if (writes) {
      half.free.await();
      put(place, result, bytes, up);
      half.written.tell(up);
    } else {
      rcce_copy(call->buffer + offset, result, bytes);
    }
  }
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_chain, .name = "reduce/chain", .operation = ROCKCREEK_REDUCE,
    .summary = "a chain of ranks, which put partial results into the next one's MPB; for long vectors",
    .cost = "(m + n - 2) times a get, a combining and a put of a segment, for m segments",
    .source = "this project; as Barnett, Littlefield, Payne, van de Geijn: Global Combine on Mesh "
              "Architectures with Wormhole Routing (1993)",
    .parameters = {{.name = "part",
                    .unit = "bytes",
                    .least = 32,
                    .most = ROCKCREEK_MOST_BYTES,
                    .default_value = 512,
                    .tried = "128-2048:x2",
                    .help = "bytes of one segment of the vector, at most half of the payload area"}},
    .needs = ROCKCREEK_OWN_COPIES | ROCKCREEK_FIXED_ORDER, .lines = halves, .prepare = prepare, .run = run);

} // namespace algorithms
