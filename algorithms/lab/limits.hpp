// SPDX-License-Identifier: Apache-2.0
// What no algorithm can undercut at a point: lower bounds on its simulated time, from the machine's own
// parameters. LIMITS.md proves each.
#pragma once

#include <string_view>
#include <vector>

#include "lab/point.hpp"

namespace lab {

/// A reason why it takes at least so long.
struct LimitTerm {
  std::string_view name; ///< "root", "receiver", "work", ...
  double us;
};

struct Limit {
  std::vector<LimitTerm> terms; ///< empty: no bound is known
  /// The largest term binds; 0 where there is none.
  [[nodiscard]] LimitTerm binding() const;
};

/// The limit of a point on message-passing buffers of a machine of kind scc whose ranks arrive together.
[[nodiscard]] Limit limit_on_messages(const Point& point);
/// The same on a machine with coherent caches, of all operations but joins.
[[nodiscard]] Limit limit_in_memory(const Point& point);

} // namespace lab
