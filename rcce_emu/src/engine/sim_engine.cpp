// SPDX-License-Identifier: Apache-2.0
#include "engine/sim_engine.hpp"

#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "engine/needs.hpp"
#include "engine/process_memory.hpp"
#include "mesh_sim/kernel/kernel.hpp"
#include "mesh_sim/machines/machine.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/observe/intervention.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/parts/own_accesses.hpp"
#include "mesh_sim/parts/topology.hpp"

namespace rcce {

namespace {

std::unique_ptr<mesh::Machine> make_machine(const mesh::MachineDescription& machine,
                                            const EngineOptions& options) {
  check_needs(machine);
  return machine.make(options.stack_bytes, options.shared_memory_bytes);
}

/// Cores that wait for others past the machine.
struct Meeting {
  std::vector<int> waiting;
  std::uint64_t held = 0; ///< meetings that all have come to
};
using Meetings = std::map<std::uint64_t, Meeting>;

class SimCore final : public Core {
 public:
  SimCore(mesh::Machine& machine, mesh::MessageBuffers& buffers, mesh::Registers& registers,
          const mesh::Observers* observers, Meetings& meetings, int id)
      : Core(buffers),
        machine_(machine),
        kernel_(machine.kernel()),
        registers_(registers),
        observers_(observers),
        meetings_(meetings),
        id_(id) {}

  int id() const noexcept override { return id_; }
  Picoseconds now() const noexcept override { return kernel_.clock(id_); }
  Picoseconds recent() const noexcept override { return kernel_.clock(id_); }
  void compute(Cycles cycles) override { machine_.compute(cycles); }
  void sleep_until(Picoseconds instant) override {
    if (instant > kernel_.now()) kernel_.advance(instant - kernel_.now());
  }
  void schedule() override { kernel_.synchronise(); }
  void spin(unsigned rounds) override { machine_.spin(rounds); }
  mesh::PollEnd poll(std::span<const mesh::PolledWord> words, Picoseconds first, Picoseconds round) override {
    return kernel_.poll(words, first, round);
  }

  void load_cached(std::size_t offset, void* data, std::size_t bytes) override {
    std::memcpy(data, buffers().mpb(id_) + offset, bytes);
  }

  bool lock_try(int core) override { return registers_.lock_try(core); }
  void lock_acquire(int core) override { registers_.lock_acquire(core); }
  void lock_release(int core) override { registers_.lock_release(core); }
  std::uint32_t counter_increment(int counter) override {
    return registers_.counter_access(counter, false, 0, true);
  }
  std::uint32_t counter_read(int counter) override {
    return registers_.counter_access(counter, false, 0, false);
  }
  void counter_write(int counter, std::uint32_t value) override {
    registers_.counter_access(counter, true, value, false);
  }

  void counter_wait(int counter, std::uint32_t value, Backoff pauses) override {
    registers_.counter_wait(counter, value, pauses);
  }

  void map_private(const void* base, std::size_t bytes) override { machine_.map_private(id_, base, bytes); }
  void touch(const void* base, std::size_t bytes, bool write) override { machine_.touch(base, bytes, write); }
  Picoseconds access(std::uint64_t rounds, std::span<const mesh::AccessStream> streams,
                     mesh::KnownLines& known) override {
    return machine_.access(rounds, streams, known);
  }

  void spend_on_memory(Picoseconds computing, Picoseconds memory) override {
    machine_.spend_on_memory(computing, memory);
  }

  void meet(std::uint64_t meeting, int members) override {
    kernel_.synchronise();
    Meeting& here = meetings_[meeting];
    if (static_cast<int>(here.waiting.size()) + 1 == members) {
      const std::vector<int> waiting = std::exchange(here.waiting, {});
      ++here.held;
      for (const int core : waiting) kernel_.wake(core, kernel_.now());
      return;
    }
    here.waiting.push_back(id_);
    // An alarm may take it out.
    for (const std::uint64_t held = here.held; here.held == held;) kernel_.block();
  }

