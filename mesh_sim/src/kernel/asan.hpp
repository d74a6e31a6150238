// SPDX-License-Identifier: Apache-2.0
// Tells AddressSanitizer about changes of stack. The sanitizer keeps a fake stack per context and has to know
// the bounds of the stack that it finds itself on. The symbols are weak: present when the process runs under
// the sanitizer, whether or not this library was compiled for it.
#pragma once

#include <cstddef>
#include <span>

extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack_save, const void* bottom,
                                                  std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack_save, const void** bottom_old,
                                                   std::size_t* size_old);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* memory, std::size_t size);
}

namespace mesh::asan {

inline thread_local const void* outside_bottom = nullptr;
inline thread_local std::size_t outside_size = 0;

/// True if the process runs under the checker.
inline bool present() noexcept {
  return __sanitizer_start_switch_fiber != nullptr;
}

class Departure {
 public:
  void to_stack(std::span<std::byte> stack) noexcept {
    if (__sanitizer_start_switch_fiber != nullptr)
      __sanitizer_start_switch_fiber(&fake_, stack.data(), stack.size());
  }
  void to_outside() noexcept {
    if (__sanitizer_start_switch_fiber != nullptr)
      __sanitizer_start_switch_fiber(&fake_, outside_bottom, outside_size);
  }
  void returned() noexcept {
    if (__sanitizer_finish_switch_fiber != nullptr) __sanitizer_finish_switch_fiber(fake_, nullptr, nullptr);
  }

 private:
  void* fake_ = nullptr;
};

/// First instructions on a fresh stack. Coming from outside, notes where outside is.
inline void first_arrival(bool from_outside) noexcept {
  if (__sanitizer_finish_switch_fiber == nullptr) return;
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(nullptr, &bottom, &size);
  if (from_outside) outside_bottom = bottom, outside_size = size;
}

/// Contexts that have ended without unwinding leave marks; the next mapping at this place must not find them.
inline void forget_stacks(const void* memory, std::size_t bytes) noexcept {
  if (__asan_unpoison_memory_region != nullptr) __asan_unpoison_memory_region(memory, bytes);
}

} // namespace mesh::asan
