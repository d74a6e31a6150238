// SPDX-License-Identifier: Apache-2.0
// Algorithms, what a run can tell in numbers, and what measurements can be compared with.
#include <array>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/on_cards/reductions.hpp"
#include "lab.hpp"
#include "measuring/benchmark_tables.hpp"
#include "measuring/chip_figures.hpp"
#include "measuring/coherent_rows.hpp"
#include "mesh_sim/observe/lock_usage.hpp"
#include "mesh_sim/observe/matrix.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/observe/usage.hpp"
#include "rcce_emu/instruction_costs.hpp"
#include "rcce_emu/job.hpp"
#include "rcceinfo/entries.hpp"

namespace rccebench::info {
namespace {

std::string parameters_text(const Row& algorithm) {
  std::string text;
  for (const Parameter& parameter : algorithm.parameters) {
    const std::string standard = parameter.default_text();
    const std::string bounds = parameter.words.empty()
        ? fmt::format("{}..{}{}{}", parameter.least, parameter.most, parameter.unit.empty() ? "" : " ",
                      parameter.unit)
        : fmt::format("{}", fmt::join(parameter.words, "|"));
    text += fmt::format("; {}={} ({}): {}", parameter.name, standard.empty() ? "own choice" : standard,
                        bounds, parameter.help);
  }
  return text;
}

/// A run of two cores, on two tiles, that counts all that a run of messages can count.
mesh::Statistics counted_on_chip() {
  const Machine chip = lab::open_machine("scc");
  rcce::JobOptions job;
  job.program = program_path("pingpong", Generation::rcce20).string();
  job.cores = {0, 2};
  job.arguments = {"1", "0", "32"};
  job.machine = chip.config;
  job.library.costs = chip.costs;
  for (const char* const name : {"statistics", "energy", "matrix", "links", "profile"})
    job.recording.records[name];
  job.output.sink = [](int, std::string_view) {};
  const rcce::JobResult result = rcce::run_job(job);
  mesh::Statistics all;
  for (const char* const name : {"statistics", "matrix", "links", "profile"})
    all.insert(all.end(), result.table(name).begin(), result.table(name).end());
  // This run comes to its end.
  for (const mesh::StatisticKind& kind :
       {mesh::core_own_code, mesh::core_own_code_l2, mesh::core_own_code_memory, mesh::profile_l2,
        mesh::profile_memory, mesh::lock_taken, mesh::lock_held, mesh::lock_waiting, mesh::lock_most_waiting,
        mesh::call_unfinished, mesh::pair_unfinished, mesh::pair_bytes_unfinished})
    add(all, kind, {}, 0);
  return all;
}

} // namespace

std::vector<Entry> algorithms() {
  std::vector<Entry> all;
  for (const auto& backend : backends())
    for (const Row& row : backend->rows())
      all.push_back({.section = "algorithms",
                     .of = std::string(backend->name()),
                     .names = {row.name},
                     .value = row.cost,
                     .origin = row.source,
                     .meaning = row.summary + parameters_text(row)});
  for (const auto& rows : {::algorithms::on_cards::reductions, ::algorithms::on_cards::broadcasts})
    for (const auto& row : rows)
      all.push_back({.section = "algorithms",
                     .of = "cluster",
                     .names = {std::string(row.name)},
                     .value = std::string(row.cost),
                     .meaning = std::string(row.summary)});
  return all;
}

std::vector<Entry> statistics() {
  std::vector<Entry> all;
  std::set<std::string_view> known;
  const mesh::Statistics counted = counted_on_chip();
  for (const mesh::Statistic& one : counted)
    if (known.insert(one.name).second)
      all.push_back({.section = "statistics",
                     .of = "scc",
                     .names = {std::string(one.name)},
                     .unit = std::string(one.unit),
                     .meaning = std::string(one.description)});
  return all;
}

std::vector<Entry> instructions() {
  namespace costs = rcce::costs;
  constexpr std::array<std::string_view, 4> pipes = {"either pipe", "U, with another in V",
                                                     "V beside another", "no pairing"};
  std::vector<Entry> all;
  for (const costs::Instruction* const one : costs::instructions)
    all.push_back({.section = "instructions",
                   .of = "core",
                   .names = {std::string(one->name)},
                   .value = fmt::format("{}", one->cycles),
                   .unit = "cycles",
                   .origin = std::string(one->origin),
                   .meaning = fmt::format("result after {}; {}", one->latency,
                                          pipes.at(static_cast<std::size_t>(one->pairing)))});
  for (const costs::Function& one : costs::functions) {
    std::string growth;
    if (one.size != costs::Size::none)
      growth = fmt::format("and {} for each {}", one.per_eight / 8.0,
                           one.sorts ? "element and halving of their number" : "byte");
    all.push_back({.section = "instructions",
                   .of = one.math ? "libm" : "libc",
                   .names = {std::string(one.name)},
                   .value = fmt::format("{}", one.cycles),
                   .unit = "cycles",
                   .origin = std::string(one.origin),
                   .meaning = growth});
  }
  return all;
}

std::vector<Entry> measurements() {
  std::vector<Entry> all{
      {.section = "measurements",
       .of = "any machine",
       .names = {"algorithm"},
       .takes =
           "cores bytes time root type op options spread seed reads warm_up repetitions rcce copies payload",
       .value = "algorithm=bcast/cube cores=48 bytes=8192 options=part=4096",
       .unit = "us",
       .meaning = "a column: the time of a point, as rccebench points takes it; the group is free"},
      {.section = "measurements",
       .of = "any machine",
       .names = {"tables"},
       .takes = "--machine --cores --operation --algorithm",
       .value = "rccebench validate --data osu_bcast.txt --machine scc --cores 48",
       .unit = "us",
       .meaning = "printed by another benchmark, by their heads: " + known_heads()}};
  for (const ChipGroup& group : chip_groups())
    all.push_back({.section = "measurements",
                   .of = "group, scc",
                   .names = {std::string(group.key)},
                   .takes = std::string(group.columns),
                   .value = std::string(group.example),
                   .unit = std::string(group.unit),
                   .meaning = std::string(group.title)});
  for (const CoherentQuantity& quantity : coherent_quantities())
    all.push_back({.section = "measurements",
                   .of = "quantity, coherent",
                   .names = {std::string(quantity.name)},
                   .takes = std::string(quantity.columns),
                   .value = std::string(quantity.example),
                   .unit = std::string(quantity.unit),
                   .meaning = std::string(quantity.meaning)});
  return all;
}

} // namespace rccebench::info
