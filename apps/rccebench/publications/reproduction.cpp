// SPDX-License-Identifier: Apache-2.0
#include "publications/reproduction.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "page/figures.hpp"
#include "rcce_emu/version.hpp"
#include "show/schedules.hpp"

namespace rccebench::publications {
namespace {

const std::vector<Column> columns{{"Id", "", 0},        {"Statement", "", 0}, {"Published", "", 3},
                                  {"Simulated", "", 3}, {"Unit", "", 0},      {"Tolerance", "", 0},
                                  {"Holds", "", 0},     {"Evidence", "", 0},  {"Headline", "", 0},
                                  {"Cause", "", 0},     {"Reason", "", 0}};

Cell word(const std::string& text) {
  return text.empty() ? Cell{} : Cell{text};
}

std::vector<Cell> row_of(const Claim& claim) {
  return {claim.id,         claim.statement,   claim.published,   claim.simulated,
          word(claim.unit), claim.tolerance,   claim.holds,       claim.evidence,
          claim.headline,   word(claim.cause), word(claim.reason)};
}

nlohmann::ordered_json json_of(const Cell& cell) {
  return std::visit(
      [](const auto& value) -> nlohmann::ordered_json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
          return nullptr;
        else
          return value;
      },
      cell);
}

/// The columns that fit beside each other on a screen; reasons follow as notes.
Table view_of(const std::string& title, const std::vector<Claim>& claims, bool headlines) {
  constexpr int left_out = 3;
  Table view{title, {columns.begin(), columns.end() - left_out}, {}};
  for (const Claim& claim : claims) {
    if (claim.headline != headlines) continue;
    auto row = row_of(claim);
    view.rows.emplace_back(row.begin(), row.end() - left_out);
  }
  return view;
}

std::string text_of(const Cell& cell, const std::string& unit) {
  const std::string text = std::visit(
      [](const auto& value) -> std::string {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>)
          return "nothing";
        else if constexpr (std::is_same_v<T, double>)
          return fmt::format("{:.4g}", value);
        else
          return fmt::format("{}", value);
      },
      cell);
  return unit.empty() ? text : text + " " + unit;
}

/// Of what fails: what the publication says, what we get, why. Of what is no evidence: why.
std::string note_of(const Claim& claim) {
  if (claim.holds) return fmt::format("# {}: no evidence: {}", claim.id, claim.reason);
  return fmt::format("# {}: published {}; simulated {}; cause {}: {}", claim.id,
                     text_of(claim.published, claim.unit), text_of(claim.simulated, claim.unit),
                     claim.cause.empty() ? "unknown" : claim.cause,
                     claim.reason.empty() ? "no reason found" : claim.reason);
}

/// The publication's own number of a statement, of which there may be several for machines and sizes: "C21"
/// of "C21a-x4600".
std::string number_of(const std::string& id) {
  std::string number = id.substr(0, id.find('-'));
  if (number.size() > 1 && std::islower(number.back()) != 0 && std::isdigit(number[number.size() - 2]) != 0)
    number.pop_back();
  return number;
}

/// How many hold by the publication's own numbers, in their order.
std::string balance(const std::vector<Claim>& claims) {
  std::vector<std::pair<std::string, Count>> groups;
  for (const Claim& claim : claims) {
    const std::string number = number_of(claim.id);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == number; });
    if (group == groups.end()) group = groups.insert(groups.end(), {number, {}});
    ++group->second.claims;
    group->second.hold += claim.holds ? 1 : 0;
  }
  std::vector<std::string> told;
  for (const auto& [number, count] : groups)
    told.push_back(fmt::format("{} {} of {}", number, count.hold, count.claims));
  return fmt::format("# hold, by statement: {}", fmt::join(told, ", "));
}

int come_out(const std::vector<MainResult>& results) {
  return static_cast<int>(std::ranges::count_if(results, &MainResult::comes_out));
}

