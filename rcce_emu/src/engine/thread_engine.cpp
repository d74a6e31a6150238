// SPDX-License-Identifier: Apache-2.0
#include "engine/thread_engine.hpp"

#include <algorithm>
#include <vector>

#include "engine/end_barrier.hpp"
#include "engine/stamped_core.hpp"
#include "engine/threaded_engine.hpp"
#include "engine/timestamps.hpp"
#include "engine/wall_core.hpp"
#include "mesh_sim/machines/machines.hpp"

namespace rcce {
namespace {

/// The member that the base class refers to, and which therefore is made before it.
struct OwnsThreadMachine {
  ThreadMachine machine_;
};

class ThreadEngine final : OwnsThreadMachine, public ThreadedEngine {
 public:
  ThreadEngine(const mesh::MachineDescription& machine, const EngineOptions& options)
      : OwnsThreadMachine{{scc_machine(machine, "threads"), options.shared_memory_bytes}},
        ThreadedEngine(thread_capabilities(options.time), machine_.costs, machine_.dividers,
                       options.stack_bytes) {
    if (options.time == TimeSource::simulated) {
      timestamps_ = std::make_unique<Timestamps>(machine_);
      memory_ = std::make_unique<EndBarrier>(cores(), machine_.fabric);
    } else {
      memory_ = std::make_unique<ProcessMemory>(cores());
    }
    cores_.reserve(static_cast<std::size_t>(cores()));
    for (int id = 0; id < cores(); ++id) {
      if (timestamps_ != nullptr)
        cores_.push_back(std::make_unique<StampedCore>(*timestamps_, machine_.costs, id));
      else
        cores_.push_back(std::make_unique<WallCore>(machine_, id, origin()));
    }
    waiting().on_deadlock([](void* self) { static_cast<ThreadEngine*>(self)->note_blocked(); }, this);
    waiting().on_standstill(
        [](void* self) {
          const auto& own = *static_cast<ThreadEngine*>(self);
          return own.standstill_ != nullptr && own.standstill_(own.standstill_context_);
        },
        this);
    interrupted_at_.resize(static_cast<std::size_t>(cores()));
    machine_.fabric.on_interrupt(
        [](void* self, int core) { static_cast<ThreadEngine*>(self)->call_interrupt(core); }, this);
  }

  Core& core(int id) override { return *cores_.at(static_cast<std::size_t>(id)); }
  void start(int core, std::function<void()> body) override {
    ThreadedEngine::start(core, std::move(body));
    memory_->add_ue();
  }
  bool under_way() override { return waiting().look_everywhere(); }
  mesh::Rescues rescues() const noexcept override {
    return {.count = machine_.fabric.waiting().rescues().at_rest};
  }
  JobMemory& memory() noexcept override { return *memory_; }
  bool interrupt_wait(int core, Picoseconds at) override {
    interrupted_at_[static_cast<std::size_t>(core)] = at;
    return waiting().interrupt(core);
  }
  void on_interrupt(void (*hook)(void*, int), void* context) override {
    interrupt_ = hook;
    interrupt_context_ = context;
  }
  void on_standstill(bool (*hook)(void*), void* context) override {
    standstill_ = hook;
    standstill_context_ = context;
  }

 private:
  [[nodiscard]] Waiting& waiting() noexcept { return machine_.fabric.waiting(); }
  void begin(int threads) override { waiting().begin(threads); }
  void live(int core, std::span<std::byte> stack, std::function<void()> body) override {
    cores_[static_cast<std::size_t>(core)]->live(stack, std::move(body));
    waiting().end();
  }
  [[noreturn]] void leave(int core) override {
    cores_[static_cast<std::size_t>(core)]->exit();
    __builtin_unreachable();
  }
  void stop_waiting() override { waiting().stop(); }
  [[nodiscard]] bool stopped() const noexcept override { return machine_.fabric.waiting().stopped(); }
  [[nodiscard]] bool deadlocked() const noexcept override { return machine_.fabric.waiting().deadlocked(); }
  [[nodiscard]] std::vector<BlockedCore> waiting_cores() override;
  [[nodiscard]] Picoseconds earliest() const noexcept override;
  void call_interrupt(int core) {
    if (!wall_clock()) this->core(core).sleep_until(interrupted_at_[static_cast<std::size_t>(core)]);
    if (interrupt_ != nullptr) interrupt_(interrupt_context_, core);
  }

  std::unique_ptr<Timestamps> timestamps_; ///< null in the host's time
  std::unique_ptr<ProcessMemory> memory_;
  std::vector<std::unique_ptr<StackCore>> cores_;
  std::vector<Picoseconds> interrupted_at_; ///< by core
  void (*interrupt_)(void*, int) = nullptr;
  void* interrupt_context_ = nullptr;
  bool (*standstill_)(void*) = nullptr;
  void* standstill_context_ = nullptr;
};

Picoseconds ThreadEngine::earliest() const noexcept {
  Picoseconds earliest = INT64_MAX;
  if (wall_clock()) return earliest; // nothing waits for its turn
  for (int core = 0; core < cores(); ++core)
    if (started(core) && !over(core))
      earliest = std::min(earliest, cores_[static_cast<std::size_t>(core)]->told_clock());
  return earliest;
}

std::vector<BlockedCore> ThreadEngine::waiting_cores() {
  std::vector<BlockedCore> blocked;
  waiting().for_sleepers([&](int core) {
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
    blocked.push_back(one);
  });
  return blocked;
}

} // namespace

std::unique_ptr<Engine> make_thread_engine(const mesh::MachineDescription& machine,
                                           const EngineOptions& options) {
  return std::make_unique<ThreadEngine>(machine, options);
}

} // namespace rcce
