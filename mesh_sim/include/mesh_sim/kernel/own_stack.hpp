// SPDX-License-Identifier: Apache-2.0
// Runs a function on a stack that the caller provides, in the calling thread; the function may leave for good
// from any depth. Knows nothing of other contexts: kernel.hpp switches among many.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace mesh {

class OwnStack {
 public:
  explicit OwnStack(std::span<std::byte> stack) noexcept : stack_(stack) {}
  OwnStack(const OwnStack&) = delete;
  OwnStack& operator=(const OwnStack&) = delete;

  /// Calls `body` on the stack; returns when it has returned or called leave(). No exception may leave it.
  void run(std::function<void()> body);
  /// From within `body`: ends it without unwinding.
  [[noreturn]] void leave() noexcept;

 private:
  struct Entry;

  std::span<std::byte> stack_;
  std::function<void()> body_;
  void* outside_ = nullptr;       ///< where run() goes on
  void* outside_fiber_ = nullptr; ///< the thread sanitizer's names of the two contexts
  void* own_fiber_ = nullptr;
};

} // namespace mesh
