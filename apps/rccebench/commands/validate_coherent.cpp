// SPDX-License-Identifier: Apache-2.0
// The simulated machine beside published measurements of the real one: row by row, with what of the machine
// is a guess.
#include "commands/validate_coherent.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "lab.hpp"
#include "measuring/coherent_rows.hpp"
#include "mesh_sim/counted.hpp"
#include "mesh_sim/machines/coherent/kind.hpp"
#include "mesh_sim/parameters.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {

namespace {

/// Rows of which the machine's own ratio to the published one is told on a line: section by section of what
/// hardware tables do not have.
class Ratios {
 public:
  void add(const CoherentRow& row, double model) {
    const bool lock = row.quantity == "lock_ratio", message = row.quantity == "message_round_trip";
    if (!lock && !message) return;
    const std::string what = lock
        ? fmt::format("locks, rate of {} threads over {}", row.threads, row.base_threads)
        : "messages of a line, there and back";
    const std::string name = lock ? row.operation.substr(row.operation.find('/') + 1)
                                  : fmt::format("cores {} and {}", row.pair.a, row.pair.b);
    auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.what == what; });
    if (group == groups_.end()) group = groups_.insert(groups_.end(), {what, {}, 0});
    group->told.push_back(lock ? fmt::format("{} {:.2f} ({:.2f})", name, model, row.value)
                               : fmt::format("{} {:.0f} ({:.0f})", name, model, row.value));
    group->within += std::abs(model / row.value - 1) <= 0.5 ? 1 : 0;
  }
  void tell(Report& report) const {
    std::size_t within = 0, all = 0;
    for (const Group& group : groups_) {
      report.notes.push_back(fmt::format("{}: {}; {} of {} within 50 % of the published in brackets",
                                         group.what, fmt::join(group.told, ", "), group.within,
                                         group.told.size()));
      within += group.within;
      all += group.told.size();
    }
    if (all == 0) return;
    report.summary["locks_and_messages"] = all;
    report.summary["locks_and_messages_within_50_percent"] = within;
  }

 private:
  struct Group {
    std::string what;
    std::vector<std::string> told;
    std::size_t within;
  };
  std::vector<Group> groups_;
};

} // namespace

std::optional<CoherentValidation> validate_coherent(const mesh::MachineDescription& machine) {
  const auto config = mesh::coherent_config(machine);
  if (!config) return std::nullopt;
  CoherentValidation validation;
  Report& report = validation.report;
  report.title = fmt::format("rccebench validate {}", rcce::version_text);
  report.settings.emplace_back("machine",
                               fmt::format("{}: {}", machine.name(), machine.parameters().setting()));
  std::vector<std::string> guessed;
  // What was set over a preset stands behind its name.
  const std::string published = machine.name().substr(0, machine.name().find(' '));
  for (const auto& preset : machine.kind().presets)
    if (preset.name == published) {
      report.settings.back().second = fmt::format("{}: {}", machine.name(), preset.title());
      guessed = mesh::ParameterFile(preset.text, preset.name).marked("guess");
    }
  report.settings.insert(
      report.settings.end(),
      {{"difference", "(model / published - 1), in percent"},
       {"use", "input: a parameter of the machine; check: it is not"},
       {"guesses", guessed.empty() ? "none" : fmt::format("{}", fmt::join(guessed, ", "))}});
  report.table.columns = {{"Id", "", 0},          {"Quantity", "", 0},   {"What", "", 0},
                          {"Model", "", 1},       {"Published", "", 1},  {"Unit", "", 0},
                          {"Difference", "%", 1}, {"Tolerance", "%", 0}, {"Use", "", 0},
                          {"Within", "", 0},      {"Source", "", 0}};
  std::size_t rows = 0, checked = 0, within = 0;
  Ratios ratios;
  std::vector<double> ping_pong; // absolute differences
  std::vector<std::string> reasons;
  for (const CoherentRow& row : read_coherent_rows(CsvTable(data_path("coherent.csv")))) {
    if (row.machine != published) continue;
    const double model = coherent_model(row, *config), difference = (model / row.value - 1) * 100;
    std::vector<std::string> what;
    for (const std::string& word : {row.operation, row.state})
      if (!word.empty()) what.push_back(word);
    if (row.threads > 0)
      what.push_back(row.base_threads > 0
                         ? fmt::format("{} against {} threads", row.threads, row.base_threads)
                         : fmt::format("{} threads", row.threads));
    else if (row.pair.b > 0)
      what.push_back(fmt::format("cores {} and {}, home {}", row.pair.a, row.pair.b, row.pair.home));
    const bool fits = !row.tolerance || std::abs(difference) <= *row.tolerance;
    ++rows;
    ratios.add(row, model);
    if (row.quantity == "cas_half_round_trip") ping_pong.push_back(std::abs(difference));
    if (row.tolerance) {
      validation.checked = true;
      ++checked;
      within += fits ? 1 : 0;
    }
    validation.within = validation.within && fits;
    // With parameters of one's own, the preset's reason need not hold.
    if (!fits)
      reasons.push_back(row.id + ": " +
                        (machine.name() == published ? row.beyond : "parameters differ from the preset's"));
    report.table.rows.push_back({row.id, row.quantity, fmt::format("{}", fmt::join(what, " ")), model,
                                 row.value, row.unit, difference,
                                 row.tolerance ? Cell{*row.tolerance} : Cell{}, row.input ? "input" : "check",
                                 row.tolerance ? Cell{fits} : Cell{}, row.source});
  }
  report.notes.push_back(rows == 0 ? fmt::format("no published row of machine '{}' is at hand", published)
                             : checked == 0
                             ? "no row has a tolerance: they are reported only"
                             : fmt::format("{} of {} with a tolerance {} within it", within,
                                           mesh::counted(checked, "row"), within == 1 ? "is" : "are"));
  report.notes.insert(report.notes.end(), reasons.begin(), reasons.end());
  report.summary = {{"rows", rows}, {"with_tolerance", checked}, {"within", within}};
  ratios.tell(report);
  if (!ping_pong.empty()) {
    const auto middle = ping_pong.begin() + static_cast<std::ptrdiff_t>(ping_pong.size() / 2);
    std::nth_element(ping_pong.begin(), middle, ping_pong.end());
    report.notes.push_back(fmt::format("compare-and-swap ping-pong: median difference {:.1f} % of {} rows",
                                       *middle, ping_pong.size()));
    report.summary["cas_ping_pong_median_percent"] = *middle;
  }
  return validation;
}

} // namespace rccebench
