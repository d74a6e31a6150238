// SPDX-License-Identifier: Apache-2.0
// A core of the threads engine: moves bytes and waits through the fabric. What time is, the two kinds below
// it decide: that of the host, or a simulated one.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/fabric.hpp"
#include "engine/stamps.hpp"
#include "mesh_sim/kernel/own_stack.hpp"
#include "mesh_sim/machines/scc/costs.hpp"

namespace rcce {

/// What all cores of an engine refer to.
struct ThreadMachine {
  ThreadMachine(const mesh::MachineConfig& config, std::size_t shared_bytes)
      : costs(config, shared_bytes),
        fabric(costs.topology().cores(), costs.mpb(0), costs.mpb_bytes()),
        dividers(static_cast<std::size_t>(costs.topology().tiles())) {
    for (auto& divider : dividers) divider = static_cast<int>(config.tile_divider);
  }

  mesh::SccCosts costs;
  Fabric fabric;
  std::vector<std::atomic<int>> dividers; ///< of tile clocks
};

class ThreadCore : public Core, public mesh::MessageBuffers {
 public:
  ThreadCore(ThreadMachine& machine, int id)
      : Core(static_cast<mesh::MessageBuffers&>(*this)),
        machine_(machine),
        fabric_(machine.fabric),
        id_(id) {}

  int id() const noexcept override { return id_; }
  std::byte* mpb(int core) noexcept override { return fabric_.mpb(core); }
  std::size_t mpb_bytes() const noexcept override { return machine_.costs.mpb_bytes(); }
  void load_cached(std::size_t offset, void* data, std::size_t bytes) override {
    fabric_.load(id_, offset, data, bytes);
  }
  [[noreturn]] void exit() override;

  /// Runs the core's body in the calling thread, on the stack; the end of the core's life.
  void live(std::span<std::byte> stack, std::function<void()> body);

  /// Where the core stands, for other threads: never later than now().
  [[nodiscard]] virtual Picoseconds told_clock() const noexcept = 0;

 protected:
  /// Ends this core's life where the run has been stopped.
  void stop_point() {
    if (fabric_.waiting().stopped()) exit();
  }

  ThreadMachine& machine_;
  Fabric& fabric_;
  const int id_;

 private:
  std::unique_ptr<mesh::OwnStack> stack_;
};

/// In the host's time: nothing is charged, everything takes what it takes. What a message takes is inline,
/// for callers that know the class. Each in host lines of its own: it counts its calls.
class alignas(64) WallCore final : public ThreadCore {
 public:
  /// `origin`: host time at the start of the run, in nanoseconds.
  WallCore(ThreadMachine& machine, int id, const std::int64_t& origin)
      : ThreadCore(machine, id), origin_(origin) {}

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
    machine_.costs.check(target, offset, bytes);
    if (bytes > 0) fabric_.put(target, offset, source, bytes);
  }
  void get(void* target, int source, std::size_t offset, std::size_t bytes, Copy) override {
    machine_.costs.check(source, offset, bytes);
    if (bytes > 0) fabric_.get(target, source, offset, bytes);
  }
  void store(int target, std::size_t offset, const void* data, std::size_t bytes) override {
    machine_.costs.check(target, offset, bytes);
    fabric_.store(target, offset, data, bytes);
  }
  void update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) override;
  void load(int source, std::size_t offset, void* data, std::size_t bytes) override {
    machine_.costs.check(source, offset, bytes);
    fabric_.load(source, offset, data, bytes);
  }
  void wait(int source, std::size_t offset, Condition condition, Cycles overhead) override {
    const PollTarget look{offset, condition, 0};
    (void)WallCore::wait_any(source, {&look, 1}, overhead);
  }
  std::size_t wait_any(int source, std::span<const PollTarget> looks, Cycles) override {
    for (const PollTarget& look : looks) machine_.costs.check(source, look.offset, look.condition.bytes);
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
  void lock_release(int core) override;
  std::uint32_t counter_increment(int counter) override;
  std::uint32_t counter_read(int counter) override { return fabric_.counter(counter); }
  void counter_write(int counter, std::uint32_t value) override;
  void counter_wait(int counter, std::uint32_t value, Backoff pauses) override;
  void map_private(const void*, std::size_t) override {}
  void touch(const void*, std::size_t, bool) override {}

 private:
  void note_time() noexcept;

  const std::int64_t& origin_;
  Picoseconds recent_ = 0; ///< clock when it began to wait for the last time
  unsigned calls_ = 0;     ///< since it has waited or given way
  const std::byte* expected_ = nullptr;
};

/// Times that the cores of one run leave for one another.
class Timestamps {
 public:
  Timestamps(ThreadMachine& machine)
      : stamps(machine.costs.mpb(0), machine.costs.topology().cores(), machine.costs.mpb_bytes()),
        registers(static_cast<std::size_t>(machine.costs.topology().cores())),
        counters(static_cast<std::size_t>(machine.costs.counters())) {}

  /// When a test-and-set register was taken, for the last few times. The threads take it in the host's order;
  /// on the chip those come first whose time is earlier, and they found it free where nobody had it then.
  /// Used by whoever has the register.
  class Register {
   public:
    /// Whether somebody had it at `time`; `free` is then when it was free again.
    [[nodiscard]] bool taken_at(Picoseconds time, Picoseconds& free) const noexcept;
    void took(Picoseconds from) noexcept { from_ = from; }
    void gives_back(Picoseconds until) noexcept;

   private:
    struct Interval {
      Picoseconds from = 0, until = 0;
    };
    static constexpr std::size_t remembered = 64;
    std::array<Interval, remembered> past_;
    std::size_t next_ = 0;
    Picoseconds from_ = 0;
  };

  struct Counter {
    std::mutex mutex;
    Picoseconds changed = 0; ///< last time
  };

  Stamps stamps;
  std::vector<Register> registers;
  std::vector<Counter> counters;
};

/// In a simulated time of its own: costs without contention, and the times that others have left.
class StampedCore final : public ThreadCore {
 public:
  StampedCore(ThreadMachine& machine, int id, Timestamps& timestamps);

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
  bool lock_try(int core) override;
  void lock_acquire(int core) override;
  void lock_release(int core) override;
  std::uint32_t counter_increment(int counter) override;
  std::uint32_t counter_read(int counter) override;
  void counter_write(int counter, std::uint32_t value) override;
  void counter_wait(int counter, std::uint32_t value, Backoff pauses) override;
  void map_private(const void* base, std::size_t bytes) override;
  void touch(const void* base, std::size_t bytes, bool write) override;

 private:
  /// The core's state for costs, at its tile's present clock.
  [[nodiscard]] mesh::SccCosts::CoreState& state();
  [[nodiscard]] mesh::SccCosts::CoreState& active();
  void advance_to(Picoseconds time) noexcept {
    clock_ = time;
    told_.store(time, std::memory_order_relaxed);
  }
  void advance(Picoseconds time) noexcept { advance_to(clock_ + time); }
  template <class Act>
  std::uint32_t change_counter(int counter, Act&& act);

  Timestamps& timestamps_;
  mesh::SccCosts& costs_;
  Picoseconds clock_ = 0;
  std::atomic<Picoseconds> told_{0};
  int divider_;
  int locks_held_ = 0;
};

} // namespace rcce
