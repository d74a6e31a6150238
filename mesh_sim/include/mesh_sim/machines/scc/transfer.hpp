// SPDX-License-Identifier: Apache-2.0
// A copy between an MPB and memory, or another MPB, while it is under way: an object that the kernel carries
// from line to line, or from block to block, while the core's fiber sleeps. What no other core can influence
// (what the caches hold, the costs that follow, the ways) is known from its start; links, ports and
// controllers are met when their turn comes. Bytes move as late as nobody can notice: at the end, or when
// somebody else reaches for them.
//
// Granularity. A copy of more than 48 lines goes in blocks. Its first and last line are events of their own,
// which meet what is under way as a flag does. The lines between are taken together, as many as, going by the
// last block of this core, wait for two lines' time altogether, but not under eight: who waits must hear of
// others who come and go. A block waits beside the shares that others have of the resources on its way when
// it begins (resource.hpp); so a copy whose way nobody shares takes what it takes line by line, to the
// picosecond. All of this depends on simulated state alone. Shorter copies, copies of bytes that another one
// is writing, and copies to and from shared memory go line by line, and so do all with granularity exact,
// except that there, as here, the first event takes the lines before anybody else can act.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "mesh_sim/machines/scc/costs.hpp"
#include "mesh_sim/parts/network.hpp"

namespace mesh::scc {

struct Transfer {
  bool reading = false;  ///< from the MPB
  bool surveyed = false; ///< `extents` says what was found on the other side: not for shared memory
  bool races_on = false; ///< it began while another copy used the same bytes, and one of both writes them
  bool at_once = false;  ///< it races, or somebody watches: bytes move with their lines
  Copy how = Copy::plain;
  int target = -1; ///< whose MPB
  std::size_t offset = 0, bytes = 0;
  int own_mpb = -1; ///< where the other side is an MPB, too: whose, and where in it
  std::size_t own_offset = 0;
  std::byte* own = nullptr; ///< first byte on the core's side; not written to unless `reading`
  SccCosts::RouteCost route_cost{};
  Picoseconds worst_line = 0; ///< what a line can take at most, alone
  Picoseconds ahead = 0;      ///< of the next line's time has passed already
  std::size_t done = 0;       ///< bytes whose lines have been accounted for
  std::size_t moved = 0;      ///< ... that have been copied

  SccCosts::Extents extents; ///< what is left of them
  std::size_t extent = 0;    ///< the present one
  SccCosts::Work line;       ///< of a line in it
  Picoseconds cycle = 0;     ///< period of the clock that `line` holds for; 0: to be found out
  Picoseconds memory = 0;    ///< what of its time went to caches and private memory so far
  /// There for put, there and back for get, each as the last such copy has left it: most go to and fro
  /// between two MPBs.
  struct CachedRoute {
    int tile = -1;
    Route path;
  };
  CachedRoute known[2];
  [[nodiscard]] Route& to_mpb() noexcept { return known[reading ? 1 : 0].path; }

  bool in_blocks = false;         ///< lines between the first and the last one are taken several at once
  std::int64_t longest_block = 8; ///< lines, as the last block of this core, of whatever copy, has found it
  bool at_controller = false;     ///< the present block fetches from memory
  std::size_t block_from = 0;     ///< first byte of the present block, which ends at `done`
  Picoseconds block_begin = 0, block_period = 0; ///< when its first line acts, and from one to the next

  /// Bytes of the lines that have acted before `at`.
  [[nodiscard]] std::size_t come_to(Picoseconds at) const noexcept {
    if (block_from == done) return done;
    if (at <= block_begin) return block_from;
    const auto lines = static_cast<std::size_t>((at - block_begin - 1) / block_period + 1);
    return std::min(done, block_from + lines * line_bytes);
  }

  /// Whether the order matters between this copy and an access to `n` bytes of an MPB.
  [[nodiscard]] bool races(int mpb, std::size_t from, std::size_t n, bool writing) const noexcept {
    const auto overlaps = [&](std::size_t first) { return from < first + bytes && first < from + n; };
    return (mpb == target && (writing || !reading) && overlaps(offset)) ||
        (mpb == own_mpb && (writing || reading) && overlaps(own_offset));
  }
};

} // namespace mesh::scc
