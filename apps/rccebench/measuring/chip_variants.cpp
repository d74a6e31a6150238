// SPDX-License-Identifier: Apache-2.0
#include "measuring/chip_variants.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "mesh_sim/machines/scc/costs.hpp"
#include "mesh_sim/machines/scc/kind.hpp"

namespace rccebench::measuring {
namespace {

/// Core cycles of a word stored to DRAM when it costs what the latencies say: an access that reaches the
/// memory twice, for a word of a line is read, changed and written. The mean over the tiles: with the default
/// look-up tables 1.5 hops from the controller.
std::int64_t dram_store_cycles(const Machine& machine) {
  const auto config = mesh::scc_config(machine.config);
  const mesh::Topology topology = config->make_topology();
  const mesh::Picoseconds cycle = mesh::period(machine.core_mhz());
  mesh::Picoseconds sum = 0;
  for (int tile = 0; tile < topology.tiles(); ++tile) {
    const mesh::TileId controller = topology.controller_tile(topology.controller_of(mesh::TileId{tile}));
    sum += mesh::SccCosts::dram_access(*config, cycle, topology.hops(mesh::TileId{tile}, controller), 2);
  }
  return std::llround(static_cast<double>(sum) / static_cast<double>(topology.tiles() * cycle));
}

/// An L2 read hit, core cycles. Sivaramakrishnan and others, MultiMLton, JFP 2014, citing Intel.
constexpr std::int64_t l2_hit_cycles = 18;

} // namespace

std::string ChipVariant::name() const {
  return fmt::format("{}, stores from {}, {} frames", preset,
                     stores == Stores::curve ? "the V1.0.13 curve" : "latencies", frames);
}

std::shared_ptr<const Machine> ChipVariant::machine(const CommonOptions& changes) const {
  CommonOptions options = changes;
  options.machine = preset;
  options.frames = frames;
  Machine machine = open_machine(options);
  if (stores == Stores::latencies) {
    machine.config.set("cache.plain_store_l2_cycles", l2_hit_cycles);
    machine.config.set("cache.plain_store_dram_cycles", dram_store_cycles(machine));
  }
  return std::make_shared<const Machine>(std::move(machine));
}

std::span<const ChipVariant> chip_variants() {
  // In order of preference; why the first is the first is argued in publications/thesis/README.md, from
  // point-to-point evidence.
  static const std::array all{
      ChipVariant{"scc-fast", Stores::curve, "contiguous"},
      ChipVariant{"scc-fast", Stores::curve, "random"},
      ChipVariant{"scc-fast", Stores::latencies, "contiguous"},
      ChipVariant{"scc-fast", Stores::latencies, "random"},
      ChipVariant{"scc", Stores::curve, "contiguous"},
      ChipVariant{"scc", Stores::curve, "random"},
      ChipVariant{"scc", Stores::latencies, "contiguous"},
      ChipVariant{"scc", Stores::latencies, "random"},
  };
  return all;
}

} // namespace rccebench::measuring
