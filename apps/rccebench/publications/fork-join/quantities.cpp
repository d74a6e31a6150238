// SPDX-License-Identifier: Apache-2.0
// S. A. Berger, A. Stamatakis, Assessment of Barrier Implementations for Fine-Grain Parallel Regions on
// Current Multi-core Architectures: what its statements are made of.
#include <algorithm>

#include "measuring/regions.hpp"
#include "measuring/substitutes.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/coherent/machine.hpp"
#include "publications/publications.hpp"

namespace rccebench::publications::fork_join {
namespace {

using measuring::DataSet, measuring::RegionTimes, measuring::Variant;
using mesh::coherent::Operation, mesh::coherent::State;

struct Machine {
  const char* preset;
  int cores;
  /// The time that table I leaves for each poller of the start word: 240 to 340 ns on the machines with AMD
  /// processors.
  double served_ns;
};
constexpr Machine machines[] = {{"core2d", 2, 0},    {"core2q", 4, 0},       {"i5-750", 4, 0},
                                {"nehalem", 8, 190}, {"barcelona", 16, 300}, {"x4440", 24, 300},
                                {"x4600", 32, 300}};

template <class Rows, class Same>
const auto& row_of(const Rows& rows, const std::string& what, Same same) {
  const auto found = std::find_if(std::begin(rows), std::end(rows), same);
  if (found == std::end(rows)) throw mesh::UserError("fork-join: there is no '" + what + "'");
  return *found;
}
const Machine& machine_of(const std::string& preset) {
  return row_of(machines, preset, [&](const Machine& one) { return preset == one.preset; });
}
const DataSet& data_of(const std::string& workload) {
  return row_of(measuring::data_sets, workload, [&](const DataSet& one) { return workload == one.workload; });
}
const Variant& variant_of(const std::string& name) {
  return row_of(measuring::variants(), name, [&](const Variant& one) { return name == one.name; });
}

Json json_of(const RegionTimes& times) {
  return {{"seconds", times.seconds}, {"region_us", times.region_us}, {"sums", times.sums}};
}

/// workload, variant, machine. sync-only-reset: flags set back by who has waited for them; sync-only-served:
/// a polled line serves each reader as slowly as table I leaves, to find out what statements fail for.
Json regions(const Arguments& a) {
  const Machine& machine = machine_of(a.word(2));
  const Variant& variant = variant_of(a.word(1));
  const std::string &workload = a.word(0), base = workload.starts_with("sync-only") ? "sync-only" : workload;
  const auto places = mesh::coherent::placement(
      mesh::coherent::load_machine(measuring::machine_file(machine.preset)), "compact", machine.cores);
  return json_of(measuring::measure({machine.preset, places, base,
                                     workload == "sync-only-reset" ? measuring::with_reset(variant) : variant,
                                     workload == "sync-only-served" ? machine.served_ns : 0}));
}
/// Empty regions, flat-padded, on chosen hardware threads.
Json placed(const Arguments& a) {
  struct Placed {
    const char *name, *machine;
    std::vector<int> places;
  };
  static const std::vector<Placed> all{
      {"one-die", "core2q", {0, 1}},
      {"two-dies", "core2q", {0, 2}},
      {"siblings", "nehalem", {0, 1, 2, 3, 8, 9, 10, 11}}, // of the first four cores
      {"neighbours", "i5-750", {0, 1}},
      {"apart", "i5-750", {0, 3}}};
  const Placed& one = row_of(all, a.word(0), [&](const Placed& row) { return a.word(0) == row.name; });
  return json_of(measuring::measure({one.machine, one.places, "sync-only", measuring::variants()[1]}));
}
/// Regions of a real optimisation.
Json counts(const Arguments& a) {
  const auto found = measuring::count_regions(data_of(a.word(0)));
  using likelihood::Region;
  const auto of = [&](Region region) { return found.regions.at(static_cast<std::size_t>(region)); };
  return {{"view", of(Region::view)},
          {"derivative", of(Region::derivative)},
          {"evaluation", of(Region::evaluation)}};
}
double threads(const Arguments& a) {
  return machine_of(a.word(2)).cores;
}

/// The sizes of a data set as printed, and `repeats` of Newton steps, as its counts leave them.
Json size(const Arguments& a) {
  const DataSet& data = data_of(a.word(0));
  const std::string& what = a.word(1);
  const std::int64_t number = what == "patterns" ? data.patterns
      : what == "branches"                       ? data.branches()
      : what == "barriers"                       ? data.barriers
      : what == "sums"                           ? data.with_sums
                                                 : data.counts().of(likelihood::Region::repeat);
  return static_cast<double>(number);
}

/// Mean in which the machine's own point-to-point rows serve one poller of the start word: the master's
/// changed line, fetched by each other core.
Json service(const Arguments& a) {
  const mesh::coherent::Config config = mesh::coherent::load_machine(measuring::machine_file(a.word(0)));
  const mesh::coherent::Costs costs(config);
  const int cores = machine_of(a.word(0)).cores;
  double sum = 0;
  for (int core = 1; core < cores; ++core)
    sum += static_cast<double>(
               costs.latency(Operation::load, State::modified, costs.place(costs.node(core), 0))) *
        1e-3;
  return sum / (cores - 1);
}
Json shared_store(const Arguments& a) {
  const mesh::coherent::Config config = mesh::coherent::load_machine(measuring::machine_file(a.word(0)));
  const mesh::coherent::Costs costs(config);
  return static_cast<double>(costs.latency(Operation::store, State::shared, 0)) * config.clock_mhz * 1e-6;
}

} // namespace

Measurements measurements(const CommonOptions& /*changes*/) {
  const auto config = [](const Arguments& a) {
    return mesh::coherent::load_machine(measuring::machine_file(a.word(0)));
  };
  return {{{"regions", 3, regions, threads},
           {"placed", 1, placed},
           // Longer than any simulation of regions.
           {"counts", 1, counts,
            [](const Arguments& a) { return static_cast<double>(data_of(a.word(0)).organisms); }}},
          {{"size", 2, size},
           {"cores", 1, [](const Arguments& a) { return machine_of(a.word(0)).cores; }},
           {"served", 1, [](const Arguments& a) { return machine_of(a.word(0)).served_ns; }},
           {"service", 1, service},
           {"shared_store", 1, shared_store},
           {"locked_hit", 1, [config](const Arguments& a) { return config(a).hit_atomic; }},
           {"clock", 1, [config](const Arguments& a) { return config(a).clock_mhz; }}}};
}

} // namespace rccebench::publications::fork_join
