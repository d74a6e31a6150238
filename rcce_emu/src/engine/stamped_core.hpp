// SPDX-License-Identifier: Apache-2.0
// A core in simulated time: each access costs what the machine says it costs while nobody is in the way, and
// whoever sees what another core has written goes on no earlier than that could have been seen.
#pragma once

#include <algorithm>
#include <atomic>

#include "engine/stack_core.hpp"
#include "engine/stamped_fabric.hpp"

namespace rcce {

class StampedCore final : public StackCore {
 public:
  /// Both outlive the core.
  StampedCore(StampedFabric& fabric, mesh::SccCosts& costs, int id);

  Picoseconds now() const noexcept override { return clock_; }
  void sleep_until(Picoseconds time) override { advance_to(std::max(clock_, time)); }
  Picoseconds told_clock() const noexcept override { return told_.load(std::memory_order_relaxed); }
  void compute(Cycles cycles) override;
  void schedule() override { stop_point(); }
  void spin(unsigned rounds) override;
  void put(int target, std::size_t offset, const void* source, std::size_t bytes, Copy how) override;
  void get(void* target, int source, std::size_t offset, std::size_t bytes, Copy how) override;
  void store(int target, std::size_t offset, const void* data, std::size_t bytes) override;
  void update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) override;
  void load(int source, std::size_t offset, void* data, std::size_t bytes) override;
  void wait(int source, std::size_t offset, Condition condition, Cycles overhead) override;
  std::size_t wait_any(int source, std::span<const PollTarget> looks, Cycles overhead) override;
  void own_load(int source, std::size_t offset) override;
  void own_store(int target, std::size_t offset, bool last) override;
  void own_side(const void* address, std::size_t bytes, bool write) override;
  void load_cached(std::size_t offset, void* data, std::size_t bytes) override {
    fabric_.load_cached(id_, offset, data, bytes);
  }
  bool lock_try(int core) override;
  void lock_acquire(int core) override;
  void lock_release(int core) override;
  std::uint32_t counter_increment(int counter) override {
    return access_counter(counter, StampedFabric::CounterAccess::add, 1);
  }
  std::uint32_t counter_read(int counter) override {
    return access_counter(counter, StampedFabric::CounterAccess::read, 0);
  }
  void counter_write(int counter, std::uint32_t value) override {
    access_counter(counter, StampedFabric::CounterAccess::exchange, value);
  }
  void counter_wait(int counter, std::uint32_t value, Backoff pauses) override;
  void map_private(const void* base, std::size_t bytes) override;
  void touch(const void* base, std::size_t bytes, bool write) override;
  Picoseconds access(std::uint64_t rounds, std::span<const mesh::AccessStream> streams,
                     mesh::KnownLines& known) override;

 private:
  /// Ends this core's life where the run has been stopped.
  void stop_point() {
    if (!fabric_.goes_on()) exit();
  }
  /// The core's state for costs, at its tile's present clock.
  [[nodiscard]] mesh::SccCosts::CoreState& state();
  [[nodiscard]] mesh::SccCosts::CoreState& active();
  void advance_to(Picoseconds time) noexcept {
    clock_ = time;
    told_.store(time, std::memory_order_relaxed);
  }
  void advance(Picoseconds time) noexcept { advance_to(clock_ + time); }
  /// The register, since then.
  void took(int core_of_lock, RegisterTimes& times, Picoseconds from);
  std::uint32_t access_counter(int number, StampedFabric::CounterAccess how, std::uint32_t operand);

  StampedFabric& fabric_;
  Picoseconds clock_ = 0;
  std::atomic<Picoseconds> told_{0};
  int divider_;
  int locks_held_ = 0;
};

} // namespace rcce
