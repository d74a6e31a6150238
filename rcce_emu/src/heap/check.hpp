// `rccerun --check heap`: what the heap's own words cannot tell. Every block of a UE lies between two red
// zones and is known with its exact size and the places that allocated and freed it. Freed blocks are filled
// and kept from use for a while, so that a store to one is noticed, and an address read from one leads
// nowhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "heap/heap.hpp"
#include "ue.hpp"

namespace rcce::loader {

class HeapCheck {
 public:
  /// Freed memory is filled with it.
  static constexpr unsigned char freed_byte = 0xf5;

  explicit HeapCheck(Ue& ue) noexcept : ue_(ue) {}

  [[nodiscard]] void* allocate(Heap& heap, std::size_t alignment, std::size_t bytes);
  void free(Heap& heap, void* block, const char* call = "free() or delete");
  [[nodiscard]] void* reallocate(Heap& heap, void* block, std::size_t bytes);
  [[nodiscard]] std::size_t bytes(const void* block) const;

  /// At the end of the UE: looks at all blocks once more. Returns what is told of those that are still in
  /// use, "" where there are none, and counts the places that have allocated them.
  [[nodiscard]] std::string end(bool leaks, std::size_t& count);

 private:
  /// In the program, innermost first, null behind the last.
  using Places = std::array<const void*, 6>;
  struct Block {
    std::size_t bytes;
    std::size_t in_front; ///< of its first byte, in the same block of the heap
    Places allocated;
    Places freed;
    bool in_use;
  };

  [[nodiscard]] Places places_here() const;
  [[nodiscard]] std::string places_text(const char* what, const Places& places) const;
  [[noreturn]] void fail(const std::string& what, const Block& block) const;
  Block& known(const char* call, const void* block);
  void check_red_zones(const char* call, const std::byte* start, const Block& block) const;
  void check_freed(const char* call, const std::byte* start, const Block& block) const;
  /// Lets go of the block that was freed first.
  void release_oldest(const char* call);
  [[nodiscard]] std::string leaks_text(std::size_t& count) const;

  Ue& ue_;
  std::map<const void*, Block> blocks_;
  std::deque<std::byte*> freed_;
  std::size_t freed_bytes_ = 0;
};

} // namespace rcce::loader
