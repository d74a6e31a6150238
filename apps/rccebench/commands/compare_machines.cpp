// SPDX-License-Identifier: Apache-2.0
#include "commands/compare_machines.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/collective_results.hpp"
#include "commands/compare_page.hpp"
#include "lab.hpp"
#include "mesh_sim/counted.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "page/document.hpp"
#include "rcce_emu/version.hpp"
#include "show/schedules.hpp"

namespace rccebench {
namespace {

constexpr const char* standard_sizes = "8,1024,8192,65536";

/// One number of the sheet. The point is the sheet's.
struct Line {
  const Point* point;
  std::string spread;
  Result result;
  bool right;

  [[nodiscard]] bool timed() const { return result.found.empty(); }
  [[nodiscard]] double us() const { return result.max_us; }
};

bool is_as_fast(const Line& line, const Line& best) {
  return line.us() <= best.us() * (1 + least_margin_percent / 100);
}

/// True if the fastest of a row is decided. On the host its upper quartile must lie below the others' lower
/// one; on a simulated machine its time must be less by the margin.
bool is_decided(const std::vector<const Line*>& fastest_first) {
  const Line& best = *fastest_first.front();
  return best.right && std::none_of(fastest_first.begin() + 1, fastest_first.end(), [&](const Line* line) {
           return line->right &&
               (line->result.wall_clock ? line->result.lower_us <= best.result.upper_us
                                        : is_as_fast(*line, best));
         });
}

/// Lines of one row of the sheet are compared with each other.
using SheetRow = std::tuple<std::string, int, std::int64_t, std::string>;
SheetRow place_of(const Line& line) {
  return {line.point->machine_name, line.point->cores, line.point->bytes, line.spread};
}

/// A machine of the sheet, and which of the algorithms asked for it has.
struct Entrant {
  std::string name;
  std::shared_ptr<const Machine> machine;
  std::shared_ptr<const Backend> backend;
  std::vector<std::int64_t> threads;
};

class Sheet {
 public:
  explicit Sheet(const CollectiveOptions& options) : options_(options) {
    if (!options_.some_sizes) options_.sizes = standard_sizes;
    if (options.common.statistics || !options.common.host_file.empty())
      throw mesh::UserError(
          fmt::format("{}: not possible with several machines; choose one machine with messages",
                      options.common.statistics ? "--statistics" : "--hostfile"));
    for (const CommonOptions& one : each_machine(options.common)) enter(one);
    for (const std::string& spread : cut(options.spread, ';')) {
      if (spread.empty())
        throw mesh::UserError(
            fmt::format("--spread '{}': one of the arrivals is empty; write none, uniform:MAX, "
                        "beta:MAX,MEAN,SD or a file, with semicolons between them",
                        options.spread));
      (void)Spread(spread, static_cast<std::uint64_t>(options.seed)); // is it one?
      spreads_.push_back(spread);
    }
    for (const Entrant& one : entrants_) add_points(one);
    options.refuse_without_messages(points_);
  }

  Outcome measure() {
    const auto results = measure_all(points_, options_.jobs);
    FoundFaults found(entrants_.size() > 1);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Point& point = points_[i];
      if (results[i]) {
        lines_.push_back({&point, spread_of_[i], *results[i], is_right(point, *results[i])});
        found.add(point, results[i]->found);
        limited_ = limited_ || !point.backend->limit(point).terms.empty();
      } else
        unfinished_.insert({point.machine_name, point.cores, point.bytes, spread_of_[i]});
    }
    for (std::string& note : found.notes()) notes_.push_back(std::move(note));
    return report();
  }

 private:
  void enter(const CommonOptions& common) {
    Entrant one{.name = common.machine_name(),
                .machine = std::make_shared<const Machine>(open_machine(common)),
                .backend = {},
                .threads = {}};
    one.backend = backend_of(*one.machine, options_.files, generation_of(options_.rcce));
    choose_threads(one);
    entrants_.push_back(std::move(one));
  }

  void choose_threads(Entrant& one) {
    one.threads = one.backend->usual_ranks(*one.machine);
    if (!options_.some_cores) return;
    one.threads.clear();
    std::vector<std::int64_t> left_out;
    int most = one.backend->most_ranks(*one.machine);
    if (one.machine->config.offers(mesh::Capability::message_buffers))
      most = std::min(most, static_cast<int>(most_program_cores));
    for (const auto count :
         read_numbers(options_.cores, "--cores", 1, std::numeric_limits<int>::max(), "cores"))
      (count <= most ? one.threads : left_out).push_back(count);
    if (one.threads.empty())
      throw mesh::UserError(
          fmt::format("--cores '{}': machine '{}' runs 1 to {}", options_.cores, one.name, most));
    if (!left_out.empty())
      notes_.push_back(fmt::format("# {}: {} threads left out, it runs 1 to {}", one.name,
                                   fmt::join(left_out, ", "), most));
  }

