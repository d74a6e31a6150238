// SPDX-License-Identifier: Apache-2.0
#include "command_line/collective_results.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab.hpp"
#include "lab/cards.hpp"
#include "lab/check.hpp"
#include "mesh_sim/counted.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {
namespace {

/// "# wrong: ...": where the first fault of a point is.
std::string text_of(const Point& point, const Fault& fault) {
  return fmt::format("# wrong: {}: {}", point.title(), lab::text_of(fault, point.operation(), point.root));
}

} // namespace

bool is_by_messages(const Point& point) {
  return point.machine->config.offers(mesh::Capability::message_buffers);
}

bool is_on_cards(const std::shared_ptr<const Backend>& backend) {
  return std::dynamic_pointer_cast<const lab::Cards>(backend) != nullptr;
}

Kinds Kinds::of(const std::vector<Point>& points) {
  Kinds kinds{.simulated = points.empty(), .messages = points.empty()};
  for (const Point& point : points) {
    (point.backend->takes_turns() ? kinds.wall_clock : kinds.simulated) = true;
    kinds.messages = kinds.messages || is_by_messages(point);
    if (!point.backend->takes_turns()) (is_on_cards(point.backend) ? kinds.cards : kinds.ranks) = true;
    kinds.spread = kinds.spread || !point.spread.is_none();
    kinds.limits = kinds.limits || !point.backend->limit(point).terms.empty();
    kinds.several_machines = kinds.several_machines || point.backend != points.front().backend;
  }
  return kinds;
}

Kinds Kinds::of(const std::vector<Point>& points, const CollectiveOptions& options) {
  Kinds kinds = of(points);
  kinds.per_rank = options.per_rank && options.facts().has_blocks;
  kinds.last = options.last && kinds.ranks;
  kinds.bus = options.bandwidth == "bus" && options.facts().has_message;
  return kinds;
}

Distribution distribution_of(const Result& result) {
  Distribution all;
  if (result.repetitions_us.empty()) return all;
  const auto [least, most] = std::ranges::minmax_element(result.repetitions_us);
  all.least = *least;
  all.most = *most;
  if (all.least == all.most) return all; // not what rounding leaves of the mean
  double mean = 0, squares = 0;
  const auto count = static_cast<double>(result.repetitions_us.size());
  for (const double us : result.repetitions_us) mean += us / count;
  for (const double us : result.repetitions_us) squares += (us - mean) * (us - mean);
  all.deviation = std::sqrt(squares / count);
  return all;
}

std::vector<Parameter> parameters_of(const std::vector<Point>& points) {
  std::vector<Parameter> all;
  for (const Point& point : points)
    for (const Parameter& one : point.row().parameters)
      if (std::none_of(all.begin(), all.end(),
                       [&](const Parameter& known) { return known.name == one.name; }))
        all.push_back(one);
  return all;
}

std::vector<Column> collective_columns(const Operation& operation, const std::vector<Parameter>& parameters,
                                       const Kinds& kinds) {
  std::vector<Column> columns{{"algorithm", "", 0}, {"machine", "", 0}, {"cores", "", 0}};
  const auto add = [&](bool wanted, std::initializer_list<const char*> names, int decimals) {
    for (const char* name : names)
      if (wanted) columns.push_back({name, "", decimals});
  };
  add(operation.has_message, {"bytes"}, 0);
  add(operation.combines, {"elements", "type", "op"}, 0);
  add(kinds.simulated, {"simulated_us_min", "simulated_us_avg", "simulated_us_max", "simulated_us_mean"}, 3);
  add(kinds.limits, {"limit_us"}, 3);
  add(kinds.limits, {"of_limit_percent"}, 1);
  add(kinds.wall_clock, {"wall_us_median", "wall_us_lower_quartile", "wall_us_upper_quartile"}, 3);
  add(kinds.cards, {"repetitions", "simulated_repetitions"}, 0);
  add(kinds.cards, {"deviation_us", "least_us", "most_us"}, 3);
  add(kinds.cards, {"digest"}, 0);
  add(kinds.spread, {"simulated_us_spent"}, 3);
  add(true, {"host_us", "correct"}, 0);
  add(kinds.messages, {"rcce", "copies"}, 0);
  add(operation.has_root, {"root"}, 0);
  for (const Parameter& parameter : parameters) columns.push_back({parameter.column(), "", 0});
  add(kinds.ranks, {"last_rank"}, 0);
  add(kinds.ranks, {"last_behind_median_us"}, 3);
  add(operation.has_message, {"bandwidth_mib_per_s"}, 2);
  add(kinds.bus, {"bus_bandwidth_mib_per_s"}, 2);
  add(kinds.per_rank, {"bytes_per_rank"}, 0);
  return columns;
}

