// SPDX-License-Identifier: Apache-2.0
#include "front/job/memory_profile.hpp"

#include <sstream>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/output_file.hpp"
#include "mesh_sim/text_file.hpp"

namespace rcce {
namespace {

constexpr const char* option = "--memory-profile";
constexpr std::string_view cycles_key = "cycles", time_key = "picoseconds";

/// "cycles N" and "picoseconds N", a line each; lines that begin with # say where they come from.
Picoseconds read_average(const std::string& file) {
  const auto text = mesh::read_text_file(file);
  if (!text)
    throw mesh::UserError(fmt::format("{} {}: cannot be read; a run with --compute cache {} {} writes it",
                                      option, file, option, file));
  double cycles = 0, picoseconds = -1;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    double value = 0;
    if (!(words >> key) || key.front() == '#') continue;
    words >> value;
    if (key == cycles_key) cycles = value;
    if (key == time_key) picoseconds = value;
  }
  constexpr double million = 1e6, most = 1e12; // an access to memory beside each cycle, and far more
  const double average = cycles > 0 ? picoseconds / cycles * million : -1;
  if (!(average >= 0 && average <= most))
    throw mesh::UserError(fmt::format("{} {}: it has no lines '{} N' and '{} N'; a run with --compute cache "
                                      "writes them",
                                      option, file, cycles_key, time_key));
  return static_cast<Picoseconds>(average);
}

} // namespace

void take_memory_profile(LaunchOptions& options) {
  const std::string& file = options.memory_profile;
  if (file.empty()) return;
  switch (options.job.library.compute) {
  case ComputeModel::blocks:
    options.job.library.memory_per_million_cycles = read_average(file);
    return;
  case ComputeModel::cache:
    if (const std::string why = mesh::why_unwritable(file, options.overwrite); !why.empty())
      throw mesh::UserError(fmt::format("{} {}: {}", option, file, why));
    return;
  default:
    throw mesh::UserError(fmt::format("{} {}: needs --compute cache, which writes it, or --compute blocks, "
                                      "which charges what it says",
                                      option, file));
  }
}

void write_memory_profile(const LaunchOptions& options, const JobResult& result) {
  if (options.memory_profile.empty() || options.job.library.compute != ComputeModel::cache) return;
  std::uint64_t cycles = 0;
  Picoseconds memory = 0;
  for (const UeResult& ue : result.ues) {
    cycles += ue.own_cycles;
    memory += ue.memory;
  }
  mesh::write_output(option, options.memory_profile,
                     fmt::format("# what loads and stores took that missed the first-level cache, beside the "
                                 "program's own cycles: {} UEs\n"
                                 "# {}\n{} {}\n{} {}\n",
                                 result.ues.size(), options.job.launch.command, cycles_key, cycles, time_key,
                                 memory));
}

} // namespace rcce
