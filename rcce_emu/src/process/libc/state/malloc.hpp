// SPDX-License-Identifier: Apache-2.0
// Calls into a heap, by way of `--check heap` where that watches it.
#pragma once

#include <cstddef>
#include <utility>

#include "process/heap/heap.hpp"
#include "process/process.hpp"

namespace rcce::libc {

/// The heap from which libraries allocate on behalf of the calling UE; null outside any UE.
[[nodiscard]] heap::Heap* library_heap() noexcept;

/// `alignment` 0: as malloc() does. Null where the heap is full.
[[nodiscard]] void* allocate_in(heap::Heap& heap, std::size_t alignment, std::size_t bytes) noexcept;
void free_in(heap::Heap& heap, void* block) noexcept;
/// Null and the old block kept where the heap is full.
[[nodiscard]] void* reallocate_in(heap::Heap& heap, void* block, std::size_t bytes) noexcept;
[[nodiscard]] std::size_t usable_in(const heap::Heap& heap, const void* block) noexcept;

/// While it lives, malloc() and its kind, called by libraries in the calling UE's context, give memory of its
/// heap.
class AllocatesForUe {
 public:
  AllocatesForUe() noexcept : c_(process::calling_library()) {
    if (c_ != nullptr) before_ = std::exchange(c_->allocates, true);
  }
  ~AllocatesForUe() {
    if (c_ != nullptr) c_->allocates = before_;
  }
  AllocatesForUe(const AllocatesForUe&) = delete;
  AllocatesForUe& operator=(const AllocatesForUe&) = delete;

 private:
  process::CLibrary* c_; ///< null outside any UE
  bool before_ = false;
};

} // namespace rcce::libc
