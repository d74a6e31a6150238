// SPDX-License-Identifier: Apache-2.0
// Which core runs each thread of a machine's programs.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "mesh_sim/machines/coherent/config.hpp"

namespace mesh::coherent {

/// Hardware threads for so many threads. "compact": node after node, siblings when every core has a thread;
/// "scatter": one to each node in turn, siblings likewise; "fill": node after node, all hardware threads of
/// each. Throws UserError for another word and where there are too few.
[[nodiscard]] std::vector<int> placement(const Config& config, std::string_view rule, int threads);

class Placement {
 public:
  /// Thread i on hardware thread `places[i]`. Throws UserError where there is none, or two threads on one.
  Placement(const Config& config, std::span<const int> places);

  [[nodiscard]] int threads() const noexcept { return static_cast<int>(core_of_.size()); }
  [[nodiscard]] int core_of(int thread) const noexcept { return core_of_[static_cast<std::size_t>(thread)]; }
  /// The slowdown of the thread's computation: threads of a core share its issue slots.
  [[nodiscard]] double slowdown(int thread) const noexcept {
    return slowdown_[static_cast<std::size_t>(thread)];
  }

 private:
  std::vector<int> core_of_;
  std::vector<double> slowdown_;
};

} // namespace mesh::coherent
