// SPDX-License-Identifier: Apache-2.0
#include "check/flag_lives.hpp"

#include <algorithm>

namespace rcce::check {

std::vector<FlagLives::Use> FlagLives::freed(const FlagPlace& flag, int owner, const Side& side,
                                             const Clocks& clocks) {
  Life& life = flags_[flag];
  std::vector<Use> open;
  for (const Use& use : life.uses)
    if (use.ue != owner && (use.waits || !clocks.ordered(use.ue, use.epoch, owner))) open.push_back(use);
  life.freed = side;
  life.uses.clear();
  return open;
}

std::optional<Side> FlagLives::used(const FlagPlace& flag, const Use& use) {
  Life& life = flags_[flag];
  if (life.freed) return life.freed;
  const auto same = std::ranges::find(life.uses, use.ue, &Use::ue);
  if (same == life.uses.end())
    life.uses.push_back(use);
  else
    *same = use;
  return std::nullopt;
}

void FlagLives::woken(const FlagPlace& flag, int ue, Epoch epoch) {
  for (Use& use : flags_[flag].uses) {
    if (use.ue != ue) continue;
    use.waits = false;
    use.epoch = epoch;
  }
}

std::vector<Side> FlagLives::freed_by_others(int core, std::size_t offset, std::uint32_t mask) const {
  std::vector<Side> found;
  for (const auto& [place, life] : flags_)
    if (place.core != core && place.offset == offset && place.mask == mask && life.freed)
      found.push_back(*life.freed);
  return found;
}

} // namespace rcce::check
