// SPDX-License-Identifier: Apache-2.0
// A machine as command lines choose it: a preset or machine file, and single parameters over it, whatever
// their order. rccerun and rccebench read theirs through this.
#pragma once

#include <string>
#include <vector>

#include "mesh_sim/machines/machines.hpp"
#include "rcce_emu/costs.hpp"

namespace rcce {

struct MachineChoice {
  struct Setting {
    std::string option;    ///< as written, for messages
    std::string parameter; ///< "mesh.columns", or one of the software costs
    std::string value;
  };
  std::string machine = "scc"; ///< preset or file
  std::vector<Setting> settings;

  /// Adds "SECTION.NAME=VALUE", given to `option`. Throws UserError where it is none.
  void add(const std::string& option, const std::string& assignment);
  /// Reads the machine, and into `costs` what it sets of them. Throws UserError for unknown names, with the
  /// nearest one, and for values that are out of bounds or do not fit together.
  [[nodiscard]] mesh::MachineDescription read(SoftwareCosts& costs) const;
};

} // namespace rcce
