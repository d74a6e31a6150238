// SPDX-License-Identifier: Apache-2.0
#include "page/document.hpp"

#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "mesh_sim/output_file.hpp"
#include "page/figures.hpp"
#include "rcce_emu/report_page.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench::page {
namespace {

/// The words that this process has been started with, by the command's plain name.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (!words.empty()) words.front() = "rccebench";
  return rcce::shell_text(words);
}

/// "rccebench compare 0.1.0 (...)" without the version, which the foot has.
std::string title_of(const Report& report) {
  const std::size_t version = report.title.find(rcce::version_text);
  return version == std::string::npos || version == 0 ? report.title : report.title.substr(0, version - 1);
}

/// A note as people read it: without the mark of a comment.
std::string plain(const std::string& note) {
  return note.starts_with("# ") ? note.substr(2) : note;
}

Json figures_of(const Report& report) {
  Json figures = report.figures.is_null() ? Json::array() : report.figures;
  if (!figures.empty()) return figures;
  const std::vector<Table> shown = report.views.empty() ? std::vector<Table>{report.table} : report.views;
  for (const Table& one : shown)
    for (Json& figure : page::figures_of(one)) figures.push_back(std::move(figure));
  return figures;
}

Json document_of(const Report& report) {
  Json document{{"schema", "rockcreek-report"}, {"version", 1}, {"title", title_of(report)}};
  if (!report.lead.empty()) document["lead"] = report.lead;
  document["command"] = command_line();
  document["release"] = rcce::version_text;
  document["settings"] = Json::array();
  for (const auto& [name, value] : report.settings) document["settings"].push_back({name, value});
  for (const std::string& note : report.page_notes.value_or(report.notes))
    document["settings"].push_back({"note", plain(note)});
  document["facts"] = report.facts.is_null() ? Json::array() : report.facts;
  document["figures"] = figures_of(report);
  document["parameters"] = report.parameters.is_null() ? Json::array() : report.parameters;
  return document;
}

} // namespace

std::string text_of(const Report& report) {
  return rcce::report_page(title_of(report),
                           document_of(report).dump(-1, ' ', false, Json::error_handler_t::replace));
}

void add_figure(Report& report, Json figure) {
  report.figures = figures_of(report);
  report.figures.push_back(std::move(figure));
}

void write(const Report& report, const std::string& file) {
  mesh::write_output("--report", file, text_of(report));
}

} // namespace rccebench::page
