// SPDX-License-Identifier: Apache-2.0
// The tree in which everybody who has the message sends it on without a pause, free of communication:
// bcast/fibonacci in shared memory.
//
// A message takes `latency` times the time o after which its sender may send the next one. With 2 o the
// number of ranks that have the message grows like Fibonacci's numbers.
//
// n = 6, latency 2 o; times in o:
//
//     0: 0->1 at 2    1: 0->2 at 3    2: 0->3 at 4, 1->4 at 4    3: 0->5 at 5
//
// Source: Karp, Sahay, Santos, Schauser: Optimal Broadcast and Summation in the LogP Model (1993).
#pragma once

#include <queue>
#include <tuple>
#include <vector>

namespace algorithms::fibonacci {

/// The parent of each rank; -1 for rank 0. Children have higher numbers, in the order in which they are sent
/// to.
[[nodiscard]] inline std::vector<int> parents(int ranks, int latency) {
  using Ready = std::pair<long, int>; // when it may send, rank
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> senders;
  senders.emplace(0, 0);
  std::vector<int> parents{-1};
  for (int rank = 1; rank < ranks; ++rank) {
    const auto [time, sender] = senders.top();
    senders.pop();
    parents.push_back(sender);
    senders.emplace(time + 1, sender);
    senders.emplace(time + latency, rank);
  }
  return parents;
}

} // namespace algorithms::fibonacci
