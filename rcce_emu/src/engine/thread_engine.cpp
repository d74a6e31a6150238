// SPDX-License-Identifier: Apache-2.0
#include "engine/thread_engine.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <exception>
#include <mutex>
#include <sys/syscall.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <fmt/format.h>

#include "engine/end_barrier.hpp"
#include "engine/needs.hpp"
#include "engine/thread_core.hpp"
#include "host/clock.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/kernel/fiber.hpp"
#include "mesh_sim/machines/scc/kind.hpp"

namespace rcce {
namespace {

/// The threads of a pool. Throws UserError where the host refuses one.
class Threads {
 public:
  Threads(boost::asio::thread_pool& pool, std::size_t wanted) : pool_(pool) {
    threads_.reserve(wanted);
    try {
      while (threads_.size() < wanted) threads_.emplace_back([&pool] { pool.attach(); });
    } catch (const std::system_error& error) {
      join();
      throw mesh::UserError(
          fmt::format("the host gives {} of the {} threads that --engine threads takes: {}; "
                      "raise the limit of processes (ulimit -u) or of memory, run fewer "
                      "UEs, or use --engine sim",
                      started_, wanted, error.code().message()));
    }
  }
  ~Threads() { join(); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  /// Work that no thread has begun by now is dropped.
  void join() {
    pool_.stop();
    started_ = threads_.size();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  boost::asio::thread_pool& pool_;
  std::vector<std::thread> threads_;
  std::size_t started_ = 0;
};

/// Throws UserError for a machine of another kind: its buffers' places and its costs without an order of
/// events are what threads stand on, and only the SCC's are known.
mesh::MachineConfig scc(const mesh::MachineDescription& machine) {
  check_needs(machine);
  if (const auto config = mesh::scc_config(machine)) return *config;
  throw mesh::UserError(fmt::format(
      "machine '{}' with --engine threads: threads take the costs and buffers of machines of kind "
      "scc, and this one is of kind {}; use --engine sim",
      machine.name(), machine.kind().name));
}

/// Voltages and energy need the one order of events that threads do not have; the dividers count.
class ThreadEngine final : public Engine {
 public:
  ThreadEngine(const mesh::MachineDescription& machine, const EngineOptions& options)
      : Engine(thread_capabilities(options.time)),
        machine_(scc(machine), options.shared_memory_bytes),
        stacks_(static_cast<std::size_t>(cores()), options.stack_bytes),
        lives_(static_cast<std::size_t>(cores())) {
    if (options.time == TimeSource::simulated) {
      timestamps_ = std::make_unique<Timestamps>(machine_);
      memory_ = std::make_unique<EndBarrier>(cores(), machine_.fabric);
    } else {
      memory_ = std::make_unique<ProcessMemory>(cores());
    }
    cores_.reserve(static_cast<std::size_t>(cores()));
    for (int id = 0; id < cores(); ++id) {
      if (timestamps_ != nullptr)
        cores_.push_back(std::make_unique<StampedCore>(machine_, id, *timestamps_));
      else
        cores_.push_back(std::make_unique<WallCore>(machine_, id, origin_));
    }
    waiting().on_deadlock([](void* self) { static_cast<ThreadEngine*>(self)->note_blocked(); }, this);
  }

  int cores() const noexcept override { return machine_.costs.topology().cores(); }
  Core& core(int id) override { return *cores_.at(static_cast<std::size_t>(id)); }
  void start(int core, std::function<void()> body) override {
    lives_[static_cast<std::size_t>(core)].body = std::move(body);
    memory_->add_ue();
  }

  Outcome run() override;
  void stop() override;
  void interrupt(int signal) noexcept override;

  std::vector<BlockedCore> blocked() const override {
    const std::lock_guard guard(blocked_mutex_);
    return blocked_;
  }
  std::vector<bool> at_rest() override {
    std::vector<bool> resting(static_cast<std::size_t>(cores()));
    for (std::size_t core = 0; core < resting.size(); ++core)
      resting[core] = !started(static_cast<int>(core)) || lives_[core].over;
    waiting().for_sleepers([&resting](int core) { resting[static_cast<std::size_t>(core)] = true; });
    return resting;
  }
  bool under_way() override { return waiting().look_everywhere(); }
  Core* current() noexcept override {
    return current_ < 0 ? nullptr : cores_[static_cast<std::size_t>(current_)].get();
  }
  std::pair<const std::byte*, const std::byte*> stack(int core) const noexcept override {
    if (!started(core)) return {nullptr, nullptr};
    const auto stack = stacks_.stack(static_cast<std::size_t>(core));
    return {stack.data(), stack.data() + stack.size()};
  }
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

  std::byte* mpb(int core) noexcept override { return machine_.costs.mpb(core); }
  std::size_t mpb_bytes() const noexcept override { return machine_.costs.mpb_bytes(); }
  std::byte* shared_memory() noexcept override { return machine_.costs.shared_memory(); }
  std::size_t shared_memory_bytes() const noexcept override { return machine_.costs.shared_memory_bytes(); }

  const mesh::Topology& topology() const noexcept override { return machine_.costs.topology(); }
  double global_clock_mhz() const noexcept override { return machine_.costs.config().global_clock_mhz; }
  int tile_divider(int tile) const noexcept override {
    return machine_.dividers[static_cast<std::size_t>(tile)].load(std::memory_order_relaxed);
  }
  void set_tile_divider(int tile, int divider) override {
    machine_.dividers[static_cast<std::size_t>(tile)].store(divider, std::memory_order_relaxed);
  }
  void set_voltage(int, double) override {}

  mesh::EventMask event_kinds() const noexcept override { return mesh::library_events; }
  JobMemory& memory() noexcept override { return *memory_; }

  std::uint64_t events() const noexcept override { return 0; }
  std::string name_of(mesh::ResourceId) const override { return {}; }
  void statistics(mesh::Statistics&) const override {}
  void energy(mesh::Statistics&) const override {}

 private:
  struct alignas(64) Life {
    std::function<void()> body;
    std::atomic<pid_t> thread{0}; ///< while it runs
    std::atomic<bool> over{false};
  };

  [[nodiscard]] bool started(int core) const noexcept {
    return static_cast<bool>(lives_[static_cast<std::size_t>(core)].body);
  }
  [[nodiscard]] Waiting& waiting() noexcept { return machine_.fabric.waiting(); }
  void live(int core);
  [[nodiscard]] Picoseconds earliest() const noexcept;
  void note_blocked();
  void ring() noexcept {
    bell_.fetch_add(1);
    futex_wake(bell_);
  }

  static thread_local int current_;

  ThreadMachine machine_;
  std::unique_ptr<Timestamps> timestamps_; ///< null in the host's time
  std::unique_ptr<ProcessMemory> memory_;
  mesh::StackPool stacks_;
  std::vector<std::unique_ptr<ThreadCore>> cores_;
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

thread_local int ThreadEngine::current_ = -1;

Outcome ThreadEngine::run() {
  origin_ = host::nanoseconds();
  std::vector<int> alive;
  for (int core = 0; core < cores(); ++core)
    if (started(core)) alive.push_back(core);
  running_ = static_cast<int>(alive.size());
  waiting().begin(running_);
  // Its threads are made here: where the host refuses one, the pool itself would wait for the others for
  // ever.
  boost::asio::thread_pool pool(0);
  Threads threads(pool, alive.size());
  for (const int core : alive) boost::asio::post(pool, [this, core] { live(core); });

  // Simulated times order the output: lines become final as the clocks of all cores go on.
  constexpr long look_interval_ns = 10'000'000;
  while (running_ > 0) {
    const std::uint32_t rung = bell_;
    if (running_ > 0) futex_wait(bell_, rung, wall_clock() ? 0 : look_interval_ns);
    if (progress_ != nullptr) progress_(progress_context_, earliest());
  }
  threads.join();
  if (stop_asked_) return Outcome::stopped;
  return waiting().deadlocked() ? Outcome::deadlock : Outcome::finished;
}

void ThreadEngine::live(int core) {
  Life& life = lives_[static_cast<std::size_t>(core)];
  life.thread = static_cast<pid_t>(syscall(SYS_gettid));
  current_ = core;
  if (switch_ != nullptr) switch_(switch_context_, -1, core);
  cores_[static_cast<std::size_t>(core)]->live(stacks_.stack(static_cast<std::size_t>(core)), life.body);
  if (switch_ != nullptr) switch_(switch_context_, core, -1);
  current_ = -1;
  life.thread = 0;
  life.over = true;
  if (running_.fetch_sub(1) == 1) ring();
}

void ThreadEngine::stop() {
  stop_asked_ = true;
  note_blocked();
  waiting().stop();
  if (current_ >= 0) {
    ring();
    cores_[static_cast<std::size_t>(current_)]->exit();
  }
}

void ThreadEngine::interrupt(int signal) noexcept {
  for (const Life& life : lives_)
    if (const pid_t thread = life.thread; thread != 0) syscall(SYS_tgkill, getpid(), thread, signal);
}

Picoseconds ThreadEngine::earliest() const noexcept {
  Picoseconds earliest = INT64_MAX;
  if (wall_clock()) return earliest; // nothing waits for its turn
  for (int core = 0; core < cores(); ++core) {
    const auto index = static_cast<std::size_t>(core);
    if (started(core) && !lives_[index].over) earliest = std::min(earliest, cores_[index]->told_clock());
  }
  return earliest;
}

/// Whoever stops the run first says who was waiting then.
void ThreadEngine::note_blocked() {
  const std::lock_guard guard(blocked_mutex_);
  if (!blocked_.empty() || waiting().stopped()) return;
  waiting().for_sleepers([this](int core) {
    const Fabric::WaitCondition& waits_for = machine_.fabric.wait_condition(core);
    BlockedCore one;
    one.core = core;
    one.since = cores_[static_cast<std::size_t>(core)]->told_clock();
    one.waits_on_core = waits_for.target;
    one.on_lock = waits_for.on_lock;
    one.condition.bytes = 0;
    if (waits_for.counter >= 0) {
      one.counter = waits_for.counter;
      one.counter_value = machine_.fabric.counter(waits_for.counter);
      one.condition.value = waits_for.value;
    } else if (!waits_for.looks.empty()) {
      one.offset = waits_for.looks.front().offset;
      one.condition = waits_for.looks.front().condition;
    }
    blocked_.push_back(one);
  });
  std::ranges::sort(blocked_, {}, &BlockedCore::core);
}

} // namespace

std::unique_ptr<Engine> make_thread_engine(const mesh::MachineDescription& machine,
                                           const EngineOptions& options) {
  return std::make_unique<ThreadEngine>(machine, options);
}

} // namespace rcce
