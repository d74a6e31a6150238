// SPDX-License-Identifier: Apache-2.0
// Two UEs use the same bytes of shared memory as parts of different blocks: their calls of RCCE_shmalloc and
// RCCE_shfree differ in size or order. A block that one UE alone has or uses is right. Examples: shunlike,
// shunlike-order and shunlike-kept of tests/misuse/plain.c.
#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/ue/job_state.hpp"
#include "watch/check/rule.hpp"

namespace rcce::check {
namespace {

class UnlikeBlocks final : public Rule {
 public:
  explicit UnlikeBlocks(CheckedJob& job)
      : Rule(job), of_(static_cast<std::size_t>(job.job.size())), alike_(of_.size() * of_.size()) {}

  void memory(const Ue& ue, const mesh::MemoryFact& memory) override {
    using Kind = mesh::MemoryFact::Kind;
    PerUe& own = of_[index_of(ue)];
    if (memory.kind == Kind::shared_allocated) {
      ++own.allocated;
      Side by = job_.side_at(ue, {shared_memory, memory.offset, memory.bytes});
      by.words = fmt::format(", its call {} of that kind", own.allocated);
      const Block block{own.calls.size(), memory.offset, memory.bytes, std::move(by)};
      own.calls.push_back({.bytes = memory.bytes});
      // Who shares a block that this UE has given back may be late in doing so, and is right until it uses
      // it.
      for_others(ue, block, [&](std::size_t rank, Block& other) {
        if (other.call != block.call && other.call < alike(index_of(ue), rank)) other.used = false;
      });
      own.held.insert_or_assign(memory.offset, block);
    } else if (memory.kind == Kind::shared_released) {
      const auto found = own.held.find(memory.offset);
      if (found == own.held.end()) return;
      own.calls.push_back({.frees = true, .freed = found->second.call});
      own.held.erase(found);
    } else if (memory.kind == Kind::shared_managed) {
      own.calls.push_back({.manages = true});
      own.held.clear();
    }
  }

  void used(const Use& use) override {
    if (use.range.core != shared_memory || use.clears) return;
    Block* const block = block_at(of_[index_of(use.ue)], use.range.offset);
    if (block == nullptr || std::exchange(block->used, true)) return;
    for_others(use.ue, *block, [&](std::size_t rank, const Block& other) {
      if (other.used && !same(*block, other, alike(index_of(use.ue), rank)))
        job_.findings.add("two UEs use the same bytes of shared memory as parts of different blocks",
                          other.by, block->by,
                          "UEs that share a block must make the same calls of RCCE_shmalloc and RCCE_shfree "
                          "in the same order");
    });
  }

 private:
  struct Call {
    bool frees = false, manages = false;
    std::size_t bytes = 0; ///< size of an allocation
    std::size_t freed = 0; ///< call that the block is of

    bool operator==(const Call&) const = default;
  };
  struct Block {
    std::size_t call = 0; ///< number of the UE's call
    std::size_t offset = 0, bytes = 0;
    Side by;
    bool used = false;

    [[nodiscard]] std::size_t end() const { return offset + bytes; }
  };
  struct PerUe {
    std::vector<Call> calls;
    std::map<std::size_t, Block> held; ///< by offset; they do not overlap
    std::size_t allocated = 0;         ///< calls that have
  };

  static Block* block_at(PerUe& ue, std::size_t place) {
    const auto after = ue.held.upper_bound(place);
    if (after == ue.held.begin()) return nullptr;
    Block& block = std::prev(after)->second;
    return place < block.end() ? &block : nullptr;
  }

  /// Calls visit(rank, block) of each block that another UE has of the same bytes.
  template <class Visit>
  void for_others(const Ue& ue, const Block& block, Visit visit) {
    for (std::size_t rank = 0; rank < of_.size(); ++rank) {
      if (rank == index_of(ue)) continue;
      auto& held = of_[rank].held;
      auto next = held.upper_bound(block.offset);
      if (next != held.begin()) --next;
      for (; next != held.end() && next->first < block.end(); ++next)
        if (next->second.end() > block.offset) visit(rank, next->second);
    }
  }

  /// How many calls the two have made alike, from the first one on.
  std::size_t alike(std::size_t a, std::size_t b) {
    const auto &own = of_[a].calls, &others = of_[b].calls;
    std::size_t& known = alike_[std::min(a, b) * of_.size() + std::max(a, b)];
    const std::size_t both = std::min(own.size(), others.size());
    while (known < both && own[known] == others[known]) ++known;
    return known;
  }

  static bool same(const Block& a, const Block& b, std::size_t calls_alike) {
    return a.offset == b.offset && a.bytes == b.bytes &&
        (a.call == b.call || std::min(a.call, b.call) >= calls_alike);
  }

  std::vector<PerUe> of_;          ///< by rank
  std::vector<std::size_t> alike_; ///< by lower and higher rank
};

} // namespace

constinit const MakeRule unlike_blocks_rule = make<UnlikeBlocks>;

} // namespace rcce::check
