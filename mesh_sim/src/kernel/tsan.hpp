// SPDX-License-Identifier: Apache-2.0
// Tells ThreadSanitizer about changes of stack within a thread: it keeps a call stack per context. The
// symbols are weak: present when the process runs under the sanitizer.
#pragma once

extern "C" {
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}

namespace mesh::tsan {

[[nodiscard]] inline bool present() noexcept {
  return __tsan_switch_to_fiber != nullptr;
}

} // namespace mesh::tsan
