// SPDX-License-Identifier: Apache-2.0
// The checker's account of allocations and flags, and what the end of the run says of them.
#include <algorithm>
#include <fmt/format.h>

#include "check/checker.hpp"
#include "ue/job_state.hpp"
#include "ue/ue.hpp"

namespace rcce::check {
namespace {

using mesh::line_bytes;

constexpr const char* flag_advice =
    "free a flag when all have done what they do with it, behind a barrier for instance";

} // namespace

void Checker::allocated(const Ue& ue, std::size_t offset, std::size_t bytes, Block::Kind kind) {
  blocks_[static_cast<std::size_t>(ue.core->id())].take({offset, bytes, kind, side_of(ue)});
}

void Checker::released(const Ue& ue, std::size_t offset) {
  Blocks& blocks = blocks_[static_cast<std::size_t>(ue.core->id())];
  const Side side = side_at(ue, {ue.core->id(), offset, 1});
  if (!blocks.free(offset, side)) tell_wrong_free(blocks, offset, side);
}

void Checker::region_managed(const Ue& ue, std::size_t offset, std::size_t bytes) {
  blocks_[static_cast<std::size_t>(ue.core->id())].clear(offset, bytes);
}

void Checker::becomes_flags(const Ue& ue, std::size_t line) {
  const auto core = static_cast<std::size_t>(ue.core->id());
  blocks_[core].set_kind(line, Block::Kind::flags);
}

void Checker::payload_at(const Ue& ue, std::size_t offset, std::size_t bytes) {
  Blocks& blocks = blocks_[static_cast<std::size_t>(ue.core->id())];
  blocks.clear_kind(Block::Kind::payload);
  if (bytes > 0) blocks.take({offset, bytes, Block::Kind::payload, side_of(ue)});
}

void Checker::flag_allocated(const Ue& ue, const void* object, std::size_t offset, std::uint32_t mask) {
  freed_objects_.erase({rank_of(ue), object});
  flags_.allocated({ue.core->id(), offset, mask});
}

void Checker::flag_freed(const Ue& ue, const void* object, std::size_t offset, std::uint32_t mask) {
  const Side side = side_at(ue, {ue.core->id(), offset, 1});
  freed_objects_[{rank_of(ue), object}] = side;
  for (const FlagLives::Use& use : flags_.freed({ue.core->id(), offset, mask}, rank_of(ue), side, clocks_))
    findings_.add(use.waits ? "a flag is freed that another waits for"
                            : "a flag is freed that another may still be using",
                  use.side, side, flag_advice);
}

void Checker::flag_used(const Ue& ue, int core, std::size_t offset, std::uint32_t mask, bool waits) {
  Side side = side_at(ue, {core, offset, 1});
  const auto freed = flags_.used({core, offset, mask}, {rank_of(ue), clocks_.now(rank_of(ue)), side, waits});
  if (freed)
    findings_.add(waits ? "a flag is waited for that has been freed" : "a flag is used that has been freed",
                  *freed, side, flag_advice);
}

void Checker::flag_seen(const Ue& ue, int core, std::size_t offset, std::uint32_t mask) {
  flags_.woken({core, offset, mask}, rank_of(ue), clocks_.now(rank_of(ue)));
}

void Checker::flag_refused(const Ue& ue, const void* object) {
  const auto freed = freed_objects_.find({rank_of(ue), object});
  if (freed == freed_objects_.end()) return;
  findings_.add("a flag is used that has been freed", freed->second, side_of(ue), flag_advice);
}

void Checker::ends(const std::vector<BlockedCore>& blocked) {
  tell_stores();
  for (const BlockedCore& one : blocked) {
    const Ue* ue = job_.ue_on(one.core);
    if (ue == nullptr || one.on_lock || one.condition.bytes == 0) continue;
    // A flag is the same place in every buffer, and whoever has freed it writes nobody's any more.
    Side side = side_at(*ue, {one.waits_on_core, one.offset, one.condition.bytes});
    side.at = one.since;
    for (const Side& freed : flags_.freed_by_others(one.core, one.offset, one.condition.mask))
      findings_.add("a flag is freed that another waits for", side, freed, flag_advice);
  }
}

} // namespace rcce::check
