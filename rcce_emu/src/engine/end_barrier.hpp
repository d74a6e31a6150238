// SPDX-License-Identifier: Apache-2.0
// What the UEs of a job share where each has a thread and a simulated clock.
#pragma once

#include <atomic>

#include "engine/process_memory.hpp"
#include "engine/wall_core.hpp"

namespace rcce {

/// Threads come in any order: the last one is the one that comes last in simulated time, which is known once
/// all are here.
class EndBarrier final : public ProcessMemory {
 public:
  EndBarrier(int cores, Fabric& fabric) : ProcessMemory(cores), fabric_(fabric) {}
  bool depart(const Departure& own, Release release) override;

 private:
  Fabric& fabric_;
  Departure last_;
  Release release_; ///< that of the last one
  std::atomic<bool> all_here_{false};
};

} // namespace rcce
