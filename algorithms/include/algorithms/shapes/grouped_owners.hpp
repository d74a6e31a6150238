// SPDX-License-Identifier: Apache-2.0
// The groups of reduce/grouped_owners, free of communication. The idea, drawing, cost and source stand at the
// top of src/on_messages/reduce/grouped_owners.cpp.
#pragma once

#include <vector>

namespace algorithms::schedule {

/// The sizes of groups for so many owners: up to three, whose product they are. A member more costs a put and
/// a get, and a phase more some flags; so many puts and gets take as long.
struct Groups {
  std::vector<int> sizes;
  int cost = 0;
};
[[nodiscard]] inline Groups groups_for(int owners) {
  constexpr int cost_of_phase = 5;
  Groups best{{owners}, owners - 1 + cost_of_phase};
  for (int a = 2; a * a <= owners; ++a) {
    if (owners % a != 0) continue;
    const int rest = owners / a;
    if (const int cost = a + rest - 2 + 2 * cost_of_phase; cost < best.cost) best = {{rest, a}, cost};
    for (int b = a; a * b * b <= owners; ++b)
      if (const int c = rest / b; rest % b == 0 && a + b + c - 3 + 3 * cost_of_phase < best.cost)
        best = {{c, b, a}, a + b + c - 3 + 3 * cost_of_phase};
  }
  return best;
}

} // namespace algorithms::schedule
