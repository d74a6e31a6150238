// SPDX-License-Identifier: Apache-2.0
#include "engine/mpi/memory.hpp"

#include <algorithm>
#include <atomic>

namespace rcce::mpi {

void MpiMemory::set_outgoing(int, const Outgoing& message) {
  Slot& own = fabric_.own();
  own.peer = message.peer;
  own.bytes = message.bytes;
  if (!own.sender.is(message.call)) own.sender = Text(message.call);
  std::atomic_thread_fence(std::memory_order_release);
}

const Outgoing& MpiMemory::outgoing(int core) const {
  const Slot slot = fabric_.slot(fabric_.rank_of(core));
  read_.peer = slot.peer;
  read_.bytes = static_cast<std::size_t>(slot.bytes);
  if (!slot.sender.is(read_.call)) read_.call = slot.sender.here();
  return read_;
}

void MpiMemory::set_lock_holder(int core, int rank) {
  fabric_.set_lock_holder(fabric_.rank_of(core), rank);
}

int MpiMemory::lock_holder(int core) const {
  return fabric_.slot(fabric_.rank_of(core)).lock_holder;
}

mesh::Picoseconds MpiMemory::take_regulator(mesh::Picoseconds now, mesh::Picoseconds duration) {
  regulator_free_ = std::max(regulator_free_, now) + duration;
  return regulator_free_;
}

bool MpiMemory::depart(const Departure& own, Release release) {
  fabric_.own().departure = own;
  std::atomic_thread_fence(std::memory_order_release);
  if (static_cast<int>(fabric_.count_departure()) + 1 < fabric_.processes()) return false;
  std::vector<Departure> waiting;
  for (int rank = 0; rank < fabric_.processes(); ++rank)
    if (const Departure one = fabric_.slot(rank).departure; one.waits) waiting.push_back(one);
  release(waiting);
  return true;
}

} // namespace rcce::mpi
