// SPDX-License-Identifier: Apache-2.0
#include "engine/end_barrier.hpp"

#include <utility>

namespace rcce {

bool EndBarrier::depart(const Departure& own, Release release) {
  bool complete = false;
  {
    const std::lock_guard guard(mutex_);
    complete = ++departed_ == ues_;
    if (last_.core < 0 || std::pair(own.at, own.core) > std::pair(last_.at, last_.core)) {
      last_ = own;
      release_ = std::move(release);
    }
    if (own.waits) waiting_.push_back(own);
  }
  if (complete) {
    all_here_ = true;
    for (const Departure& other : waiting_) fabric_.waiting().written(other.core);
    // One that has ended without waiting leaves this to whoever is there.
    if (!last_.waits) release_(waiting_);
  }
  if (!own.waits || !fabric_.wait(own.core, all_here_)) return last_.core == own.core;
  if (last_.core != own.core) return false;
  release_(waiting_);
  return true;
}

} // namespace rcce
