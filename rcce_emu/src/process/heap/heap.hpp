// SPDX-License-Identifier: Apache-2.0
// The heap of each UE: a region of address space of its own, laid out alike for every UE and on every host,
// so that an address relative to its heap depends on nothing but the program's own calls. The program's own
// blocks lie at its lower end, those that libraries allocate on the UE's behalf at its upper end: their sizes
// are the libraries', and move nothing of the program's. The runtime's own memory stays apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rcce::heap {

class Heap;

/// A mistake that a call finds in a heap.
struct HeapFault {
  enum class Kind : std::uint8_t {
    freed_twice,   ///< the block has been freed before
    no_block,      ///< no allocation has given this address
    head_written,  ///< the word in front of the block is not what was written there
    end_written,   ///< the word behind the block is not what was written there
    freed_written, ///< the words that keep a free block are not what was written there
  };
  Kind kind;
  const char* call = nullptr;     ///< that has met it: "free() or delete"
  const void* block = nullptr;    ///< as its user knows it
  std::size_t bytes = 0;          ///< that it can hold; 0: not known
  const void* in_front = nullptr; ///< head_written: the block before it, where that is known
  std::size_t bytes_in_front = 0;
};

/// "free() or delete of a block of up to 24 bytes at 0x10 that has been freed before".
[[nodiscard]] std::string fault_text(const HeapFault& fault);

// Whose heap it is, process/run/heap_fault.cpp knows:

/// Tells what is wrong as a crash of the calling UE, and ends it as abort() would.
[[noreturn]] void end_by_heap_fault(const HeapFault& fault);
[[noreturn]] void end_by_heap_fault(const std::string& text);

/// Stands between a heap and its user (process/heap_check).
class Watcher {
 public:
  virtual ~Watcher() = default;
  /// `alignment` 0: as malloc() does. Null where the heap is full.
  [[nodiscard]] virtual void* allocate(Heap& heap, std::size_t alignment, std::size_t bytes) = 0;
  virtual void free(Heap& heap, void* block) = 0;
  /// Null and the old block kept where the heap is full.
  [[nodiscard]] virtual void* reallocate(Heap& heap, void* block, std::size_t bytes) = 0;
  [[nodiscard]] virtual std::size_t bytes(const void* block) const = 0;
};

/// A best-fit allocator over a raw region, which takes memory from it on demand, so that memory is only
/// touched where the program has been. One UE at a time calls it. Every block has a sealed word in front of
/// it, which each call checks that comes by: a fault ends the UE there. Of a freed block only the first two
/// words are written to before it is used again. Units are 16 bytes; a block is named by the unit that it
/// begins at.
class Heap {
 public:
  enum class From : std::uint8_t { lower_end, upper_end };

  /// `base` .. `base + bytes`: readable, writable, zero; whole pages. `tags`: `tag_bytes(bytes)` of the same
  /// kind.
  Heap(std::byte* base, std::size_t bytes, From from, std::uint64_t* tags) noexcept
      : base_(base), bytes_(bytes), from_(from), tags_(tags) {}
  [[nodiscard]] static constexpr std::size_t tag_bytes(std::size_t bytes) noexcept { return bytes / 128; }
  /// Both take from the same region.
  void share_with(Heap& other) noexcept { other_ = &other; }
  [[nodiscard]] Heap& other() const noexcept { return *other_; }

  /// True if the region could not satisfy the last request.
  [[nodiscard]] bool was_full() const noexcept { return was_full_ || other_->was_full_; }

