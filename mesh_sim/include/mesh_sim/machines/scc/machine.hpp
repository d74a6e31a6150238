// SPDX-License-Identifier: Apache-2.0
// The simulated SCC: cores with private caches and memory, message-passing buffers (MPBs), test-and-set
// registers, atomic counters, off-chip shared memory, tile clocks and voltages, on a mesh. Knows when every
// access ends and moves the real bytes; knows nothing of the library that issues the accesses.
//
// What is modelled: per-line costs of copies by the place where the private line is found, round trips and
// one-way traversals over the mesh, contention for links, MPB ports and memory controllers. What is not:
// instruction fetch, the program's own loads and stores, traffic of polling loops (a waiting core sleeps),
// virtual channels and credits.
//
// The machine is composed of parts, each of which knows only those before it:
//   costs       what an access costs its core alone; the memories
//   probes   who stands in between, who hears of it
//   traffic     links, ports and controllers that cores meet at
//   copies      copies under way
//   words       of registers and counters
//   waiters     who sleeps, on what, who wakes them
//   deliveries  stores on their way
//   buffers     the capability: accesses to MPBs
//   registers   the capability: test-and-set registers, atomic counters
//   clocks      the capability: clocks and voltages; paces costs, traffic and copies
#pragma once

#include <string>

#include "mesh_sim/kernel/kernel.hpp"
#include "mesh_sim/machines/machine.hpp"
#include "mesh_sim/machines/scc/buffers.hpp"
#include "mesh_sim/machines/scc/clocks.hpp"
#include "mesh_sim/machines/scc/registers.hpp"

namespace mesh {

class SccMachine final : public Machine {
 public:
  SccMachine(const MachineConfig& config, std::size_t stack_bytes, std::size_t shared_bytes);
  SccMachine(const SccMachine&) = delete;
  SccMachine& operator=(const SccMachine&) = delete;

  [[nodiscard]] scc::Buffers* message_buffers() noexcept override { return &buffers_; }
  [[nodiscard]] scc::RegisterAccesses* registers() noexcept override { return &registers_; }
  [[nodiscard]] scc::Clocks* power() noexcept override { return &clocks_; }

  [[nodiscard]] Kernel& kernel() noexcept override { return kernel_; }
  [[nodiscard]] SccCosts& costs() noexcept { return costs_; }
  [[nodiscard]] const Topology& topology() const noexcept override { return costs_.topology(); }
  [[nodiscard]] std::byte* shared_memory() noexcept override { return costs_.shared_memory(); }
  [[nodiscard]] std::size_t shared_memory_bytes() const noexcept override {
    return costs_.shared_memory_bytes();
  }
  void map_private(int core, const void* base, std::size_t bytes) override {
    costs_.map_private(core, base, bytes);
  }
  void set_intervention(Intervention* intervention) override;
  void set_observers(const Observers* observers) override;
  [[nodiscard]] std::string name_of(ResourceId resource) const override;

  void compute(Cycles cycles) noexcept override { kernel_.advance(cycles * me().cycle); }
  void spin(unsigned rounds) override;
  bool interrupt(int core, Picoseconds at) override { return waiters_.interrupt(core, at); }
  /// True if a store is on its way, or a sleeping core can go on: one whose word a plain store has changed,
  /// or that the intervention holds back. Wakes these.
  [[nodiscard]] bool under_way() override;
  void touch(const void* base, std::size_t bytes, bool write) override;
  Picoseconds access(std::uint64_t rounds, std::span<const AccessStream> streams,
                     KnownLines& known) override {
    return costs_.access(costs_.active(kernel_.current()), rounds, streams, known);
  }
  void spend_on_memory(Picoseconds computing, Picoseconds memory) override {
    SccCosts::CoreState& core = me();
    traffic_.spend_on_memory(core, std::exchange(core.own_lines, 0), std::exchange(core.own_words, 0),
                             computing, memory);
  }
  /// The program is about to make this access to an MPB or to shared memory by itself: returns when it may.
  /// Takes no time. Only with an intervention.
  void plain(Access access);

  [[nodiscard]] WaitCondition wait_condition(int core) const override;
  [[nodiscard]] Rescues rescues() const noexcept override { return waiters_.rescues(); }
  [[nodiscard]] std::uint64_t accesses() const noexcept override { return probes_.accesses(); }
  void statistics(Statistics& to) const override;

 private:
  /// The running core.
  [[nodiscard]] SccCosts::CoreState& me() noexcept { return costs_.core_state(kernel_.current()); }

  SccCosts costs_;
  Kernel kernel_;
  scc::ProbeSet probes_;
  scc::Traffic traffic_;
  scc::Copies copies_;
  scc::RegisterWords words_;
  scc::Waiters waiters_;
  scc::Deliveries deliveries_;
  scc::Buffers buffers_;
  scc::RegisterAccesses registers_;
  scc::Clocks clocks_;
};

} // namespace mesh
