// SPDX-License-Identifier: Apache-2.0
// A simulated machine while it runs: cores with clocks, private memory and shared memory, and the
// capabilities that it offers (capabilities.hpp). Knows nothing of the library that issues the accesses.
// machines.hpp describes machines before they are built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "mesh_sim/machines/capabilities.hpp"
#include "mesh_sim/parts/resource_id.hpp"

namespace mesh {

class Intervention;
class Kernel;
class KnownLines;
class Observers;
class Topology;
struct AccessStream;

class Machine {
 public:
  /// The condition of a blocked core.
  struct WaitCondition {
    Picoseconds since = 0; ///< its clock when it began to wait
    int target = -1;       ///< whose MPB or register it watches
    std::size_t offset = 0;
    bool on_lock = false;
    int counter = -1; ///< that it watches, and what that holds; -1: none
    std::uint32_t counter_value = 0;
    Condition condition; ///< has no bytes if the core waits for no word of an MPB, or for one of several:
    std::span<const PollTarget> looks; ///< these; the core's, as long as it is blocked
  };

  virtual ~Machine() = default;

  [[nodiscard]] virtual Kernel& kernel() noexcept = 0;
  /// The places of the cores; a machine without a mesh is one tile.
  [[nodiscard]] virtual const Topology& topology() const noexcept = 0;
  /// Lets somebody stand between the cores and what they share. Before the run; null: nobody.
  virtual void set_intervention(Intervention* intervention) = 0;
  /// Tells these of what happens. Before the run; null: nobody.
  virtual void set_observers(const Observers* observers) = 0;
  /// The name of a resource that observers hear of: "link (0,0)->east", "mpb(2,1)", "controller 3".
  [[nodiscard]] virtual std::string name_of(ResourceId resource) const = 0;

  /// Spends cycles of the running core's clock. Never switches to another core.
  virtual void compute(Cycles cycles) noexcept = 0;
  /// The running core's own waiting loop has gone round: charges `rounds` reads and looks whether plain
  /// stores have met what sleeping cores wait for.
  virtual void spin(unsigned rounds) = 0;
  /// Has the kernel's interrupt function called at `at` in a core that waits; false where it does not wait,
  /// or the machine cannot.
  virtual bool interrupt(int, Picoseconds) { return false; }
  /// True if something is on its way that may wake a core. Wakes cores whose condition a plain store met.
  [[nodiscard]] virtual bool under_way() = 0;

  /// Declares [base, base + bytes) as private memory of a core. The region outlives the machine's use of it.
  virtual void map_private(int core, const void* base, std::size_t bytes) = 0;
  /// The running core reads or writes private memory by itself: moves the lines through its caches at no
  /// cost.
  virtual void touch(const void* base, std::size_t bytes, bool write) = 0;
  /// The same for accesses of the program's own code, in so many rounds of a loop, or once each where there
  /// are none: says what they take beyond hits in the first-level cache. Keeps what is known up to date.
  /// Machines without private caches let them cost nothing.
  virtual Picoseconds access(std::uint64_t, std::span<const AccessStream>, KnownLines&) { return 0; }
  /// Spends that time on what access() has told since the last call, after `computing` on the cycles between,
  /// and what its lines from memory wait for those of others meanwhile.
  virtual void spend_on_memory(Picoseconds computing, Picoseconds memory);
  [[nodiscard]] virtual std::byte* shared_memory() noexcept = 0; ///< zero at start
  [[nodiscard]] virtual std::size_t shared_memory_bytes() const noexcept = 0;

  /// The condition of a blocked core.
  [[nodiscard]] virtual WaitCondition wait_condition(int core) const = 0;
  /// Cores that were found when nobody could act any more.
  [[nodiscard]] virtual Rescues rescues() const noexcept { return {}; }
  /// Accesses to shared state so far.
  [[nodiscard]] virtual std::uint64_t accesses() const noexcept = 0;
  /// Adds what the run has done to the machine.
  virtual void statistics(Statistics& to) const = 0;

  // Null where the machine has none of it. They live as long as the machine.
  [[nodiscard]] virtual MessageBuffers* message_buffers() noexcept { return nullptr; }
  [[nodiscard]] virtual Registers* registers() noexcept { return nullptr; }
  [[nodiscard]] virtual Power* power() noexcept { return nullptr; }
};

} // namespace mesh
