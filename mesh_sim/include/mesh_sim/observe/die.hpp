// SPDX-License-Identifier: Apache-2.0
// The die of a run as text: tiles with their cores, and the load of links, buffer ports and memory
// controllers as glyphs. At most 80 columns for the chip.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace mesh {

struct Statistic;
using Statistics = std::vector<Statistic>;
class Topology;

/// `load` has link.share, mpb_port.share and controller.share by name, as a machine's statistics have them;
/// resources that it lacks were idle. `ranks`: of the cores of the topology, in their order; -1: takes no
/// part. Links and ports are drawn in eighths of the share of the one that is most loaded; empty for idle;
/// without `utf8` in ASCII.
[[nodiscard]] std::string die_text(const Topology& topology, const Statistics& load,
                                   std::span<const int> ranks, bool colours, bool utf8);

} // namespace mesh
