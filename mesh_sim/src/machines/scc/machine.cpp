// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/machine.hpp"

namespace mesh {

SccMachine::SccMachine(const MachineConfig& config, std::size_t stack_bytes, std::size_t shared_bytes)
    : costs_(config, shared_bytes),
      kernel_(costs_.topology().cores(), stack_bytes),
      probes_(kernel_),
      traffic_(kernel_, costs_, probes_),
      copies_(kernel_, costs_, probes_, traffic_),
      words_(costs_),
      waiters_(kernel_, costs_, probes_, copies_, words_),
      deliveries_(kernel_, costs_, copies_, words_, waiters_),
      buffers_(kernel_, costs_, probes_, traffic_, copies_, waiters_, deliveries_),
      registers_(kernel_, costs_, probes_, traffic_, words_, waiters_, deliveries_),
      clocks_(kernel_, costs_, traffic_, copies_) {
  kernel_.on_deliver(
      [](void* self, Picoseconds at, std::uint32_t token) {
        auto* machine = static_cast<SccMachine*>(self);
        if (token < scc::Traffic::own_code_ends_of) [[likely]]
          return machine->deliveries_.deliver(at, token);
        const auto core = static_cast<int>(token - scc::Traffic::own_code_ends_of);
        machine->traffic_.own_code_ends(machine->costs_.core_state(core), at);
      },
      this);
  kernel_.on_step([](void* copies, int core) { return static_cast<scc::Copies*>(copies)->step(core); },
                  &copies_);
  // A loop of the program's own looks at memory without asking.
  kernel_.on_settle([](void* copies, Picoseconds) { static_cast<scc::Copies*>(copies)->settle(); }, &copies_);
  kernel_.on_last_call(
      [](void* self) {
        auto* machine = static_cast<SccMachine*>(self);
        if (machine->waiters_.recheck(machine->clocks_.latest(), true)) return true;
        Intervention* const intervention = machine->probes_.intervention();
        return intervention != nullptr && intervention->last_call(machine->kernel_);
      },
      this);
}

void SccMachine::set_intervention(Intervention* intervention) {
  probes_.set_intervention(intervention);
  if (intervention != nullptr) intervention->attached(*this);
}

void SccMachine::set_observers(const Observers* observers) {
  probes_.set_observers(observers);
  traffic_.set_observers(observers);
}

void SccMachine::spin(unsigned rounds) {
  if (probes_.intervention() != nullptr) probes_.intervention()->spins(kernel_);
  kernel_.advance(me().dram_line * rounds);
  kernel_.synchronise();
  copies_.commit_all();
  waiters_.recheck(kernel_.now());
  if (probes_.want(EventMask::own)) [[unlikely]]
    probes_.notify(&Observer::looped, EventMask::own, kernel_.current(), kernel_.now());
}

bool SccMachine::under_way() {
  copies_.commit_all();
  return kernel_.delivers() || waiters_.recheck(kernel_.now()) ||
      (probes_.intervention() != nullptr && probes_.intervention()->last_call(kernel_));
}

void SccMachine::touch(const void* base, std::size_t bytes, bool write) {
  if (probes_.want(EventMask::own)) [[unlikely]]
    probes_.notify(&Observer::touched, EventMask::own,
                   Touch{kernel_.current(), base, bytes, write, kernel_.now()});
  SccCosts::CoreState& core = costs_.active(kernel_.current());
  if (write)
    costs_.write_private(core, base, bytes, Copy::plain);
  else
    costs_.read_private(core, base, bytes);
}

void SccMachine::plain(Access access) {
  probes_.before();
  kernel_.synchronise();
  if (access.target != mesh::shared_memory)
    copies_.commit(access.target, access.offset, access.bytes, access.write);
  probes_.acts([&] { return access; }, kernel_.now());
}

Machine::WaitCondition SccMachine::wait_condition(int core) const {
  const scc::Watch& on = waiters_.watch(core);
  return {.since = on.start,
          .target = on.target,
          .offset = on.offset,
          .on_lock = on.on_lock,
          .counter = on.counter,
          .counter_value = on.counter < 0 ? 0 : words_.counters.at(static_cast<std::size_t>(on.counter)),
          .condition = on.condition,
          .looks = on.looks};
}

} // namespace mesh
