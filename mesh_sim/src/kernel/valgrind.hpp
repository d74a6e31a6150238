// SPDX-License-Identifier: Apache-2.0
// What Valgrind has to be told about stacks, where its header was there at build time. Outside Valgrind the
// requests are a few instructions that do nothing.
#pragma once

#include <span>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif

namespace mesh::valgrind {

/// True if the process runs under Valgrind.
inline bool runs() noexcept {
#ifdef RUNNING_ON_VALGRIND
  return RUNNING_ON_VALGRIND != 0;
#else
  return false;
#endif
}

/// A change of the stack pointer into this memory is a change of stack.
inline void announce_stack([[maybe_unused]] std::span<const std::byte> stack) noexcept {
#ifdef VALGRIND_STACK_REGISTER
  static_cast<void>(VALGRIND_STACK_REGISTER(stack.data(), stack.data() + stack.size()));
#endif
}

} // namespace mesh::valgrind
