// SPDX-License-Identifier: Apache-2.0
// A core of the threads engine in the host's time, and what all cores of that engine share.
#pragma once

#include <atomic>
#include <utility>
#include <vector>

#include "engine/fabric.hpp"
#include "engine/host_time_core.hpp"

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

/// Each in host lines of its own: it counts its calls.
class alignas(64) WallCore final : public HostTimeCore<Fabric> {
 public:
  WallCore(ThreadMachine& machine, int id, const std::int64_t& origin)
      : HostTimeCore(machine.fabric, machine.costs, id, origin) {}

  void accept(CoreVisitor& visitor) override { visitor.visit(*this); }
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
  bool lock_try(int core) override;
  void lock_acquire(int core) override;
  std::uint32_t counter_increment(int counter) override;
  void counter_write(int counter, std::uint32_t value) override;
  void counter_wait(int counter, std::uint32_t value, Backoff pauses) override;

 private:
  /// Ends this core's life where the run has been stopped.
  void stop_point() {
    if (fabric_.waiting().stopped()) exit();
  }

  const std::byte* expected_ = nullptr;
};

} // namespace rcce
