// SPDX-License-Identifier: Apache-2.0
// What cores in simulated time share: the words of buffers, registers and counters, each with the times that
// belong to it. Where words and times lie, the two kinds below decide: in memory of one process, or of
// several. What a time means, and what an access costs, StampedCore alone knows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "rcce_emu/engine.hpp"

namespace rcce {

/// When a test-and-set register was taken, for the last few times. Cores take it in the host's order; on the
/// chip those come first whose time is earlier, and they found it free where nobody had it then.
class RegisterTimes {
 public:
  /// True if somebody held it at `time`; `free` is then the time of its release.
  [[nodiscard]] bool taken_at(Picoseconds time, Picoseconds& free) const noexcept;
  void took(Picoseconds from) noexcept { from_ = from; }
  void gives_back(Picoseconds until) noexcept;

 private:
  struct Interval {
    Picoseconds from = 0, until = 0;
  };
  static constexpr std::size_t remembered = 64;
  std::array<Interval, remembered> past_;
  std::uint64_t next_ = 0;
  Picoseconds from_ = 0;
};

/// All calls for a core come from that core's context. Each access releases and acquires as fabric.hpp says.
class StampedFabric {
 public:
  static constexpr Picoseconds never = INT64_MAX;

  virtual ~StampedFabric() = default;

  /// Before each access: others' accesses come through now and then. False when the run has been stopped.
  [[nodiscard]] virtual bool goes_on() = 0;
  /// Gives the processor away where others want it; in a loop of the program's own, which may look at
  /// anything.
  virtual void give_way() = 0;
  virtual void spin() = 0;
  /// The present divider of a tile's clock.
  [[nodiscard]] virtual int divider(int tile) const noexcept = 0;

  // --- buffers: writes are visible at a time, reads tell since when their bytes have had their values
  // -------
  virtual void put(int target, std::size_t offset, const void* source, std::size_t bytes,
                   Picoseconds visible) = 0;
  /// At most one line.
  virtual void store(int target, std::size_t offset, const void* data, std::size_t bytes,
                     Picoseconds visible) = 0;
  virtual void update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value,
                      Picoseconds visible) = 0;
  [[nodiscard]] virtual Picoseconds get(void* target, int source, std::size_t offset, std::size_t bytes) = 0;
  /// At most one line.
  [[nodiscard]] virtual Picoseconds load(int source, std::size_t offset, void* data, std::size_t bytes) = 0;
  /// Loads from the own buffer, without regard to time.
  virtual void load_cached(int core, std::size_t offset, void* data, std::size_t bytes) = 0;
  /// Waits until one of the conditions holds; false when the run has been stopped first. `since`: of each,
  /// never where it does not hold.
  [[nodiscard]] bool wait(int core, int source, std::span<const PollTarget> looks,
                          std::span<Picoseconds> since);

  // --- registers -------------------------------------------------------------------------------------------
  [[nodiscard]] virtual bool lock_try(int register_of) = 0;
  /// Waits until the register was free and has been taken; false when the run has been stopped first.
  [[nodiscard]] virtual bool lock(int core, int register_of) = 0;
  virtual void unlock(int register_of) = 0;
  /// For whoever has the register.
  [[nodiscard]] virtual RegisterTimes register_times(int register_of) = 0;
  virtual void set_register_times(int register_of, const RegisterTimes& times) = 0;

  // --- counters --------------------------------------------------------------------------------------------
  enum class CounterAccess : std::uint8_t { read, add, exchange };
  struct CounterSeen {
    std::uint32_t word; ///< before
    Picoseconds at;     ///< the later of when the access acts and when the counter has changed last
  };
  /// A change is the last one from `at` on. Throws UserError for a number out of range.
  virtual CounterSeen access_counter(int number, CounterAccess how, std::uint32_t operand,
                                     Picoseconds acts) = 0;
  /// Waits until the counter has the value; false when the run has been stopped first. `changed`: last.
  [[nodiscard]] virtual bool wait_counter(int core, int number, std::uint32_t value,
                                          Picoseconds& changed) = 0;

 private:
  /// Waits until one of the conditions has held; false when the run has been stopped first.
  [[nodiscard]] virtual bool wait_for_any(int core, int source, std::span<const PollTarget> looks) = 0;
  /// never: it does not hold.
  [[nodiscard]] virtual Picoseconds held_since(int source, const PollTarget& look) = 0;
};

} // namespace rcce
