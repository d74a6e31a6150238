// SPDX-License-Identifier: Apache-2.0
// A copy between an MPB and memory, or another MPB, while it is under way: an object that the kernel carries
// from event to event, while the core's fiber sleeps. What no other core can influence (what the caches hold,
// the costs that follow, the ways) is known from its start; links, ports and controllers are met when their
// turn comes. Bytes move as late as nobody can notice: at the end, or when somebody else reaches for them.
//
// An event is a line, or a run (parts/run.hpp): the next lines, as many as are alike and wait for nobody. Who
// meets a line of it cuts it there, so that the event comes earlier and that line is one of its own. The last
// line always is. So all times are those of line by line, which granularity `lines` is.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh_sim/kernel/kernel.hpp"
#include "mesh_sim/machines/scc/costs.hpp"
#include "mesh_sim/parts/network.hpp"
#include "mesh_sim/parts/run.hpp"

namespace mesh::scc {

struct Transfer {
  /// The copy, which does not change from its start to its end.
  struct Task {
    bool reading = false; ///< from the MPB
    Copy how = Copy::plain;
    SccCosts::Spot mpb{-1, 0}; ///< first byte on the side that is an MPB
    std::byte* own = nullptr;  ///< first byte on the core's side; not written to unless `reading`
    std::size_t bytes = 0;
    SccCosts::RouteCost route_cost{};
    bool moves = true; ///< else the copy takes its time alone: MessageBuffers::leave_payload()
    /// The first byte of the core's side if that is an MPB, too; otherwise of core -1.
    SccCosts::Spot own_mpb{-1, 0};

    /// True if the order of this copy and an access to `n` bytes of an MPB matters.
    [[nodiscard]] bool races(SccCosts::Spot with, std::size_t n, bool writing) const noexcept {
      const auto overlaps = [&](const SccCosts::Spot& side) {
        return with.core == side.core && with.offset < side.offset + bytes && side.offset < with.offset + n;
      };
      return ((writing || !reading) && overlaps(mpb)) || ((writing || reading) && overlaps(own_mpb));
    }
  };
  /// When its bytes move.
  enum class Mode : std::uint8_t {
    racing,  ///< with each line: another copy under way has the same bytes, one of both writes
    at_once, ///< with each line: shared memory, or somebody watches
    late,    ///< at the end, or when somebody asks for them
  };
  /// The lines found on the core's side at the start; not for shared memory, which is examined line by line.
  struct Survey {
    bool made = false;
    SccCosts::Extents extents; ///< the extents that are left
    std::size_t extent = 0;    ///< the present one
    SccCosts::Work line;       ///< cost of a line in it
    Picoseconds cycle = 0;     ///< period of the clock that `line` holds for; 0: to be found out
  };
  struct Progress {
    Picoseconds ahead = 0;  ///< time of the next line that has already passed
    std::size_t done = 0;   ///< bytes whose lines have been accounted for
    std::size_t moved = 0;  ///< ... that have been copied
    Picoseconds memory = 0; ///< time that went to caches and private memory so far
  };
  /// When it is worth looking for a run.
  struct Patience {
    std::uint32_t lines = 0, wanted = 0; ///< since one has waited; so many, before the next look
  };
  /// A way to an MPB as the last copy has left it: most go to and fro between two MPBs.
  struct CachedRoute {
    int tile = -1;
    Route path;
    Pattern patterns[3]; ///< lines in no memory, from memory, and in the place of a modified one

    [[nodiscard]] Pattern& pattern(const SccCosts::Work& line) noexcept {
      return patterns[line.dram == 0 ? 0 : line.fetch == 0 ? 1 : 2];
    }
    void forget_patterns() noexcept {
      for (Pattern& one : patterns) one.found = false;
    }
  };

  Task task;
  Resource::Share wanted; ///< the part of the memory controller that it says it wants
  Mode mode = Mode::late;
  Survey survey;
  Progress progress;
  // Of this core, whatever it copies.
  CachedRoute known[2]; ///< there for put, there and back for get
  Patience patience;
  LineRun run;
  SccCosts::Work line_in_run; ///< cost of a line of it on the core's side

  [[nodiscard]] CachedRoute& cached_route() noexcept { return known[task.reading ? 1 : 0]; }
  [[nodiscard]] Route& to_mpb() noexcept { return cached_route().path; }
  [[nodiscard]] bool moves_at_once() const noexcept { return mode <= Mode::at_once; }
  [[nodiscard]] std::size_t left() const noexcept { return task.bytes - progress.done; }
  /// Bytes of the lines that have acted before that turn.
  [[nodiscard]] std::size_t come_to(Kernel::Turn turn) noexcept {
    if (run.lines == 0) return progress.done;
    return progress.done + run.come_to(turn.at, turn.context) * line_bytes;
  }
};

} // namespace mesh::scc
