// SPDX-License-Identifier: Apache-2.0
#include "engine/process_memory.hpp"

#include <algorithm>

namespace rcce {

mesh::Picoseconds ProcessMemory::take_regulator(mesh::Picoseconds now, mesh::Picoseconds duration) {
  const std::lock_guard guard(mutex_);
  regulator_free_ = std::max(regulator_free_, now) + duration;
  return regulator_free_;
}

bool ProcessMemory::depart(const Departure& own, Release release) {
  bool complete = false;
  {
    const std::lock_guard guard(mutex_);
    complete = ++departed_ == ues_;
    if (own.waits) waiting_.push_back(own);
  }
  if (complete) release(waiting_);
  return complete;
}

} // namespace rcce
