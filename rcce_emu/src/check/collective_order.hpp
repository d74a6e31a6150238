// SPDX-License-Identifier: Apache-2.0
// Do the members of a communicator call its collectives in the same order, with the same roots and sizes?
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "check/findings.hpp"

namespace rcce::check {

/// A collective call as its members have to agree on it.
struct Collective {
  std::string kind;       ///< "RCCE_reduce"
  std::string parameters; ///< ", root 0, 10 elements of type 1, operation 2"

  friend bool operator==(const Collective&, const Collective&) = default;
};

class CollectiveOrder {
 public:
  /// One member enters a collective of the communicator that `communicator` stands for on all of its
  /// `members` (ascending ranks).
  void enter(const std::string& communicator, std::size_t members, const Collective& call, const Side& side,
             Findings& findings);

 private:
  struct Round {
    Collective call;
    Side first;
    std::size_t entered = 0;
  };
  struct History {
    std::deque<Round> open;          ///< rounds that some members have not reached
    std::size_t done = 0;            ///< rounds before those
    std::map<int, std::size_t> next; ///< by rank: the round that it enters next
    bool broken = false;             ///< two sides differ: what follows says nothing new
  };
  std::map<std::string, History> histories_;
};

} // namespace rcce::check
