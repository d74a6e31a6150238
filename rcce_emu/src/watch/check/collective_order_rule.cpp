// SPDX-License-Identifier: Apache-2.0
// The members of a communicator call its collectives in different orders, or with different roots or sizes.
// Examples: collectives, roots, multicast, algorithms and own of tests/misuse/checked.c.
#include <deque>
#include <fmt/format.h>
#include <map>
#include <string>

#include "watch/check/rule.hpp"

namespace rcce::check {
namespace {

class CollectiveOrder final : public Rule {
 public:
  using Rule::Rule;

  void collective(const Ue& ue, const mesh::CollectiveFact& fact) override {
    History& history = histories_[std::string(fact.group)];
    if (history.broken) return;
    const Call call{std::string(fact.call), std::string(fact.parameters), side_of(ue)};
    const std::size_t round = history.next[call.side.rank]++;
    if (round - history.done == history.open.size()) history.open.push_back({call});
    Round& one = history.open[round - history.done];
    if (one.first.name != call.name || one.first.parameters != call.parameters) {
      history.broken = true;
      differ(one.first, call, round + 1, fact.members);
      return;
    }
    if (++one.entered < fact.members) return;
    // Everybody has reached this round, so everybody has passed those before it.
    history.done += 1;
    history.open.pop_front();
  }

 private:
  /// A collective call as its members have to agree on it.
  struct Call {
    std::string name;       ///< "RCCE_reduce"
    std::string parameters; ///< ", root 0, 10 elements of type 1, operation 2"
    Side side;

    /// The side, said by the parameters.
    [[nodiscard]] Side named() const {
      Side named = side;
      named.words = parameters;
      named.peer = -1;
      named.bytes = 0;
      return named;
    }
  };
  struct Round {
    Call first;
    std::size_t entered = 0;
  };
  struct History {
    std::deque<Round> open;          ///< rounds that some members have not reached
    std::size_t done = 0;            ///< rounds before those
    std::map<int, std::size_t> next; ///< by rank: the round that it enters next
    bool broken = false;             ///< two sides differ: what follows says nothing new
  };

  void differ(const Call& first, const Call& second, std::size_t number, std::size_t members) {
    job_.findings.add(fmt::format("mismatched {}: call {} of {} members",
                                  first.name != second.name ? "collectives" : "arguments of a collective",
                                  number, members),
                      first.named(), second.named(),
                      "all members of a communicator must call its collectives in the same order, with the "
                      "same root and size");
  }

  std::map<std::string, History> histories_; ///< by communicator
};

} // namespace

constinit const MakeRule collective_order_rule = make<CollectiveOrder>;

} // namespace rcce::check