  void exit() override {
    ends();
    kernel_.exit();
  }

  void starts() const { tell(&mesh::Observer::core_starts); }
  void ends() const { tell(&mesh::Observer::core_ends); }

 private:
  void tell(void (mesh::Observer::*event)(int, Picoseconds)) const {
    if (observers_ != nullptr) observers_->notify(event, mesh::EventMask::cores, id_, now());
  }

  mesh::Machine& machine_;
  mesh::Kernel& kernel_;
  mesh::Registers& registers_;
  const mesh::Observers* observers_;
  Meetings& meetings_;
  int id_;
};

class SimEngine final : public Engine {
 public:
  SimEngine(const mesh::MachineDescription& machine, const EngineOptions& options,
            mesh::Intervention* intervention, const mesh::Observers* observers)
      : Engine(sim_capabilities),
        owned_(make_machine(machine, options)),
        machine_(*owned_),
        kernel_(machine_.kernel()),
        buffers_(*machine_.message_buffers()),
        power_(machine_.power()),
        fixed_clock_mhz_(machine.core_mhz()),
        memory_(machine_.topology().cores()),
        intervention_(intervention),
        observers_(observers) {
    machine_.set_intervention(intervention_);
    if (!options.moves_payload) buffers_.leave_payload();
    if (options.stores_unseen) kernel_.stores_are_unseen();
    cores_.reserve(static_cast<std::size_t>(cores()));
    for (int id = 0; id < cores(); ++id)
      cores_.emplace_back(machine_, buffers_, *machine_.registers(), observers_, meetings_, id);
  }

  int cores() const noexcept override { return machine_.topology().cores(); }
  Core& core(int id) override { return cores_.at(static_cast<std::size_t>(id)); }
  void start(int core, std::function<void()> body) override {
    memory_.add_ue();
    const SimCore& one = cores_[static_cast<std::size_t>(core)];
    const auto life = [&one, body = std::move(body)] {
      one.starts();
      body();
      one.ends();
    };
    kernel_.start(core, life, intervention_ == nullptr ? 0 : intervention_->start(core));
  }
  mesh::EventMask event_kinds() const noexcept override { return mesh::all_events; }

  Outcome run() override {
    machine_.set_observers(observers_); // who watches is known now
    if (observers_ != nullptr && observers_->want(mesh::EventMask::cores)) watch_switches();
    switch (kernel_.run()) {
    case mesh::Kernel::End::finished:
      return Outcome::finished;
    case mesh::Kernel::End::deadlock:
      return Outcome::deadlock;
    case mesh::Kernel::End::stopped:
      break;
    }
    return Outcome::stopped;
  }
  void stop() override { kernel_.stop(); }

