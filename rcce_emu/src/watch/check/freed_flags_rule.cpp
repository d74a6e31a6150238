// SPDX-License-Identifier: Apache-2.0
// A flag is used, or waited for, that its owner has freed or frees at the same time. A flag is a place in one
// UE's message-passing buffer; each UE frees its own. Examples: freed-in-use and freed-before-write of
// tests/misuse/checked_gory.c.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/ue/job_state.hpp"
#include "watch/check/rule.hpp"

namespace rcce::check {
namespace {

class FreedFlags final : public Rule {
 public:
  using Rule::Rule;

  void flag(const Ue& ue, const mesh::FlagFact& flag) override {
    using Kind = mesh::FlagFact::Kind;
    const int own = ue.core->id();
    switch (flag.kind) {
    case Kind::allocated:
      freed_objects_.erase({ue.rank, flag.object});
      flags_.erase({own, flag.offset, flag.mask});
      return;
    case Kind::freed:
      return freed(ue, flag.object, {own, flag.offset, flag.mask});
    case Kind::refused:
      if (const auto before = freed_objects_.find({ue.rank, flag.object}); before != freed_objects_.end())
        add("a flag is used that has been freed", before->second, side_of(ue));
      return;
    case Kind::written:
    case Kind::read:
    case Kind::awaited:
      return used(ue, {flag.target, flag.offset, flag.mask}, flag.kind == Kind::awaited);
    case Kind::seen:
      for (FlagUse& use : flags_[{flag.target, flag.offset, flag.mask}].uses)
        if (use.ue == ue.rank) use = {use.ue, job_.order.clocks.now(ue.rank), use.side, false};
      return;
    default:
      return;
    }
  }

  void ends(std::span<const BlockedCore> blocked) override {
    for (const BlockedCore& one : blocked) {
      const Ue* ue = job_.job.ue_on(one.core);
      if (ue == nullptr || one.on_lock || one.condition.bytes == 0) continue;
      // A flag is the same place in every buffer, and whoever has freed it writes nobody's any more.
      Side side = job_.side_at(*ue, {one.waits_on_core, one.offset, one.condition.bytes});
      side.at = one.since;
      for (const auto& [place, life] : flags_)
        if (place.core != one.core && place.offset == one.offset && place.mask == one.condition.mask &&
            life.freed)
          add("a flag is freed that another waits for", side, *life.freed);
    }
  }

 private:
  /// A flag in the MPB of a core.
  struct FlagBits {
    int core;
    std::size_t offset;
    std::uint32_t mask;
    friend auto operator<=>(const FlagBits&, const FlagBits&) = default;
  };
  struct FlagUse {
    int ue;
    Epoch epoch;
    Side side;
    bool waits; ///< is asleep on it at this moment
  };
  struct Life {
    std::optional<Side> freed;
    std::vector<FlagUse> uses; ///< the last one of each UE
  };

  void freed(const Ue& ue, const void* object, const FlagBits& place) {
    const Side side = job_.side_at(ue, {place.core, place.offset, 1});
    freed_objects_[{ue.rank, object}] = side;
    Life& life = flags_[place];
    for (const FlagUse& use : life.uses) {
      if (use.ue == ue.rank) continue;
      if (use.waits)
        add("a flag is freed that another waits for", use.side, side);
      else if (!job_.order.clocks.ordered(use.ue, use.epoch, ue.rank))
        add("a flag is freed that another may still be using", use.side, side);
    }
    life = {side, {}};
  }

  void used(const Ue& ue, const FlagBits& place, bool waits) {
    const Side side = job_.side_at(ue, {place.core, place.offset, 1});
    Life& life = flags_[place];
    if (life.freed) {
      add(waits ? "a flag is waited for that has been freed" : "a flag is used that has been freed",
          *life.freed, side);
      return;
    }
    const FlagUse use{ue.rank, job_.order.clocks.now(ue.rank), side, waits};
    const auto same = std::ranges::find(life.uses, ue.rank, &FlagUse::ue);
    if (same == life.uses.end())
      life.uses.push_back(use);
    else
      *same = use;
  }

  void add(const char* headline, const Side& first, const Side& second) {
    job_.findings.add(headline, first, second,
                      "free a flag only when all UEs are done with it, for example after a barrier");
  }

  std::map<FlagBits, Life> flags_;
  std::map<std::pair<int, const void*>, Side> freed_objects_; ///< by rank and flag object; never walked
};

} // namespace

constinit const MakeRule freed_flags_rule = make<FreedFlags>;

} // namespace rcce::check