Table table_of(const std::vector<MainResult>& results) {
  Table table{"main results: yes where all statements of it hold",
              {{"Main result", "", 0}, {"Comes out", "", 0}, {"Hold", "", 0}, {"Evidence", "", 0}},
              {}};
  for (const MainResult& one : results)
    table.rows.push_back(
        {one.text, one.comes_out(),
         one.statements == 0 ? Cell{} : Cell{fmt::format("{} of {}", one.hold, one.statements)},
         one.statements == 0 ? Cell{} : Cell{fmt::format("{} of {}", one.evidence, one.statements)}});
  return table;
}

nlohmann::ordered_json summary_of(const Reproduction& reproduction) {
  const std::vector<Claim>& claims = reproduction.claims;
  const Count all = count(claims);
  nlohmann::ordered_json summary{{"claims", all.claims},
                                 {"hold", all.hold},
                                 {"fail", all.fail},
                                 {"evidence_hold", all.evidence_hold},
                                 {"evidence_fail", all.evidence_fail},
                                 {"headlines", all.headlines},
                                 {"headlines_hold", all.headlines_hold}};
  auto& results = summary["main_results"] = nlohmann::ordered_json::array();
  for (const MainResult& one : reproduction.results)
    results.push_back({{"result", one.text},
                       {"comes_out", one.comes_out()},
                       {"statements", one.statements},
                       {"hold", one.hold},
                       {"evidence", one.evidence}});
  auto& each = summary["by_claim"] = nlohmann::ordered_json::array();
  for (const Claim& claim : claims)
    each.push_back({{"id", claim.id},
                    {"published", json_of(claim.published)},
                    {"simulated", json_of(claim.simulated)},
                    {"holds", claim.holds}});
  return summary;
}

} // namespace

Count count(const std::vector<Claim>& claims) {
  Count count;
  for (const Claim& claim : claims) {
    ++count.claims;
    ++(claim.holds ? count.hold : count.fail);
    if (claim.evidence) ++(claim.holds ? count.evidence_hold : count.evidence_fail);
    if (claim.headline) ++count.headlines;
    if (claim.headline && claim.holds) ++count.headlines_hold;
  }
  return count;
}

Report report_of(const std::string& name, const Reproduction& reproduction) {
  Report report;
  report.title = fmt::format("rccebench reproduce {} {}", name, rcce::version_text);
  report.settings = {{"publication", reproduction.publication}};
  report.settings.insert(report.settings.end(), reproduction.settings.begin(), reproduction.settings.end());
  report.settings.emplace_back("evidence",
                               "no: follows from what was put in or fitted, or repeats another statement");
  report.table.columns = columns;
  for (const Claim& claim : reproduction.claims) report.table.rows.push_back(row_of(claim));
  if (!reproduction.results.empty()) report.views.push_back(table_of(reproduction.results));
  for (const bool headlines : {true, false}) {
    Table view = view_of(headlines ? "headlines" : "statements", reproduction.claims, headlines);
    if (!view.rows.empty()) report.views.push_back(std::move(view));
  }
  for (const Figure& figure : reproduction.figures)
    if (figure.in_text) report.views.push_back(figure.table);
  for (const Claim& claim : reproduction.claims)
    if (!claim.reason.empty() || !claim.holds) report.notes.push_back(note_of(claim));
  report.notes.insert(report.notes.end(), reproduction.notes.begin(), reproduction.notes.end());
  report.notes.push_back(balance(reproduction.claims));
  const Count all = count(reproduction.claims);
  report.notes.push_back(fmt::format(
      "# {} of {} statements hold; as evidence {} of {}; headlines {} of {}", all.hold, all.claims,
      all.evidence_hold, all.evidence_hold + all.evidence_fail, all.headlines_hold, all.headlines));
  if (!reproduction.results.empty())
    report.notes.back() +=
        fmt::format("; main results {} of {}", come_out(reproduction.results), reproduction.results.size());
  report.summary = summary_of(reproduction);
  return report;
}

