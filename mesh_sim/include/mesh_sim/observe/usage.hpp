// SPDX-License-Identifier: Apache-2.0
// Statistics of what cores do with their time, of calls and of messages. Machine and library add that up
// themselves.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "mesh_sim/observe/observers.hpp"
#include "mesh_sim/observe/statistics.hpp"

namespace mesh {

/// For runs that do not end by themselves.
inline constexpr StatisticKind call_unfinished{
    "call.unfinished", "1",
    "calls that had not returned when the run was over; their time counts until the run's end"};

/// The time of the program's own code; added by whoever runs it.
inline constexpr StatisticKind core_own_code{
    "core.own_code", "us", "part of core.computing: the program's own code (--compute blocks)"},
    core_own_code_l2{"core.own_code_l2", "us",
                     "part of core.own_code: its loads and stores that the second-level cache served "
                     "(--compute cache)"},
    core_own_code_memory{"core.own_code_memory", "us",
                         "part of core.own_code: its loads and stores that memory served, and their waiting "
                         "(likewise)"},
    profile_l2{"profile.l2", "us",
               "part of profile.time: loads and stores of the program's own code that the second-level cache "
               "served (--compute cache)"},
    profile_memory{"profile.memory", "us", "the same that memory served, and their waiting (likewise)"};

class Usage {
 public:
  /// `distance`: the number of links between two cores.
  Usage(int cores, const std::function<int(int, int)>& distance);
  Usage(const Usage&) = delete; // times_ point to distances_
  Usage& operator=(const Usage&) = delete;

  // For Observers::add_up().
  [[nodiscard]] std::span<AccessTimes> times() noexcept { return times_; } ///< times of accesses and waits
  [[nodiscard]] std::span<LibraryTimes> library_times() noexcept { return library_times_; }

  /// After the run: a core that was asleep then has slept until the end.
  void unfinished(const Unfinished& core) noexcept {
    if (core.waits) times_[static_cast<std::size_t>(core.core)].waiting += core.at - core.since;
  }

  /// From when until when a core has taken part; 0 and 0: not at all.
  struct Life {
    Picoseconds begin = 0, end = 0;
  };
  /// After the run, which ends with the last core; `call_names` by number of the call.
  void report(Statistics& to, std::span<const std::string> call_names, std::span<const Life> lives) const;
  /// Reports the distances of the cores that have accessed something.
  void report_distances(Statistics& to) const;

 private:
  std::vector<std::uint16_t> distances_;    ///< by pair of cores
  std::vector<AccessTimes> times_;          ///< by core
  std::vector<LibraryTimes> library_times_; ///< likewise
};

} // namespace mesh
