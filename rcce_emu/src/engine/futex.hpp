// SPDX-License-Identifier: Apache-2.0
// Sleeping on a word of memory. The system calls themselves: the C library has no function for them.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rcce {

using FutexWord = std::atomic<std::uint32_t>;
static_assert(sizeof(FutexWord) == 4 && FutexWord::is_always_lock_free);

/// Sleeps while the word has the value, until woken or for `nanoseconds` (below 1 s; 0: for ever). May return
/// early.
inline void futex_wait(FutexWord& word, std::uint32_t value, long nanoseconds = 0) noexcept {
  const timespec limit{0, nanoseconds};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nanoseconds == 0 ? nullptr : &limit, nullptr, 0);
}

/// Wakes whoever sleeps on the word. Safe in a signal handler.
inline void futex_wake(FutexWord& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

} // namespace rcce
