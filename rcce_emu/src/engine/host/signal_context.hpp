// SPDX-License-Identifier: Apache-2.0
// What a signal handler reads from and changes in the context that it interrupted.
#pragma once

#include <cstdint>
#include <ucontext.h>

namespace rcce::host {

inline const void* program_counter(const ucontext_t& context) noexcept {
  return reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RIP]);
}

inline std::uintptr_t stack_pointer(const ucontext_t& context) noexcept {
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
}

/// Bit 1 of the error code that the processor gives with a page fault.
inline bool was_write(const ucontext_t& context) noexcept {
  return (context.uc_mcontext.gregs[REG_ERR] & 2) != 0;
}

/// True if a general register holds this byte in all its upper bytes: an address read from memory that was
/// filled with it.
inline bool holds_byte(const ucontext_t& context, unsigned char byte) noexcept {
  const std::uint64_t filled = byte * (~std::uint64_t{0} / 255) >> 16;
  for (int name = REG_R8; name <= REG_RCX; ++name)
    if (static_cast<std::uint64_t>(context.uc_mcontext.gregs[name]) >> 16 == filled) return true;
  return false;
}

/// Steps over CL1INVMB (0F 0A), which the chip's cores have and no other processor: it drops the lines of
/// message-passing buffers from the first-level cache. False, and nothing is done, at any other instruction.
inline bool passes_invalidation(ucontext_t& context) noexcept {
  const auto* const code = static_cast<const unsigned char*>(program_counter(context));
  if (code[0] != 0x0f || code[1] != 0x0a) return false;
  context.uc_mcontext.gregs[REG_RIP] += 2;
  return true;
}

/// The handler's return continues in function(argument), which must not return, on the stack below
/// `stack_top`.
inline void continue_in(ucontext_t& context, void (*function)(void*), void* argument,
                        std::uintptr_t stack_top) noexcept {
  // A call leaves the stack pointer 8 below a multiple of 16.
  context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>((stack_top & ~std::uintptr_t{15}) - 8);
  context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(function);
  context.uc_mcontext.gregs[REG_RDI] = reinterpret_cast<greg_t>(argument);
}

/// Bytes below the stack pointer that the interrupted function may be using (x86-64 psABI, section 3.2.2).
inline constexpr std::uintptr_t red_zone_bytes = 128;

} // namespace rcce::host
