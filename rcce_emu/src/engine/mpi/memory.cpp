// SPDX-License-Identifier: Apache-2.0
#include "engine/mpi/memory.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace rcce::mpi {
namespace {

std::vector<Departure> waiting_of(std::vector<Departure> all) {
  std::erase_if(all, [](const Departure& one) { return !one.waits; });
  return all;
}

} // namespace

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

int MpiMemory::tell_departure(const Departure& own) {
  fabric_.own().departure = own;
  std::atomic_thread_fence(std::memory_order_release);
  return static_cast<int>(fabric_.count_departure());
}

std::vector<Departure> MpiMemory::departures() {
  std::vector<Departure> all;
  for (int rank = 0; rank < fabric_.processes(); ++rank) all.push_back(fabric_.slot(rank).departure);
  return all;
}

bool MpiMemory::depart(const Departure& own, Release release) {
  if (tell_departure(own) + 1 < fabric_.processes()) return false;
  release(waiting_of(departures()));
  return true;
}

bool StampedMemory::depart(const Departure& own, Release release) {
  release_ = std::move(release);
  tell_departure(own);
  // One that does not wait owes it.
  return own.waits && watch_.wait_for_departures(own.core) && release_if_last();
}

bool StampedMemory::release_if_last() {
  const Release release = std::exchange(release_, {});
  const std::vector<Departure> all = departures();
  const Departure& last =
      *std::ranges::max_element(all, {}, [](const Departure& one) { return std::pair(one.at, one.core); });
  if (last.core != fabric_.core_of(fabric_.rank())) return false;
  release(waiting_of(all));
  return true;
}

} // namespace rcce::mpi
