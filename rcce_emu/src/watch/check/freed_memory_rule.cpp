// SPDX-License-Identifier: Apache-2.0
// Memory of buffers is used after it has been given back, is given back twice, or by an address at which no
// allocation begins. Examples: freed, freed-by-owner, freed-twice, freed-inside, shfreed-twice,
// shfreed-inside, freed-elsewhere and shfreed-elsewhere of tests/misuse/plain.c.
#include <fmt/format.h>

#include "watch/check/rule.hpp"

namespace rcce::check {
namespace {

constexpr const char* no_allocation = "memory is freed by an address at which no allocation begins";

class FreedMemory final : public Rule {
 public:
  using Rule::Rule;

  void used(const Use& use) override {
    if (use.by != Use::By::copy && use.by != Use::By::plain) return;
    if (const Blocks::Freed* const freed = freed_part(use.ue, use.range))
      job_.findings.add("memory is used that has been freed", freed->by,
                        job_.side_at(use.ue, use.range, use.code),
                        "free memory only when all UEs are done with it, for example after a barrier");
  }

  void memory(const Ue& ue, const mesh::MemoryFact& memory) override {
    const int own = ue.core->id();
    if (memory.kind == mesh::MemoryFact::Kind::released)
      freed(job_.allocations.of_core(own), job_.side_at(ue, {own, memory.offset, 1}));
    if (memory.kind == mesh::MemoryFact::Kind::shared_released)
      freed(job_.allocations.shared_of(ue.rank), job_.side_at(ue, {shared_memory, memory.offset, 1}));
    if (memory.kind == mesh::MemoryFact::Kind::elsewhere_released) {
      const std::optional<MpbRange> place = job_.place_of(memory.address, 1);
      Side side = place ? job_.side_at(ue, *place) : side_of(ue);
      if (!place) side.words = ", an address of the UE's own memory";
      job_.findings.add(no_allocation, {}, side,
                        "RCCE_free frees what RCCE_malloc gives to the same UE, and RCCE_shfree what "
                        "RCCE_shmalloc gives");
    }
  }

 private:
  /// Memory in the range that the UE, or the owner of the buffer, has given back and that is part of one
  /// allocation.
  [[nodiscard]] const Blocks::Freed* freed_part(const Ue& ue, const MpbRange& range) const {
    const Allocations& all = job_.allocations;
    if (range.core == shared_memory) return all.shared_of(ue.rank).freed(range.offset, range.end());
    const Blocks& own = all.of_core(ue.core->id());
    if (const Blocks::Freed* const freed = own.freed(range.offset, range.end())) return freed;
    const Blocks::Freed* const freed = all.of_core(range.core).freed(range.offset, range.end());
    const Block* const mine = own.at(range.offset);
    // The owner may not have come to the allocation yet that this UE uses.
    const bool older = freed != nullptr && mine != nullptr && mine->generation > freed->block.generation;
    return older ? nullptr : freed;
  }

  void freed(const Blocks& blocks, const Side& side) {
    if (blocks.begins(side.offset)) return;
    const Blocks::Freed* const before = blocks.freed(side.offset, side.offset + 1);
    if (before != nullptr && before->block.offset == side.offset) {
      job_.findings.add("memory is freed twice", before->by, side, "");
      return;
    }
    Side by;
    if (const Block* const block = blocks.at(side.offset)) {
      by = block->by;
      by.words = fmt::format(", which set up {}", name_of(*block));
    }
    job_.findings.add(no_allocation, by, side, "free the address that the allocation has returned");
  }
};

} // namespace

constinit const MakeRule freed_memory_rule = make<FreedMemory>;

} // namespace rcce::check
