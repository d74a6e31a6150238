// SPDX-License-Identifier: Apache-2.0
#include "measuring/chip_variants.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace rccebench::measuring {
namespace {

/// Mean router hops from a core to its memory controller: 0, 1, 2 and 3 for 4, 8, 8 and 4 of the 24 tiles
/// (default LUTs).
constexpr double mean_controller_hops = 1.5;

/// Core cycles of a word stored to DRAM when it costs what the latencies say: 40 core cycles, the way there
/// and back (4 mesh cycles a hop), and the 46 memory cycles twice, for a word of a line is read, changed and
/// written.
std::int64_t dram_store_cycles(const Machine& machine) {
  const mesh::MachineDescription& config = machine.config;
  const double us = config.number("dram.core_cycles") / machine.core_mhz() +
      2.0 * config.number("mesh.router_cycles") * mean_controller_hops / config.number("mesh.clock") +
      2.0 * config.number("dram.ram_cycles") / (config.number("dram.clock") / 2);
  return std::llround(us * machine.core_mhz());
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
