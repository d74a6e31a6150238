// SPDX-License-Identifier: Apache-2.0
#include "publications/study.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab.hpp"
#include "lab/identity.hpp"
#include "mesh_sim/errors.hpp"
#include "page/figures.hpp"

namespace rccebench::publications {
namespace {

const Value unknown_value = Value::of(std::numeric_limits<double>::quiet_NaN());

bool is_same(const Value& simulated, const Value& published, double, double) {
  return is_one_of(simulated, published);
}
bool is_within(const Value& s, const Value& p, double percent, double) {
  return std::abs(s.number - p.number) <= std::abs(p.number) * percent / 100;
}
bool is_within_factor(const Value& s, const Value& p, double factor, double) {
  return s.number <= p.number * factor && p.number <= s.number * factor;
}

constexpr Comparison comparison_rows[] = {
    {"within", "{} %", is_within},
    {"factor", "factor {}", is_within_factor},
    {"near", "within {}",
     [](const Value& s, const Value& p, double most, double) {
       return std::abs(s.number - p.number) <= most;
     }},
    {"range", "{} to {}",
     [](const Value& s, const Value&, double least, double most) {
       return least <= s.number && s.number <= most;
     }},
    {"above", "above {}",
     [](const Value& s, const Value&, double limit, double) { return s.number > limit; }},
    {"below", "below {}",
     [](const Value& s, const Value&, double limit, double) { return s.number < limit; }},
    {"at least", "at least {}",
     [](const Value& s, const Value&, double limit, double) { return s.number >= limit; }},
    {"at most", "at most {}",
     [](const Value& s, const Value&, double limit, double) { return s.number <= limit; }},
    {"other than", "other than {}",
     [](const Value& s, const Value&, double other, double) { return s.number != other; }},
    {"equals", "exact", is_same},
    {"order", "order", [](const Value&, const Value&, double holds, double) { return holds != 0; }},
    {"all", "all", [](const Value&, const Value&, double holds, double) { return holds != 0; }},
};

std::string text_of(std::string_view name, const std::vector<Value>& arguments) {
  std::vector<std::string> words;
  for (const Value& one : arguments) words.push_back(one.text());
  return fmt::format("{}({})", name, fmt::join(words, ", "));
}

Cell cell_of(const Value& value, bool whole) {
  if (value.is_word) return value.printed;
  if (!value.known()) return {};
  return whole ? Cell(static_cast<std::int64_t>(std::llround(value.number))) : Cell(value.number);
}

} // namespace

const Comparison* comparison(const std::string& name) {
  const auto found = std::find_if(std::begin(comparison_rows), std::end(comparison_rows),
                                  [&](const Comparison& one) { return one.name == name; });
  return found == std::end(comparison_rows) ? nullptr : found;
}

Study::Study(std::string name, Quantities quantities, const std::filesystem::path& folder)
    : name_(std::move(name)), quantities_(std::move(quantities)) {
  read_published(folder / "published.csv");
  read_reasons(folder / "reasons.csv");
  read_about(folder / "about.csv");
  read_statements(folder / "statements.csv");
  read_figures(folder / "figures.csv");
  read_curves(folder / "curves.csv");
}

int Study::arguments_of(const std::string& name) const {
  if (name == "published" || name == "printed" || name == "id") return -1;
  if (name == "total") return 1;
  if (name == "digest") return 0;
  const Quantity* const found = quantity(name);
  return found == nullptr ? -2 : found->arguments;
}

const List* Study::list(const std::string& name) const {
  const auto found = lists_.find(name);
  return found == lists_.end() ? nullptr : &found->second;
}

const Value* Study::constant(const std::string& name) const {
  const auto found = constants_.find(name);
  return found == constants_.end() ? nullptr : &found->second;
}

std::vector<Phrase> Study::phrases(const std::string& name) const {
  const auto found = phrases_.find(name);
  return found == phrases_.end() ? std::vector<Phrase>() : found->second;
}

const Quantity* Study::quantity(const std::string& name) const {
  const auto found = std::find_if(quantities_.begin(), quantities_.end(),
                                  [&](const Quantity& one) { return one.name == name; });
  return found == quantities_.end() ? nullptr : &*found;
}

Value Study::call(const std::string& name, const std::vector<Value>& arguments) {
  if (std::any_of(arguments.begin(), arguments.end(), [](const Value& one) { return !one.known(); }))
    return unknown_value;
  if (name == "published" || name == "printed" || name == "id") return published(arguments, name);
  if (name == "total") return total(arguments[0].word);
  if (name == "digest") return digest();
  const Quantity& found = *quantity(name);
  const Arguments wrapped(arguments);
  const Value value = found.from == nullptr ? found.read({}, wrapped) : measured(found, wrapped);
  note_term(name, arguments, value, found.unit);
  return value;
}

void Study::note_term(const std::string& name, const std::vector<Value>& arguments, const Value& value,
                      const std::string& unit) {
  if (!notes_terms_) return;
  std::string text = text_of(name, arguments);
  if (std::none_of(terms_.begin(), terms_.end(), [&](const Term& term) { return term.quantity == text; }))
    terms_.push_back({std::move(text), cell_of(value, false), unit});
}

Value Study::published(const std::vector<Value>& arguments, const std::string& what) {
  std::vector<std::string> words;
  for (const Value& one : arguments) words.push_back(one.text());
  const auto found = published_.find(fmt::format("{}", fmt::join(words, ", ")));
  if (what == "printed") return Value::of(found != published_.end() ? 1 : 0);
  if (found == published_.end())
    throw mesh::UserError(
        fmt::format("'{}': published.csv has no value of '{}'", name_, fmt::join(words, ", ")));
  if (what == "id") return Value::of(found->second.id);
  note_term("published", arguments, found->second.value, found->second.unit);
  return found->second.value;
}

Value Study::measured(const Quantity& quantity, const Arguments& arguments) {
  const auto& all = arguments.values();
  Arguments key({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(quantity.from->arguments)});
  if (quantity.from->same) key = quantity.from->same(key);
  const std::string text = text_of(quantity.from->name, key.values());
  const auto found = points_.try_emplace(text, Point{quantity.from, key, {}}).first;
  if (found->second.measured) return quantity.read(found->second.measured->values, arguments);
  pending_.insert(text);
  return unknown_value;
}

Value Study::total(const std::string& name) {
  const Quantity* const wanted = quantity(name);
  double sum = 0;
  for (const auto& [text, point] : points_)
    if (wanted != nullptr && point.measurement == wanted->from && point.measured)
      sum += wanted->read(point.measured->values, point.arguments).number;
  return Value::of(sum);
}

Value Study::digest() const {
  std::uint64_t digest = 0;
  for (const auto& [text, point] : points_)
    if (point.measured && point.measured->digest != 0) digest = digest * 31 + point.measured->digest;
  return Value::of(fmt::format("{:016x}", digest));
}

bool Study::measure_pending(unsigned jobs, bool derived) {
  const std::vector<std::string> texts(pending_.begin(), pending_.end());
  std::vector<Point> points;
  for (const std::string& text : texts) points.push_back(points_.at(text));
  const auto found = stored_sweep<Measured, Point>(
      points, jobs,
      [](const Point& point) {
        return point.measurement->weight ? point.measurement->weight(point.arguments) : 0;
      },
      [](const Point& point) { return point.measurement->run(point.arguments); },
      [this](const Point& point) {
        return stores_
            ? stored_key(name_ + ":" + text_of(point.measurement->name, point.arguments.values()), machine_)
            : std::string();
      },
      derived);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!found[i]) continue;
    points_.at(texts[i]).measured = *found[i];
    if (points[i].measurement->measured) points[i].measurement->measured(points[i].arguments, *found[i]);
  }
  pending_.clear();
  return is_whole();
}

