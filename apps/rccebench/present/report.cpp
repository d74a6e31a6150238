// SPDX-License-Identifier: Apache-2.0
#include "present/report.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "lab.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/output_file.hpp"

namespace rccebench {
namespace {

std::string key_of(const Column& column) {
  std::string key = column.name;
  if (!column.unit.empty()) key += "_" + column.unit;
  std::string clean;
  for (const char c : key) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      clean += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (c == '%')
      clean += "percent";
    else if (c == '/')
      clean += "_per_";
    else if (!clean.empty() && clean.back() != '_')
      clean += '_';
  }
  return clean;
}

/// Columns whose earlier names this version writes too, behind all others.
constexpr std::pair<std::string_view, std::string_view> renamed[] = {
    {"size_bytes", "bytes"}, {"threads", "cores"}, {"nodes", "cores"}, {"simulated_us", "simulated_us_max"}};

/// The keys of CSV and JSON: a name and the number of the column.
std::vector<std::pair<std::string, std::size_t>> keys_of(const Table& table) {
  std::vector<std::pair<std::string, std::size_t>> keys, earlier;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::string key = key_of(table.columns[c]);
    for (const auto& [before, now] : renamed)
      if (key == before) {
        earlier.emplace_back(key, c);
        key = now;
        break;
      }
    keys.emplace_back(std::move(key), c);
  }
  keys.insert(keys.end(), earlier.begin(), earlier.end());
  return keys;
}

/// The same number without what arithmetic leaves in its last digits, as CSV has it.
double rounded(double number) {
  return std::isfinite(number) ? std::strtod(fmt::format("{:.13g}", number).c_str(), nullptr) : number;
}

void round_all(nlohmann::ordered_json& json) {
  if (json.is_number_float())
    json = rounded(json.get<double>());
  else if (json.is_structured())
    for (auto& one : json) round_all(one);
}

std::string text_of(const Cell& cell, int decimals) {
  struct Visitor {
    int decimals;
    std::string operator()(std::monostate) const { return "-"; }
    std::string operator()(const std::string& word) const { return word; }
    std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
    std::string operator()(bool truth) const { return truth ? "yes" : "no"; }
    std::string operator()(double number) const { return fmt::format("{:.{}f}", number, decimals); }
  };
  return std::visit(Visitor{decimals}, cell);
}

std::string csv_of(const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return "";
  if (const auto* truth = std::get_if<bool>(&cell)) return *truth ? "true" : "false";
  // Times in microseconds are exact to the picosecond, up to 10 s.
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:.13g}", *number);
  const std::string text = text_of(cell, 0);
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

nlohmann::ordered_json json_of(const Cell& cell) {
  struct Visitor {
    nlohmann::ordered_json operator()(std::monostate) const { return nullptr; }
    nlohmann::ordered_json operator()(const std::string& word) const { return word; }
    nlohmann::ordered_json operator()(std::int64_t number) const { return number; }
    nlohmann::ordered_json operator()(double number) const { return rounded(number); }
    nlohmann::ordered_json operator()(bool truth) const { return truth; }
  };
  return std::visit(Visitor{}, cell);
}

bool is_word(const Table& table, std::size_t column) {
  if (table.columns[column].right) return false;
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
    return std::holds_alternative<std::string>(row[column]) || std::holds_alternative<bool>(row[column]);
  });
}

std::string header_of(const Column& column) {
  return column.unit.empty() ? column.name : fmt::format("{} ({})", column.name, column.unit);
}

std::string table_text(const Table& table) {
  std::string out = table.title.empty() ? "" : fmt::format("\n# {}\n", table.title);
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t width = header_of(table.columns[c]).size() + (c == 0 ? 2 : 0);
    for (const auto& row : table.rows)
      width = std::max(width, text_of(row[c], table.columns[c].decimals).size());
    widths.push_back(width);
  }
  const auto add_line = [&](const auto& text_of_column) {
    std::string line;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const std::string text = text_of_column(c);
      if (c > 0) line += "  ";
      line +=
          is_word(table, c) ? fmt::format("{:<{}}", text, widths[c]) : fmt::format("{:>{}}", text, widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  };
  // The header starts with '#' so that plotting programs take the table as it is.
  add_line([&](std::size_t c) {
    const std::string header = header_of(table.columns[c]);
    if (c > 0) return header;
    return is_word(table, c) ? fmt::format("# {}", header) : fmt::format("# {:>{}}", header, widths[c] - 2);
  });
  for (const auto& row : table.rows)
    add_line([&](std::size_t c) { return text_of(row[c], table.columns[c].decimals); });
  return out;
}

