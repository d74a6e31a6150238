// SPDX-License-Identifier: Apache-2.0
#include "launcher/report_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/parameters.hpp"
#include "rcce_emu/report_page.hpp"
#include "rcce_emu/version.hpp"
#include "run/json_text.hpp"

namespace rcce {
namespace {

std::string pair_json(const char* name, std::string_view value) {
  return fmt::format("[{},{}]", run::json_string(name), run::json_string(value));
}

std::string outcome_text(const JobResult& result) {
  if (result.outcome == Outcome::deadlock) return "deadlock";
  return result.status == 0 ? "every UE ended with status 0" : fmt::format("status {}", result.status);
}

std::string settings_json(const LaunchOptions& options, const JobResult& result) {
  const JobOptions& job = options.job;
  std::vector<std::string> settings{
      pair_json("program", fmt::format("{}", fmt::join(job.arguments, " ")).insert(0, job.program + " ")),
      pair_json("machine", fmt::format("{}: {}", job.machine.name(), job.machine.parameters().setting())),
      pair_json("time",
                job.compute == ComputeModel::none
                    ? "simulated; code between library calls takes none (compute none)"
                    : "simulated, with the host's for code between library calls (compute host)"),
      pair_json("end", outcome_text(result))};
  if (!job.collectives.empty()) settings.push_back(pair_json("collectives", job.collectives));
  return fmt::format("[{}]", fmt::join(settings, ","));
}

std::string fact_json(const char* name, double value, const char* unit, std::string_view note) {
  return fmt::format(R"({{"name":"{}","value":{},"unit":"{}","note":{}}})", name, value, unit,
                     run::json_string(note));
}

/// What one looks for first.
std::string facts_json(const JobResult& result) {
  double messages = 0, bytes = 0;
  for (const mesh::Statistic& one : result.matrix) (one.name == "pair.bytes" ? bytes : messages) += one.value;
  const mesh::Statistic* busiest = nullptr;
  for (const mesh::Statistic& one : result.links)
    if (one.name == "link.share" && (busiest == nullptr || one.value > busiest->value)) busiest = &one;
  std::vector<std::string> facts{
      fact_json("simulated time", static_cast<double>(result.end) / mesh::picoseconds_per_microsecond, "us",
                ""),
      fact_json("cores", static_cast<double>(result.ues.size()), "1", ""),
      fact_json("messages", messages, "1", "received in full"),
      fact_json("data", bytes, "bytes", "of these")};
  if (busiest != nullptr)
    facts.push_back(fact_json("busiest link", busiest->value, "%", busiest->labels.front().second));
  return fmt::format("[{}]", fmt::join(facts, ",\n"));
}

std::string parameters_of(const JobOptions& job) {
  mesh::MachineDescription machine = job.machine;
  SoftwareCosts costs = job.costs;
  mesh::ParameterTable all = machine.table();
  for (const mesh::Parameter& one : costs.parameters()) all.push_back(one);
  return parameters_json(all);
}

} // namespace

std::string report_title(const LaunchOptions& options) {
  const std::string& path = options.job.program;
  const std::size_t cores = options.job.cores.size();
  return fmt::format("{} on {} core{}", path.substr(path.rfind('/') + 1), cores, cores == 1 ? "" : "s");
}

std::string report_document(const LaunchOptions& options, const JobResult& result,
                            const std::string& command) {
  return fmt::format(R"({{"schema":"rockcreek-report","version":1,"title":{},"command":{},"release":{},)"
                     "\n"
                     R"("settings":{},"facts":{},"figures":{},)"
                     "\n"
                     R"("parameters":{}}})"
                     "\n",
                     run::json_string(report_title(options)), run::json_string(command),
                     run::json_string(version_text), settings_json(options, result), facts_json(result),
                     result.figures, parameters_of(options.job));
}

} // namespace rcce