void Study::leave_out_figures(const std::string& beginning) {
  std::erase_if(figures_, [&](const FigureRows& one) { return one.beginning.starts_with(beginning); });
  std::erase_if(curves_, [&](const CurveRows& one) { return one.beginning.starts_with(beginning); });
}

Reproduction Study::run(unsigned jobs, const std::string& id) {
  notes_terms_ = !id.empty();
  for (bool derived = false;; derived = true) {
    terms_.clear();
    Reproduction result = evaluate(id);
    if (pending_.empty()) return result;
    if (measure_pending(jobs, derived)) continue;
    if (!keeps_ || interrupted_status() == 0)
      throw Unfinished("interrupted: statements rest on all points, and nothing is written");
    result = evaluate(id);
    result.complete = false;
    return result;
  }
}

Claim Study::claim_of(const Family& family, const Bindings& bound) {
  const std::size_t asked = pending_.size();
  const Value simulated = family.quantity(*this, bound);
  const Value published = family.published_value ? family.published_value(*this, bound)
                                                 : Value::of(family.published(*this, bound));
  const auto number = [&](const Expression& one) { return one ? one(*this, bound).number : 0; };
  const double least = number(family.least), most = number(family.most);
  const bool whole = family.comparison->holds == is_same;
  Claim claim;
  claim.id = family.id(*this, bound);
  claim.statement = family.statement(*this, bound);
  claim.where = family.where(*this, bound);
  claim.published = cell_of(published, whole);
  claim.simulated = cell_of(simulated, whole);
  claim.unit = family.unit;
  claim.tolerance = fmt::format(fmt::runtime(family.comparison->tolerance), least, most);
  claim.chosen = family.chosen(*this, bound);
  claim.holds = simulated.known() && family.comparison->holds(simulated, published, least, most);
  claim.headline = family.headline;
  claim.evidence = family.evidence;
  claim.inputs = family.inputs(*this, bound);
  if (pending_.size() == asked && (!claim.holds || !claim.evidence))
    claim.reason = family.reason(*this, bound);
  if (!claim.holds) claim.cause = family.cause;
  const auto machine = bound.find("machine");
  const auto none = machine == bound.end() ? no_evidence_.end() : no_evidence_.find(machine->second.word);
  if (none != no_evidence_.end()) {
    claim.evidence = false;
    if (claim.holds) claim.reason = none->second(*this, bound);
  }
  return claim;
}