std::string settings_text(const Report& report) {
  std::string out = fmt::format("# {}\n", report.title);
  std::size_t width = 0;
  for (const auto& [name, value] : report.settings) width = std::max(width, name.size());
  for (const auto& [name, value] : report.settings) out += fmt::format("# {:<{}}  {}\n", name, width, value);
  return out;
}

/// The note that rows are missing; nothing if none are.
std::string interruption(const Report& report) {
  for (const std::string& note : report.notes)
    if (note.starts_with("# interrupted")) return note + '\n';
  return interrupted_status() != 0 ? "# interrupted: rows are missing\n" : "";
}

std::string report_text(const Report& report) {
  const std::string out = settings_text(report) + tables_text(report);
  const std::string mark = interruption(report);
  return out.find(mark) == std::string::npos ? out + '\n' + mark : out;
}

// --- for papers

/// The text as that format prints it: with its own characters in place of those that mean something there.
std::string escaped(std::string_view text, Format format) {
  std::string out;
  bool code = false;
  for (const char c : text) {
    if (format == Format::markdown)
      out += std::string_view("|*_<\\").find(c) == std::string_view::npos ? std::string(1, c)
                                                                          : std::string{'\\', c};
    else if (c == '`')
      out += (code = !code) ? "\\texttt{" : "}";
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      out += std::string{'\\', c};
    else if (std::string_view("\\~^<>").find(c) != std::string_view::npos)
      out += c == '\\' ? "\\textbackslash{}"
          : c == '~'   ? "\\textasciitilde{}"
          : c == '^'   ? "\\textasciicircum{}"
                       : fmt::format("${}$", c);
    else
      out += c;
  }
  return out;
}

/// A cell of a view: the winner's is bold.
std::string paper_cell(const Cell& cell, int decimals, Format format) {
  std::string text = text_of(cell, decimals);
  text.erase(text.find_last_not_of(' ') + 1);
  if (text.size() < 2 || text.back() != '*') return escaped(text, format);
  text.pop_back();
  return fmt::format(fmt::runtime(format == Format::markdown ? "**{}**" : "\\textbf{{{}}}"),
                     escaped(text, format));
}

std::string paper_title(std::string title, Format format) {
  if (const std::size_t at = title.find("* marks"); at != std::string::npos) title.replace(at, 1, "bold");
  if (!title.empty()) title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return escaped(title, format);
}

std::string paper_table(const Table& table, const std::string& caption, Format format) {
  const bool markdown = format == Format::markdown;
  const auto line = [&](const auto& text_at) {
    std::string out = markdown ? "| " : "    ";
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      out += (c == 0 ? "" : markdown ? " | " : " & ") + text_at(c);
    return out + (markdown ? " |\n" : " \\\\\n");
  };
  std::string sides = markdown ? "|" : "";
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    sides += is_word(table, c) ? (markdown ? ":---|" : "l") : (markdown ? "---:|" : "r");
  const std::string header =
      line([&](std::size_t c) { return escaped(header_of(table.columns[c]), format); });
  std::string rows;
  for (const auto& row : table.rows)
    rows += line([&](std::size_t c) { return paper_cell(row[c], table.columns[c].decimals, format); });
  if (markdown) return fmt::format("\n{}\n\n{}{}\n{}", caption, header, sides, rows);
  return fmt::format("\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n  \\begin{{tabular}}{{{}}}\n"
                     "    \\hline\n{}    \\hline\n{}    \\hline\n  \\end{{tabular}}\n\\end{{table}}\n",
                     caption, sides, header, rows);
}

