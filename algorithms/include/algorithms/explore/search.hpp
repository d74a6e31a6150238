// SPDX-License-Identifier: Apache-2.0
// The search through all interleavings of the steps of a few threads on explored memory.
//
// Idea: a thread's next action depends on what it has read, nothing else. So each thread is a table, filled
// by running its code: from what it has read so far to its next action. The search walks the states of words,
// buffers and places in these tables; the code itself runs only where a table has a gap. A state that has
// been met before, by a fingerprint of 64 bits, is not entered again.
//
// Partial order: a thread's action alone is tried where nothing that others can still do before it conflicts
// with it (a persistent set). "Can still do" is read from the tables; the search is repeated until a whole
// pass has filled no gap, and then every such decision was made with the tables complete. All faults of
// single threads, all deadlocks and all final states are still met. Of threads that differ by nothing but
// their numbers those that have not begun yet are interchangeable; then one final state stands for several.
//
// Not covered: weaker orders than sequential consistency (that is what the thread checker on the host looks
// at); wake-ups of a futex without cause and in another order than first come, first served; what threads
// hand each other outside of words, if it is not determined by what the receiver has read.
//
// Source of the reduction: P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems
// (1996), chapters 4 and 6.
#pragma once

#include <optional>

#include "algorithms/memory/explored.hpp"

namespace algorithms::explore {

/// Words and buffers as they are at some instant.
struct Contents {
  std::vector<std::uint64_t> words;
  std::vector<std::byte> buffers;

  [[nodiscard]] std::uint64_t operator[](Memory::Word word) const { return words[word.index]; }
  template <class T>
  [[nodiscard]] T value(const Memory::Block& block, std::size_t element) const {
    return reinterpret_cast<const T*>(buffers.data() + block.offset)[element];
  }
};

struct Program {
  std::function<void(Memory::Thread&)> body;
  /// Judges a run that has ended: the fault, or nothing.
  std::function<std::string(const Contents&)> at_end;
};

/// Lays out words and buffers, always the same, and says what the threads do with them.
using Scenario = std::function<Program(Memory&)>;

/// The thread of each step.
using Schedule = std::vector<std::uint8_t>;

struct Limits {
  std::size_t states = 20'000'000; ///< then the search gives up
  std::size_t steps = 4'000;       ///< most steps of one run; longer runs are taken as never ending
  bool reduce = true;              ///< by partial order
  /// Threads differ by nothing but their numbers, which nobody calculates with, and what a thread writes
  /// before it first reads is looked at by nobody before it goes on: of threads that have come equally far
  /// without reading, the first stands for all.
  bool symmetric = false;
  /// A thread keeps nothing of what it has read before Thread::forget().
  bool forgets = true;
};

struct Fault {
  std::string what;
  Schedule schedule; ///< that leads to it
};

struct Result {
  std::optional<Fault> fault;
  bool complete = false; ///< every interleaving has been covered
  std::size_t states = 0, steps = 0, longest = 0;
  std::size_t ends = 0; ///< different final states
};

/// Deterministic. Throws std::logic_error where a thread does not do the same after reading the same.
[[nodiscard]] Result search(int threads, const Scenario& scenario, const Limits& limits = {});

/// One step of a replayed schedule, for people.
struct ReplayedStep {
  int thread = 0;
  std::string action; ///< "store word 3 := 1"
};

struct Replay {
  std::vector<ReplayedStep> steps;
  std::string fault; ///< empty: none
};

/// Makes the steps of a schedule, as far as they can be made. Throws std::invalid_argument that names the
/// step where one cannot.
[[nodiscard]] Replay replay(int threads, const Scenario& scenario, const Schedule& schedule);

/// "0*3,1,2*2" and back: runs of one thread's steps.
[[nodiscard]] std::string schedule_text(const Schedule& schedule);
/// Nothing where the text is none, or names other threads.
[[nodiscard]] std::optional<Schedule> parse_schedule(std::string_view text, int threads);

} // namespace algorithms::explore
