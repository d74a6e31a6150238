// SPDX-License-Identifier: Apache-2.0
#include "watch/check/checked_job.hpp"

#include "engine/ue/job_state.hpp"
#include "engine/ue/ue.hpp"

namespace rcce::check {

CheckedJob::CheckedJob(Job& of)
    : job(of),
      engine(of.engine()),
      order(of.size(), engine.cores()),
      allocations(of.size(), engine.cores()),
      mpb_bytes_(engine.mpb_bytes()),
      first_mpb_(reinterpret_cast<std::uintptr_t>(engine.mpb(0))) {}

std::optional<MpbRange> CheckedJob::place_of(const void* address, std::size_t bytes) const {
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - first_mpb_; // they lie in a row
  const std::size_t core = offset / mpb_bytes_;
  if (core >= static_cast<std::size_t>(engine.cores())) {
    const std::uintptr_t shared =
        reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(engine.shared_memory());
    if (shared >= engine.shared_memory_bytes()) return std::nullopt;
    return MpbRange{shared_memory, shared, std::min(bytes, engine.shared_memory_bytes() - shared)};
  }
  const std::size_t within = offset % mpb_bytes_;
  return MpbRange{static_cast<int>(core), within, std::min(bytes, mpb_bytes_ - within)};
}

const std::byte* CheckedJob::memory_of(const MpbRange& range) const {
  return (range.core == shared_memory ? engine.shared_memory() : engine.mpb(range.core)) + range.offset;
}

Side CheckedJob::side_at(const Ue& ue, const MpbRange& range, std::uintptr_t code) const {
  Side side = side_of(ue);
  side.mpb_core = range.core;
  side.offset = range.offset;
  side.length = range.bytes;
  side.code = code;
  return side;
}

bool CheckedJob::in_flags(const Ue& ue, const MpbRange& range) const {
  if (range.core == shared_memory) return false;
  for (const int owner : {range.core, ue.core->id()}) {
    const Block* block = allocations.of_core(owner).at(range.offset);
    if (block != nullptr && block->kind == Block::Kind::flags) return true;
  }
  return false;
}

} // namespace rcce::check