  [[nodiscard]] std::byte* base() const noexcept { return base_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  /// True if an address lies in the region that both heaps share.
  [[nodiscard]] bool in_region(const void* block) const noexcept { return offset(block) < bytes_; }
  /// True if an address of the region lies in the part that this heap has taken.
  [[nodiscard]] bool has_taken(const void* block) const noexcept {
    return from_ == From::lower_end ? offset(block) < taken_ : offset(block) >= bytes_ - taken_;
  }
  /// Bytes of the region, from the end that it takes from: what it may have written to.
  [[nodiscard]] std::size_t taken() const noexcept { return taken_; }
  /// Who of the two looks after an address of the region: who has not taken it does where nobody has.
  [[nodiscard]] Heap& of(const void* block) noexcept { return has_taken(block) ? *this : *other_; }

  /// Asks the host for huge pages for blocks of 4 MB and more.
  void want_huge_pages() noexcept { large_blocks_in_huge_pages_ = true; }
  /// Who stands between both and their user, or null.
  void watch(Watcher* watcher) noexcept { watcher_ = other_->watcher_ = watcher; }
  [[nodiscard]] Watcher* watcher() const noexcept { return watcher_; }

  /// Null when the region is full. Zero bytes give a block of its own, as in the C library.
  [[nodiscard]] void* allocate(std::size_t bytes) noexcept;
  /// `alignment` is a power of two.
  [[nodiscard]] void* allocate_aligned(std::size_t alignment, std::size_t bytes) noexcept;
  /// Grows or shrinks in place where it can. Null and the old block kept when the region is full.
  [[nodiscard]] void* reallocate(void* block, std::size_t bytes) noexcept;
  void free(void* block) noexcept;
  [[nodiscard]] std::size_t usable_bytes(const void* block) const noexcept;

 private:
  using Unit = std::uint64_t;
  using Word = std::uint64_t;

  /// Free blocks of `least_units` to `most_listed`, in one ring for each size; the last used is the first.
  static constexpr Unit least_units = 3, most_listed = least_units + 63;
  struct Lists {
    std::uint64_t used = 0; ///< bit i: there are free blocks of `least_units + i`
    std::array<Unit, 64> first{};
  };

  [[nodiscard]] std::size_t offset(const void* block) const noexcept {
    return reinterpret_cast<std::uintptr_t>(block) - reinterpret_cast<std::uintptr_t>(base_);
  }
  [[nodiscard]] Word& word(Unit unit, std::ptrdiff_t which) const noexcept {
    return reinterpret_cast<Word*>(base_ + unit * 16)[which];
  }
  [[nodiscard]] Word& head(Unit unit) const noexcept { return word(unit, -1); }
  [[nodiscard]] void* address(Unit unit) const noexcept { return base_ + unit * 16; }
  [[nodiscard]] bool inside(Unit unit) const noexcept { return unit >= first_ && unit < end_; }

  // --- heap.cpp
  [[nodiscard]] Unit known_block(const char* call, const void* block) const noexcept;
  [[nodiscard]] Word known_next(const char* call, Unit unit, Unit units) const noexcept;
  [[nodiscard]] void* take(Unit units) noexcept;
  /// Gives back `units` from `unit` on, between a block that `head` tells about and one with head `next`.
  void give_back(Unit unit, Unit units, Word head, Word next) noexcept;
  /// Changes the size of a block in use: writes it; gives back what exceeds `keep`; takes from a free block
  /// behind it.
  void resize(Unit unit, Unit units) noexcept;
  void shrink(Unit unit, Unit units, Unit keep) noexcept;
  [[nodiscard]] bool widen(Unit unit, Unit units, Unit wanted) noexcept;
  bool grow(std::size_t bytes) noexcept;
  bool take_more(std::size_t bytes) noexcept;
  void begin() noexcept;
  void set_live(Unit unit, Unit units) noexcept;
  /// Writes the heads of a free block and of the one behind it.
  void set_free(Unit unit, Unit units) noexcept;
  /// Tells the block behind that this one is in use.
  void end_free(Unit unit, Unit units) noexcept;

  // --- free_blocks.cpp
  [[nodiscard]] Unit best_fit(Unit units) const noexcept;
  [[nodiscard]] Unit free_units(Unit unit) const noexcept;
  void insert(Unit unit, Unit units, bool last = false) noexcept;
  void remove(Unit unit, Unit units) noexcept;
  /// True at the ends of a ring in the order of use.
  [[nodiscard]] bool is_first(Unit unit, Unit units) const noexcept;
  [[nodiscard]] bool is_last(Unit unit, Unit units) const noexcept;
  [[nodiscard]] bool none_between(Unit low, Unit high) const noexcept;
  void insert_large(Unit unit, Unit units) noexcept;
  void remove_large(Unit unit, Unit units) noexcept;
  [[nodiscard]] Unit visit(Unit unit, std::uint64_t& above) const noexcept;

  // --- faults.cpp
  [[noreturn]] void fail(HeapFault::Kind kind, const char* call, Unit unit, Unit units) const noexcept;
  [[noreturn]] void fail_free(Unit unit, Unit units) const noexcept; ///< a free block, met by any call
  [[noreturn]] void fail_head(const char* call, const void* block) const noexcept;

  std::byte* base_;
  std::size_t bytes_;
  From from_;
  std::uint64_t* tags_; ///< by KB of the region: where a large free block begins that ends behind it
  Heap* other_ = nullptr;
  Watcher* watcher_ = nullptr;
  bool was_full_ = false;
  bool large_blocks_in_huge_pages_ = false;
  std::size_t taken_ = 0; ///< bytes of the region, from the end that it takes from
  Unit first_ = 0;        ///< first block of all
  Unit end_ = 0;          ///< its head is the last word taken
  Unit top_ = 0;          ///< the free block that ends at end_; end_ if there is none
  Unit root_ = 0;         ///< root of the tree of large free blocks; 0: none
  std::unique_ptr<Lists> lists_;
};

/// The regions of all heaps of a job, in one reservation of address space.
class HeapArena {
 public:
  /// `kept`: a later arena of this process takes the regions of this one, and finds them zero.
  enum class Pages : std::uint8_t { fresh, kept };

  /// Reserves `heaps` regions of `bytes` each, rounded up to pages. Throws UserError where the host refuses.
  HeapArena(std::size_t heaps, std::size_t bytes, Pages pages = Pages::fresh);
  ~HeapArena();
  HeapArena(const HeapArena&) = delete;
  HeapArena& operator=(const HeapArena&) = delete;

  /// Those of the programs; `other()` is what libraries allocate from.
  [[nodiscard]] std::span<Heap> heaps() noexcept { return {heaps_.data(), count_}; }

  /// The heap of any living arena that looks after a block, or null. Lock-free.
  [[nodiscard]] static Heap* owner(const void* block) noexcept;

 private:
  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0; ///< bytes of each heap
  std::size_t stride_ = 0;
  std::size_t count_ = 0;
  std::size_t room_ = 0; ///< for so many heaps
  std::size_t reserved_ = 0;
  Pages pages_;
  std::vector<Heap> heaps_; ///< heaps of the programs, then of the libraries
  std::size_t slot_ = 0;
};

} // namespace rcce::heap
