// SPDX-License-Identifier: Apache-2.0
// What every algorithm is tried on before it is timed, whatever it runs on and whoever wrote it: calls in a
// row with no release between them, with other bytes in each, several roots, sizes around what is special,
// and each rank late in turn. A rank that is late to a call has also left the one before it late.
//
// A broadcast that is right once may break where a rank runs ahead into the next call, and a barrier may let
// somebody out before the last has come. Neither shows in repetitions that all begin together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lab/job_point.h"

namespace lab {

struct Operation;
struct Point;

/// The largest size of a check for the size that is asked for.
inline constexpr std::int64_t most_checked_bytes = 65536;

struct CheckPlan {
  std::vector<std::int64_t> sizes;   ///< bytes of the vector, or what job_point.h has for those of a machine
  std::vector<lab_check_call> calls; ///< first one of each size, of which some may be refused; then in a row
};

/// Calls in a row of an algorithm of the user's on simulated cores, on so many ranks: counters that fit into
/// a byte come round.
inline constexpr std::size_t counted_calls = 300;
inline constexpr int most_counted_ranks = 48;
[[nodiscard]] bool has_counted_calls(const Point& point);
/// The same for any number of ranks.
[[nodiscard]] bool takes_counted_calls(const Point& point);

/// A minimum or maximum of the user's on messages: calls of few elements do not show each rank.
[[nodiscard]] bool can_lack_ranks(const Point& point);
/// Up to so many ranks it has as many calls as show each.
inline constexpr int most_deciding_ranks = 64; // who sends to all makes 4,096 messages a call

/// For the point's ranks and root. All ranks are late in turn up to 12, else the first, the last, the root,
/// its neighbours and three that are drawn. Three calls each have a size, two a root, if `roots` may be
/// others than the point's. Where has_counted_calls(), further ones have the second size, which is
/// short; in them every rank is the root, and every rank late, at least once. Each root has a long one too.
[[nodiscard]] CheckPlan check_plan(const Point& point, std::vector<std::int64_t> sizes, bool roots = true);

/// For shared memory, where nothing but a line and a page is special.
[[nodiscard]] CheckPlan check_plan_in_memory(const Point& point);

/// The fault in the times of all calls ([calls][ranks]), or nothing. `ended` says how the run ended if it
/// ended early: "a deadlock".
[[nodiscard]] std::string fault_in(const CheckPlan& plan, const Operation& operation,
                                   std::span<const lab_check_time> times, int ranks,
                                   const std::string& ended);

/// The result of a check.
struct Verdict {
  std::string found;      ///< the fault, or nothing
  bool explored = false;  ///< every interleaving of a few threads has passed too (explored.hpp)
  bool counted = false;   ///< the counted calls were carried out, not refused (has_counted_calls)
  bool undelayed = false; ///< a run with cores delayed at random took too long to be judged
};

/// The verdict on the point's algorithm on its machine and ranks. A second call in this process costs
/// nothing, for other sizes too; but an algorithm of the user's is checked with each size.
[[nodiscard]] Verdict checked(const Point& point);

} // namespace lab
