// SPDX-License-Identifier: Apache-2.0
// A run: lines of a copy, one after the other, that wait for nobody. Each passes the same resources in the
// same way, one period later than the line before it. So a run is known by its first line's passages, its
// period and its number of lines, and none of its lines need be an event. It ends at the first line that
// meets somebody: whoever meets it cuts it there, and that line is an event again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mesh_sim/units.hpp"

namespace mesh {

class Resource;
struct LineRun;
struct WaitQueue;

/// Who acts, and when. Packets are shown to resources in the order of turns, at one time that of cores.
struct Turn {
  Picoseconds oldest = 0; ///< no packet that is shown from now on arrives earlier; it never falls
  Picoseconds at = 0;
  int core = -1;
  std::vector<LineRun*> cut; ///< runs that end earlier than they had said, since somebody has met them
};

/// Progression of arrivals: the first at `from`, then one each `period`, each served for `service`.
struct Arrivals {
  Picoseconds from, period, service;
  std::uint32_t count;
};

/// The first arrivals of two progressions that would be served at one time.
struct Meeting {
  std::uint32_t one, other;
};
[[nodiscard]] std::optional<Meeting> first_meeting(const Arrivals& one, const Arrivals& other) noexcept;

/// The services that a run's lines ask of one resource.
struct Passage {
  Resource* resource = nullptr;
  Picoseconds after = 0, service = 0; ///< when a line is served, after it has set out, and how long
  Picoseconds late = 0;               ///< the same after its turn
  LineRun* run = nullptr;
  std::uint32_t first = 0; ///< lines before it stand in the resource's own list
  Passage* next = nullptr; ///< the resource's next one
  Passage** link = nullptr;
};

/// The services that lines alike ask of all resources on their ways.
struct Pattern {
  bool found = false;
  std::vector<Passage> passages;
  Picoseconds fetch = 0;   ///< between a line's two packets to memory; 0 where it has one at most
  Picoseconds waited = 0;  ///< by a line for its own packets, as where both ways begin with one link
  Picoseconds slowest = 0; ///< longest service
  struct Pair {
    std::uint16_t one, other;
  };
  std::vector<Pair> pairs; ///< passages of one resource

  /// From the passages.
  void find_pairs();
  /// True if lines that are `period` apart meet each other.
  [[nodiscard]] bool meets_itself(Picoseconds period) const noexcept;
};

struct LineRun {
  static constexpr std::uint32_t shortest = 3; ///< lines: to begin and to end it costs as much as two or more

  int core = -1;
  std::uint32_t lines = 0;           ///< 0: none is under way
  std::uint32_t acted = 0;           ///< lines whose turn has been, as of the turn last asked about
  std::uint32_t told = 0;            ///< lines that sums have already
  Picoseconds begin = 0, period = 1; ///< when line 0 acts, and from one to the next
  Picoseconds next = 0;              ///< when line `acted` acts
  std::span<Passage> passages;

  /// Whom another run has last asked for a meeting: how far apart, and for how long, they are served. Ways
  /// that have several resources in common most often come to all of them at the same distance.
  struct Asked {
    const LineRun* by = nullptr;
    Picoseconds apart = 0, service = 0, own_service = 0;
    std::uint32_t first = 0;
    bool operator==(const Asked&) const = default;
  } asked;

  /// When that line acts.
  [[nodiscard]] Picoseconds at(std::uint32_t line) const noexcept { return begin + line * period; }
  /// Finds out how many lines have acted before the turn of `other` at `now`. Turns do not go back.
  std::uint32_t come_to(Picoseconds now, int other) noexcept {
    if (next > now) return acted;
    const Picoseconds past = now - next - (other < core ? 1 : 0); // of one time, the lower core comes first
    if (past >= 0 && acted < lines) {
      acted = std::min(lines, acted + 1 + (past < period ? 0 : static_cast<std::uint32_t>(past / period)));
      next = at(acted);
    }
    return acted;
  }
  /// It ends before that line, which has not acted yet.
  void cut(std::uint32_t line, Turn& turn) {
    if (line >= lines) return;
    lines = line;
    turn.cut.push_back(this);
  }
};

} // namespace mesh
