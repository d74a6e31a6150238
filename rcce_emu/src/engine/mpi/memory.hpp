// SPDX-License-Identifier: Apache-2.0
// What the UEs of a job tell one another where each has a process.
#pragma once

#include "engine/mpi/fabric.hpp"
#include "rcce_emu/job_memory.hpp"

namespace rcce::mpi {

class MpiMemory final : public JobMemory {
 public:
  explicit MpiMemory(Fabric& fabric) noexcept : fabric_(fabric) {}

  void set_outgoing(int core, const Outgoing& message) override;
  const Outgoing& outgoing(int core) const override;
  void set_lock_holder(int core, int rank) override;
  int lock_holder(int core) const override;
  /// Of this process' own requests: their clocks have nothing to do with the others'.
  mesh::Picoseconds take_regulator(mesh::Picoseconds now, mesh::Picoseconds duration) override;
  /// Whoever calls last has come last.
  bool depart(const Departure& own, Release release) override;

 private:
  Fabric& fabric_;
  mutable Outgoing read_; ///< what outgoing() has found
  mesh::Picoseconds regulator_free_ = 0;
};

} // namespace rcce::mpi