  std::vector<BlockedCore> blocked() const override {
    std::vector<BlockedCore> found;
    for (int core = 0; core < cores(); ++core) {
      if (!kernel_.blocked(core) || kernel_.polls(core)) continue;
      const mesh::Machine::WaitCondition waits_for = machine_.wait_condition(core);
      found.push_back({.core = core,
                       .since = waits_for.since,
                       .waits_on_core = waits_for.target,
                       .offset = waits_for.offset,
                       .on_lock = waits_for.on_lock,
                       .counter = waits_for.counter,
                       .counter_value = waits_for.counter_value,
                       .condition = waits_for.condition});
    }
    return found;
  }
  std::vector<bool> at_rest() override {
    std::vector<bool> resting(static_cast<std::size_t>(cores()));
    for (int core = 0; core < cores(); ++core)
      resting[static_cast<std::size_t>(core)] =
          !kernel_.started(core) || (kernel_.blocked(core) && !kernel_.polls(core)) || kernel_.ended(core);
    return resting;
  }
  void rouse() override { (void)kernel_.rouse(); }
  bool under_way() override { return machine_.under_way(); }
  mesh::Rescues rescues() const noexcept override { return machine_.rescues(); }
  Core* current() noexcept override {
    const int id = kernel_.current();
    return id < 0 ? nullptr : &cores_[static_cast<std::size_t>(id)];
  }
  std::pair<const std::byte*, const std::byte*> stack(int core) const noexcept override {
    if (!kernel_.started(core)) return {nullptr, nullptr};
    const auto stack = kernel_.stack(core);
    return {stack.data(), stack.data() + stack.size()};
  }
  std::size_t guard_bytes() const noexcept override { return kernel_.guard_bytes(); }
  void on_switch(void (*hook)(void*, int, int), void* context) override {
    switch_hook_ = {hook, context};
    if (observers_ == nullptr || !observers_->want(mesh::EventMask::cores)) kernel_.on_switch(hook, context);
  }
  void on_progress(Picoseconds (*hook)(void*, Picoseconds), void* context) override {
    kernel_.on_progress(hook, context);
  }
  void wake_progress_at(Picoseconds at) override { kernel_.wake_progress_at(at); }
  bool interrupt_wait(int core, Picoseconds at) override { return machine_.interrupt(core, at); }
  void on_interrupt(void (*hook)(void*, int), void* context) override { kernel_.on_interrupt(hook, context); }

  std::byte* mpb(int core) noexcept override { return buffers_.mpb(core); }
  std::size_t mpb_bytes() const noexcept override { return buffers_.mpb_bytes(); }
  std::byte* shared_memory() noexcept override { return machine_.shared_memory(); }
  std::size_t shared_memory_bytes() const noexcept override { return machine_.shared_memory_bytes(); }

  const mesh::Topology& topology() const noexcept override { return machine_.topology(); }
  double global_clock_mhz() const noexcept override {
    return power_ == nullptr ? fixed_clock_mhz_ : power_->global_clock_mhz();
  }
  int tile_divider(int tile) const noexcept override {
    return power_ == nullptr ? 1 : power_->tile_divider(tile);
  }
  void set_tile_divider(int tile, int divider) override {
    if (power_ != nullptr) power_->set_tile_divider(tile, divider);
  }
  void set_voltage(int domain, double volt) override {
    if (power_ != nullptr) power_->set_voltage(domain, volt);
  }

  JobMemory& memory() noexcept override { return memory_; }

  std::uint64_t events() const noexcept override { return machine_.accesses(); }
  std::string name_of(mesh::ResourceId resource) const override { return machine_.name_of(resource); }
  void statistics(mesh::Statistics& to) const override { machine_.statistics(to); }
  void energy(mesh::Statistics& to) const override {
    if (power_ != nullptr) power_->energy(to);
  }

 private:
  void watch_switches() {
    kernel_.on_switch(
        [](void* self, int from, int to) {
          const auto* const engine = static_cast<const SimEngine*>(self);
          engine->observers_->notify(&mesh::Observer::switches, mesh::EventMask::cores, from, to);
          const auto [hook, context] = engine->switch_hook_;
          if (hook != nullptr) hook(context, from, to);
        },
        this);
  }

  std::unique_ptr<mesh::Machine> owned_;
  mesh::Machine& machine_;
  mesh::Kernel& kernel_;
  mesh::MessageBuffers& buffers_;
  mesh::Power* power_;     ///< null: its clocks stay
  double fixed_clock_mhz_; ///< clock of its cores if `power_` is null
  ProcessMemory memory_;
  Meetings meetings_;
  std::vector<SimCore> cores_;
  mesh::Intervention* intervention_;
  const mesh::Observers* observers_;
  std::pair<void (*)(void*, int, int), void*> switch_hook_{};
};

} // namespace

std::unique_ptr<Engine> make_sim_engine(const mesh::MachineDescription& machine, const EngineOptions& options,
                                        mesh::Intervention* intervention, const mesh::Observers* observers) {
  return std::make_unique<SimEngine>(machine, options, intervention, observers);
}

} // namespace rcce
