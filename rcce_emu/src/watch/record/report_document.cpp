// SPDX-License-Identifier: Apache-2.0
#include "watch/record/report_document.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/parameters.hpp"
#include "rcce_emu/report_page.hpp"
#include "rcce_emu/statuses.hpp"
#include "rcce_emu/version.hpp"
#include "watch/record/json_text.hpp"

namespace rcce::record {
namespace {

std::string pair_json(const char* name, std::string_view value) {
  return fmt::format("[{},{}]", json_string(name), json_string(value));
}

/// "deadlock"; empty: the run has come to a good end.
std::string failure_of(const JobResult& result) {
  if (result.outcome == Outcome::deadlock) return "deadlock";
  if (result.status == 0) return {};
  const auto crashed = std::ranges::find_if(
      result.ues, [](const UeResult& ue) { return ue.ended && ue.status > status_signal; });
  if (result.status == status_timeout && result.outcome == Outcome::stopped) return "ended by its time limit";
  if (result.status > status_signal && crashed != result.ues.end() && crashed->status == result.status)
    return fmt::format("crash of rank {}", crashed->rank);
  if (result.status > status_signal && result.outcome == Outcome::stopped) return "ended by a signal";
  if (result.status == status_findings) return "findings";
  return fmt::format("status {}", result.status);
}

/// The failure in the words of the run's report; nothing if there is none.
std::string verdict_json(const JobResult& result) {
  const std::string failure = failure_of(result);
  if (failure.empty()) return {};
  std::string_view rest = result.report;
  std::vector<std::string> lines;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    constexpr std::string_view self = "rccerun: ";
    if (line.starts_with(self)) line.remove_prefix(self.size());
    lines.push_back(json_string(line));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return fmt::format(R"("verdict":{{"title":{},"lines":[{}]}},)"
                     "\n",
                     json_string(failure), fmt::join(lines, ","));
}

std::string outcome_text(const JobResult& result) {
  if (result.outcome == Outcome::deadlock) return "deadlock";
  return result.status == 0 ? "every UE ended with status 0" : fmt::format("status {}", result.status);
}

std::string settings_json(const JobOptions& job, const JobResult& result) {
  std::vector<std::string> settings{
      pair_json("program", fmt::format("{}", fmt::join(job.arguments, " ")).insert(0, job.program + " ")),
      pair_json("machine", fmt::format("{}: {}", job.machine.name(), job.machine.parameters().setting())),
      pair_json("time",
                job.library.compute == ComputeModel::none
                    ? "simulated; code between library calls takes none (compute none)"
                    : counts(job.library.compute)
                    ? fmt::format("simulated; the program's own code takes the cycles that it counts ({})",
                                  result.counted_by)
                    : "simulated, with the host's for code between library calls (compute host)"),
      pair_json("end", outcome_text(result))};
  if (!job.library.collectives.empty()) settings.push_back(pair_json("collectives", job.library.collectives));
  return fmt::format("[{}]", fmt::join(settings, ","));
}

std::string fact_json(const char* name, double value, const char* unit, std::string_view note) {
  return fmt::format(R"({{"name":"{}","value":{},"unit":"{}","note":{}}})", name, value, unit,
                     json_string(note));
}

/// The facts that a reader looks for first.
std::string facts_json(const ReportData& data) {
  const JobResult& result = data.result;
  double messages = 0, bytes = 0;
  for (const mesh::Statistic& one : data.messages) {
    if (one.name == "pair.bytes") bytes += one.value;
    if (one.name == "pair.messages") messages += one.value;
  }
  const mesh::Statistic* busiest = nullptr;
  for (const mesh::Statistic& one : data.links)
    if (one.name == "link.share" && (busiest == nullptr || one.value > busiest->value)) busiest = &one;
  std::vector<std::string> facts{fact_json("simulated time", mesh::microseconds(result.end), "us", ""),
                                 fact_json("cores", static_cast<double>(result.ues.size()), "1", ""),
                                 fact_json("messages", messages, "1", "received in full"),
                                 fact_json("data", bytes, "bytes", "of these")};
  const auto sent = std::ranges::count(result.open_messages, true, &UnfinishedMessage::sent);
  if (sent > 0)
    facts.push_back(
        fact_json("messages under way", static_cast<double>(sent), "1", "sent and not received in full"));
  if (busiest != nullptr)
    facts.push_back(fact_json("busiest link", busiest->value, "%", busiest->labels.front().second));
  return fmt::format("[{}]", fmt::join(facts, ",\n"));
}

std::string parameters_of(const JobOptions& job) {
  mesh::MachineDescription machine = job.machine;
  SoftwareCosts costs = job.library.costs;
  mesh::ParameterTable all = machine.table();
  for (const mesh::Parameter& one : costs.parameters()) all.push_back(one);
  return parameters_json(all);
}

} // namespace

std::string report_title(const JobOptions& job) {
  const std::string& path = job.program;
  const std::size_t cores = job.cores.size();
  return fmt::format("{} on {} core{}", path.substr(path.rfind('/') + 1), cores, cores == 1 ? "" : "s");
}

std::string report_document(const ReportData& data) {
  const auto& [job, result, messages, links, figures] = data;
  return fmt::format(R"({{"schema":"rockcreek-report","version":1,"title":{},"command":{},"release":{},)"
                     "\n"
                     R"({}"settings":{},"facts":{},"figures":{},)"
                     "\n"
                     R"("parameters":{}}})"
                     "\n",
                     json_string(report_title(job)), json_string(job.launch.command),
                     json_string(version_text), verdict_json(result), settings_json(job, result),
                     facts_json(data), figures, parameters_of(job));
}

} // namespace rcce::record
