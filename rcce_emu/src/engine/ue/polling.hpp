// SPDX-License-Identifier: Apache-2.0
// What a UE's looks at shared state have come to that told it nothing new: kept per UE by protocol/polling,
// read by reports and, of UEs that are threads, by others.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "mesh_sim/units.hpp"

namespace mesh {
enum class CallTraits : std::uint8_t;
}

namespace rcce {

/// One look, as reports name it.
struct Polled {
  const char* what = nullptr; ///< "flag sent", "atomic counter", "memory"
  int owner = -1;             ///< rank in whose buffer that lies; -1: nobody's in particular
  int writer = -1;            ///< rank that was to change it; -1: not known
  int number = -1;            ///< number of the counter; -1: none
  /// It asks for an end of waiting and nothing else, so that whoever repeats it for long is waiting.
  bool asks = true;
};

/// The innermost frame of the program's own code; a call of the library is under way (run/call_site).
struct CallSite {
  const void* place = nullptr;      ///< address to which the library returns; null: not known
  const std::byte* frame = nullptr; ///< its lower end on the stack
  std::uint64_t near = 0;           ///< hash of the registers that a call preserves and of the stack's top
  bool operator==(const CallSite&) const = default;
};

/// The program's own loop that looks at words of memory and does nothing else, by the compiler's word.
struct PlainPolls {
  const void* word = nullptr;    ///< the first that it looks at
  std::uint32_t calls = 0;       ///< the UE's calls at its last round
  mesh::Picoseconds begun = -1;  ///< that round; -1: not known
  mesh::Picoseconds reading = 0; ///< time of that round that its polls take
  unsigned reads = 0;            ///< not charged yet, where each round is not
  bool alone = false;            ///< nobody else could act any more
};

/// Looks one after the other with nothing else in between make a streak.
struct Polling {
  static constexpr std::uint64_t first_attempt = 2048; ///< looks before anybody thinks about them

  enum class Phase : std::uint8_t { counting, comparing, proven };

  std::atomic<std::uint32_t> call{0};   ///< Ue::calls at the last look
  std::atomic<std::uint64_t> streak{0}; ///< its number
  std::atomic<std::uint64_t> proof{0};  ///< hash of the state in which it will never end; 0: none

  std::atomic<std::uint64_t> looks{0}; ///< in it

  // Of the streak; the UE's own.
  std::uint64_t consider_at = first_attempt; ///< looks at which to think again
  Polled look;                               ///< the first one
  const char* name = nullptr;                ///< the call that it was made in; null: the program's own code
  mesh::CallTraits traits{};                 ///< traits of that call
  void* group = nullptr;                     ///< whose members it waits for, in a barrier that goes by steps
  int peer = -1;
  std::size_t bytes = 0;
  mesh::Picoseconds since = 0;

  /// True if a UE that has made so many calls has not left the streak: its next poll may be under way.
  [[nodiscard]] bool in_streak(std::uint32_t calls) const noexcept {
    constexpr auto relaxed = std::memory_order_relaxed;
    const std::uint32_t last = call.load(relaxed);
    return streak.load(relaxed) != 0 && (calls == last || calls == last + 1);
  }

  // An attempt to show that it repeats itself.
  Phase phase = Phase::counting;
  std::uint64_t attempt_at = first_attempt;
  std::uint64_t standstill = 0;  ///< hash of the state of all others, during the attempt
  std::uint64_t still_looks = 0; ///< looks by then
  std::int64_t still_since = 0;  ///< host nanoseconds, where UEs are threads
  int compared = 0;
  CallSite origin;
  std::uint64_t contents = 0; ///< hash of all that it depends on, at the origin; 0: not known yet
};

} // namespace rcce
