// SPDX-License-Identifier: Apache-2.0
#include "check/collective_order.hpp"

#include <fmt/format.h>

namespace rcce::check {

void CollectiveOrder::enter(const std::string& communicator, std::size_t members, const Collective& call,
                            const Side& side, Findings& findings) {
  History& history = histories_[communicator];
  if (history.broken) return;
  const std::size_t round = history.next[side.rank]++;
  if (round - history.done == history.open.size()) history.open.push_back({call, side});
  Round& one = history.open[round - history.done];
  if (one.call != call) {
    history.broken = true;
    const auto named = [](Side of, const Collective& as) {
      of.words = as.parameters;
      of.peer = -1;
      of.bytes = 0;
      return of;
    };
    findings.add(
        one.call.kind != call.kind
            ? fmt::format("mismatched collectives: call {} of {} members", round + 1, members)
            : fmt::format("mismatched arguments of a collective: call {} of {} members", round + 1, members),
        named(one.first, one.call), named(side, call),
        "all members of a communicator call its collectives in the same order, with the same root "
        "and size");
    return;
  }
  if (++one.entered < members) return;
  // Everybody has reached this round, so everybody has passed those before it.
  history.done += 1;
  history.open.pop_front();
}

} // namespace rcce::check
