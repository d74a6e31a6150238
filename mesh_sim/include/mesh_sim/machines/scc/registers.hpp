// SPDX-License-Identifier: Apache-2.0
// The simulated SCC's test-and-set registers and atomic counters.
//
// Invariant: a register is taken by the read that finds it free, in simulated order. It stands above the
// words, the deliveries (by which a register is freed) and the waiters, and keeps nothing itself.
#pragma once

#include "mesh_sim/machines/capabilities.hpp"
#include "mesh_sim/machines/scc/deliveries.hpp"

namespace mesh::scc {

class RegisterAccesses final : public Registers {
 public:
  RegisterAccesses(Kernel& kernel, SccCosts& costs, ProbeSet& probes, Traffic& traffic, RegisterWords& words,
                   Waiters& waiters, Deliveries& deliveries)
      : kernel_(kernel),
        costs_(costs),
        probes_(probes),
        traffic_(traffic),
        words_(words),
        waiters_(waiters),
        deliveries_(deliveries) {}

  bool lock_try(int core) override;
  void lock_acquire(int core) override;
  void lock_release(int core) override;
  std::uint32_t counter_access(int counter, bool write, std::uint32_t value, bool increment) override;
  void counter_wait(int counter, std::uint32_t value, Backoff pauses) override;

 private:
  [[nodiscard]] const SccCosts::CoreState& me() const noexcept {
    return costs_.core_state(kernel_.current());
  }
  /// The running core's request for a counter is there: waits until it is its turn. Returns how long.
  Picoseconds await_turn();
  bool try_lock(int core, bool until_won);
  std::uint32_t access_counter(int counter, bool write, std::uint32_t value, bool increment,
                               const std::uint32_t* wanted);

  Kernel& kernel_;
  SccCosts& costs_;
  ProbeSet& probes_;
  Traffic& traffic_;
  RegisterWords& words_;
  Waiters& waiters_;
  Deliveries& deliveries_;
};

} // namespace mesh::scc
