// Stackful contexts: the stacks of all cores in one lazily committed reservation, and the jump between two of
// them. Knows nothing of time or order (kernel.hpp decides those).
#pragma once

#include <cstddef>
#include <span>

namespace mesh {

/// One address-space reservation that holds a stack for every core, each with a guard region below it. Memory
/// is committed by first touch only.
class StackPool {
 public:
  enum class Guard { madvise, protect, none };

  /// Throws std::bad_alloc when the address space cannot be had.
  StackPool(std::size_t stacks, std::size_t bytes_each);
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  [[nodiscard]] std::span<std::byte> stack(std::size_t i) const noexcept {
    return {base_ + i * stride_ + guard_bytes, bytes_};
  }
  /// How overflows are caught; `none` where the kernel offers no guards for so many stacks.
  [[nodiscard]] Guard guard() const noexcept { return guard_; }

  static constexpr std::size_t guard_bytes = std::size_t{64} * 1024;

 private:
  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0, stride_ = 0, total_ = 0;
  Guard guard_ = Guard::none;
};

/// A suspended context; opaque, valid for one jump.
using FiberHandle = void*;

struct FiberJump {
  FiberHandle from; ///< the context that jumped here
  void* data;       ///< what it passed
};

/// A context that will call entry(jump) on `stack` at the first jump to it. `entry` must never return.
[[nodiscard]] FiberHandle make_fiber(std::span<std::byte> stack, void (*entry)(FiberJump)) noexcept;

/// Leaves the calling context and continues `to`; returns when somebody jumps back.
FiberJump jump(FiberHandle to, void* data) noexcept;

} // namespace mesh
