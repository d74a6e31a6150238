// SPDX-License-Identifier: Apache-2.0
// What cores share that are threads of one process, with the times that they leave for one another.
#pragma once

#include <mutex>
#include <vector>

#include "engine/stamped_fabric.hpp"
#include "engine/stamps.hpp"
#include "engine/wall_core.hpp"
#include "mesh_sim/parts/reservation.hpp"

namespace rcce {

class Timestamps final : public StampedFabric {
 public:
  /// `machine` outlives it. Throws std::bad_alloc.
  explicit Timestamps(ThreadMachine& machine);

  bool goes_on() override { return !waiting().stopped(); }
  void give_way() override { waiting().give_way(); }
  void spin() override {
    waiting().look_everywhere();
    waiting().give_way();
  }
  int divider(int tile) const noexcept override {
    return machine_.dividers[static_cast<std::size_t>(tile)].load(std::memory_order_relaxed);
  }

  void put(int target, std::size_t offset, const void* source, std::size_t bytes,
           Picoseconds visible) override;
  void store(int target, std::size_t offset, const void* data, std::size_t bytes,
             Picoseconds visible) override;
  void update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value,
              Picoseconds visible) override;
  Picoseconds get(void* target, int source, std::size_t offset, std::size_t bytes) override;
  Picoseconds load(int source, std::size_t offset, void* data, std::size_t bytes) override;
  void load_cached(int core, std::size_t offset, void* data, std::size_t bytes) override {
    machine_.fabric.load(core, offset, data, bytes);
  }

  bool lock_try(int register_of) override { return machine_.fabric.lock_try(register_of); }
  bool lock(int core, int register_of) override { return machine_.fabric.lock(core, register_of); }
  void unlock(int register_of) override { machine_.fabric.unlock(register_of); }
  RegisterTimes register_times(int register_of) override {
    return registers_[static_cast<std::size_t>(register_of)];
  }
  void set_register_times(int register_of, const RegisterTimes& times) override {
    registers_[static_cast<std::size_t>(register_of)] = times;
  }

  CounterSeen access_counter(int number, CounterAccess how, std::uint32_t operand, Picoseconds acts) override;
  bool wait_counter(int core, int number, std::uint32_t value, Picoseconds& changed) override;

 private:
  struct Counter {
    std::mutex mutex;
    Picoseconds changed = 0; ///< last time
  };

  bool wait_for_any(int core, int source, std::span<const PollTarget> looks) override {
    return machine_.fabric.wait(core, source, looks);
  }
  Picoseconds held_since(int source, const PollTarget& look) override;
  [[nodiscard]] Waiting& waiting() const noexcept { return machine_.fabric.waiting(); }
  [[nodiscard]] Stamps stamps(int core) noexcept;

  ThreadMachine& machine_;
  mesh::Reservation stamps_; ///< stamps of one MPB after the other
  std::vector<RegisterTimes> registers_;
  std::vector<Counter> counters_;
};

} // namespace rcce
