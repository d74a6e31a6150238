// SPDX-License-Identifier: Apache-2.0
// A core in the host's time: nothing is charged, everything takes what it takes. What a message takes is
// inline, for callers that know the class.
#pragma once

#include <algorithm>
#include <ctime>

#include "engine/host/clock.hpp"
#include "engine/stack_core.hpp"

namespace rcce {

/// `Shared` is what the cores share: the buffers, and who waits for what is in them.
template <class Shared>
class HostTimeCore : public StackCore {
 public:
  Picoseconds now() const noexcept override { return (host::nanoseconds() - origin_) * 1000; }
  Picoseconds recent() const noexcept override { return recent_; }
  Picoseconds told_clock() const noexcept override { return recent_; }
  void compute(Cycles) override {}
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
  void load_cached(std::size_t offset, void* data, std::size_t bytes) override {
    fabric_.load(id_, offset, data, bytes);
  }
  void lock_release(int core) override {
    costs_.check(core, 0, 0);
    fabric_.unlock(core);
  }
  std::uint32_t counter_read(int counter) override { return fabric_.counter(counter); }
  void map_private(const void*, std::size_t) override {}
  void touch(const void*, std::size_t, bool) override {}
  Picoseconds access(std::uint64_t, std::span<const mesh::AccessStream>, mesh::KnownLines&) override {
    return 0;
  }

 protected:
  /// `origin`: host time at the start of the run, in nanoseconds.
  HostTimeCore(Shared& fabric, mesh::SccCosts& costs, int id, const std::int64_t& origin)
      : StackCore(costs, id), fabric_(fabric), origin_(origin) {}

  /// Ahead of a wait. The coarse clock takes a fifth of the time, and is behind by some milliseconds at most.
  void note_time() noexcept {
    calls_ = 0;
    recent_ = std::max(recent_, (host::nanoseconds(CLOCK_MONOTONIC_COARSE) - origin_) * 1000);
  }
  /// Sleeps for what is left until the instant, and no longer than a step; false: nothing is left.
  bool sleep_a_step(Picoseconds until, std::int64_t longest_ns) const noexcept {
    const std::int64_t left = (until - now()) / 1000;
    if (left > 0) host::sleep(std::min(left, longest_ns));
    return left > 0;
  }

  Shared& fabric_;
  unsigned calls_ = 0; ///< since it has waited or given way

 private:
  const std::int64_t& origin_;
  Picoseconds recent_ = 0; ///< clock when it began to wait for the last time
};

} // namespace rcce
