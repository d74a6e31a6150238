// SPDX-License-Identifier: Apache-2.0
// A core of the MPI engine, in the host's time. Of the cores of a job one lives in each process; the others'
// objects are names for them.
#pragma once

#include "engine/host_time_core.hpp"
#include "engine/mpi/watch.hpp"

namespace rcce::mpi {

class MpiCore final : public HostTimeCore<Fabric> {
 public:
  MpiCore(Fabric& fabric, Watch& watch, mesh::SccCosts& costs, int id, const std::int64_t& origin)
      : HostTimeCore(fabric, costs, id, origin), watch_(watch) {}

  void sleep_until(Picoseconds time) override;
  void schedule() override;
  void spin(unsigned rounds) override;
  void wait(int source, std::size_t offset, Condition condition, Cycles overhead) override {
    const PollTarget look{offset, condition, 0};
    (void)MpiCore::wait_any(source, {&look, 1}, overhead);
  }
  std::size_t wait_any(int source, std::span<const PollTarget> looks, Cycles) override;
  bool lock_try(int core) override;
  void lock_acquire(int core) override;
  std::uint32_t counter_increment(int counter) override { return fabric_.counter_add(counter, 1); }
  void counter_write(int counter, std::uint32_t value) override { fabric_.counter_exchange(counter, value); }
  void counter_wait(int counter, std::uint32_t value, Backoff pauses) override;

 private:
  Watch& watch_;
};

} // namespace rcce::mpi
