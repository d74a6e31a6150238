// SPDX-License-Identifier: Apache-2.0
// Stackful contexts: the stacks of all cores in one lazily committed reservation, and the jump between two of
// them. Knows nothing of time or order (kernel.hpp decides those).
#pragma once

#include <cstddef>
#include <span>

namespace mesh {

/// One address-space reservation that holds a stack for every core, each with a guard region below it. Memory
/// is committed by first touch only. Guards are wider than the stacks, so that a frame that jumps over its
/// stack's end lands in one, unless there are too many stacks or too little address space for that.
class StackPool {
 public:
  enum class Guard { madvise, protect, none };

  /// Throws std::bad_alloc when the address space cannot be had.
  StackPool(std::size_t stacks, std::size_t bytes_each);
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  [[nodiscard]] std::span<std::byte> stack(std::size_t i) const noexcept {
    return {base_ + i * stride_ + guard_bytes_, bytes_};
  }
  /// How overflows are caught; `none` where the kernel offers no guards for so many stacks.
  [[nodiscard]] Guard guard() const noexcept { return guard_; }

  /// Below each stack; accesses to them fault where there are guards at all.
  [[nodiscard]] std::size_t guard_bytes() const noexcept { return guard_bytes_; }

 private:
  [[nodiscard]] bool reserve_wide(std::size_t stacks);
  void reserve_narrow(std::size_t stacks);

  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0, guard_bytes_ = 0, stride_ = 0, total_ = 0;
  Guard guard_ = Guard::none;
};

/// A suspended context; opaque, valid for one jump.
using FiberHandle = void*;

struct FiberJump {
  FiberHandle from; ///< the context that jumped here
  void* data;       ///< data that it passed
};

/// A context that will call entry(jump) on `stack` at the first jump to it. `entry` must never return.
[[nodiscard]] FiberHandle make_fiber(std::span<std::byte> stack, void (*entry)(FiberJump)) noexcept;

/// Leaves the calling context and continues `to`; returns when somebody jumps back.
FiberJump jump(FiberHandle to, void* data) noexcept;

} // namespace mesh
