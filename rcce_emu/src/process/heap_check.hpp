// SPDX-License-Identifier: Apache-2.0
// `rccerun --check heap`: what the heap's own words cannot tell. Every block of a UE lies between two red
// zones and is known with its exact size and the places that allocated and freed it. Freed blocks are kept
// from use for a while. The last of them, as many as the host's number of mappings allows, cannot be
// accessed: a load or store of the program faults where it is made. All others are filled, so that a store
// is noticed later, and an address read from one leads nowhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "engine/ue/ue.hpp"
#include "process/heap/heap.hpp"

namespace rcce::process {

class HeapCheck final : public heap::Watcher {
 public:
  /// Freed memory is filled with it.
  static constexpr unsigned char freed_byte = 0xf5;

  /// For a job of `ues` UEs, which share what the host allows.
  HeapCheck(Ue& ue, std::size_t ues) noexcept;

  [[nodiscard]] void* allocate(heap::Heap& heap, std::size_t alignment, std::size_t bytes) override;
  void free(heap::Heap& heap, void* block) override { free(heap, block, "free() or delete"); }
  [[nodiscard]] void* reallocate(heap::Heap& heap, void* block, std::size_t bytes) override;
  [[nodiscard]] std::size_t bytes(const void* block) const override;

  /// At the end of the UE: looks at all blocks once more. Returns what is told of those that are still in
  /// use, "" where there are none, and counts the places that have allocated them.
  [[nodiscard]] std::string end(bool leaks, std::size_t& count);

  /// True for an address in a freed block. Allocates nothing.
  [[nodiscard]] bool is_freed(std::uintptr_t address) const noexcept { return freed_at(address) != nullptr; }
  /// A text about an access to a freed block at this address; "" elsewhere.
  [[nodiscard]] std::string freed_text(std::uintptr_t address) const;

 private:
  /// In the program, innermost first, null behind the last.
  using Places = std::array<const void*, 6>;
  struct Block {
    std::size_t bytes;
    std::size_t in_front; ///< offset of its first byte in the same block of the heap
    Places allocated;
    Places freed;
    bool in_use;
    std::size_t own_pages; ///< bytes, from `in_front` before its first on, that nobody else uses; 0: none
    bool fenced;           ///< freed, and these pages cannot be accessed
  };

  using Blocks = std::map<const void*, Block>;

  [[nodiscard]] const Blocks::value_type* freed_at(std::uintptr_t address) const noexcept;
  void free(heap::Heap& heap, void* block, const char* call);
  [[nodiscard]] Places places_here() const;
  [[nodiscard]] std::string places_text(const char* what, const Places& places) const;
  [[noreturn]] void fail(const std::string& what, const Block& block) const;
  Block& known(const char* call, const void* block);
  void check_red_zones(const char* call, const std::byte* start, const Block& block) const;
  void check_freed(const char* call, const std::byte* start, const Block& block) const;
  /// Zone, block and zone; null where the heap is full.
  [[nodiscard]] std::byte* place(heap::Heap& heap, std::size_t alignment, std::size_t all);
  void fence(std::byte* start, Block& block) noexcept;
  void lift_fence(std::byte* start, Block& block) noexcept;
  /// Lets go of the block that was freed first.
  void release_oldest(const char* call);
  [[nodiscard]] std::string leaks_text(std::size_t& count) const;

  Ue& ue_;
  Blocks blocks_;
  std::deque<std::byte*> freed_;
  std::deque<std::byte*> fenced_; ///< in the order of freeing; those let go of meanwhile among them
  std::size_t most_with_pages_;
  std::size_t with_pages_ = 0; ///< blocks on pages of their own, in use or fenced
  std::size_t freed_bytes_ = 0;
};

} // namespace rcce::process
