// SPDX-License-Identifier: Apache-2.0
// Who stands between the cores and the shared state of a simulated machine and changes the run: sees each
// access twice, before its core sets out for it and when it acts, and may hold the core back. Nobody does in
// an ordinary run. Who only watches is an observer (observer.hpp).
//
// Whatever is done here, the run stays one that the machine could have made: a core is only ever later than
// it would have been, as if it had computed for longer, and what is under way already is left alone. So the
// stores of one core stay in order, and nothing acts before its cause.
#pragma once

#include "mesh_sim/observe/events.hpp"

namespace mesh {

class Kernel;
class SccMachine;

class Intervention {
 public:
  virtual ~Intervention() = default;
  /// It stands in front of this machine from now on.
  virtual void attached(SccMachine& machine) = 0;
  /// When a core starts.
  [[nodiscard]] virtual Picoseconds start(int core) = 0;
  /// The running core is about to make its next access: may advance its clock or block it.
  virtual void before(Kernel& kernel) = 0;
  /// The access acts, or one segment of it does, now or at `access.at`: may wake cores that it has blocked. A
  /// wait acts when it ends; an attempt to lock each time that it is made. Observers hear of it afterwards.
  virtual void acts(Kernel& kernel, const Access& access) = 0;
  /// The running core waits for plain memory and is about to look again.
  virtual void spins(Kernel& kernel) = 0;
  /// Nobody can run: may wake cores that it has blocked. Returns whether it has woken any.
  virtual bool last_call(Kernel& kernel) = 0;
};

} // namespace mesh
