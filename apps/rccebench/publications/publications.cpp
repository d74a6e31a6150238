// SPDX-License-Identifier: Apache-2.0
#include "publications/publications.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab.hpp"
#include "mesh_sim/errors.hpp"

namespace rccebench::publications {

namespace dynamic_reduction {
Measurements measurements(const CommonOptions& changes);
}
namespace fork_join {
Measurements measurements(const CommonOptions& changes);
}
namespace nic_reduction {
Measurements measurements(const CommonOptions& changes);
}
namespace thesis {
Measurements measurements(const CommonOptions& changes);
}
namespace xeon_phi {
Measurements measurements(const CommonOptions& changes);
}

std::span<const Publication> publications() {
  static const std::vector<Publication> rows = {
      {"fork-join", "barriers and reductions of fine-grained parallel regions (Berger, Stamatakis)",
       &fork_join::measurements},
      {"nic-reduction", "reductions on network cards (Moody, Fernandez, Petrini, Panda)",
       &nic_reduction::measurements},
      {"dynamic-reduction", "reductions that find pairs by order of arrival (Falkman)",
       &dynamic_reduction::measurements},
      {"xeon-phi", "a model of communication in coherent caches, on Xeon Phi (Ramos, Hoefler)",
       &xeon_phi::measurements},
      {"thesis", "broadcasts on the SCC: RCCE_bcast, the cube and DOPL (a thesis)", &thesis::measurements},
  };
  return rows;
}

const Publication& publication(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Publication& one : publications()) {
    if (one.name == name) return one;
    names.push_back(one.name);
  }
  const std::string_view near = mesh::nearest(name, names);
  throw mesh::UserError(fmt::format("reproduce '{}': this publication is none of {}{}", name,
                                    fmt::join(names, ", "),
                                    near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

} // namespace rccebench::publications