Cell bandwidth_of(const Point& point, const Result& result) {
  constexpr double bytes_per_us_in_mib_per_s = 1.048576;
  return result.found.empty() && result.max_us > 0 && point.cores > 1
      ? Cell{static_cast<double>(point.bytes) / result.max_us / bytes_per_us_in_mib_per_s}
      : Cell{};
}

namespace {

/// What nccl-tests multiply with, by (n - 1) / n and without it; empty where they have no such operation.
struct BusFactor {
  std::string_view operation, text;
  double times = 1;
  bool of_others = false; ///< times (n - 1) / n
};
constexpr BusFactor bus_factors[] = {
    {"bcast", "1"},
    {"reduce", "1"},
    {"allreduce", "2 (n - 1) / n", 2, true},
    {"gather", "(n - 1) / n", 1, true},
    {"scatter", "(n - 1) / n", 1, true},
    {"allgather", "(n - 1) / n", 1, true},
    {"alltoall", "(n - 1) / n", 1, true},
    {"reduce_scatter", "(n - 1) / n", 1, true},
};

} // namespace

std::string_view bus_factor_text(const Operation& operation) {
  const auto* const found = std::ranges::find(bus_factors, operation.name, &BusFactor::operation);
  return found == std::end(bus_factors) ? "nothing (they have no such operation)" : found->text;
}

Cell bus_bandwidth_of(const Point& point, const Result& result) {
  const Cell bandwidth = bandwidth_of(point, result);
  const auto* const mib_per_s = std::get_if<double>(&bandwidth);
  const auto* const found = std::ranges::find(bus_factors, point.operation().name, &BusFactor::operation);
  if (mib_per_s == nullptr || found == std::end(bus_factors)) return {};
  return *mib_per_s * found->times * (found->of_others ? (point.cores - 1.0) / point.cores : 1);
}

Cell last_rank_of(const Result& result) {
  return result.last_rank >= 0 ? Cell{std::int64_t{result.last_rank}} : Cell{};
}

Cell last_behind_median(const Result& result) {
  return result.last_rank >= 0 ? Cell{result.max_us - result.median_us} : Cell{};
}

std::vector<Cell> collective_row(const Point& what, const Result& timing,
                                 const std::vector<Parameter>& parameters, const Kinds& kinds) {
  std::vector<Cell> row{what.algorithm, what.machine_name, std::int64_t{what.cores}};
  const auto add = [&](bool wanted, bool there, std::initializer_list<Cell> cells) {
    for (const Cell& cell : cells)
      if (wanted) row.push_back(there ? cell : Cell{});
  };
  const Operation& operation = what.operation();
  add(operation.has_message, true, {what.bytes});
  add(operation.combines, true, {what.elements(), what.type, what.op});
  const auto of_rank = [&timing](double us) { return timing.of_ranks ? Cell{us} : Cell{}; };
  const bool timed = timing.found.empty();
  add(kinds.simulated, timed && !timing.wall_clock,
      {of_rank(timing.min_us), of_rank(timing.avg_us), timing.max_us, timing.mean_us});
  if (kinds.limits)
    for (Cell& cell : limit_cells(what, timing.max_us)) row.push_back(std::move(cell));
  add(kinds.wall_clock, timed && timing.wall_clock, {timing.max_us, timing.lower_us, timing.upper_us});
  const bool on_cards = timed && is_on_cards(what.backend);
  const auto times = distribution_of(timing);
  add(kinds.cards, on_cards, {std::int64_t{what.repetitions}, timing.simulated_repetitions});
  add(kinds.cards, on_cards, {times.deviation, times.least, times.most});
  add(kinds.cards, on_cards, {fmt::format("{:016x}", timing.digest)});
  add(kinds.spread, timing.of_ranks, {timing.spent_us});
  add(true, true, {timed ? Cell{timing.host_us} : Cell{}, correctness_of(what, timing)});
  add(kinds.messages, is_by_messages(what), {std::string(text_of(what.generation)), what.copies});
  add(operation.has_root, true, {std::int64_t{what.root}});
  for (const Parameter& parameter : parameters) {
    const Parameter* own = what.row().parameter(parameter.name);
    const std::string value = own != nullptr ? what.value(*own) : "";
    const bool number = own != nullptr && own->words.empty() && !own->list;
    row.push_back(value.empty() ? Cell{} : number ? Cell{std::int64_t{std::stoll(value)}} : Cell{value});
  }
  add(kinds.ranks, true, {last_rank_of(timing), last_behind_median(timing)});
  add(operation.has_message, true, {bandwidth_of(what, timing)});
  add(kinds.bus, true, {bus_bandwidth_of(what, timing)});
  add(kinds.per_rank, true, {what.bytes / what.cores});
  return row;
}

