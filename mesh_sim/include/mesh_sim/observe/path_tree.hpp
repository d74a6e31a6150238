// SPDX-License-Identifier: Apache-2.0
// Chains of time, one per core, that share what they have in common: who has been woken goes on with the
// chain of whoever woke it. Of a chain only sums are kept, by what the time went to.
//
// What is kept does not grow with the run. A piece of chain that one other continues, and nobody remembers,
// is added to that one from time to time; what is left are the pieces that cores or remembered instants end
// with, those at which chains part, and for each the sums of as many kinds, calls, cores and resources as
// there are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh_sim/observe/events.hpp"

namespace mesh {

/// A use of time on a chain.
struct TimeShare {
  enum class Kind : std::uint8_t {
    program,  ///< the program's own code
    library,  ///< software of calls
    put,      ///< copies to MPBs: the MPB's side
    get,      ///< copies from MPBs
    memory,   ///< the other side of copies: caches and private memory
    access,   ///< single accesses to flags, locks and counters
    delivery, ///< from the end of a store until it can be seen
    look,     ///< from then until the loop that waits for it has seen it
    queue,    ///< waiting for others at a link, an MPB port or a controller
    unknown,  ///< asleep until something that nobody knows the doer of
  };
  Kind kind = Kind::program;
  int call = -1; ///< number of the outermost call; -1: in none
  int core = -1;
  /// The resource of a queue. For copies and accesses the number is that of links on the route, plus 1; for
  /// the program's own code outside of calls that of its place, plus 1.
  ResourceId resource{};

  /// Orders and compares; 4094 calls and 2^20 cores have room.
  [[nodiscard]] constexpr std::uint64_t key() const noexcept {
    return static_cast<std::uint64_t>(kind) << 60 | static_cast<std::uint64_t>(call + 1) << 48 |
        static_cast<std::uint64_t>(core) << 28 | static_cast<std::uint64_t>(resource.kind) << 26 |
        static_cast<std::uint64_t>(resource.number);
  }
  [[nodiscard]] static constexpr TimeShare of(std::uint64_t key) noexcept {
    return {static_cast<Kind>(key >> 60),
            static_cast<int>(key >> 48 & 0xfff) - 1,
            static_cast<int>(key >> 28 & 0xfffff),
            {static_cast<ResourceId::Kind>(key >> 26 & 3), static_cast<int>(key & 0x3ffffff)}};
  }
};

/// The time that the best chain that has not made the end time lacks.
struct Slack {
  enum class Kind : std::uint8_t {
    sleep,   ///< the core slept so long for the chain's sake
    arrival, ///< the core came so much later than what it wanted to see
    end,     ///< another core ends so much earlier
  };
  Kind at = Kind::end;
  int core = -1; ///< whose; -1: there is no other chain
  int call = -1; ///< the outermost
  Picoseconds time = INT64_MAX;
};

class PathTree {
 public:
  using Piece = std::uint32_t;
  static constexpr Piece none = UINT32_MAX;

  struct Sum {
    std::uint64_t key; ///< key of a TimeShare
    Picoseconds time;
    std::uint64_t count; ///< how often
  };
  /// A chain's time with one core, until it goes on with another.
  struct Stay {
    int core;
    Picoseconds from, to;
    bool operator==(const Stay&) const = default;
  };
  /// All of a chain. The times add up to `at`.
  struct Chain {
    Picoseconds at = 0;
    std::vector<Stay> stays; ///< in order, the last ones; none without keep_stays()
    std::vector<Sum> sums;   ///< by key, each once
    std::uint64_t changes = 0;
    Slack slack;
  };

  explicit PathTree(int cores) : open_(static_cast<std::size_t>(cores)) {}

  /// Before the run: chains keep where they have been, for as many stays as take some 8 MB for all.
  void keep_stays() noexcept {
    most_stays_ = std::max<std::size_t>(least_stays, all_stays / std::max<std::size_t>(open_.size(), 1));
  }
  /// When the core's chain ends.
  [[nodiscard]] Picoseconds at(int core) const noexcept { return open(core).at; }
  /// The core's chain goes on until `to` by this; nothing where it has come there.
  void charge(int core, Picoseconds to, const TimeShare& what);
  /// Another chain is so much shorter there: the least is kept, of equal ones the last.
  void meet(int core, const Slack& other) noexcept;
  /// The core's chain up to now, to be adopted later; give it back by forget().
  [[nodiscard]] Piece remember(int core);
  void forget(Piece piece);
  /// The core's chain is that one from now on; another core's where it `changes`.
  void adopt(int core, Piece piece, bool changes);
  [[nodiscard]] Picoseconds end_of(Piece piece) const noexcept { return pieces_[piece].at; }

  [[nodiscard]] Chain chain(int core) const;
  [[nodiscard]] std::size_t pieces() const noexcept { return pieces_.size() - free_.size(); }

 private:
  struct Part {
    std::vector<Sum> sums;
    std::size_t sorted = 0; ///< number of sums that were there at the last sorting
    std::uint64_t changes = 0;
    Slack slack;
    Piece before = none;
    std::vector<Stay> stays;
  };
  struct ClosedPart : Part {
    Picoseconds at = 0;
    std::uint32_t references = 0; ///< by pieces that continue it and by whoever remembers it
  };
  struct OpenPart : Part {
    Picoseconds at = 0;
    bool empty = true; ///< nothing has happened since `before`
  };
  [[nodiscard]] const OpenPart& open(int core) const noexcept {
    return open_[static_cast<std::size_t>(core)];
  }
  [[nodiscard]] OpenPart& open(int core) noexcept { return open_[static_cast<std::size_t>(core)]; }
  static void tidy(Part& part);
  void join(Part& into, Part&& other) const;
  void stay(Part& part, const Stay& stay) const;
  void shorten(std::vector<Stay>& stays) const;
  void compact();

  std::vector<OpenPart> open_; ///< by core: the last piece of its chain
  std::vector<ClosedPart> pieces_;
  std::vector<Piece> free_;
  std::size_t compact_at_ = 4096; ///< pieces
  static constexpr std::size_t least_stays = 64, all_stays = 1 << 18;
  std::size_t most_stays_ = 0; ///< of a piece; 0: none are kept
};

} // namespace mesh
