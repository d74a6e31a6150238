// SPDX-License-Identifier: Apache-2.0
// What cores in simulated time share where each has a process, with the times that they leave for one
// another. These lie beside the words, in the memory of the host on which the core of the buffer, the
// register or the counter lives. A writer of another host looks at what is there, sends the stamps of what it
// changes, and then the words, which do not overtake these: as on one host, whoever sees a word finds its
// stamps.
#pragma once

#include <vector>

#include "engine/mpi/fabric.hpp"
#include "engine/mpi/watch.hpp"
#include "engine/stamped_fabric.hpp"
#include "engine/stamps.hpp"

namespace rcce::mpi {

class Timestamps final : public StampedFabric {
 public:
  /// Bytes that it needs of each host's memory.
  [[nodiscard]] static std::size_t bytes(const mesh::SccCosts& costs, std::size_t processes);
  /// `fabric` has so many further bytes; both outlive it.
  Timestamps(Fabric& fabric, Watch& watch, const mesh::SccCosts& costs);

  bool goes_on() override;
  void give_way() override { fabric_.give_way(); }
  void spin() override { fabric_.give_way(); }
  int divider(int tile) const noexcept override;
  /// On all hosts.
  void set_divider(int tile, int divider);

  void put(int target, std::size_t offset, const void* source, std::size_t bytes,
           Picoseconds visible) override;
  void store(int target, std::size_t offset, const void* data, std::size_t bytes,
             Picoseconds visible) override;
  void update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value,
              Picoseconds visible) override;
  Picoseconds get(void* target, int source, std::size_t offset, std::size_t bytes) override;
  Picoseconds load(int source, std::size_t offset, void* data, std::size_t bytes) override;
  void load_cached(int core, std::size_t offset, void* data, std::size_t bytes) override {
    fabric_.load(core, offset, data, bytes);
  }

  bool lock_try(int register_of) override { return fabric_.lock_try(register_of); }
  bool lock(int core, int register_of) override { return watch_.lock(core, register_of); }
  void unlock(int register_of) override { fabric_.unlock(register_of); }
  RegisterTimes register_times(int register_of) override;
  void set_register_times(int register_of, const RegisterTimes& times) override;

  CounterSeen access_counter(int number, CounterAccess how, std::uint32_t operand, Picoseconds acts) override;
  bool wait_counter(int core, int number, std::uint32_t value, Picoseconds& changed) override;

  /// Uses the one voltage regulator. Returns the end of a request made at `now`.
  [[nodiscard]] Picoseconds take_regulator(Picoseconds now, Picoseconds duration);

 private:
  /// Times of a core: first the stamps of its MPB, then those of its register.
  struct PerCore {
    std::size_t stamps, bytes; ///< number of stamps, bytes of both
  };
  /// A time that many change, one at a time.
  struct LockedTime {
    std::uint32_t taken = 0, unused = 0;
    Picoseconds time = 0;
  };
  [[nodiscard]] static PerCore per_core(const mesh::SccCosts& costs);

  bool wait_for_any(int core, int source, std::span<const PollTarget> looks) override {
    return watch_.wait_for_any(core, source, looks) < looks.size();
  }
  Picoseconds held_since(int source, const PollTarget& look) override;

  [[nodiscard]] std::size_t stamps_at(int rank) const noexcept {
    return fabric_.more_at() + static_cast<std::size_t>(rank) * per_core_.bytes;
  }
  [[nodiscard]] std::size_t register_at(int rank) const noexcept {
    return stamps_at(rank) + per_core_.stamps * sizeof(Picoseconds);
  }
  /// The regulator's is behind those of all counters.
  [[nodiscard]] std::size_t locked_at(int number) const noexcept {
    return locked_at_ + static_cast<std::size_t>(number) * sizeof(LockedTime);
  }
  [[nodiscard]] std::size_t divider_at(int tile) const noexcept {
    return locked_at(counters_ + 1) + static_cast<std::size_t>(tile) * sizeof(std::int32_t);
  }
  /// The process whose memory holds that time.
  [[nodiscard]] int home_of(int number) const noexcept { return number % fabric_.processes(); }
  /// act(time) while nobody else acts on that time.
  template <class Act>
  void locked(int number, Act&& act);

  /// Stamps of an MPB of this host.
  [[nodiscard]] Stamps stamps_here(int core, int rank) const noexcept;
  /// Stamps of the copy of an MPB, into which parts of MPBs of other hosts are brought.
  [[nodiscard]] Stamps stamps_of_copy() noexcept { return {mpb_.data(), mpb_.size(), stamps_.data()}; }
  void bring(int rank, Stamps::Range range);
  /// Lets changed(visit) name the stamps of an MPB of another host, and sets them.
  template <class Changed>
  void stamp_there(int rank, Picoseconds visible, Changed&& changed);

  Fabric& fabric_;
  Watch& watch_;
  const PerCore per_core_;
  const int counters_;
  const std::size_t locked_at_;
  std::vector<std::byte> mpb_;      ///< the copy
  std::vector<Picoseconds> stamps_; ///< its stamps
  unsigned calls_ = 0;
};

} // namespace rcce::mpi
