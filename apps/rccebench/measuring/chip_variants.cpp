// SPDX-License-Identifier: Apache-2.0
#include "measuring/chip_variants.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
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

/// Core cycles of a plain store to L2 and to DRAM, as `calibrate` finds them: cube, 50,000 bytes, parts of
/// 256 to 8192 bytes, scc-fast, random frames, median over 20 seeds (publications/thesis/README.md).
constexpr std::int64_t fitted_l2_cycles = 43, fitted_dram_cycles = 166;

/// An L2 read hit, core cycles. Sivaramakrishnan and others, MultiMLton, JFP 2014, citing Intel.
constexpr std::int64_t l2_hit_cycles = 18;

} // namespace

const char* name(Stores stores) noexcept {
  return stores == Stores::curve ? "curve" : stores == Stores::latencies ? "latencies" : "fitted";
}

Stores stores_of(const std::string& word) {
  for (const Stores one : {Stores::curve, Stores::latencies, Stores::fitted})
    if (word == name(one)) return one;
  throw mesh::UserError(fmt::format("stores '{}': none of curve, latencies, fitted", word));
}

std::string ChipVariant::name() const {
  return fmt::format("{}, stores {}, {} frames", preset,
                     stores == Stores::curve        ? "from the V1.0.13 curve"
                         : stores == Stores::fitted ? "fitted on 6 cells"
                                                    : "from latencies",
                     frames);
}

std::shared_ptr<const Machine> ChipVariant::machine(const CommonOptions& changes) const {
  CommonOptions options = changes;
  options.machine = preset;
  options.frames = frames;
  Machine machine = open_machine(options);
  if (stores == Stores::latencies) {
    machine.config.set("cache.plain_store_l2_cycles", l2_hit_cycles);
    machine.config.set("cache.plain_store_dram_cycles", dram_store_cycles(machine));
  } else if (stores == Stores::fitted) {
    machine.config.set("cache.plain_store_l2_cycles", fitted_l2_cycles);
    machine.config.set("cache.plain_store_dram_cycles", fitted_dram_cycles);
  }
  return std::make_shared<const Machine>(std::move(machine));
}

std::span<const ChipVariant> chip_variants() {
  // In order of preference; why the first is the first is argued in publications/thesis/README.md, from
  // point-to-point evidence.
  static const std::array all{
      ChipVariant{"scc-fast", Stores::curve, "random"},
      ChipVariant{"scc-fast", Stores::curve, "contiguous"},
      ChipVariant{"scc-fast", Stores::latencies, "random"},
      ChipVariant{"scc-fast", Stores::latencies, "contiguous"},
      ChipVariant{"scc", Stores::curve, "random"},
      ChipVariant{"scc", Stores::curve, "contiguous"},
      ChipVariant{"scc", Stores::latencies, "random"},
      ChipVariant{"scc", Stores::latencies, "contiguous"},
      ChipVariant{"scc-fast", Stores::fitted, "random"},
  };
  return all;
}

} // namespace rccebench::measuring
