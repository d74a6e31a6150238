// SPDX-License-Identifier: Apache-2.0
// What the cores of the threads engine share: message-passing buffers (MPBs), test-and-set registers and
// atomic counters, accessed by many threads at once. Flags and single lines are atomic words, a write
// releases and a read acquires, so that whatever a core has done before it sets a flag is seen by whoever has
// seen the flag. Copies of several lines are plain: a program without races orders them by flags, and a race
// between them is the program's, for a checker to find. Knows no time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/atomic_line.hpp"
#include "engine/waiting.hpp"
#include "rcce_emu/engine.hpp"

namespace rcce {

class Fabric {
 public:
  /// The condition that a core waits for.
  struct alignas(64) WaitCondition { // each in a host line of its own
    int target = -1;
    bool on_lock = false;
    std::span<const PollTarget> looks{}; ///< any of these
    const std::atomic<bool>* met = nullptr;
    int counter = -1; ///< atomic counter that is to become `value`
    std::uint32_t value = 0;
  };

  /// `mpbs`: one MPB of `mpb_bytes` after the other.
  Fabric(int cores, std::byte* mpbs, std::size_t mpb_bytes);

  [[nodiscard]] Waiting& waiting() noexcept { return waiting_; }
  [[nodiscard]] const Waiting& waiting() const noexcept { return waiting_; }
  [[nodiscard]] std::byte* mpb(int core) noexcept {
    return mpbs_ + static_cast<std::size_t>(core) * mpb_bytes_;
  }

  void put(int target, std::size_t offset, const void* source, std::size_t bytes) {
    if (!mesh::in_one_line(offset, bytes)) return put_lines(target, offset, source, bytes);
    store(target, offset, source, bytes);
  }
  void get(void* target, int source, std::size_t offset, std::size_t bytes) {
    if (!mesh::in_one_line(offset, bytes)) return get_lines(target, source, offset, bytes);
    if (bytes == mesh::line_bytes) return atomic_line::load_line(mpb(source) + offset, target);
    load(source, offset, target, bytes);
  }
  /// At most one line.
  void store(int target, std::size_t offset, const void* data, std::size_t bytes) {
    atomic_line::store(mpb(target) + offset, data, bytes);
    waiting_.written(target);
  }
  void load(int source, std::size_t offset, void* data, std::size_t bytes) {
    atomic_line::load(mpb(source) + offset, data, bytes);
  }
  /// Asks for the host's lines of these bytes as for a write.
  void regain(int core, std::size_t offset, std::size_t bytes) noexcept;
  /// Replaces the bits of `mask` in one byte.
  void update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value);

  /// Waits until one of the conditions holds; false when the run has been stopped first.
  /// `expected`: what the caller is to read next, or null.
  [[nodiscard]] bool wait(int core, int target, std::span<const PollTarget> looks,
                          const void* expected = nullptr) {
    const auto met = [&] {
      __builtin_prefetch(expected);
      return first_met(target, looks) < looks.size();
    };
    if (waiting_.look(core, met)) return !waiting_.stopped();
    return sleep(core, target, {.target = target, .looks = looks});
  }
  /// Waits until `met`, which belongs to no buffer; whoever sets it calls waiting().written(core).
  [[nodiscard]] bool wait(int core, const std::atomic<bool>& met);
  /// Index of the first look whose condition holds now; looks.size() where none does.
  [[nodiscard]] std::size_t first_met(int target, std::span<const PollTarget> looks) const noexcept {
    std::size_t i = 0;
    while (i < looks.size() && !holds(target, looks[i])) ++i;
    return i;
  }
  /// For those who sleep inside wait() only.
  [[nodiscard]] const WaitCondition& wait_condition(int core) const noexcept {
    return wait_conditions_[static_cast<std::size_t>(core)];
  }

  [[nodiscard]] bool lock_try(int core) noexcept {
    std::atomic<std::uint8_t>& taken = registers_[static_cast<std::size_t>(core)].taken;
    return taken.load(std::memory_order_relaxed) == 0 && taken.exchange(1) == 0;
  }
  /// Waits until the register was free and has been taken; false when the run has been stopped first.
  [[nodiscard]] bool lock(int core, int register_of);
  void unlock(int register_of);

  [[nodiscard]] const std::atomic<std::uint32_t>& counter(int number) const;
  /// Applies act(word), which changes the counter; returns what it returns.
  template <class Act>
  std::uint32_t change_counter(int number, Act&& act) {
    const std::uint32_t result = act(const_cast<std::atomic<std::uint32_t>&>(counter(number)));
    waiting_.written(place_of_counter(number));
    return result;
  }
  /// Waits until the counter has the value; false when the run has been stopped first.
  [[nodiscard]] bool wait_counter(int core, int number, std::uint32_t value);
  /// Called in the context of a core that Waiting::interrupt() has taken out of its wait; it then waits on.
  void on_interrupt(void (*hook)(void* context, int core), void* context) noexcept {
    interrupt_ = hook;
    interrupt_context_ = context;
  }

 private:
  struct alignas(64) Register {
    std::atomic<std::uint8_t> taken{0};
  };

  /// Those who wait for a counter are listed at the core with its number, modulo.
  [[nodiscard]] int place_of_counter(int number) const noexcept {
    return number % static_cast<int>(wait_conditions_.size());
  }
  [[nodiscard]] bool met(int core) const noexcept;
  [[nodiscard]] bool holds(int target, const PollTarget& look) const noexcept {
    std::byte* const place = mpbs_ + static_cast<std::size_t>(target) * mpb_bytes_ + look.offset;
    return look.condition.holds(atomic_line::flag(place, look.condition.bytes));
  }
  void put_lines(int target, std::size_t offset, const void* source, std::size_t bytes);
  void get_lines(void* target, int source, std::size_t offset, std::size_t bytes);
  /// Forwards to waiting_.sleep(), again behind each interrupt, and returns its result.
  [[nodiscard]] bool sleep(int core, int place, const WaitCondition& waits_for);

  std::byte* mpbs_;
  std::size_t mpb_bytes_;
  std::unique_ptr<Register[]> registers_;
  std::vector<std::atomic<std::uint32_t>> counters_;
  std::vector<WaitCondition> wait_conditions_;
  Waiting waiting_;
  void (*interrupt_)(void* context, int core) = nullptr;
  void* interrupt_context_ = nullptr;
};

} // namespace rcce
