// SPDX-License-Identifier: Apache-2.0
// One small run of an algorithm, watched, and its rounds (mesh_sim/observe/rounds.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "command_line/common_options.hpp"
#include "lab.hpp"
#include "lab/messages.hpp"
#include "mesh_sim/observe/round_edge.hpp"
#include "mesh_sim/units.hpp"
#include "show/names.hpp"

namespace mesh {
class Topology;
}

namespace rccebench::show {

/// A request to show a run.
struct ScheduleRequest {
  CommonOptions common; ///< machine empty: the first of the catalogues that has the name chooses one
  std::string name;     ///< "bcast/cube", or "cube" where that is one only
  int cores = 12, root = 0;
  std::int64_t bytes = -1;             ///< bytes of the message; -1: usual for the operation
  std::vector<std::string> parameters; ///< "part=256"
  std::vector<std::string> files;      ///< --with
};

/// The place of a rank: its core, thread or node, and that one's tile or node.
struct RankPlace {
  int core = 0, x = 0, y = 0;
};

/// The time from acquiring a lock until its release.
struct Hold {
  int rank = 0;
  mesh::Picoseconds begin = 0, end = 0;
};

struct Recording {
  std::string algorithm, operation; ///< "bcast/cube", "bcast"
  World where = World::messages;
  std::string machine, setting; ///< its name, and its shape and clocks in one line
  int root = -1;                ///< -1: the operation has none
  std::int64_t bytes = -1;      ///< -1: the operation has no message
  std::vector<std::pair<std::string, std::string>> parameters;
  std::shared_ptr<const mesh::Topology> mesh; ///< mesh of a machine that is a grid; otherwise null
  std::vector<RankPlace> places;              ///< by rank
  std::vector<mesh::RoundEdge> edges;         ///< between ranks; times from the operation's beginning
  std::vector<Hold> holds;                    ///< one after the other; of locks alone
  mesh::Picoseconds end = 0;                  ///< when the last rank was done
  CommonOptions common;                       ///< as they were asked for, with a machine
  std::string
      fault; ///< why the run of an algorithm of one's own has not come to its end: then no rank is done

  [[nodiscard]] int ranks() const { return static_cast<int>(places.size()); }
  [[nodiscard]] int rounds() const;
  [[nodiscard]] std::vector<mesh::RoundEdge> edges_of(int round) const;
  /// When the last edge of a round had come to its end.
  [[nodiscard]] mesh::Picoseconds end_of(int round) const;
  /// The word for a rank of such a machine: "core", "thread", "node".
  [[nodiscard]] const char* place_word() const;
};

/// With what is usual for everything else. `parameters` as on the command line: "degree=4".
[[nodiscard]] ScheduleRequest request(const std::string& name, const std::string& machine, int cores,
                                      std::vector<std::string> parameters = {});

/// Throws mesh::UserError for what cannot be run, with the nearest name for one that there is not.
[[nodiscard]] Recording record(const ScheduleRequest& asked);

/// Records a point as benchmarks have it: one run, all ranks at once; its statistics are left out.
[[nodiscard]] Recording record(const Point& point);

/// In microseconds.
[[nodiscard]] constexpr double us_of(mesh::Picoseconds time) {
  return mesh::microseconds(time);
}

} // namespace rccebench::show
