// How threads wait for one another in the threads engine: who sleeps on whose buffer, who is awake, and
// whether anybody can ever wake anybody. Knows neither time nor what is waited for: it asks a function.
//
// A thread that waits looks again and again for a moment where a processor is free for it, then gives its
// processor away about twenty times, then sleeps: with more threads than processors spinning only keeps the
// others from what one waits for. Writers pay for no system call as long as nobody sleeps on what they write.
//
// Rule of deadlock. `awake_` counts threads that are not asleep. A thread takes itself off after it has been
// listed as a sleeper and has looked once more; whoever wakes it puts it on again before going on. A thread
// that wakes another is awake itself, so the count is 0 only when nobody is left to wake anybody.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "engine/futex.hpp"

namespace rcce {

class Waiting {
 public:
  /// Whether what `core` waits for has come about; called by other threads too while it sleeps.
  using Met = bool (*)(void* owner, int core);

  /// Threads and places are numbered alike, by core.
  Waiting(int cores, Met met, void* owner);

  /// `threads` of them are about to run.
  void begin(int threads) noexcept { awake_ = threads; }

  /// Waits until the wish of `core` at `place` has come about; false when everything has been stopped first.
  [[nodiscard]] bool wait(int core, int place);
  /// The caller has written to `place` (a sequentially consistent store, or a barrier()): wakes sleepers
  /// whose wish that has fulfilled.
  void written(int place) {
    if (places_[static_cast<std::size_t>(place)].sleepers.load(std::memory_order_seq_cst) != 0) wake(place);
  }
  /// Wakes sleepers anywhere whose wish has come about past written(); returns whether there were any.
  bool look_everywhere();
  /// The calling thread has ended.
  void end();

  /// Nobody waits any more from now on.
  void stop();
  [[nodiscard]] bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }
  /// Whether all threads that are left sleep for good; stays true.
  [[nodiscard]] bool deadlocked() const noexcept { return deadlocked_; }
  /// Called once by the last thread to fall asleep, while the others do.
  void on_deadlock(void (*hook)(void* context), void* context) noexcept {
    on_deadlock_ = hook;
    deadlock_context_ = context;
  }

  /// Gives the processor away where others want it.
  void give_way() noexcept;
  /// Calls visit(core) for each sleeper; those visited cannot go on meanwhile.
  template <class Visit>
  void for_sleepers(Visit&& visit) {
    for (Place& place : std::span(places_.get(), cores_)) {
      const std::lock_guard guard(place.mutex);
      for (const int core : place.cores)
        if (slots_[static_cast<std::size_t>(core)].asleep == 1) visit(core);
    }
  }

 private:
  struct alignas(64) Place {
    std::atomic<int> sleepers{0};
    std::mutex mutex;
    std::vector<int> cores;
  };
  struct alignas(64) Slot {
    FutexWord asleep{0}; ///< 1: listed as a sleeper and not woken yet
  };

  [[nodiscard]] bool looked_until_met(int core) noexcept;
  void wake(int place);
  bool wake_if_met(int core);
  void one_less();

  std::size_t cores_;
  Met met_;
  void* owner_;
  int processors_;
  std::unique_ptr<Place[]> places_;
  std::unique_ptr<Slot[]> slots_;
  alignas(64) std::atomic<int> awake_{0};
  alignas(64) std::atomic<bool> stopped_{false};
  std::atomic<bool> deadlocked_{false};
  void (*on_deadlock_)(void* context) = nullptr;
  void* deadlock_context_ = nullptr;
};

} // namespace rcce
