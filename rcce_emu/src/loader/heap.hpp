// The heap of each UE: a region of address space of its own, laid out alike for every UE and on every host,
// so that an address relative to its heap depends on nothing but the program's own calls. The C library's
// heap stays apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rcce::loader {

/// An allocator over a raw region. Builds itself at the first allocation and grows upwards on demand, so that
/// memory is only touched where the program has been. One UE at a time calls it.
class Heap {
 public:
  /// `base` .. `base + bytes`: readable, writable, zero; a page's alignment.
  Heap(std::byte* base, std::size_t bytes) noexcept : base_(base), bytes_(bytes) {}

  [[nodiscard]] std::byte* base() const noexcept { return base_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool owns(const void* block) const noexcept {
    return reinterpret_cast<std::uintptr_t>(block) - reinterpret_cast<std::uintptr_t>(base_) < bytes_;
  }

  /// Null when the region is full. Zero bytes give a block of its own, as in the C library.
  [[nodiscard]] void* allocate(std::size_t bytes) noexcept;
  [[nodiscard]] void* allocate_zeroed(std::size_t count, std::size_t bytes) noexcept;
  /// `alignment` is a power of two.
  [[nodiscard]] void* allocate_aligned(std::size_t alignment, std::size_t bytes) noexcept;
  /// Grows or shrinks in place where it can. Null and the old block kept when the region is full.
  [[nodiscard]] void* reallocate(void* block, std::size_t bytes) noexcept;
  void free(void* block) noexcept;
  [[nodiscard]] std::size_t usable_bytes(const void* block) const noexcept;

 private:
  /// Makes room for a block of `bytes` at the upper end; false when the region is full.
  bool grow(std::size_t bytes) noexcept;

  std::byte* base_;
  std::size_t bytes_;
  std::size_t built_ = 0; ///< bytes from base_ that the allocator manages so far
};

/// The regions of all heaps of a job, in one reservation of address space.
class HeapArena {
 public:
  /// Reserves `heaps` regions of `bytes` each, rounded up to pages. Throws UserError where the host refuses.
  HeapArena(std::size_t heaps, std::size_t bytes);
  ~HeapArena();
  HeapArena(const HeapArena&) = delete;
  HeapArena& operator=(const HeapArena&) = delete;

  [[nodiscard]] std::span<Heap> heaps() noexcept { return heaps_; }

  /// The heap of any living arena that a block lies in, or null. Lock-free.
  [[nodiscard]] static Heap* owner(const void* block) noexcept;

 private:
  std::byte* base_ = nullptr;
  std::size_t stride_ = 0;
  std::size_t count_ = 0;
  std::vector<Heap> heaps_;
  std::size_t slot_ = 0;
};

} // namespace rcce::loader