/// Tables whose captions say what has been measured where; in LaTeX the settings are comments.
std::string report_paper(const Report& report, Format format) {
  const bool markdown = format == Format::markdown;
  std::string out = markdown ? fmt::format("### {}\n", escaped(report.title, format)) : "";
  std::string settings, where;
  for (const auto& [name, value] : report.settings) {
    settings += markdown ? fmt::format("- {}: {}\n", name, escaped(value, format))
                         : fmt::format("% {}: {}\n", name, value);
    if (name == "machine") where += fmt::format(" Machine: {}.", escaped(value, format));
  }
  if (!markdown) out += fmt::format("% {}\n{}", report.title, settings);
  std::string notes;
  for (const std::string& note : report.notes)
    if (note.size() > 2) notes += fmt::format(" {}.", escaped(note.substr(2), format));
  if (!interruption(report).empty() && notes.find("interrupted") == std::string::npos)
    notes += " Interrupted: rows are missing.";
  const auto views = report.views.empty() ? std::vector<Table>{report.table} : report.views;
  for (const Table& view : views) {
    std::string caption = paper_title(view.title, format);
    if (!caption.empty()) caption += '.';
    if (&view == &views.front()) caption += where + notes;
    caption.erase(0, caption.find_first_not_of(' '));
    out += paper_table(view, caption, format);
  }
  return markdown ? out + '\n' + settings : out;
}

std::string report_csv(const Report& report) {
  std::string out = settings_text(report) + interruption(report);
  const auto keys = keys_of(report.table);
  const auto add_line = [&](const auto& text_at) {
    for (std::size_t i = 0; i < keys.size(); ++i) out.append(i > 0 ? "," : "").append(text_at(keys[i]));
    out += '\n';
  };
  add_line([](const auto& key) { return key.first; });
  for (const auto& row : report.table.rows)
    add_line([&](const auto& key) { return csv_of(row[key.second]); });
  return out;
}

} // namespace

std::string tables_text(const Report& report) {
  std::string out;
  if (report.views.empty())
    out += table_text(report.table);
  else
    for (const Table& view : report.views)
      if (!view.rows.empty()) out += table_text(view);
  if (!report.notes.empty()) out += '\n';
  for (const std::string& note : report.notes) out += note + '\n';
  return out;
}

nlohmann::ordered_json to_json(const Report& report) {
  nlohmann::ordered_json json;
  json["title"] = report.title;
  for (const auto& [name, value] : report.settings) json["settings"][name] = value;
  json["rows"] = nlohmann::ordered_json::array();
  const auto keys = keys_of(report.table);
  for (const auto& row : report.table.rows) {
    nlohmann::ordered_json object;
    for (const auto& [key, c] : keys) object[key] = json_of(row[c]);
    json["rows"].push_back(std::move(object));
  }
  if (interrupted_status() != 0) json["interrupted"] = true;
  if (!report.summary.is_null()) {
    json["summary"] = report.summary;
    round_all(json["summary"]);
  }
  return json;
}

std::string to_text(const Report& report, Format format) {
  switch (format) {
  case Format::csv:
    return report_csv(report);
  case Format::json:
    // A program that is told about may have printed anything.
    return to_json(report).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
  case Format::markdown:
  case Format::latex:
    return report_paper(report, format);
  case Format::table:
    break;
  }
  return report_text(report);
}

namespace {

/// All in one list: each statistic says of which run it is.
mesh::Statistics labelled(const Report& report) {
  mesh::Statistics all;
  for (const auto& [run, statistics] : report.statistics)
    for (mesh::Statistic one : *statistics) {
      one.labels.insert(one.labels.begin(), {"run", run});
      all.push_back(std::move(one));
    }
  return all;
}

} // namespace

void write(const Report& report, Format format, const std::string& file) {
  write_out(to_text(report, format), file);
}

void write_out(const std::string& text, const std::string& file) {
  if (!file.empty()) {
    mesh::write_output("--output", file, text);
    return;
  }
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size() || std::fflush(stdout) != 0)
    throw mesh::OutputFailed();
}

void write_statistics(const Report& report, const std::string& file) {
  const mesh::StatisticsFormat format = mesh::statistics_format(file);
  std::string text;
  if (format == mesh::StatisticsFormat::table)
    for (const auto& [run, statistics] : report.statistics)
      text += fmt::format("# {}\n{}", run, mesh::write_statistics(*statistics, format));
  else
    text = mesh::write_statistics(labelled(report), format);
  mesh::write_text("--statistics", file, text);
}

} // namespace rccebench
