// A copy between an MPB and a core's own memory while it is under way: an object that the kernel carries from
// line to line, or from block to block, while the core's fiber sleeps. What no other core can influence (what the
// caches hold, the costs that follow, the ways) is known from its start; links, ports and controllers are met when
// their turn comes. Bytes move as late as nobody can notice: at the end, or when somebody else reaches for them.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh_sim/network.hpp"
#include "mesh_sim/scc_costs.hpp"

namespace mesh {

struct Transfer {
  bool reading = false;  ///< from the MPB
  bool surveyed = false; ///< the other side is private memory, and `stretches` says what was found of it
  bool at_once = false;  ///< somebody watches or races: bytes move with their lines
  Copy how = Copy::plain;
  int target = -1; ///< whose MPB
  std::size_t offset = 0, bytes = 0;
  std::byte* own = nullptr; ///< first byte on the core's side; not written to unless `reading`
  SccCosts::Passage passage{};
  Picoseconds worst_line = 0; ///< what a line can take at most, alone
  Picoseconds ahead = 0;      ///< of the next line's time has passed already
  std::size_t done = 0;       ///< bytes whose lines have been accounted for
  std::size_t moved = 0;      ///< ... that have been copied

  SccCosts::Stretches stretches; ///< what is left of them
  std::size_t stretch = 0;       ///< the present one
  SccCosts::Work line;           ///< of a line in it
  Picoseconds cycle = 0;         ///< period of the clock that `line` holds for; 0: to be found out
  std::uint64_t dram = 0;        ///< lines that have passed the memory controller
  Way to_mpb;

  [[nodiscard]] bool covers(std::size_t from, std::size_t n) const noexcept {
    return from < offset + bytes && offset < from + n;
  }
};

} // namespace mesh
