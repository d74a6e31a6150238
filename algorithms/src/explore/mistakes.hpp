// SPDX-License-Identifier: Apache-2.0
// Joins with the resets that are known to be wrong.
#pragma once

#include "algorithms/in_memory/barrier/barriers.hpp"

namespace algorithms::explore {

/// Flags are never set back: the second join falls through.
template <memory::Memory M>
class FlatWithoutReset {
 public:
  using Thread = typename M::Thread;

  explicit FlatWithoutReset(M& memory)
      : flags_(memory.words(static_cast<std::size_t>(memory.threads()), memory::line, 0)) {}
  void arrive(Thread& thread) {
    thread.store(flags_[static_cast<std::size_t>(thread.thread())], 1, std::memory_order_release);
  }
  void join(Thread& master) {
    master.wait_all(
        std::span<const typename M::Word>(flags_).subspan(1), [](std::uint64_t value) { return value == 1; },
        std::memory_order_acquire);
  }

 private:
  std::vector<typename M::Word> flags_;
};

/// The master sets the counter back when it joins, not behind the join before: it loses who has arrived since
/// the start.
template <memory::Memory M>
class CounterResetLate {
 public:
  using Thread = typename M::Thread;

  explicit CounterResetLate(M& memory) : counter_(memory.words(1, memory::line, 0)[0]) {}
  void arrive(Thread& thread) { thread.fetch_add(counter_, 1, std::memory_order_acq_rel); }
  void join(Thread& master) {
    const auto workers = static_cast<std::uint64_t>(master.threads()) - 1;
    master.store(counter_, 0, std::memory_order_relaxed);
    master.wait(
        counter_, [workers](std::uint64_t value) { return value == workers; }, std::memory_order_acquire);
  }

 private:
  typename M::Word counter_;
};

} // namespace algorithms::explore