  void add_points(const Entrant& one) {
    const bool together = one.backend->takes_turns();
    if (together && spreads_ != std::vector<std::string>{"none"})
      notes_.push_back("# host: all threads come at once; arrivals are spread on simulated machines only");
    for (const std::string& spread : together ? std::vector<std::string>{"none"} : spreads_) {
      CollectiveOptions options = options_;
      options.spread = spread;
      for (Point& point : options.points_on(one.machine, one.name, one.threads)) {
        points_.push_back(std::move(point));
        spread_of_.push_back(spread);
      }
    }
  }

  Outcome report();
  void add_schedules(Report& report) const;

  CollectiveOptions options_;
  std::vector<Entrant> entrants_;
  std::vector<std::string> spreads_;
  std::vector<Point> points_;
  std::vector<std::string> spread_of_; ///< spread of each point
  std::vector<Line> lines_;
  std::set<SheetRow> unfinished_; ///< rows whose algorithms have not all run: nobody wins there
  std::vector<std::string> notes_;
  bool limited_ = false; ///< a limit is known for one of them
};

/// The rounds on every machine but the host, which tells of none.
void Sheet::add_schedules(Report& report) const {
  for (const Entrant& one : entrants_) {
    if (one.backend->takes_turns()) continue;
    std::vector<Point> own;
    std::ranges::copy_if(points_, std::back_inserter(own),
                         [&](const Point& point) { return point.machine == one.machine; });
    if (own.empty()) continue;
    auto figure = show::schedules_of(show::small_points(own));
    figure["title"] = fmt::format("{} on {}", figure["title"].get<std::string>(), one.name);
    page::add_figure(report, std::move(figure));
  }
}

Outcome Sheet::report() {
  std::map<SheetRow, std::vector<const Line*>> places;
  std::vector<SheetRow> order;
  bool right = true;
  for (const Line& line : lines_) {
    right = right && line.right;
    auto& here = places[place_of(line)];
    if (here.empty()) order.push_back(place_of(line));
    here.push_back(&line);
  }
  Report report;
  report.title = fmt::format("rccebench compare {}", rcce::version_text);
  report.lead = "One operation on several machines, each with the algorithms that can run there.";
  report.settings.emplace_back("operation", options_.operation);
  for (const Entrant& one : entrants_) report.settings.emplace_back("machine", one.machine->description());
  if (options_.facts().combines)
    report.settings.emplace_back("elements", fmt::format("{}, {}", options_.type, options_.op));
  report.settings.emplace_back(
      "time",
      "from the common start or the last arrival until the last rank or thread is done; on the host the "
      "median of several series of operations; the series of all algorithms take turns; a reduction includes "
      "the region around it");
  report.table.columns = {{"Machine", "", 0}, {"Clock", "", 0},     {"Threads", "", 0}, {"Size", "bytes", 0},
                          {"Spread", "", 0},  {"Algorithm", "", 0}, {"Time", "us", 3},  {"Behind", "%", 1},
                          {"Winner", "", 0},  {"Right", "", 0},     {"Check", "", 0}};
  const bool measured =
      std::any_of(lines_.begin(), lines_.end(), [](const Line& line) { return line.result.wall_clock; });
  const Kinds kinds = Kinds::of(points_, options_);
  if (kinds.last) report.table.columns.push_back({"Behind median", "us", 3});
  if (kinds.bus)
    for (const char* const name : {"Bandwidth", "Bus bandwidth"})
      report.table.columns.push_back({name, "MiB/s", 2});
  if (limited_) add_limit_columns(report.table);
  if (measured) {
    report.table.columns.push_back({"Lower quartile", "us", 3});
    report.table.columns.push_back({"Upper quartile", "us", 3});
  }
  Table winners{"what wins where",
                {{"Machine", "", 0},
                 {"Threads", "", 0},
                 {"Size", "bytes", 0},
                 {"Spread", "", 0},
                 {"Fastest", "", 0},
                 {"Time", "us", 3},
                 {"Next", "", 0},
                 {"Behind", "%", 1}},
                {}};
  if (limited_) add_limit_columns(winners);
  auto& list = report.summary["winners"] = nlohmann::ordered_json::array();
  const std::string not_decided;
  std::map<std::pair<std::string, std::string>, int> wins; ///< by machine and algorithm
  std::vector<std::string> faster;                         ///< on the host, by how much
  for (const SheetRow& place : order) {
    auto& here = places[place];
    // A wrong result wins nothing, however fast it came.
    std::stable_sort(here.begin(), here.end(), [](const Line* a, const Line* b) {
      return a->right != b->right ? a->right : a->us() < b->us();
    });
    const Line& best = *here.front();
    const bool unfinished = unfinished_.contains(place) || !best.right; // nobody has won
    // Nothing is a percentage of no time.
    const auto behind = [&](const Line& line) {
      if (best.us() > 0) return Cell{(line.us() / best.us() - 1) * 100};
      return line.us() > best.us() ? Cell{} : Cell{0.0};
    };
    const bool decided = is_decided(here);
    const auto is_winner = [&](const Line& line) {
      return line.right && (line.result.wall_clock ? decided && &line == &best : is_as_fast(line, best));
    };
    for (const Line* line : here) {
      const Point& point = *line->point;
      auto& row = report.table.rows.emplace_back(
          std::vector<Cell>{point.machine_name, std::string(line->result.wall_clock ? "host" : "simulated"),
                            std::int64_t{point.cores}, point.bytes, line->spread, point.algorithm,
                            line->timed() ? Cell{line->us()} : Cell{}, line->timed() ? behind(*line) : Cell{},
                            unfinished ? Cell{} : Cell{is_winner(*line)},
                            line->result.checked || !line->right ? Cell{line->right} : Cell{},
                            check_text(point, line->result)});
      if (kinds.last) row.push_back(last_behind_median(line->result));
      if (kinds.bus)
        row.insert(row.end(), {bandwidth_of(point, line->result), bus_bandwidth_of(point, line->result)});
      if (limited_) std::ranges::move(limit_cells(point, line->us()), std::back_inserter(row));
      if (!measured) continue;
      const bool on_host = line->result.wall_clock && line->timed();
      row.push_back(on_host ? Cell{line->result.lower_us} : Cell{});
      row.push_back(on_host ? Cell{line->result.upper_us} : Cell{});
    }
    if (unfinished) continue;
    const Point& point = *best.point;
    // Nor is it behind the winner. Equal times of a simulation are equal.
    std::set<std::string> equal{point.algorithm};
    std::size_t at = 1;
    for (; !best.result.wall_clock && at < here.size() && is_winner(*here[at]); ++at)
      equal.insert(here[at]->point->algorithm);
    const auto first = fmt::format("{}", fmt::join(equal, " = "));
    const Line* const next = here.size() > at && here[at]->right ? here[at] : nullptr;
    const bool named = decided || !best.result.wall_clock;
    winners.rows.push_back({point.machine_name, std::int64_t{point.cores}, point.bytes, best.spread,
                            named ? first : first + " (not decided)", best.us(),
                            next != nullptr ? Cell{next->point->algorithm} : Cell{},
                            next != nullptr ? behind(*next) : Cell{}});
    if (limited_) std::ranges::move(limit_cells(point, best.us()), std::back_inserter(winners.rows.back()));
    list.push_back({{"machine", point.machine_name},
                    {"threads", point.cores},
                    {"bytes", point.bytes},
                    {"spread", best.spread},
                    {"algorithm", point.algorithm},
                    {"us", best.us()},
                    {"decided", decided}});
    if (decided && best.result.wall_clock && here.size() > 1 && here[1]->right) {
      const Result &fastest = best.result, &second = here[1]->result;
      const double times = second.max_us / fastest.max_us, least = second.lower_us / fastest.upper_us,
                   most = second.upper_us / fastest.lower_us;
      faster.push_back(fmt::format(
          "# {} threads, {} bytes{}: {} is {:.2f} ({:.2f} to {:.2f}) times faster than {}", point.cores,
          point.bytes, best.spread == "none" ? "" : fmt::format(", spread {}", best.spread), point.algorithm,
          times, least, most, here[1]->point->algorithm));
      list.back()["times_faster"] = {
          {"than", here[1]->point->algorithm}, {"median", times}, {"least", least}, {"most", most}};
    }
    ++wins[{point.machine_name, named ? first : not_decided}];
  }
  Table all = report.table;
  all.title = "every algorithm, the fastest first";
  report.views = {std::move(all), std::move(winners)};
  report.notes = notes_;
  for (const auto& [who, count] : wins)
    report.notes.push_back(fmt::format(
        "# {}: {} in {} of {}", who.first,
        who.second.empty()                                ? "not decided (quartiles that overlap)"
            : who.second.find(" = ") == std::string::npos ? who.second + " is the fastest"
                                                          : who.second + " are the fastest",
        count,
        mesh::counted(std::ranges::count_if(
                          order, [&](const SheetRow& place) { return std::get<0>(place) == who.first; }),
                      "row")));
  std::ranges::move(faster, std::back_inserter(report.notes));
  if (!faster.empty())
    report.notes.emplace_back(
        "# in brackets: between the quartiles that are nearest and those that are farthest");
  report.notes.push_back(fmt::format("# {}, {}", mesh::counted(lines_.size(), "point"),
                                     options_.payload != "moved" ? "payload: not moved"
                                         : right                 ? "all results right"
                                                                 : "wrong results"));
  if (!options_.common.report_file.empty() && interrupted_status() == 0) {
    report.figures = sheet_figures(report.views[0], report.views[1]);
    add_schedules(report);
  }
  report.summary["points"] = lines_.size();
  report.summary["wrong_bytes"] = right ? 0 : 1;
  return outcome_of(std::move(report));
}

} // namespace

bool is_sheet(const CollectiveOptions& options) {
  return options.common.machine.find(',') != std::string::npos ||
      !open_machine(each_machine(options.common).front()).config.offers(mesh::Capability::message_buffers);
}

Outcome compare_machines(const CollectiveOptions& options) {
  return Sheet(options).measure();
}

} // namespace rccebench
