// SPDX-License-Identifier: Apache-2.0
// A line that cores share: who has it, who waits for it, until when it is busy.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "mesh_sim/machines/coherent/config.hpp"
#include "mesh_sim/units.hpp"

namespace mesh::coherent {

/// Set of physical cores.
class CoreSet {
 public:
  [[nodiscard]] bool has(int core) const noexcept { return (word(core) >> (core & 63) & 1) != 0; }
  [[nodiscard]] bool empty() const noexcept { return (words_[0] | words_[1]) == 0; }
  [[nodiscard]] int count() const noexcept { return std::popcount(words_[0]) + std::popcount(words_[1]); }
  void add(int core) noexcept {
    words_[static_cast<std::size_t>(core >> 6)] |= std::uint64_t{1} << (core & 63);
  }
  void remove(int core) noexcept {
    words_[static_cast<std::size_t>(core >> 6)] &= ~(std::uint64_t{1} << (core & 63));
  }
  void clear() noexcept { words_ = {}; }
  /// The lowest; of a set that is not empty.
  [[nodiscard]] int first() const noexcept {
    return words_[0] != 0 ? std::countr_zero(words_[0]) : 64 + std::countr_zero(words_[1]);
  }
  /// Calls visit(core) in rising order.
  template <class Visit>
  void each(Visit visit) const {
    for (int half = 0; half < 2; ++half)
      for (std::uint64_t rest = words_[static_cast<std::size_t>(half)]; rest != 0; rest &= rest - 1)
        visit(half * 64 + std::countr_zero(rest));
  }

 private:
  [[nodiscard]] std::uint64_t word(int core) const noexcept {
    return words_[static_cast<std::size_t>(core >> 6)];
  }

  std::array<std::uint64_t, 2> words_{};
};

/// Requests for one line are served in the order in which they come. `first` waits for the line to be free,
/// those behind it sleep in a list, and are woken when they become first. Contexts that poll the line's words
/// sleep in another list, from which a write wakes them.
struct Line {
  static constexpr std::int16_t none = -1;
  static constexpr Picoseconds long_ago = INT64_MAX / 4;

  Picoseconds busy_until = 0;         ///< when the next request may begin
  Picoseconds written_at = -long_ago; ///< when the last write that had to fetch the line was done
  Picoseconds deferred = -1; ///< last instant to which a request was put off because the owner kept the line
  CoreSet holders;           ///< caches with a copy
  std::uint64_t shared_caches = 0; ///< nodes whose shared cache has it
  std::int16_t owner = none;       ///< cache that has it modified, owned or exclusive
  std::int16_t writer = none;      ///< thread that last changed it, for the siblings of its core
  std::int16_t home = none;        ///< node that answers for it
  std::int16_t first = none, queue_head = none, queue_tail = none, sleepers = none;
  State state = State::invalid;
  bool shared_dirty =
      false; ///< changed, and memory has not got it: a shared cache has, or all copies are in one node
  bool spent = false; ///< the owner has changed it since it came
  bool ring = false;  ///< nobody but failing spinners is at it: they go round without events
};

} // namespace mesh::coherent