void FoundFaults::add(const Point& point, const std::string& found) {
  if (found.empty()) return;
  const auto like = std::ranges::find_if(all_, [&](const One& one) {
    return one.found == found && one.point.algorithm == point.algorithm &&
        one.point.machine_name == point.machine_name;
  });
  if (like == all_.end())
    all_.push_back({point, found, {point.cores}});
  else if (like->ranks.back() != point.cores)
    like->ranks.push_back(point.cores);
}

std::vector<std::string> FoundFaults::notes() const {
  constexpr int most_lines = 8;
  std::vector<std::string> notes;
  for (const One& one : all_) {
    std::istringstream in(one.found);
    std::string line;
    std::getline(in, line);
    notes.push_back(fmt::format("# wrong: {} on {} {}{}: {}", one.point.algorithm, fmt::join(one.ranks, ", "),
                                one.point.backend->ranks(),
                                names_machines_ ? " of " + one.point.machine_name : std::string(), line));
    for (int lines = 0; lines < most_lines && std::getline(in, line); ++lines) notes.push_back("#   " + line);
  }
  return notes;
}

bool is_below_limit(const Point& point, const Result& result) {
  constexpr double rounding = 1 + 1e-9;
  const lab::Limit limit = point.backend->limit(point);
  return result.found.empty() && !limit.terms.empty() && result.max_us * rounding < limit.binding().us;
}

bool is_right(const Point& point, const Result& result) {
  return result.wrong_bytes == 0 && !is_below_limit(point, result);
}

Cell correctness_of(const Point& point, const Result& result) {
  return result.checked || !is_right(point, result) ? Cell{is_right(point, result)} : Cell{};
}

std::string check_text(const Point& point, const Result& result) {
  return result.wrong_bytes != 0      ? "wrong"
      : is_below_limit(point, result) ? "below limit"
      : !result.checked               ? "-"
      : result.explored               ? "explored"
                                      : "ok";
}

std::vector<Cell> limit_cells(const Point& point, double us) {
  const lab::Limit limit = point.backend->limit(point);
  if (limit.terms.empty()) return {Cell{}, Cell{}};
  const double least = limit.binding().us;
  return {least, us > 0 ? Cell{least / us * 100} : Cell{}};
}

void add_limit_columns(Table& table, int digits) {
  table.columns.push_back({"Limit", "us", digits});
  table.columns.push_back({"Of limit", "%", 1});
}

void add_limit_terms(Report& report, const CollectiveOptions& options, const std::vector<Point>& points) {
  if (options.limits != "terms") return;
  Table table{"what no algorithm can undercut, us, and why: the largest binds (algorithms/LIMITS.md)",
              {{"Machine", "", 0}, {"Cores", "", 0}, {"Size", "bytes", 0}, {"Root", "", 0}},
              {}};
  std::set<std::tuple<std::string, int, std::int64_t, int>> told;
  for (const Point& point : points) {
    const lab::Limit limit = point.backend->limit(point);
    if (limit.terms.empty() || !told.emplace(point.machine_name, point.cores, point.bytes, point.root).second)
      continue;
    if (table.rows.empty()) {
      for (const lab::LimitTerm& term : limit.terms) table.columns.push_back({std::string(term.name), "", 2});
      table.columns.push_back({"Binds", "", 0});
    }
    std::vector<Cell> row{point.machine_name, std::int64_t{point.cores}, point.bytes,
                          std::int64_t{point.root}};
    for (const lab::LimitTerm& term : limit.terms) row.emplace_back(term.us);
    row.emplace_back(std::string(limit.binding().name));
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty())
    report.notes.push_back(
        "# --limits: none is known for this machine, or for ranks that do not arrive together");
  else
    report.views.push_back(std::move(table));
}

