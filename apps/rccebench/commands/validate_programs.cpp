// SPDX-License-Identifier: Apache-2.0
#include "commands/validate_programs.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "measuring/published.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/job.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {
namespace {

using rcce::ComputeModel;

/// The number behind "Mop/s total = ".
std::optional<double> figure_in(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  const std::size_t equals = at == std::string::npos ? at : text.find('=', at);
  if (equals == std::string::npos) return {};
  return std::strtod(text.c_str() + equals + 1, nullptr);
}

/// The figure that the program prints of itself; nothing if it cannot run in this way.
std::optional<double> figure_of(const Machine& machine, const std::filesystem::path& program,
                                const Published& row, ComputeModel compute) {
  rcce::JobOptions job;
  job.program = program.string();
  job.cores.resize(static_cast<std::size_t>(row.cores.value_or(1)));
  std::iota(job.cores.begin(), job.cores.end(), 0);
  job.machine = machine.config;
  job.library.costs = machine.costs;
  job.library.compute = compute;
  std::string printed;
  job.output.sink = [&](int, std::string_view text) { printed += text; };
  try {
    (void)rcce::run_job(job);
  } catch (const mesh::UserError&) {
    if (compute == ComputeModel::none) throw;
    return {}; // not built for this model
  }
  return figure_in(printed, row.quantity);
}

Cell ratio_of(std::optional<double> model, double published) {
  return model ? Cell{*model / published} : Cell{};
}

} // namespace

Report validate_programs(const Machine& machine, const std::string& folder) {
  Report report;
  report.title = fmt::format("rccebench validate --programs, {}", rcce::version_text);
  report.settings = {
      {"machine", machine.description()},
      {"programs", "in the folder, with the libraries and iterations that they were built with"},
      {"none, blocks, cache", "model / published, by rccerun --compute"},
      {"fitted", "nothing"}};
  report.table.title = "programs on the chip";
  report.table.columns = {
      {"Program", "", 0},        {"Cores", "", 0}, {"Published", "", 1},        {"Unit", "", 0},
      {"Blocks", "", 1},         {"Cache", "", 1}, {"Blocks/published", "", 2}, {"Cache/published", "", 2},
      {"None/published", "", 0}, {"Source", "", 0}};
  std::vector<double> errors;
  for (const Published& row : read_published(CsvTable(data_path("programs.csv")))) {
    const std::filesystem::path program = std::filesystem::path(folder) / row.id;
    if (!std::filesystem::exists(program)) continue;
    const auto figure = [&](ComputeModel compute) { return figure_of(machine, program, row, compute); };
    const auto none = figure(ComputeModel::none), blocks = figure(ComputeModel::blocks),
               cache = figure(ComputeModel::cache);
    const auto cell = [](std::optional<double> value) { return value ? Cell{*value} : Cell{}; };
    report.table.rows.push_back({row.id, static_cast<std::int64_t>(row.cores.value_or(1)), row.value,
                                 row.unit, cell(blocks), cell(cache), ratio_of(blocks, row.value),
                                 ratio_of(cache, row.value), ratio_of(none, row.value), row.source});
    if (cache) errors.push_back(std::abs(*cache / row.value - 1) * 100);
  }
  if (report.table.rows.empty())
    throw mesh::UserError(
        fmt::format("--programs '{}': none of the published programs is there; build NPB LU of an "
                    "RCCE distribution with rccecc --memory, class B, and name it lu.B.1 for one "
                    "core, lu.B.2 for two",
                    folder));
  if (!errors.empty()) {
    std::sort(errors.begin(), errors.end());
    const double median = (errors[(errors.size() - 1) / 2] + errors[errors.size() / 2]) / 2;
    report.notes.push_back(
        fmt::format("difference of {} figures with caches: median {:.0f} %, worst {:.0f} %", errors.size(),
                    median, errors.back()));
    report.summary["median_abs_error_percent"] = median;
  }
  return report;
}

} // namespace rccebench
