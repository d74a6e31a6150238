// SPDX-License-Identifier: Apache-2.0
// What the UEs of a job share where all cores live in this process.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "rcce_emu/job_memory.hpp"

namespace rcce {

/// For cores that act in turn, or in the host's time: the last caller is the last to come.
class ProcessMemory : public JobMemory {
 public:
  explicit ProcessMemory(int cores) : by_core_(static_cast<std::size_t>(cores)) {}

  /// One UE more takes part. Before the run.
  void add_ue() noexcept { ++ues_; }

  void set_outgoing(int core, const Outgoing& message) override { of(core).outgoing = message; }
  const Outgoing& outgoing(int core) const override { return of(core).outgoing; }
  void set_lock_holder(int core, int rank) override {
    of(core).lock_holder.store(rank, std::memory_order_relaxed);
  }
  int lock_holder(int core) const override { return of(core).lock_holder.load(std::memory_order_relaxed); }
  mesh::Picoseconds take_regulator(mesh::Picoseconds now, mesh::Picoseconds duration) override;
  bool depart(const Departure& own, Release release) override;

 protected:
  std::mutex mutex_; ///< for all that follows
  int ues_ = 0;
  int departed_ = 0;
  std::vector<Departure> waiting_;

 private:
  struct alignas(64) OfCore { // in host lines of its own: a sender writes it for others to look at
    Outgoing outgoing;
    std::atomic<int> lock_holder{-1};
  };
  [[nodiscard]] OfCore& of(int core) noexcept { return by_core_[static_cast<std::size_t>(core)]; }
  [[nodiscard]] const OfCore& of(int core) const noexcept { return by_core_[static_cast<std::size_t>(core)]; }

  std::vector<OfCore> by_core_;
  mesh::Picoseconds regulator_free_ = 0;
};

} // namespace rcce
