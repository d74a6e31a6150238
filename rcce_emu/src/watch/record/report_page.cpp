// SPDX-License-Identifier: Apache-2.0
#include "rcce_emu/report_page.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/parameters.hpp"
#include "watch/record/json_text.hpp"
#include "watch/record/report_sources.hpp"

namespace rcce {
namespace {

/// Puts `text` in the place of the only `{{NAME}}`.
void fill_in(std::string& page, std::string_view name, std::string_view text) {
  const std::string mark = fmt::format("{{{{{}}}}}", name);
  page.replace(page.find(mark), mark.size(), text);
}

std::string html_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else
      escaped += c;
  }
  return escaped;
}

bool is_plain(const std::string& word) {
  return !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
        std::string_view("_./:=,@%+-").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

/// JSON in which nothing ends the element that holds it.
std::string inside_element(std::string_view json) {
  std::string escaped;
  escaped.reserve(json.size());
  for (const char c : json)
    if (c == '<')
      escaped += "\\u003c";
    else
      escaped += c;
  return escaped;
}

} // namespace

void check_report_page(std::string_view option) {
  if (!record::report_sources::charts.empty()) return;
  throw mesh::UserError(
      fmt::format("{}: this build has no charts: the library uPlot was not there when it was configured; sh "
                  "apps/setup.sh "
                  "fetches it by npm and builds again (or give cmake -DROCKCREEK_UPLOT=FOLDER, which holds "
                  "uPlot.iife.min.js, uPlot.min.css and LICENSE)",
                  option));
}

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

std::string parameters_json(const mesh::ParameterTable& table) {
  return record::json_list(table, [](const mesh::Parameter& one) {
    return fmt::format("\n[{},{},{},{}]", mesh::json_string(fmt::format("{}.{}", one.section, one.name)),
                       mesh::json_string(mesh::value_text(one)), mesh::json_string(one.unit),
                       mesh::json_string(one.source));
  });
}

std::string report_page(std::string_view title, std::string_view document) {
  using namespace record::report_sources;
  std::string text{page};
  // What others have written last: marks in it mean nothing.
  fill_in(text, "style", style);
  fill_in(text, "programs", programs);
  fill_in(text, "charts-style", charts_style);
  fill_in(text, "charts-licence", charts_licence);
  fill_in(text, "charts", charts);
  fill_in(text, "title", html_text(title));
  fill_in(text, "document", inside_element(document));
  return text;
}

} // namespace rcce
