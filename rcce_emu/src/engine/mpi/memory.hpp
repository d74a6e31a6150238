// SPDX-License-Identifier: Apache-2.0
// What the UEs of a job tell one another where each has a process.
#pragma once

#include "engine/mpi/fabric.hpp"
#include "engine/mpi/timestamps.hpp"
#include "engine/mpi/watch.hpp"
#include "rcce_emu/job_memory.hpp"

namespace rcce::mpi {

class MpiMemory : public JobMemory {
 public:
  explicit MpiMemory(Fabric& fabric) noexcept : fabric_(fabric) {}

  void set_outgoing(int core, const Outgoing& message) override;
  const Outgoing& outgoing(int core) const override;
  void set_lock_holder(int core, int rank) override;
  int lock_holder(int core) const override;
  /// Serves this process' own requests only: their clocks have nothing to do with the others'.
  mesh::Picoseconds take_regulator(mesh::Picoseconds now, mesh::Picoseconds duration) override;
  /// Whoever calls last has come last.
  bool depart(const Departure& own, Release release) override;
  /// True if the own UE has ended and it is still open who lets the waiting UEs go on.
  [[nodiscard]] virtual bool owes_release() const noexcept { return false; }
  /// Then, once all have departed: lets them go on where that falls to the own UE. On its core's stack.
  virtual void all_departed() {}

 protected:
  /// Returns how many had departed before.
  int tell_departure(const Departure& own);
  /// The departures of all UEs, by rank.
  [[nodiscard]] std::vector<Departure> departures();

  Fabric& fabric_;

 private:
  mutable Outgoing read_; ///< result of outgoing()
  mesh::Picoseconds regulator_free_ = 0;
};

/// Processes come in any order: the last one is the one that comes last in simulated time, which is known
/// once all are here.
class StampedMemory final : public MpiMemory {
 public:
  StampedMemory(Fabric& fabric, Watch& watch, Timestamps& timestamps) noexcept
      : MpiMemory(fabric), watch_(watch), timestamps_(timestamps) {}

  mesh::Picoseconds take_regulator(mesh::Picoseconds now, mesh::Picoseconds duration) override {
    return timestamps_.take_regulator(now, duration);
  }
  bool depart(const Departure& own, Release release) override;
  bool owes_release() const noexcept override { return release_ != nullptr; }
  void all_departed() override { (void)release_if_last(); }

 private:
  /// Lets the others go on where the own UE is the last one.
  bool release_if_last();

  Watch& watch_;
  Timestamps& timestamps_;
  Release release_; ///< until it has been called, or is another's to call
};

} // namespace rcce::mpi
