// SPDX-License-Identifier: Apache-2.0
// rccebench likelihood: the workload of the fork-join publication on the host's own threads, with any join.
#include <chrono>

#include <fmt/format.h>

#include "algorithms/memory/host.hpp"
#include "command_line/commands.hpp"
#include "measuring/regions.hpp"
#include "lab.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/progress.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {
namespace {

using measuring::memory::Host;

constexpr int most_organisms = 5'000, most_patterns = 1'000'000, most_host_threads = 256;
constexpr double most_bytes = 4e9;

struct LikelihoodOptions {
  CommonOptions common;
  std::string variants;
  int organisms = 20, patterns = 500, threads = 2, passes = 8, seed = 1;
};

std::vector<measuring::Variant> chosen_variants(const std::string& names) {
  std::vector<measuring::Variant> chosen;
  std::vector<std::string_view> known;
  for (const auto& variant : measuring::variants()) known.emplace_back(variant.name);
  if (names.empty()) return measuring::variants();
  for (const std::string& name : read_names(names, "--joins", "", known))
    for (const auto& variant : measuring::variants())
      if (variant.name == name) chosen.push_back(variant);
  return chosen;
}

Status run_likelihood(const LikelihoodOptions& options) {
  const double bytes =
      static_cast<double>(options.organisms) * options.patterns * likelihood::pattern_size * sizeof(double);
  if (bytes > most_bytes)
    throw mesh::UserError(fmt::format("--organisms {} --patterns {}: that takes {:.1f} GB; at most {:.0f}",
                                      options.organisms, options.patterns, bytes * 1e-9, most_bytes * 1e-9));
  const likelihood::Model model({{1.2, 3.1, 0.9, 1.1, 4.0, 1}, {0.3, 0.2, 0.22, 0.28}, 0.8});
  const auto tree = likelihood::random_tree(options.organisms, static_cast<std::uint64_t>(options.seed));
  const auto alignment =
      likelihood::evolve(tree, model, options.patterns, static_cast<std::uint64_t>(options.seed));
  Report report;
  report.title = fmt::format("rccebench likelihood {}", rcce::version_text);
  report.settings = {
      {"tree",
       fmt::format("{} organisms, {} patterns, generated from seed {}", options.organisms, options.patterns,
                   options.seed)},
      {"threads",
       fmt::format("{} of the host; more than it has processors measure its scheduler", options.threads)},
      {"clock", "host time: another one in each run"}};
  report.table.columns = {{"Join", "", 0},        {"Regions", "", 0},    {"With sums", "", 0},
                          {"ln L before", "", 6}, {"ln L after", "", 6}, {"Region", "us", 2}};
  const auto chosen = chosen_variants(options.variants);
  mesh::Progress progress(static_cast<double>(chosen.size()));
  for (const auto& variant : chosen) {
    likelihood::Kernel kernel(model, tree, alignment);
    Host host(options.threads);
    measuring::Team<Host> team(host, variant);
    likelihood::Optimiser<Host> optimiser(kernel, team);
    double before = 0, after = 0, seconds = 0;
    host.run([&](Host::Thread& thread) {
      if (thread.thread() > 0) return team.serve(thread);
      before = optimiser.evaluate(thread);
      const auto begin = std::chrono::steady_clock::now();
      after = optimiser.optimise(thread, options.passes);
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      team.stop(thread);
    });
    progress.add(1);
    const auto& counts = optimiser.counts();
    report.table.rows.push_back({variant.name, counts.all(), counts.summed(), before, after,
                                 seconds * 1e6 / static_cast<double>(counts.all() - 1)});
  }
  progress.clear();
  write(report, options.common.format, options.common.file);
  return 0;
}

} // namespace

void add_likelihood(CommandLine& line, Status& status) {
  auto options = std::make_shared<LikelihoodOptions>();
  Command command = line.add_command(
      "likelihood", "a phylogenetic likelihood in fork-join regions, on the host's threads, by each join");
  command
      .option("--joins", options->variants,
              "names as in `reproduce fork-join`, separated by commas (default: all)")
      .not_blank();
  command.option("--organisms", options->organisms, "tips of the generated tree")
      .between(3, most_organisms)
      .with_default_in_help();
  command.option("--patterns", options->patterns, "columns of the generated alignment")
      .between(1, most_patterns)
      .with_default_in_help();
  command.option("--threads", options->threads, "of the host")
      .between(1, most_host_threads)
      .with_default_in_help();
  command.option("--passes", options->passes, "over all branches").between(1, 100).with_default_in_help();
  command.option("--seed", options->seed, "of tree and alignment")
      .between(0, 1'000'000)
      .with_default_in_help();
  options->common.add_output_to(command);
  command.when_chosen([options, &status] { status = run_likelihood(*options); });
}

} // namespace rccebench
