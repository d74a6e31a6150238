// SPDX-License-Identifier: Apache-2.0
#include "engine/mpi/memory.hpp"

#include <algorithm>
#include <atomic>

namespace rcce::mpi {

void MpiMemory::set_outgoing(int, const Outgoing& message) {
  Sent& sent = fabric_.own().sent;
  sent.peer = message.peer;
  sent.bytes = message.bytes;
  if (!sent.call.is(message.call)) sent.call = Text(message.call);
  std::atomic_thread_fence(std::memory_order_release);
  fabric_.tell_sent(message.peer);
}

const Outgoing& MpiMemory::outgoing(int core) const {
  const Sent& sent = fabric_.sent_by(fabric_.rank_of(core));
  read_.peer = sent.peer;
  read_.bytes = static_cast<std::size_t>(sent.bytes);
  if (!sent.call.is(read_.call)) read_.call = sent.call.here();
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
