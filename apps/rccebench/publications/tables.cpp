// SPDX-License-Identifier: Apache-2.0
// How a publication's tables are read. What they hold is checked here, by line; README.md explains the
// columns.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/errors.hpp"
#include "present/csv_rows.hpp"
#include "publications/study.hpp"

namespace rccebench::publications {
namespace {

std::vector<std::string> with(std::vector<std::string> variables, const Loops& loops) {
  variables.insert(variables.end(), loops.variables.begin(), loops.variables.end());
  return variables;
}

/// Parts between bars, the missing ones in front empty.
std::vector<std::string> loop_parts(const std::string& text, std::size_t parts) {
  std::vector<std::string> all;
  std::size_t at = 0;
  for (std::size_t bar = 0; (bar = text.find('|', at)) != std::string::npos; at = bar + 1)
    all.push_back(text.substr(at, bar - at));
  all.push_back(text.substr(at));
  if (all.size() > parts) throw mesh::UserError(fmt::format("'{}': at most {} lists of loops", text, parts));
  all.insert(all.begin(), parts - all.size(), std::string());
  return all;
}

bool is_word(const std::string& text, std::initializer_list<const char*> allowed, const char* column) {
  if (std::none_of(allowed.begin(), allowed.end(), [&](const char* one) { return text == one; }))
    throw mesh::UserError(fmt::format("{} '{}' is none of {}", column, text, fmt::join(allowed, ", ")));
  return text == *allowed.begin();
}

} // namespace

void Study::read_about(const std::filesystem::path& file) {
  // Lists and numbers first: sentences may have them.
  for (const bool names : {true, false})
    CsvTable(file).each([&](const Fields& field) {
      const std::string &kind = field("kind"), &name = field("name"), &text = field("text");
      if ((kind == "list" || kind == "number") != names) return;
      if (kind == "list") {
        for (const Value& item : lists_[name] = list_of(text))
          if (item.is_word) constants_.emplace(item.word, item);
      } else if (kind == "number") {
        constants_[name] = Value::of(field.number("text"));
      } else if (kind == "publication") {
        title_ = text;
      } else if (kind == "machines") {
        machines_ = text;
        // Chips are taken by their names alone.
        if (name != "chips") substitutable_ = fields_of(text);
      } else if (kind == "no evidence") {
        no_evidence_[name] = parse_sentence(text, *this, {});
      } else if (kind == "setting") {
        settings_.emplace_back(name, parse_sentence(text, *this, {}));
      } else if (kind == "result") {
        MainResultRow& row = results_.emplace_back(MainResultRow{{}, parse_sentence(text, *this, {})});
        for (const Value& statement : list_of(name)) row.statements.push_back(statement.text());
      } else if (kind == "schedule") {
        const List words = list_of(text); // machine, ranks, parameters
        Schedule& one = schedules_.emplace_back(
            Schedule{name, words.at(0).word, static_cast<int>(words.at(1).number), {}});
        for (std::size_t i = 2; i < words.size(); ++i)
          one.parameters.push_back(words[i].word + "=" + words[i].printed);
      } else if (kind == "note") {
        notes_.push_back(parse_sentence(text, *this, {}));
      } else {
        throw mesh::UserError(fmt::format("kind '{}' is none of publication, machines, no evidence, result, "
                                          "setting, note, list, number, schedule",
                                          kind));
      }
    });
}

void Study::read_published(const std::filesystem::path& file) {
  CsvTable(file).each([&](const Fields& field) {
    const List value = list_of(field("value"));
    const bool number = value.size() == 1 && !value[0].is_word;
    const PublishedValue row{field("id"), number ? value[0] : Value::of(field("value")), field("unit")};
    published_[field("id")] = row;
    published_[field("of")] = row;
  });
}

void Study::read_reasons(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return;
  CsvTable(file).each([&](const Fields& field) {
    phrases_[field("name")].push_back({field("if"), field("reason")});
  });
}

void Study::read_statements(const std::filesystem::path& file) {
  CsvTable(file).each([&](const Fields& field) {
    if (field("id").empty()) throw mesh::UserError("a statement has no id");
    Family family;
    family.each = parse_loops(field("each"), *this, {});
    const auto& variables = family.each.variables;
    const auto sentence = [&](const char* column) { return parse_sentence(field(column), *this, variables); };
    family.id = sentence("id");
    family.statement = sentence("statement");
    family.where = sentence("where");
    family.reason = sentence("reason");
    family.chosen = sentence("chosen by");
    family.inputs = sentence("inputs");
    family.headline = is_word(field("headline"), {"headline", ""}, "headline");
    family.evidence = is_word(field("evidence"), {"evidence", "input", "repeats"}, "evidence");
    (void)is_word(field("cause"), {"known", "suspected", "unknown", ""}, "cause");
    family.cause = field("cause");
    const std::string& published = field("published");
    if (published.starts_with("="))
      family.published_value = parse(std::string_view(published).substr(1), *this, variables);
    else if (const List words = list_of(published); words.size() == 1 && !words[0].is_word)
      family.published_value = parse(published, *this, {});
    else
      family.published = parse_sentence(published, *this, variables);
    family.quantity = parse(field("quantity"), *this, variables);
    family.unit = field("unit");
    family.comparison = comparison(field("comparison"));
    if (family.comparison == nullptr)
      throw mesh::UserError(fmt::format("there is no comparison '{}'", field("comparison")));
    const std::string& tolerance = field("tolerance");
    const std::size_t to = tolerance.find(" to ");
    if (!tolerance.empty()) family.least = parse(tolerance.substr(0, to), *this, variables);
    if (to != std::string::npos) family.most = parse(tolerance.substr(to + 4), *this, variables);
    families_.push_back(std::move(family));
  });
}

void Study::read_figures(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return;
  std::vector<std::string> variables;
  CsvTable(file).each([&](const Fields& field) {
    if (!field("file").empty()) {
      FigureRows& figure = figures_.emplace_back();
      const auto loops = loop_parts(field("each"), 2);
      figure.beginning = field("file");
      figure.figures = parse_loops(loops[0], *this, {});
      figure.rows = parse_loops(loops[1], *this, figure.figures.variables);
      figure.file = parse_sentence(field("file"), *this, figure.figures.variables);
      figure.title = parse_sentence(field("title"), *this, figure.figures.variables);
      figure.in_text = is_word(field("shown"), {"text", "file"}, "shown");
      variables = with(figure.figures.variables, figure.rows);
    }
    if (figures_.empty()) throw mesh::UserError("a column before the first figure");
    const std::vector<std::string>& outer = figures_.back().figures.variables;
    FigureColumn& column = figures_.back().columns.emplace_back();
    column.each = parse_loops(field("columns"), *this, outer);
    column.name = parse_sentence(field("column"), *this, with(outer, column.each));
    column.decimals = field("decimals");
    column.column.unit = field("unit");
    const bool number = !column.decimals.empty() && column.decimals != "yes";
    column.column.decimals = number ? static_cast<int>(field.whole("decimals", 0, 9).value_or(0)) : 0;
    const std::string& value = field("value");
    column.column.right = value.find('{') != std::string::npos; // words made of numbers
    if (column.column.right)
      column.words = parse_sentence(value, *this, with(variables, column.each));
    else
      column.value = parse(value, *this, with(variables, column.each));
  });
}

void Study::read_curves(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return;
  CsvTable(file).each([&](const Fields& field) {
    CurveRows& curves = curves_.emplace_back();
    const auto loops = loop_parts(field("each"), 3);
    curves.figures = parse_loops(loops[0], *this, {});
    curves.lines = parse_loops(loops[1], *this, curves.figures.variables);
    const auto of_line = with(curves.figures.variables, curves.lines);
    curves.points = parse_loops(loops[2], *this, of_line);
    const auto variables = with(of_line, curves.points);
    curves.beginning = field("title");
    curves.title = parse_sentence(field("title"), *this, curves.figures.variables);
    curves.name = parse_sentence(field("line"), *this, of_line);
    curves.x = field("x"), curves.x_unit = field("x unit");
    curves.x_logarithmic = is_word(field("x scale"), {"logarithmic", "linear"}, "x scale");
    curves.y = field("y"), curves.y_unit = field("y unit");
    curves.value = parse(field("value"), *this, variables);
    if (!field("published").empty()) curves.published = parse(field("published"), *this, variables);
  });
}

} // namespace rccebench::publications
