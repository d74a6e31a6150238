// SPDX-License-Identifier: Apache-2.0
// A copy between an MPB and memory, or another MPB, while it is under way: an object that the kernel carries
// from line to line, or from block to block, while the core's fiber sleeps. What no other core can influence
// (what the caches hold, the costs that follow, the ways) is known from its start; links, ports and
// controllers are met when their turn comes. Bytes move as late as nobody can notice: at the end, or when
// somebody else reaches for them.
//
// Granularity. On a machine of at most 48 cores a copy of more than 48 lines goes in blocks. Its first and
// last line are events of their own, which meet what is under way as a flag does. The lines between are taken
// together: eight, then at most twice those of the last block, and no more than, going by that, wait for two
// lines' time altogether, but eight at least. So who waits hears of others who come and go. A block waits
// beside the shares that others have of the resources on its way when it begins (resource.hpp); so a copy
// whose way nobody shares takes what it takes line by line, to the picosecond. The next block makes up for
// half of what the wait has changed by since: those who came or went did so evenly over the block. All of
// this depends on simulated state alone. Shorter copies, copies of bytes that another one is writing, and
// copies to and from shared memory go line by line, and so do all on larger machines and with granularity
// exact, except that there, as here, the first event takes the lines before anybody else can act.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "mesh_sim/machines/scc/costs.hpp"
#include "mesh_sim/parts/network.hpp"

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
  /// The unit of a copy that is one event, and the time when its bytes move.
  enum class Mode : std::uint8_t {
    racing,  ///< a line, and its bytes with it: another copy under way has the same bytes, one of both writes
    at_once, ///< lines that nobody can notice, and their bytes with them: shared memory, or somebody watches
    late,    ///< such lines; bytes at the end, or when somebody asks for them
    blocks,  ///< the first line, blocks, the last line; bytes likewise
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
  /// The present block, which ends at `done`; empty between blocks, and where there are none.
  struct Block {
    bool at_controller = false;        ///< it fetches from memory
    std::size_t from = 0;              ///< its first byte
    Picoseconds begin = 0, period = 0; ///< when its first line acts, and from one to the next
    std::int64_t lines = 0;            ///< how many
    Picoseconds unhindered = 0;        ///< time of all of them, alone
    Picoseconds waited = 0;            ///< their wait for others, as these were at its begin
    std::int64_t most_next = 8;        ///< lines of the next one
  };
  /// A way to an MPB as the last copy has left it: most go to and fro between two MPBs.
  struct CachedRoute {
    int tile = -1;
    Route path;
  };

  Task task;
  Mode mode = Mode::late;
  Picoseconds worst_line = 0;    ///< most time of a line, alone
  bool waits_for_itself = false; ///< lines may come closer to each other than a resource serves them
  Survey survey;
  Progress progress;
  Block block;
  // Of this core, whatever it copies.
  CachedRoute known[2]; ///< there for put, there and back for get

  [[nodiscard]] CachedRoute& cached_route() noexcept { return known[task.reading ? 1 : 0]; }
  [[nodiscard]] Route& to_mpb() noexcept { return cached_route().path; }
  [[nodiscard]] bool moves_at_once() const noexcept { return mode <= Mode::at_once; }
  [[nodiscard]] std::size_t left() const noexcept { return task.bytes - progress.done; }
  /// Bytes of the lines that have acted before `at`.
  [[nodiscard]] std::size_t come_to(Picoseconds at) const noexcept {
    if (block.from == progress.done) return progress.done;
    if (at <= block.begin) return block.from;
    const auto lines = static_cast<std::size_t>((at - block.begin - 1) / block.period + 1);
    return std::min(progress.done, block.from + lines * line_bytes);
  }
};

} // namespace mesh::scc
