// SPDX-License-Identifier: Apache-2.0
// How threads wait for one another in the threads engine: who sleeps on whose buffer, who is awake, and
// whether anybody can ever wake anybody. Knows neither time nor what is waited for: it asks a function.
//
// A thread that waits looks again and again for a moment where a processor is free for it, gives its
// processor away about twenty times where more threads are awake than there are processors, then sleeps:
// there spinning only keeps the others from what one waits for. Where the processors belong to other programs
// as well, giving away would hand a whole time slice to those. Writers pay for no system call as long as
// nobody sleeps on what they write.
//
// A writer stores, then looks for sleepers; a sleeper lists itself, then looks at what was stored. Either has
// to see the other, so each store has to come before the look that follows it. With more threads than
// processors writers see to that, at some ten nanoseconds a write or, where the line is another processor's,
// a hundred. With processors enough sleeping is rare, and the sleeper does it for all of them by a system
// call.
//
// Rule of deadlock. `awake_` counts threads that are not asleep. A thread takes itself off after it has been
// listed as a sleeper and has looked once more; whoever wakes it puts it on again before going on. A thread
// that wakes another is awake itself, so the count is 0 only when nobody is left to wake anybody. What comes
// by itself, a timer, the owner knows: it is asked first, and again as long as it expects any.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <immintrin.h>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "engine/futex.hpp"

namespace rcce {

class Waiting {
 public:
  /// True if the condition of `core` is met. Other threads call it too while the core sleeps.
  using Predicate = bool (*)(void* owner, int core);

  /// Threads and places are numbered alike, by core.
  Waiting(int cores, Predicate met, void* owner);

  /// `threads` of them are about to run.
  void begin(int threads) noexcept;

  /// `core` looks until seen() or everything has been stopped, as long as that is better than to sleep; false
  /// where it no longer is.
  template <class Seen>
  [[nodiscard]] bool look(int core, Seen&& seen) noexcept {
    int& patience = slots_[static_cast<std::size_t>(core)].patience;
    int vain = 0;
    for (; vain < patience && !many_awake(); ++vain) {
      if (seen() || stopped()) {
        if (patience < most_looks) patience = std::min(2 * patience, most_looks);
        return true;
      }
      if (vain >= eager_looks) _mm_pause();
    }
    if (vain == patience) patience = std::max(patience / 2, least_looks);
    for (int i = 0; i < yields && many_awake(); ++i) {
      if (seen() || stopped()) return true;
      yield();
    }
    return false;
  }
  /// Sleeps until what `core` waits for at `place` has come about, or interrupt(); false when everything has
  /// been stopped first.
  [[nodiscard]] bool sleep(int core, int place);
  /// Takes a core out of its sleep; false where it does not sleep. From a signal handler on its thread, or
  /// while all sleep.
  bool interrupt(int core) noexcept;
  /// True where that has ended the last sleep of the calling core. Asked after each.
  [[nodiscard]] bool take_interrupt(int core) noexcept {
    return slots_[static_cast<std::size_t>(core)].interrupted.exchange(false);
  }
  /// The caller has written to `place`: wakes sleepers whose condition that has met.
  void written(int place) {
    if (writers_order_)
      order();
    else
      std::atomic_signal_fence(std::memory_order_seq_cst);
    if (places_[static_cast<std::size_t>(place)].sleepers.load(std::memory_order_seq_cst) != 0) wake(place);
  }
  /// True if there are more threads than processors.
  [[nodiscard]] bool crowded() const noexcept { return crowded_; }
  /// Wakes sleepers anywhere whose condition was met past written(); returns whether there were any.
  bool look_everywhere();
  /// The calling thread has ended.
  void end();
  /// Waits that no writer has ended although their condition was met. After written() for each write there
  /// are none.
  struct Rescues {
    std::uint64_t at_rest; ///< looks that found some when everybody slept
    std::uint64_t late;    ///< found by the sleeper's own look. Its writer may be about to wake it
  };
  [[nodiscard]] Rescues rescues() const noexcept { return {rescued_at_rest_, rescued_late_}; }

  /// Nobody waits any more from now on.
  void stop();
  [[nodiscard]] bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }
  /// True from the moment at which all remaining threads sleep for good.
  [[nodiscard]] bool deadlocked() const noexcept { return deadlocked_; }
  /// Called once by the last thread to fall asleep, while the others do.
  void on_deadlock(void (*hook)(void* context), void* context) noexcept {
    on_deadlock_ = hook;
    deadlock_context_ = context;
  }

  /// Asked while all sleep, before that is a deadlock: true if one has been interrupted, or may be later.
  void on_standstill(bool (*hook)(void* context), void* context) noexcept {
    on_standstill_ = hook;
    standstill_context_ = context;
  }

  /// Gives the processor away where others want it.
  void give_way() noexcept;
  /// Calls visit(core) for each sleeper; those visited cannot go on meanwhile.
  template <class Visit>
  void for_sleepers(Visit&& visit) {
    for (SleeperList& place : std::span(places_.get(), cores_)) {
      const std::lock_guard guard(place.mutex);
      for (const int core : place.cores)
        if (slots_[static_cast<std::size_t>(core)].asleep == 1) visit(core);
    }
  }

 private:
  struct alignas(64) SleeperList {
    std::atomic<int> sleepers{0};
    std::mutex mutex;
    std::vector<int> cores;
  };
  /// Looks without a pause: some 0.2 us. A pause takes longer than a cache line from the other processor.
  static constexpr int eager_looks = 200;
  /// Looks before sleeping, where there are processors enough: some 0.2 ms, far more than the other side of
  /// an exchange takes and far less than a time slice; but 10 us where other programs keep the other side,
  /// perhaps by sharing its processor with this one, from acting.
  static constexpr int most_looks = 10'000, least_looks = 500;
  /// Times that the processor is given away before sleeping. Measured on 2 processors with 48 threads: 20 are
  /// as good as any number, and one sleep costs as much as three of them.
  static constexpr int yields = 20;

  struct alignas(64) Slot {
    FutexWord asleep{0};       ///< 1: listed as a sleeper and not woken yet
    int patience = most_looks; ///< polls before its core sleeps: fewer if the last ones were in vain
    std::atomic<bool> interruptible{false}, interrupted{false};
  };

  [[nodiscard]] bool many_awake() const noexcept {
    return awake_.load(std::memory_order_relaxed) > processors_;
  }
  static void yield() noexcept;
  void wake(int place);
  bool wake_if_met(int core);
  bool wake_slot(Slot& slot) noexcept;
  void one_less();
  void judge();

  /// Orders all earlier stores of this thread before all later loads. std::atomic_thread_fence() is unknown
  /// to the thread sanitizer.
  static void order() noexcept {
    thread_local std::atomic<int> own{0};
    own.exchange(1);
  }

  std::size_t cores_;
  Predicate met_;
  void* owner_;
  int processors_;
  bool crowded_ = true;
  /// True if writers order their stores before their polls; otherwise sleepers do.
  bool writers_order_ = true;
  std::unique_ptr<SleeperList[]> places_;
  std::unique_ptr<Slot[]> slots_;
  alignas(64) std::atomic<int> awake_{0};
  alignas(64) std::atomic<bool> stopped_{false};
  std::atomic<bool> deadlocked_{false};
  std::atomic<std::uint64_t> rescued_at_rest_{0}, rescued_late_{0};
  void (*on_deadlock_)(void* context) = nullptr;
  void* deadlock_context_ = nullptr;
  std::mutex judging_;
  bool (*on_standstill_)(void* context) = nullptr;
  void* standstill_context_ = nullptr;
};

} // namespace rcce
