// SPDX-License-Identifier: Apache-2.0
// A core of the MPI engine, in the host's time: nothing is charged, everything takes what it takes. Of the
// cores of a job one lives in each process; the others' objects are names for them.
#pragma once

#include <cstdint>
#include <span>

#include "engine/mpi/watch.hpp"
#include "engine/stack_core.hpp"

namespace rcce::mpi {

class MpiCore final : public StackCore {
 public:
  /// `origin`: host time at the start of the run, in nanoseconds.
  MpiCore(Fabric& fabric, Watch& watch, mesh::SccCosts& costs, int id, const std::int64_t& origin)
      : StackCore(costs, id), fabric_(fabric), watch_(watch), origin_(origin) {}

  Picoseconds now() const noexcept override;
  Picoseconds recent() const noexcept override { return recent_; }
  Picoseconds told_clock() const noexcept override { return recent_; }
  void compute(Cycles) override {}
  void sleep_until(Picoseconds time) override;
  void schedule() override;
  void spin(unsigned rounds) override;

  void put(int target, std::size_t offset, const void* source, std::size_t bytes, Copy) override {
    costs_.check(target, offset, bytes);
    if (bytes > 0) fabric_.put(target, offset, source, bytes);
  }
  void get(void* target, int source, std::size_t offset, std::size_t bytes, Copy) override {
    costs_.check(source, offset, bytes);
    if (bytes > 0) fabric_.get(target, source, offset, bytes);
  }
  void store(int target, std::size_t offset, const void* data, std::size_t bytes) override {
    costs_.check(target, offset, bytes);
    fabric_.store(target, offset, data, bytes);
  }
  void update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) override {
    costs_.check(target, offset, 1);
    fabric_.update(target, offset, mask, value);
  }
  void load(int source, std::size_t offset, void* data, std::size_t bytes) override {
    costs_.check(source, offset, bytes);
    fabric_.load(source, offset, data, bytes);
  }
  void wait(int source, std::size_t offset, Condition condition, Cycles overhead) override {
    const PollTarget look{offset, condition, 0};
    (void)MpiCore::wait_any(source, {&look, 1}, overhead);
  }
  std::size_t wait_any(int source, std::span<const PollTarget> looks, Cycles) override;
  void load_cached(std::size_t offset, void* data, std::size_t bytes) override {
    fabric_.load(id_, offset, data, bytes);
  }
  bool lock_try(int core) override;
  void lock_acquire(int core) override;
  void lock_release(int core) override;
  std::uint32_t counter_increment(int counter) override { return fabric_.counter_add(counter, 1); }
  std::uint32_t counter_read(int counter) override { return fabric_.counter(counter); }
  void counter_write(int counter, std::uint32_t value) override { fabric_.counter_exchange(counter, value); }
  void counter_wait(int counter, std::uint32_t value, Backoff pauses) override;
  void map_private(const void*, std::size_t) override {}
  void touch(const void*, std::size_t, bool) override {}
  Picoseconds access(std::uint64_t, std::span<const mesh::AccessStream>, mesh::KnownLines&) override {
    return 0;
  }

 private:
  /// Ahead of a wait.
  void note_time() noexcept;

  Fabric& fabric_;
  Watch& watch_;
  const std::int64_t& origin_;
  Picoseconds recent_ = 0; ///< clock when it began to wait for the last time
  unsigned calls_ = 0;     ///< since it has waited or given way
};

} // namespace rcce::mpi
