// SPDX-License-Identifier: Apache-2.0
// Runs a function on a stack that the caller provides, in the calling thread; the function may pause or leave
// for good from any depth. Knows nothing of other contexts: kernel.hpp switches among many.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace mesh {

class OwnStack {
 public:
  explicit OwnStack(std::span<std::byte> stack) noexcept : stack_(stack) {}
  /// A body that has paused is not unwound.
  ~OwnStack();
  OwnStack(const OwnStack&) = delete;
  OwnStack& operator=(const OwnStack&) = delete;

  /// Calls `body` on the stack; returns when it has returned, paused or left. No exception may leave it.
  void run(std::function<void()> body);
  /// Goes on behind the body's pause(), in the thread that called run(); returns as run() does.
  void go_on();
  /// From within `body`: returns at the next go_on().
  void pause() noexcept;
  /// From within `body`: ends it without unwinding.
  [[noreturn]] void leave() noexcept;

 private:
  struct Entry;

  std::span<std::byte> stack_;
  std::function<void()> body_;
  void* inside_ = nullptr;        ///< place at which go_on() continues
  void* outside_ = nullptr;       ///< place at which pause() and leave() continue
  void* outside_fiber_ = nullptr; ///< the thread sanitizer's names of the two contexts
  void* own_fiber_ = nullptr;
};

} // namespace mesh
