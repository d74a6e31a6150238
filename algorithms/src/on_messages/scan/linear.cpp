// SPDX-License-Identifier: Apache-2.0
// scan/linear
//
// Idea: a chain in the order of the ranks. Each takes the result of the rank before, combines its own operand
// with it and passes it on. The vector goes in segments, so that all ranks work at the same time.
//
// n = 4, two segments:
//
//     0->1:a
//     1->2:a   0->1:b
//     2->3:a   1->2:b
//              2->3:b
//
// Cost for m segments: m + n - 2 steps of two messages of a segment and a combining.
//
// Hops: partners have neighbouring ranks.
//
// Restrictions: none; any n. Order of operands: ascending.
//
// Buffers and flags: those of RCCE_send; a segment of memory.
//
// Source: the linear algorithm of MPI libraries, as in Sanders, Traeff: Parallel Prefix (Scan) Algorithms for
// MPI (2006), section 3; a segment at a time as in the pipelined chain of Pjesivac-Grbovic et al. (2007).
#include <algorithm>

#include "algorithms/shapes/message.hpp"
#include "on_messages/blocks.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  Reduction own(*call);
  const int self = RCCE_ue(), ranks = RCCE_num_ues();
  const std::size_t element = call->count > 0 ? call->bytes / call->count : 1;
  const auto wanted = static_cast<std::size_t>(rockcreek_value(call, "part"));
  const Segmentation segments{call->bytes, std::max(wanted / element, std::size_t{1}) * element};
  char* const incoming =
      partial_results((std::min(segments.segment_bytes, call->bytes) + page_bytes) / page_bytes * page_bytes);
  if (incoming == nullptr)
    return rockcreek_refuse("%s: no memory for a segment of %zu bytes", call->algorithm->name,
                            segments.segment_bytes);
  for (int segment = 0; segment < segments.segments(); ++segment) {
    const std::size_t offset = segments.offset(segment), bytes = segments.length(segment);
    char* const result = call->buffer + offset;
    rcce_copy(result, call->source + offset, bytes);
    if (self > 0) {
      if (const int error = receive_bytes(incoming, bytes, self - 1)) return error;
      if (const int error = combine_bytes(*call, result, incoming, bytes)) return error;
    }
    if (self + 1 < ranks)
      if (const int error = send_bytes(result, bytes, self + 1)) return error;
  }
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    scan_linear, .name = "scan/linear", .operation = ROCKCREEK_SCAN,
    .summary = "a chain of all ranks through which the vector goes in segments; for long vectors",
    .cost = "m + n - 2 steps of two messages and a combining for m parts",
    .source = "Sanders, Traeff: Parallel Prefix (Scan) Algorithms for MPI (2006)",
    .parameters = {{.name = "part",
                    .unit = "bytes",
                    .least = 1,
                    .most = ROCKCREEK_MOST_BYTES,
                    .default_value = 512,
                    .tried = "256-4096:x2",
                    .help = "bytes that travel at a time"}},
    .needs = ROCKCREEK_FIXED_ORDER, .lines = 1, .run = run);

} // namespace algorithms
