// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/deliveries.hpp"

#include "mesh_sim/parts/host_copy.hpp"

namespace mesh::scc {

void Deliveries::post_bytes(int target, std::size_t offset, const void* data, std::size_t bytes,
                            Picoseconds visible) {
  const std::uint32_t token = slot();
  Pending& pending = pending_[token];
  pending.kind = Pending::Kind::bytes;
  pending.bytes = static_cast<std::uint32_t>(bytes);
  pending.core = kernel_.current();
  pending.target = target;
  pending.offset = offset;
  copy_in_line(pending.data, data, bytes);
  kernel_.post(visible, token);
}

void Deliveries::post_bits(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value,
                           Picoseconds visible) {
  const std::uint32_t token = slot();
  pending_[token] = {
      Pending::Kind::bits, mask, 1, kernel_.current(), target, offset, {static_cast<std::byte>(value)}};
  kernel_.post(visible, token);
}

void Deliveries::post_release(int core_of_lock, Picoseconds visible) {
  const std::uint32_t token = slot();
  pending_[token] = {Pending::Kind::lock, 0, 0, kernel_.current(), core_of_lock, 0, {}};
  kernel_.post(visible, token);
}

std::uint32_t Deliveries::slot() {
  if (free_.empty()) {
    pending_.emplace_back();
    return static_cast<std::uint32_t>(pending_.size() - 1);
  }
  const std::uint32_t token = free_.back();
  free_.pop_back();
  return token;
}

void Deliveries::deliver(Picoseconds at, std::uint32_t token) {
  const Pending& pending = pending_[token];
  const Cause cause{Cause::Kind::store, pending.core, at};
  std::byte* const place = costs_.mpb(pending.target) + pending.offset;
  switch (pending.kind) {
  case Pending::Kind::bytes:
    copies_.commit(pending.target, pending.offset, pending.bytes, true);
    copy_in_line(place, pending.data, pending.bytes);
    waiters_.written(pending.target, pending.offset, pending.bytes, cause);
    break;
  case Pending::Kind::bits: {
    const auto mask = static_cast<std::byte>(pending.mask);
    copies_.commit(pending.target, pending.offset, 1, true);
    *place = (*place & ~mask) | (pending.data[0] & mask);
    waiters_.written(pending.target, pending.offset, 1, cause);
    break;
  }
  case Pending::Kind::lock:
    words_.taken[static_cast<std::size_t>(pending.target)] = 0;
    waiters_.released(pending.target, {Cause::Kind::lock_release, pending.core, at});
    break;
  }
  free_.push_back(token);
}

} // namespace mesh::scc
