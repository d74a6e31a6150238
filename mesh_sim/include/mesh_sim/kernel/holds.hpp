// SPDX-License-Identifier: Apache-2.0
// Puts single pairs of accesses into a wanted order: a core is held before one of its accesses until a
// certain access of another core has acted. Where that can never come about, because it needs the held core
// itself, the hold is broken and the run goes on without it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mesh_sim/kernel/hold.hpp"
#include "mesh_sim/units.hpp"

namespace mesh {

class Kernel;

class Holds {
 public:
  explicit Holds(std::vector<Hold> holds) : states_(holds.size()), holds_(std::move(holds)) {}

  /// The running core is about to make this access: returns when it may.
  void before(Kernel& kernel, std::uint64_t access);
  /// This access of the core acts at `at`.
  void acted(Kernel& kernel, int core, std::uint64_t access, Picoseconds at);
  /// Nobody can run: breaks the holds that are in force. Returns whether there were any.
  bool last_call(Kernel& kernel);

  /// True if the core is held now.
  [[nodiscard]] bool holds(int core) const noexcept;
  /// A hold was broken because nobody else could go on.
  [[nodiscard]] bool impossible() const noexcept { return impossible_; }
  /// A hold was broken because it had lasted for too long.
  [[nodiscard]] bool impatient() const noexcept { return impatient_; }
  /// The first of the pairs that has not come about: one of its accesses was not made, or the hold was
  /// broken.
  [[nodiscard]] const Hold* first_missing() const noexcept;

 private:
  struct State {
    bool met = false;     ///< the other's access has acted, or the hold is broken
    bool reached = false; ///< the access that is held was made
    bool broken = false;
    bool waiting = false;
    std::uint64_t patience = 0;
  };
  void release(Kernel& kernel, std::size_t i, Picoseconds at);

  std::vector<State> states_;
  std::vector<Hold> holds_;
  bool impossible_ = false, impatient_ = false;
};

} // namespace mesh
