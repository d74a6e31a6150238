#include "launcher/report_document.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/parameters.hpp"
#include "rcce_emu/version.hpp"
#include "run/json_text.hpp"

namespace rcce {
namespace {

using run::json_list;
using run::json_string;

std::string pair_json(const char* name, std::string_view value) {
  return fmt::format("[{},{}]", json_string(name), json_string(value));
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
                     json_string(note));
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

std::string parameters_json(const JobOptions& job) {
  mesh::MachineDescription machine = job.machine;
  SoftwareCosts costs = job.costs;
  mesh::ParameterTable table = machine.table();
  for (const mesh::Parameter& one : costs.parameters()) table.push_back(one);
  return json_list(table, [](const mesh::Parameter& one) {
    return fmt::format("\n[{},{},{},{}]", json_string(fmt::format("{}.{}", one.section, one.name)),
                       json_string(mesh::value_text(one)), json_string(one.unit), json_string(one.source));
  });
}

bool is_plain(const std::string& word) {
  return !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
        std::string_view("_./:=,@%+-").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

} // namespace

std::string shell_text(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    if (is_plain(word)) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

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
                     json_string(report_title(options)), json_string(command), json_string(version_text),
                     settings_json(options, result), facts_json(result), result.figures,
                     parameters_json(options.job));
}

} // namespace rcce
