// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/lock_usage.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace mesh {

void LockUsage::issued(const Access& access) {
  if (access.kind != Access::Kind::lock_release) return;
  State& one = lock(access.target);
  if (one.since < 0) return; // taken before the part that is watched
  one.sums.held += access.at - one.since;
  one.since = -1;
}

void LockUsage::ended(const Access& access, Picoseconds) {
  if (access.kind != Access::Kind::lock_try || !access.done) return;
  State& one = lock(access.target);
  ++one.sums.taken;
  one.since = access.at;
}

void LockUsage::wait_begins(const Wait& wait) {
  if (wait.on != Wait::Target::lock) return;
  State& one = lock(wait.target);
  one.sums.waiting = std::max(one.sums.waiting, ++one.waiting);
}

void LockUsage::wait_ends(const Wait& wait) {
  if (wait.on != Wait::Target::lock) return;
  State& one = lock(wait.target);
  one.waiting = std::max(one.waiting - 1, 0); // it may have begun before the part that is watched
  one.sums.waited += wait.end - wait.begin;
}

std::vector<LockUsage::Lock> LockUsage::locks(Picoseconds end) const {
  std::vector<Lock> all;
  for (std::size_t core = 0; core < locks_.size(); ++core) {
    const State& one = locks_[core];
    if (one.sums.taken == 0) continue;
    all.push_back(one.sums);
    all.back().core = static_cast<int>(core);
    if (one.since >= 0) all.back().held += std::max<Picoseconds>(end - one.since, 0);
  }
  std::ranges::stable_sort(all, std::greater<>{}, &Lock::held);
  return all;
}

void LockUsage::report(Statistics& to, Picoseconds end) const {
  for (const Lock& one : locks(end)) {
    const Labels labels{{"core", fmt::format("{}", one.core)}};
    add(to, lock_taken, labels, static_cast<double>(one.taken));
    add(to, lock_held, labels, microseconds(one.held));
    add(to, lock_waiting, labels, microseconds(one.waited));
    add(to, lock_most_waiting, labels, static_cast<double>(one.waiting));
  }
}

} // namespace mesh
