// SPDX-License-Identifier: Apache-2.0
#include "engine/waiting.hpp"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rcce {
namespace {

/// A sleeper looks by itself this often, because a program may write to a buffer by plain stores.
constexpr long look_interval_ns = 100'000'000;

int processors() noexcept {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

} // namespace

Waiting::Waiting(int cores, Predicate met, void* owner)
    : cores_(static_cast<std::size_t>(cores)),
      met_(met),
      owner_(owner),
      processors_(processors()),
      places_(std::make_unique<SleeperList[]>(cores_)),
      slots_(std::make_unique<Slot[]>(cores_)) {}

void Waiting::begin(int threads) noexcept {
  awake_ = threads;
  crowded_ = threads > processors_;
  writers_order_ = crowded_ || syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0;
}

void Waiting::give_way() noexcept {
  if (many_awake()) yield();
}

/// The name sched_yield() is the runtime's.
void Waiting::yield() noexcept {
  syscall(SYS_sched_yield);
}

bool Waiting::sleep(int core, int at) {
  SleeperList& place = places_[static_cast<std::size_t>(at)];
  Slot& slot = slots_[static_cast<std::size_t>(core)];
  slot.interruptible = true;
  slot.asleep = 1;
  {
    const std::lock_guard guard(place.mutex);
    place.cores.push_back(core);
    place.sleepers.fetch_add(1, std::memory_order_seq_cst);
  }
  if (!writers_order_) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  // A write that has missed the list above is seen now.
  std::uint32_t asleep = 1;
  const bool woken_by_itself =
      (met_(owner_, core) || stopped_ || slot.interrupted) && slot.asleep.compare_exchange_strong(asleep, 0);
  if (!woken_by_itself) {
    one_less();
    while (slot.asleep == 1) {
      futex_wait(slot.asleep, 1, look_interval_ns);
      if (slot.asleep != 1) break;
      {
        // Whoever looks everywhere finds this one asleep, or counted as awake.
        const std::lock_guard guard(place.mutex);
        if (wake_if_met(core)) ++rescued_late_;
      }
      judge(); // what was expected may not have come
    }
  }
  slot.interruptible = false;
  const std::lock_guard guard(place.mutex);
  place.sleepers.fetch_sub(1, std::memory_order_relaxed);
  std::erase(place.cores, core);
  return !stopped();
}

bool Waiting::interrupt(int core) noexcept {
  Slot& slot = slots_[static_cast<std::size_t>(core)];
  if (!slot.interruptible) return false;
  slot.interrupted = true;
  wake_slot(slot);
  return true;
}

bool Waiting::wake_if_met(int core) {
  Slot& slot = slots_[static_cast<std::size_t>(core)];
  return slot.asleep == 1 && (stopped() || met_(owner_, core)) && wake_slot(slot);
}

bool Waiting::wake_slot(Slot& slot) noexcept {
  std::uint32_t asleep = 1;
  if (!slot.asleep.compare_exchange_strong(asleep, 0)) return false;
  awake_.fetch_add(1);
  futex_wake(slot.asleep);
  return true;
}

void Waiting::wake(int at) {
  SleeperList& place = places_[static_cast<std::size_t>(at)];
  const std::lock_guard guard(place.mutex);
  for (const int core : place.cores) wake_if_met(core);
}

bool Waiting::look_everywhere() {
  bool any = false;
  for (SleeperList& place : std::span(places_.get(), cores_)) {
    if (place.sleepers == 0) continue;
    const std::lock_guard guard(place.mutex);
    for (const int core : place.cores) any = wake_if_met(core) || any;
  }
  return any;
}

/// The caller sleeps, or has ended.
void Waiting::one_less() {
  if (awake_.fetch_sub(1) == 1) judge();
}

/// If nobody acts any more, only a condition that a plain store has met can make anybody go on, or what the
/// owner expects.
void Waiting::judge() {
  if (awake_ > 0 || stopped()) return;
  const std::lock_guard guard(judging_);
  if (awake_ > 0 || stopped()) return;
  bool left = false;
  for_sleepers([&](int) { left = true; });
  if (!left) return;
  if (look_everywhere()) {
    ++rescued_at_rest_;
    return;
  }
  if (on_standstill_ != nullptr && on_standstill_(standstill_context_)) return;
  if (awake_ > 0) return;
  deadlocked_ = true;
  if (on_deadlock_ != nullptr) on_deadlock_(deadlock_context_);
  stop();
}

void Waiting::end() {
  one_less();
}

void Waiting::stop() {
  stopped_ = true;
  look_everywhere();
}

} // namespace rcce
