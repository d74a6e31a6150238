// SPDX-License-Identifier: Apache-2.0
// What algorithms are measured on: a simulated machine of any kind, or this host.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mesh_sim/machines/machines.hpp"
#include "rcce_emu/costs.hpp"
#include "rcce_emu/machine_choice.hpp"

namespace lab {

/// A machine by name or file, with the software costs that its file may set.
struct Machine {
  mesh::MachineDescription config;
  rcce::SoftwareCosts costs;
  std::string host_file = {}; ///< file that lists its cores; empty: cores from 0 on

  /// The first `count` cores, of the host file where there is one. Throws mesh::UserError where that has
  /// fewer.
  [[nodiscard]] std::vector<int> first_cores(int count) const;
  [[nodiscard]] int hops(int core_a, int core_b) const;
  [[nodiscard]] double core_mhz() const { return config.core_mhz(); }
  [[nodiscard]] std::string description() const; ///< shape and clocks in one line
  [[nodiscard]] bool is_grid() const;            ///< true for a mesh of tiles, which resize() can change
  /// Makes a mesh of so many tiles of it. Throws mesh::UserError, for the option `asked`, where it is no
  /// grid.
  void resize(int columns, int rows, std::string_view asked);
};

[[nodiscard]] Machine open_machine(const std::string& name_or_file);
/// With settings of single parameters over it.
[[nodiscard]] Machine open_machine(const rcce::MachineChoice& choice);

} // namespace lab