Report collective_report(const std::string& title, const CollectiveOptions& options,
                         const std::vector<Point>& points,
                         const std::vector<std::optional<Result>>& timings) {
  Report report;
  report.title = fmt::format("rccebench {} {}", title, rcce::version_text);
  report.settings = options.settings(points);
  const auto parameters = parameters_of(points);
  const auto kinds = Kinds::of(points, options);
  report.table.columns = collective_columns(options.facts(), parameters, kinds);
  std::size_t done = 0;
  std::int64_t wrong = 0;
  std::size_t below = 0;
  FoundFaults found(std::ranges::any_of(
      points, [&](const Point& one) { return one.machine_name != points.front().machine_name; }));
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!timings[i]) continue;
    ++done;
    wrong += timings[i]->wrong_bytes;
    report.table.rows.push_back(collective_row(points[i], *timings[i], parameters, kinds));
    if (timings[i]->statistics != nullptr)
      report.statistics.emplace_back(points[i].run_name(), timings[i]->statistics);
    if (timings[i]->fault) report.notes.push_back(text_of(points[i], *timings[i]->fault));
    if (is_below_limit(points[i], *timings[i])) {
      ++below;
      report.notes.push_back(fmt::format(
          "# wrong: {}: {:.3f} us, and no algorithm can do it in less than {:.3f}: either the algorithm or "
          "the "
          "limit is wrong (--limits terms says what binds, algorithms/LIMITS.md why)",
          points[i].title(), timings[i]->max_us, points[i].backend->limit(points[i]).binding().us));
    }
    found.add(points[i], timings[i]->found);
  }
  for (std::string& note : found.notes()) report.notes.push_back(std::move(note));
  report.summary["points"] = done;
  report.summary["points_asked_for"] = points.size();
  report.summary["wrong_bytes"] = wrong;
  report.summary["below_limit"] = below;
  const auto refuted = std::ranges::count_if(
      timings, [](const std::optional<Result>& one) { return one && !one->found.empty(); });
  const auto unchecked =
      std::ranges::count_if(timings, [](const std::optional<Result>& one) { return one && !one->checked; });
  const bool none_compared = unchecked == static_cast<std::ptrdiff_t>(done);
  constexpr std::string_view right_on_cards = "every element of the result compared: correct";
  std::string verdict = done == 0  ? "nothing compared"
      : refuted > 0                ? fmt::format("{} not timed: the algorithm is wrong", refuted)
      : below > 0                  ? fmt::format("{} below their limit", below)
      : options.payload != "moved" ? "payload: not moved"
      : wrong != 0                 ? fmt::format("{} {}", wrong, options.facts().wrong)
      : none_compared              ? "nothing compared"
      : kinds.only_cards()         ? std::string(right_on_cards)
                                   : options.facts().right;
  if (verdict == options.facts().right || verdict == right_on_cards) {
    std::int64_t counted = 0, refused = 0, undelayed = 0, many_ranks = 0, few_roots = 0, lacking = 0,
                 untried = 0;
    std::set<std::string> combined; // by rows of the user's: types and operators
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!timings[i]) continue;
      if (!points[i].checks) {
        untried += points[i].row().own_file ? 1 : 0;
        continue;
      }
      if (lab::has_counted_calls(points[i]))
        ++(timings[i]->counted ? counted : refused);
      else if (lab::takes_counted_calls(points[i]))
        ++many_ranks;
      else if (points[i].row().own_file && points[i].cores > lab::most_counted_ranks &&
               options.facts().has_root && !is_on_cards(points[i].backend))
        ++few_roots;
      if (lab::can_lack_ranks(points[i]) && points[i].cores > lab::most_deciding_ranks) ++lacking;
      undelayed += timings[i]->undelayed ? 1 : 0;
      if (points[i].row().own_file && options.facts().combines)
        combined.insert(fmt::format("{}, {}", points[i].type, points[i].op));
    }
    if (counted > 0) verdict += fmt::format("; yours in {} calls in a row", lab::counted_calls);
    if (refused > 0)
      verdict += fmt::format("; {} not in calls in a row, whose sizes or roots yours refuses",
                             mesh::counted(refused, "point"));
    if (many_ranks > 0)
      verdict += fmt::format("; {} of more than {} cores not in {} calls in a row{}",
                             mesh::counted(many_ranks, "point"), lab::most_counted_ranks, lab::counted_calls,
                             options.facts().has_root ? ", nor from every root" : "");
    if (few_roots > 0)
      verdict += fmt::format("; {} of more than {} cores not from every root",
                             mesh::counted(few_roots, "point"), lab::most_counted_ranks);
    if (untried > 0)
      verdict += fmt::format("; {} of yours not tried before (--no-check)", mesh::counted(untried, "point"));
    if (lacking > 0)
      verdict += fmt::format("; {} of more than {} cores not in calls that show each rank",
                             mesh::counted(lacking, "point"), lab::most_deciding_ranks);
    if (undelayed > 0)
      verdict += fmt::format("; {} not with cores delayed at random, which takes too long",
                             mesh::counted(undelayed, "point"));
    if (!combined.empty()) verdict += fmt::format("; yours with {} alone", fmt::join(combined, "; "));
  }
  if (unchecked > 0 && options.payload == "moved")
    verdict += fmt::format("; {} too large to be compared",
                           mesh::counted(unchecked, "point") + (unchecked == 1 ? " is" : " are"));
  report.notes.push_back(done == points.size()
                             ? fmt::format("# {}, {}", mesh::counted(done, "point"), verdict)
                             : fmt::format("# {}: {} of {}, {}",
                                           interrupted_status() != 0 ? "interrupted" : "a shard", done,
                                           mesh::counted(points.size(), "point"), verdict));
  return report;
}

Outcome outcome_of(Report report) {
  const int wrong = report.summary["wrong_bytes"] == 0 && report.summary.value("below_limit", 0) == 0 ? 0 : 1;
  return {std::move(report), interrupted_status() != 0 ? interrupted_status() : wrong};
}

} // namespace rccebench