Report report_of_statement(const std::string& name, const Reproduction& reproduction) {
  const Claim& claim = reproduction.claims.front();
  Report report;
  report.title = fmt::format("rccebench reproduce {} --statement {} {}", name, claim.id, rcce::version_text);
  report.settings = {{"publication", reproduction.publication},
                     {"statement", claim.statement},
                     {"where", claim.where},
                     {"evidence", claim.evidence ? "yes" : "no"},
                     {"headline", claim.headline ? "yes" : "no"},
                     {"inputs", claim.inputs.empty() ? "none" : claim.inputs},
                     {"tolerance", fmt::format("{} (chosen by {})", claim.tolerance, claim.chosen)}};
  report.table.columns = {{"Quantity", "", 0}, {"Value", "", 3}, {"Unit", "", 0}};
  for (const Term& term : reproduction.terms)
    report.table.rows.push_back({term.quantity, term.value, word(term.unit)});
  report.table.rows.push_back({std::string("published"), claim.published, word(claim.unit)});
  report.table.rows.push_back({std::string("simulated"), claim.simulated, word(claim.unit)});
  report.notes.push_back(claim.holds ? "# holds" : "# fails");
  if (!claim.reason.empty() || !claim.holds) report.notes.push_back(note_of(claim));
  report.summary = summary_of(reproduction);
  return report;
}

void add_page(Report& report, const Reproduction& reproduction) {
  const Count all = count(reproduction.claims);
  report.lead = reproduction.publication;
  report.page_notes = reproduction.notes; // reasons stand beside the statements
  report.facts = {{{"name", "statements"}, {"value", all.claims}, {"unit", "1"}, {"note", ""}},
                  {{"name", "hold"}, {"value", all.hold}, {"unit", "1"}, {"note", ""}},
                  {{"name", "fail"}, {"value", all.fail}, {"unit", "1"}, {"note", ""}},
                  {{"name", "evidence that holds"},
                   {"value", all.evidence_hold},
                   {"unit", "1"},
                   {"note", fmt::format("of {}", all.evidence_hold + all.evidence_fail)}},
                  {{"name", "headlines that hold"},
                   {"value", all.headlines_hold},
                   {"unit", "1"},
                   {"note", fmt::format("of {}", all.headlines)}}};
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Claim& claim : reproduction.claims)
    rows.push_back({{"id", claim.id},
                    {"statement", claim.statement},
                    {"published", json_of(claim.published)},
                    {"simulated", json_of(claim.simulated)},
                    {"unit", claim.unit},
                    {"tolerance", claim.tolerance},
                    {"holds", claim.holds},
                    {"evidence", claim.evidence},
                    {"headline", claim.headline},
                    {"cause", claim.cause},
                    {"reason", claim.reason}});
  report.figures = nlohmann::ordered_json::array();
  if (!reproduction.results.empty()) {
    const nlohmann::ordered_json fact{{"name", "main results that come out"},
                                      {"value", come_out(reproduction.results)},
                                      {"unit", "1"},
                                      {"note", fmt::format("of {}", reproduction.results.size())}};
    report.facts.insert(report.facts.begin(), fact);
    report.figures.push_back(page::table(table_of(reproduction.results)));
  }
  report.figures.push_back(
      {{"kind", "claims"}, {"title", "Statements, held and failed"}, {"rows", std::move(rows)}});
  for (const auto& one : reproduction.curves) report.figures.push_back(one);
  for (const Figure& figure : reproduction.figures)
    for (auto& one : page::figures_of(figure.table)) report.figures.push_back(std::move(one));
  if (!reproduction.schedules.empty()) report.figures.push_back(show::schedules_of(reproduction.schedules));
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    throw mesh::UserError(fmt::format("--figures '{}': this folder cannot be made: {}; choose another place",
                                      folder.string(), error.message()));
}

std::vector<std::string> write_figures(const Reproduction& reproduction,
                                       const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const Figure& figure : reproduction.figures) {
    Report report;
    report.title = figure.table.title;
    report.settings = reproduction.settings;
    report.table = figure.table;
    files.push_back(figure.file + ".csv");
    write(report, Format::csv, (folder / files.back()).string());
  }
  return files;
}

} // namespace rccebench::publications
