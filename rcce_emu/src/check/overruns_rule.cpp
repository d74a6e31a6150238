// SPDX-License-Identifier: Apache-2.0
// A copy runs over the end of the memory that it begins in, into what belongs to another allocation.
// Example: overrun of tests/misuse/checked_gory.c.
#include <fmt/format.h>

#include "check/rule.hpp"

namespace rcce::check {
namespace {

class Overruns final : public Rule {
 public:
  using Rule::Rule;

  void used(const Use& use) override {
    const int core = use.ue.core->id();
    if (!use.write || use.clears || use.range.core == shared_memory) return;
    if (fits(use, use.range.core) && core != use.range.core) (void)fits(use, core);
  }

 private:
  /// `owner`: whose allocations the bytes are compared with.
  [[nodiscard]] bool fits(const Use& use, int owner) {
    const MpbRange& to = use.range;
    const Block* const other = job_.allocations.of_core(owner).other_than(to.offset, to.offset, to.end());
    if (other == nullptr) return true;
    Side by = other->by;
    by.words = fmt::format(", which set up {} of the buffer of core {:02d}", name_of(*other), owner);
    job_.findings.add("a copy runs over the end of the memory that it begins in, into other memory",
                      job_.side_at(use.ue, to), by, "");
    return false;
  }
};

} // namespace

constinit const MakeRule overruns_rule = make<Overruns>;

} // namespace rcce::check
