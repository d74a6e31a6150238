// SPDX-License-Identifier: Apache-2.0
// Copies made without the dynamic linker, for thousands of UEs: it binds one template, and every clone
// repeats the template's relocations at its own address. Debuggers do not see clones; unwinders do
// (clone_unwind.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace rcce::image {

/// The address ranges of all living clones of this process, for the unwinder. Lock-free to look at.
class CloneArena {
 public:
  /// Reserves room for `clones` copies of `bytes` each. Throws UserError where the host refuses.
  CloneArena(std::size_t clones, std::size_t bytes, std::uint64_t unwind_header, void* link_map);
  ~CloneArena();
  CloneArena(const CloneArena&) = delete;
  CloneArena& operator=(const CloneArena&) = delete;

  [[nodiscard]] std::byte* clone(std::size_t index) const noexcept { return base_ + index * stride_; }

 private:
  std::byte* base_;
  std::size_t stride_, bytes_;
  std::size_t slot_ = 0;
};

} // namespace rcce::image
