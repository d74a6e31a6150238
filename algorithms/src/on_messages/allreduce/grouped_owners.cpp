// SPDX-License-Identifier: Apache-2.0
// allreduce/grouped_owners
//
// Idea: no messages. Ranks stand in clusters of neighbours, and clusters in groups of groups. Each member of
// a cluster owns a share of the vector, into whose MPB all mates put their parts; it combines them. Then the
// ranks of several clusters that own the same share do so with their sums, of which each gets a share again,
// and so on. On the way back each puts what it has of the result into its own MPB, and its mates get it from
// there: on level 0, where nearly all lines are moved, from one or two hops away.
//
// n = 8, clusters 0 1 2 3 and 4 5 6 7, of four owners each; shares a b c d; a1 and a2 are the halves of a:
//
//     meet       0 1 2 3                                  4 5 6 7
//     put        0 -> 1:b 2:c 3:d    1 -> 2:c 3:d 0:a     ...            (then all add their share)
//     meet       0 4      1 5      2 6      3 7
//     put        0 -> 4:a2 4 -> 0:a1    1 -> 5:b2 5 -> 1:b1  ...         (then all add their half)
//     get        0 <- 4:a2 4 <- 0:a1    1 <- 5:b2 5 <- 1:b1  ...
//     meet       0 1 2 3                                  4 5 6 7
//     get        0 <- 1:b 2:c 3:d    1 <- 2:c 3:d 0:a     ...
//
// Cost: each rank puts, gets and combines the vector's lines about once, and gets the result's once: a share
// of 1/f of all that on level 1 for clusters of f, of 1/f^2 or so on level 2. Four meetings of ceil(log_2 f)
// flags for each level of each round, and two for each further MPB full of parts. None of it grows with n,
// but for the number of levels.
//
// Hops: none for puts; gets of most of the result from the own cluster, those of 1/f of it from next
// clusters.
//
// Restrictions: none; any n. Ranks that are left over put their operand to a cluster and get the result
// there. Operands are combined in an order that n and the length of the vector decide.
//
// Buffers and flags: the payload area of every MPB; two flags for each step of a level's meeting, about
// 2 log_2 n; some pages of memory.
//
// Source: this project; reduce-scatter, then allgather: Rabenseifner, Optimization of Collective Reduction
// Operations (ICCS 2004), with groups of more than two.
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "on_messages/nested_groups.hpp"

namespace algorithms {
namespace {

// One per UE, as every variable of a program.
std::vector<GroupOfLevel> levels;
std::size_t most_slots = 0;

int prepare(const rockcreek_call* call) {
  levels.clear();
  most_slots = 0;
  const int ranks = RCCE_num_ues();
  if (ranks == 1) return RCCE_SUCCESS;
  const nested_groups::Shape shape(
      std::span<const int>(RC_COREID, static_cast<std::size_t>(ranks)), tile_mesh(),
      nested_groups::sizes_for(ranks, static_cast<int>(rockcreek_value(call, "cluster"))));
  const int own_levels = shape.owns(RCCE_ue()) ? shape.levels() : 1;
  for (int level = 0; level < shape.levels(); ++level) {
    GroupOfLevel& group = levels.emplace_back();
    if (level < own_levels) group.assign(shape.group(RCCE_ue(), level));
    most_slots = std::max(most_slots, static_cast<std::size_t>(shape.most_members(level) - 1));
    if (const int error = group.allocate(shape.most_members(level))) return error;
  }
  levels.resize(static_cast<std::size_t>(own_levels));
  return RCCE_SUCCESS;
}

int run(const rockcreek_call* call) {
  if (call->bytes == 0) return RCCE_SUCCESS;
  if (RCCE_num_ues() > 1) return NestedAllreduce(*call, levels, most_slots).all();
  rcce_copy(call->buffer, call->source, call->bytes);
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    allreduce_grouped_owners, .name = "allreduce/grouped_owners", .operation = ROCKCREEK_ALLREDUCE,
    .summary =
        "combines shares in clusters of neighbours, then in groups of clusters, and gathers them the same "
        "way back; no messages",
    .cost =
        "the vector is put, got and combined once, and the result got once, most of it from mates at one or "
        "two hops; on any mesh",
    .source = "this project; as Rabenseifner: Optimization of Collective Reduction Operations (2004)",
    .parameters = {owners_of_cluster,
                   {.name = "round",
                    .unit = "bytes",
                    .least = 32,
                    .most = ROCKCREEK_MOST_BYTES,
                    .default_value = 32768,
                    .help = "of the vector that are combined before the next ones"}},
    .needs = ROCKCREEK_OWN_COPIES | ROCKCREEK_FIXED_ORDER, .prepare = prepare, .run = run);

} // namespace algorithms
