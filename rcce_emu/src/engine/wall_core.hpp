// SPDX-License-Identifier: Apache-2.0
// A core of the threads engine in the host's time, and what all cores of that engine share.
#pragma once

#include <atomic>
#include <utility>
#include <vector>

#include "engine/fabric.hpp"
#include "engine/stack_core.hpp"

namespace rcce {

/// The state that all cores of an engine share.
struct ThreadMachine {
  ThreadMachine(const mesh::MachineConfig& config, std::size_t shared_bytes)
      : costs(config, shared_bytes),
        fabric(costs.topology().cores(), costs.mpb(0), costs.mpb_bytes()),
        dividers(static_cast<std::size_t>(costs.topology().tiles())) {
    for (auto& divider : dividers) divider = static_cast<int>(config.tile_divider);
  }

  mesh::SccCosts costs;
  Fabric fabric;
  std::vector<std::atomic<int>> dividers; ///< clock dividers of the tiles
};

/// Nothing is charged, everything takes what it takes. What a message takes is inline, for callers that know
/// the class. Each in host lines of its own: it counts its calls.
class alignas(64) WallCore final : public StackCore {
 public:
  /// `origin`: host time at the start of the run, in nanoseconds.
  WallCore(ThreadMachine& machine, int id, const std::int64_t& origin)
      : StackCore(machine.costs, id), fabric_(machine.fabric), origin_(origin) {}

  void accept(CoreVisitor& visitor) override { visitor.visit(*this); }
  Picoseconds now() const noexcept override;
  Picoseconds recent() const noexcept override { return recent_; }
  Picoseconds told_clock() const noexcept override { return recent_; }
  void compute(Cycles) override {}
  void sleep_until(Picoseconds time) override;
  /// A program that calls again and again without ever waiting looks for something that others have to do.
  void schedule() override {
    constexpr unsigned patience = 64;
    stop_point();
    if (++calls_ < patience) return;
    calls_ = 0;
    fabric_.waiting().give_way();
  }
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
  void update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) override;
  void load(int source, std::size_t offset, void* data, std::size_t bytes) override {
    costs_.check(source, offset, bytes);
    fabric_.load(source, offset, data, bytes);
  }
  void wait(int source, std::size_t offset, Condition condition, Cycles overhead) override {
    const PollTarget look{offset, condition, 0};
    (void)WallCore::wait_any(source, {&look, 1}, overhead);
  }
  std::size_t wait_any(int source, std::span<const PollTarget> looks, Cycles) override {
    for (const PollTarget& look : looks) costs_.check(source, look.offset, look.condition.bytes);
    calls_ = 0;
    const std::byte* const expected = std::exchange(expected_, nullptr);
    for (;;) {
      if (const std::size_t found = fabric_.first_met(source, looks); found < looks.size()) return found;
      note_time();
      if (!fabric_.wait(id_, source, looks, expected)) exit();
    }
  }
  /// The core is to read from there after its next wait: the line of the host comes while it waits, beside
  /// that of the flag and not after it.
  void expect(int source, std::size_t offset) noexcept { expected_ = fabric_.mpb(source) + offset; }
  /// Others have read these bytes of the own MPB, which the core is to write next: their line of the host
  /// comes back while the core waits, and not only when it writes. They keep their contents.
  void regain(std::size_t offset, std::size_t bytes) noexcept {
    if (!fabric_.waiting().crowded()) fabric_.regain(id_, offset, bytes);
  }
  void load_cached(std::size_t offset, void* data, std::size_t bytes) override {
    fabric_.load(id_, offset, data, bytes);
  }
  bool lock_try(int core) override;
  void lock_acquire(int core) override;
  void lock_release(int core) override;
  std::uint32_t counter_increment(int counter) override;
  std::uint32_t counter_read(int counter) override { return fabric_.counter(counter); }
  void counter_write(int counter, std::uint32_t value) override;
  void counter_wait(int counter, std::uint32_t value, Backoff pauses) override;
  void map_private(const void*, std::size_t) override {}
  void touch(const void*, std::size_t, bool) override {}
  Picoseconds access(std::uint64_t, std::span<const mesh::AccessStream>, mesh::KnownLines&) override {
    return 0;
  }

 private:
  /// Ends this core's life where the run has been stopped.
  void stop_point() {
    if (fabric_.waiting().stopped()) exit();
  }
  void note_time() noexcept;

  Fabric& fabric_;
  const std::int64_t& origin_;
  Picoseconds recent_ = 0; ///< clock when it began to wait for the last time
  unsigned calls_ = 0;     ///< since it has waited or given way
  const std::byte* expected_ = nullptr;
};

} // namespace rcce
