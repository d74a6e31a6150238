// SPDX-License-Identifier: Apache-2.0
// Thread-local variables of an image: one block per UE instead of one per thread, since all UEs share a
// thread. The block is the first on the UE's heap, so that its address relative to its core is the same on
// every host.
#pragma once

#include <cstddef>
#include <cstdint>

#include "process/image/file.hpp"

namespace rcce::heap {
class Heap;
}

namespace rcce::image {

/// Values for a copy's relocations: the module number that stands for a block, and the function that
/// understands it.
[[nodiscard]] std::uint64_t thread_local_module(const std::byte* block) noexcept;
[[nodiscard]] std::uint64_t thread_local_function() noexcept;

/// Is this relocation one of the image's own thread-local variables, or a call of the function that finds
/// them?
[[nodiscard]] bool is_own_module(const ImageFile& file, const Elf64_Rela& relocation);
[[nodiscard]] bool is_thread_local_function(const ImageFile& file, const Elf64_Rela& relocation);

/// A block for the image's thread-local variables; null where it has none. Throws UserError when the heap is
/// too small.
[[nodiscard]] std::byte* allocate_thread_locals(const ImageFile& file, heap::Heap& heap);
/// Gives the block its initial values, from a copy that has been relocated.
void fill_thread_locals(const ImageFile& file, const std::byte* base, std::byte* block) noexcept;

} // namespace rcce::image
