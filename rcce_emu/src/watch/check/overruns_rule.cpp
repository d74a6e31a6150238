// SPDX-License-Identifier: Apache-2.0
// A copy runs over the end of the memory that it begins in, into what belongs to another allocation or to
// none. Examples: overrun, overrun-free and overrun-get of tests/misuse/checked_gory.c.
#include <fmt/format.h>

#include "watch/check/rule.hpp"

namespace rcce::check {
namespace {

class Overruns final : public Rule {
 public:
  using Rule::Rule;

  void used(const Use& use) override {
    const int core = use.ue.core->id();
    if (use.clears || use.range.core == shared_memory || (!use.write && use.by != Use::By::copy)) return;
    if (fits(use, use.range.core) && core != use.range.core) (void)fits(use, core);
  }

 private:
  /// `owner`: whose allocations the bytes are compared with.
  [[nodiscard]] bool fits(const Use& use, int owner) {
    const MpbRange& to = use.range;
    const Blocks& blocks = job_.allocations.of_core(owner);
    const Block* const first = blocks.at(to.offset);
    // Whoever looks at a whole buffer does not begin in an allocation.
    if (!use.write && (first == nullptr || first->kind == Block::Kind::flags)) return true;
    const Block* const other = blocks.other_than(to.offset, to.offset, to.end());
    const bool into_none = other == nullptr && first != nullptr && first->kind == Block::Kind::memory &&
        use.by == Use::By::copy && to.end() > first->end();
    if (other == nullptr && !into_none) return true;
    const Block& named = into_none ? *first : *other;
    Side by = named.by;
    by.words = fmt::format(", which set up {} of the buffer of core {:02d}", name_of(named), owner);
    job_.findings.add(fmt::format("a copy runs over the end of the memory that it begins in, into {}",
                                  into_none ? "bytes that nobody has allocated" : "other memory"),
                      job_.side_at(use.ue, to), by, "");
    return false;
  }
};

} // namespace

constinit const MakeRule overruns_rule = make<Overruns>;

} // namespace rcce::check
