// SPDX-License-Identifier: Apache-2.0
// An engine whose cores run on operating-system threads of this process: their start, life and end. What they
// share and how they wait, the engines that derive from it decide.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include <sys/types.h>

#include "engine/futex.hpp"
#include "mesh_sim/kernel/fiber.hpp"
#include "mesh_sim/machines/scc/costs.hpp"
#include "rcce_emu/engine.hpp"

namespace mesh {
class MachineDescription;
}

namespace rcce {

/// Throws UserError for a machine of another kind: its buffers' places and its costs without an order of
/// events are what threads stand on, and only the SCC's are known.
[[nodiscard]] mesh::MachineConfig scc_machine(const mesh::MachineDescription& machine,
                                              std::string_view engine);

/// Voltages and energy need the one order of events that threads do not have; the dividers count.
class ThreadedEngine : public Engine {
 public:
  /// `costs` belongs to the engine that derives from this, and outlives it.
  ThreadedEngine(const Capabilities& can, mesh::SccCosts& costs, std::vector<std::atomic<int>>& dividers,
                 std::size_t stack_bytes);

  int cores() const noexcept override { return costs_.topology().cores(); }
  void start(int core, std::function<void()> body) override {
    lives_[static_cast<std::size_t>(core)].body = std::move(body);
  }
  Outcome run() override;
  void stop() override;
  void interrupt(int signal) noexcept override;

  std::vector<BlockedCore> blocked() const override {
    const std::lock_guard guard(blocked_mutex_);
    return blocked_;
  }
  std::vector<bool> at_rest() override;
  Core* current() noexcept override { return current_ < 0 ? nullptr : &core(current_); }
  std::pair<const std::byte*, const std::byte*> stack(int core) const noexcept override;
  std::size_t guard_bytes() const noexcept override { return stacks_.guard_bytes(); }
  void on_switch(void (*hook)(void*, int, int), void* context) override {
    switch_ = hook;
    switch_context_ = context;
  }
  void on_progress(Picoseconds (*hook)(void*, Picoseconds), void* context) override {
    progress_ = hook;
    progress_context_ = context;
  }
  void wake_progress_at(Picoseconds at) override {
    if (at <= 0) ring();
  }

  std::byte* mpb(int core) noexcept override { return costs_.mpb(core); }
  std::size_t mpb_bytes() const noexcept override { return costs_.mpb_bytes(); }
  std::byte* shared_memory() noexcept override { return costs_.shared_memory(); }
  std::size_t shared_memory_bytes() const noexcept override { return costs_.shared_memory_bytes(); }

  const mesh::Topology& topology() const noexcept override { return costs_.topology(); }
  double global_clock_mhz() const noexcept override { return costs_.config().global_clock_mhz; }
  int tile_divider(int tile) const noexcept override {
    return dividers_[static_cast<std::size_t>(tile)].load(std::memory_order_relaxed);
  }
  void set_tile_divider(int tile, int divider) override {
    dividers_[static_cast<std::size_t>(tile)].store(divider, std::memory_order_relaxed);
  }
  void set_voltage(int, double) override {}

  mesh::EventMask event_kinds() const noexcept override;
  std::uint64_t events() const noexcept override { return 0; }
  std::string name_of(mesh::ResourceId) const override;
  void statistics(mesh::Statistics&) const override {}
  void energy(mesh::Statistics&) const override {}

 protected:
  [[nodiscard]] bool started(int core) const noexcept {
    return static_cast<bool>(lives_[static_cast<std::size_t>(core)].body);
  }
  [[nodiscard]] bool over(int core) const noexcept { return lives_[static_cast<std::size_t>(core)].over; }
  /// Host time at the start of the run, in nanoseconds.
  [[nodiscard]] const std::int64_t& origin() const noexcept { return origin_; }
  void set_origin(std::int64_t nanoseconds) noexcept { origin_ = nanoseconds; }
  /// Whoever stops the run first says who was waiting then.
  void note_blocked();

 private:
  struct alignas(64) Life {
    std::function<void()> body;
    std::atomic<pid_t> thread{0}; ///< while it runs
    std::atomic<bool> over{false};
  };

  /// So many threads are about to run.
  virtual void begin(int threads) = 0;
  /// The core's life in the calling thread.
  virtual void live(int core, std::span<std::byte> stack, std::function<void()> body) = 0;
  /// Ends the calling thread's core.
  [[noreturn]] virtual void leave(int core) = 0;
  /// Nobody waits any more.
  virtual void stop_waiting() = 0;
  [[nodiscard]] virtual bool stopped() const noexcept = 0;
  [[nodiscard]] virtual bool deadlocked() const noexcept = 0;
  /// Those that wait at present, in any order; cores that sleep.
  [[nodiscard]] virtual std::vector<BlockedCore> waiting_cores() = 0;
  /// The earliest clock of any core that lives; INT64_MAX in the host's time, where nothing waits for its
  /// turn.
  [[nodiscard]] virtual Picoseconds earliest() const noexcept { return INT64_MAX; }

  void live(int core);
  void ring() noexcept {
    bell_.fetch_add(1);
    futex_wake(bell_);
  }

  static thread_local int current_;

  mesh::SccCosts& costs_;
  std::vector<std::atomic<int>>& dividers_; ///< clock dividers of the tiles
  mesh::StackPool stacks_;
  std::vector<Life> lives_;
  std::int64_t origin_ = 0;
  std::atomic<int> running_{0};
  FutexWord bell_{0}; ///< rung when there is something to do for the thread that called run()
  std::atomic<bool> stop_asked_{false};
  mutable std::mutex blocked_mutex_;
  std::vector<BlockedCore> blocked_; ///< at the end of the run
  void (*switch_)(void*, int, int) = nullptr;
  void* switch_context_ = nullptr;
  Picoseconds (*progress_)(void*, Picoseconds) = nullptr;
  void* progress_context_ = nullptr;
};

} // namespace rcce
