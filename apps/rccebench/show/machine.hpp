// SPDX-License-Identifier: Apache-2.0
// A machine as it is built: sockets, nodes, caches and threads, tiles of a mesh, routers and links of a
// graph, or switches, nodes and cards, as boxes in boxes, with what lines and messages cost by distance.
#pragma once

#include <string>

#include "lab.hpp"

namespace rccebench::show {

/// Boxes as indented lines; those that are alike are one line. Then the costs, as tables.
[[nodiscard]] std::string machine_text(const Machine& machine);
/// The same as an SVG picture: every box down to cores, of many that are alike the first ones.
[[nodiscard]] std::string machine_svg(const Machine& machine);

} // namespace rccebench::show