Reproduction Study::evaluate(const std::string& id) {
  Reproduction result;
  result.publication = title_;
  result.machines = machines_;
  std::vector<std::string> ids;
  for (const Family& family : families_)
    family.each.each(*this, {}, [&](const Bindings& bound) {
      if (!id.empty()) {
        ids.push_back(family.id(*this, bound));
        if (ids.back() != id) return;
        terms_.clear();
      }
      result.claims.push_back(claim_of(family, bound));
    });
  std::ranges::stable_partition(result.claims, [](const Claim& claim) { return claim.headline; });
  if (!id.empty()) {
    if (result.claims.empty()) {
      const std::vector<std::string_view> known(ids.begin(), ids.end());
      const std::string_view near = mesh::nearest(id, known);
      throw mesh::UserError(
          fmt::format("--statement '{}': '{}' has no such statement{}; without --statement "
                      "`rccebench reproduce {}` lists all",
                      id, name_, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), name_));
    }
    result.terms = terms_;
    return result;
  }
  result.results = main_results(result.claims);
  for (const FigureRows& figure : figures_) add_figures(figure, result);
  for (const CurveRows& curves : curves_) add_curves(curves, result);
  for (const auto& [name, text] : settings_) result.settings.emplace_back(name, text(*this, {}));
  for (const Sentence& note : notes_) result.notes.push_back("# " + note(*this, {}));
  for (const Schedule& one : schedules_)
    result.schedules.push_back(show::request(one.algorithm, one.machine, one.ranks, one.parameters));
  return result;
}

std::vector<MainResult> Study::main_results(const std::vector<Claim>& claims) {
  std::vector<MainResult> results;
  for (const MainResultRow& row : results_) {
    MainResult& result = results.emplace_back(MainResult{row.text(*this, {})});
    for (const std::string& name : row.statements) {
      const int before = result.statements;
      for (const Claim& claim : claims) {
        if (!claim.id.starts_with(name) || std::isalnum(claim.id[name.size()]) != 0) continue;
        ++result.statements;
        result.hold += claim.holds ? 1 : 0;
        result.evidence += claim.evidence ? 1 : 0;
      }
      if (result.statements == before)
        throw mesh::UserError(fmt::format("'{}': about.csv, result '{}': there is no statement '{}'", name_,
                                          result.text, name));
    }
  }
  return results;
}

Cell Study::cell(const FigureColumn& column, const Bindings& bound) {
  if (column.words) return column.words(*this, bound);
  const Value value = column.value(*this, bound);
  if (column.decimals == "yes" && value.known()) return value.number != 0;
  return cell_of(value, column.decimals.empty());
}

void Study::add_figures(const FigureRows& figure, Reproduction& to) {
  figure.figures.each(*this, {}, [&](const Bindings& outer) {
    Figure& one = to.figures.emplace_back(
        Figure{figure.file(*this, outer), {figure.title(*this, outer), {}, {}}, figure.in_text});
    for (const FigureColumn& column : figure.columns)
      column.each.each(*this, outer, [&](const Bindings& bound) {
        one.table.columns.push_back(column.column);
        one.table.columns.back().name = column.name(*this, bound);
      });
    figure.rows.each(*this, outer, [&](const Bindings& of_row) {
      auto& row = one.table.rows.emplace_back();
      for (const FigureColumn& column : figure.columns)
        column.each.each(*this, of_row, [&](const Bindings& bound) { row.push_back(cell(column, bound)); });
    });
  });
}

void Study::add_curves(const CurveRows& rows, Reproduction& to) {
  rows.figures.each(*this, {}, [&](const Bindings& outer) {
    std::vector<page::Curve> lines, rings;
    rows.lines.each(*this, outer, [&](const Bindings& of_line) {
      const std::string name = rows.name(*this, of_line);
      page::Curve line{name, {}, false, {}}, ring{name + ", published", {}, true, name};
      rows.points.each(*this, of_line, [&](const Bindings& bound) {
        const double x = bound.at(rows.points.variables.back()).number;
        const Value y = rows.value(*this, bound);
        if (y.known()) line.points.emplace_back(x, y.number);
        if (rows.published) ring.points.emplace_back(x, rows.published(*this, bound).number);
      });
      lines.push_back(std::move(line));
      if (!ring.points.empty()) rings.push_back(std::move(ring));
    });
    lines.insert(lines.end(), rings.begin(), rings.end());
    to.curves.push_back(page::curves(rows.title(*this, outer), {rows.x, rows.x_unit, rows.x_logarithmic},
                                     {rows.y, rows.y_unit, true}, lines));
  });
}

} // namespace rccebench::publications
