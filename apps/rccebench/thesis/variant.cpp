// SPDX-License-Identifier: Apache-2.0
#include "thesis/variant.hpp"

#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace rccebench::thesis {
namespace {

// In order of preference; why the first is the first is argued in README.md of this folder, from
// point-to-point evidence.
constexpr std::array all_variants{
    Variant{"scc-fast", Stores::curve, "contiguous"},     Variant{"scc-fast", Stores::curve, "random"},
    Variant{"scc-fast", Stores::latencies, "contiguous"}, Variant{"scc-fast", Stores::latencies, "random"},
    Variant{"scc", Stores::curve, "contiguous"},          Variant{"scc", Stores::curve, "random"},
    Variant{"scc", Stores::latencies, "contiguous"},      Variant{"scc", Stores::latencies, "random"},
};

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

std::string Variant::name() const {
  return fmt::format("{}, stores from {}, {} frames", preset,
                     stores == Stores::curve ? "the V1.0.13 curve" : "latencies", frames);
}

std::shared_ptr<const Machine> Variant::machine() const {
  CommonOptions options = changes == nullptr ? CommonOptions{} : *changes;
  options.machine = preset;
  options.frames = frames;
  Machine machine = open_machine(options);
  if (stores == Stores::latencies) {
    machine.config.set("cache.plain_store_l2_cycles", l2_hit_cycles);
    machine.config.set("cache.plain_store_dram_cycles", dram_store_cycles(machine));
  }
  return std::make_shared<const Machine>(std::move(machine));
}

std::span<const Variant> variants() {
  return all_variants;
}

const char* algorithm_of(Broadcast what) {
  switch (what) {
  case Broadcast::rcce:
    return "bcast/linear";
  case Broadcast::cube:
    return "bcast/cube";
  case Broadcast::dopl:
    break;
  }
  return "bcast/dopl";
}

Point run_of(const Variant& variant, Broadcast what, std::int64_t bytes, int cores, Copies copies,
             bool reads) {
  // DOPL copies by iRCCE's routines: what plain stores cost does not reach it, and one run serves both
  // variants.
  Variant used = variant;
  const bool prefetching = what == Broadcast::dopl || copies == Copies::all_prefetching;
  if (prefetching) used.stores = Stores::curve;
  return {.machine = used.machine(),
          .machine_name = used.machine()->config.name(),
          .backend = backend_of(*used.machine()),
          .algorithm = algorithm_of(what),
          .generation = Generation::rcce10,
          .copies = prefetching ? "prefetching" : "own",
          .cores = cores,
          .bytes = bytes,
          .warm_up = reads ? 0 : 1,
          .reads = reads,
          .statistics = variant.changes != nullptr && variant.changes->statistics};
}

} // namespace rccebench::thesis
