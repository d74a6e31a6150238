// SPDX-License-Identifier: Apache-2.0
#include "compare_machines.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rockcreek/team.hpp>

#include "compare_page.hpp"
#include "host_point.hpp"
#include "lists.hpp"
#include "memory_point.hpp"
#include "mesh_sim/machines/coherent/kind.hpp"
#include "mesh_sim/progress.hpp"
#include "page/document.hpp"
#include "rcce_emu/version.hpp"
#include "show/schedules.hpp"
#include "sweep.hpp"

namespace rccebench {
namespace {

namespace in_memory = algorithms::in_memory;
using in_memory::Simulated;

constexpr const char *host = "host", *host_clock = "host";
constexpr const char* standard_sizes = "8,1024,8192,65536";

/// One number of the sheet.
struct Line {
  std::string machine, clock, algorithm, spread;
  int threads = 0;
  std::int64_t bytes = 0;
  double us = 0;
  bool right = true;
  double lower_us = us, upper_us = us; ///< quartiles of what was measured on the host
};

/// Whether the fastest of a row is that: on the host, where its upper quartile lies below the others' lower
/// one.
bool is_decided(const std::vector<const Line*>& fastest_first) {
  const Line& best = *fastest_first.front();
  return std::none_of(fastest_first.begin() + 1, fastest_first.end(), [&](const Line* line) {
    return line->right && line->clock == host_clock && line->lower_us <= best.upper_us;
  });
}

/// Lines of one row of the sheet are compared with each other.
using Place = std::tuple<std::string, int, std::int64_t, std::string>;
Place place_of(const Line& line) {
  return {line.machine, line.threads, line.bytes, line.spread};
}

std::vector<std::string> shared_memory_algorithms(const std::string& operation) {
  std::vector<std::string> names;
  for (const NamedAlgorithm& one : rccebench::shared_memory_algorithms())
    if (one.name.starts_with(operation + "/")) names.emplace_back(one.name);
  return names;
}

/// What a machine of the sheet is, and which of the algorithms asked for it has.
struct Entrant {
  std::string name, description;
  std::shared_ptr<const mesh::coherent::Config> coherent; ///< null: messages, or the host
  int most_threads = 0;
  std::vector<std::string> algorithms;
  std::vector<std::int64_t> threads;
};

class Sheet {
 public:
  explicit Sheet(const SheetOptions& options) : options_(options) {
    if (options.root != 0 && options.facts().has_root)
      throw mesh::UserError(
          fmt::format("--root {}: a sheet of several kinds of machines has root 0", options.root));
    if (options.common.statistics || !options.common.host_file.empty())
      throw mesh::UserError(fmt::format("{}: a sheet of machines has none; ask for one machine with messages",
                                        options.common.statistics ? "--statistics" : "--hostfile"));
    for (const std::string& name : cut(options.common.machine, ',')) enter(name);
    check_algorithms();
    for (const std::string& spread : cut(options.spread, ';')) {
      if (spread.empty())
        throw mesh::UserError(
            fmt::format("--spread '{}': one of the arrivals is empty; write none, uniform:MAX, "
                        "beta:MAX,MEAN,SD or a file, with semicolons between them",
                        options.spread));
      (void)Spread(spread, static_cast<std::uint64_t>(options.seed)); // is it one?
      spreads_.push_back(spread);
    }
  }

  Outcome measure() {
    for (const Entrant& one : entrants_) {
      if (interrupted_status() != 0) break;
      if (one.name == host)
        on_host(one);
      else if (one.coherent)
        on_coherent(one);
      else
        by_messages(one);
    }
    return report();
  }

 private:
  void enter(const std::string& name) {
    if (std::any_of(entrants_.begin(), entrants_.end(), [&](const Entrant& one) { return one.name == name; }))
      return;
    Entrant one{
        .name = name, .description = {}, .coherent = {}, .most_threads = 0, .algorithms = {}, .threads = {}};
    if (name == host) {
      if (!options_.common.settings.empty())
        throw mesh::UserError(
            fmt::format("--set {}: this host has no parameters to set; leave 'host' or the setting out",
                        options_.common.settings.front()));
      one.most_threads = host_processors();
      one.description = fmt::format("host: {} processors, wall-clock time", one.most_threads);
      one.algorithms = host_algorithms(options_.operation);
    } else {
      CommonOptions common = options_.common;
      common.machine = name;
      const Machine machine = open_machine(common);
      one.description = machine.description();
      one.most_threads = machine.config.cores();
      if (auto config = mesh::coherent_config(machine.config)) {
        one.most_threads = config->threads();
        one.threads = {config->cores()};
        one.coherent = std::shared_ptr<const mesh::coherent::Config>(std::move(config));
        one.algorithms = shared_memory_algorithms(options_.operation);
      } else {
        for (const auto& known : options_.catalogue->names_of(options_.operation))
          one.algorithms.emplace_back(known);
      }
    }
    if (one.algorithms.empty())
      throw mesh::UserError(
          fmt::format("--operation {}: machine '{}' shares memory, where there are bcast, reduce and "
                      "barrier",
                      options_.operation, name));
    choose_threads(one);
    entrants_.push_back(std::move(one));
  }

  void choose_threads(Entrant& one) {
    if (!options_.some_cores) {
      const std::int64_t all =
          one.threads.empty() ? std::min(one.most_threads, chip_cores) : one.threads.front();
      std::set<std::int64_t> counts{std::min<std::int64_t>(2, all), std::min<std::int64_t>(8, all), all};
      one.threads.assign(counts.begin(), counts.end());
      return;
    }
    one.threads.clear();
    std::vector<std::int64_t> left_out;
    for (const auto count : read_numbers(options_.cores, "--cores", 1, most_program_cores, "cores"))
      (count <= one.most_threads ? one.threads : left_out).push_back(count);
    if (one.threads.empty())
      throw mesh::UserError(
          fmt::format("--cores '{}': machine '{}' runs 1 to {}", options_.cores, one.name, one.most_threads));
    if (!left_out.empty())
      notes_.push_back(fmt::format("# {}: {} threads left out, it runs 1 to {}", one.name,
                                   fmt::join(left_out, ", "), one.most_threads));
  }

  void check_algorithms() {
    if (options_.algorithms.empty()) return;
    std::set<std::string> all;
    for (const Entrant& one : entrants_) all.insert(one.algorithms.begin(), one.algorithms.end());
    const std::vector<std::string_view> known(all.begin(), all.end());
    const auto asked = read_names(options_.algorithms, "--algorithms", options_.operation + "/", known);
    for (Entrant& one : entrants_)
      std::erase_if(one.algorithms, [&](const std::string& name) {
        return std::find(asked.begin(), asked.end(), name) == asked.end();
      });
  }

  [[nodiscard]] std::vector<std::int64_t> sizes() const {
    if (!options_.facts().has_message) return {0};
    auto all = read_sizes(options_.some_sizes ? options_.sizes : standard_sizes, 0);
    if (options_.facts().combines)
      for (const auto bytes : all)
        if (bytes % element_bytes(options_.type) != 0)
          throw mesh::UserError(
              fmt::format("--sizes '{}': {} bytes are no whole number of elements of type {}, which "
                          "have {} bytes",
                          options_.sizes, bytes, options_.type, element_bytes(options_.type)));
    return all;
  }

  [[nodiscard]] std::vector<Collective> message_points(const Entrant& one, const std::string& spread) const {
    CollectiveOptions options = options_;
    options.common.machine = one.name;
    options.algorithms = fmt::format("{}", fmt::join(one.algorithms, ","));
    options.cores = fmt::format("{}", fmt::join(one.threads, ","));
    if (!options_.some_sizes) options.sizes = standard_sizes;
    options.spread = spread;
    return options.points();
  }

  void by_messages(const Entrant& one) {
    if (one.algorithms.empty()) return;
    for (const std::string& spread : spreads_) {
      const auto points = message_points(one, spread);
      const auto timings = measure_all(points, options_.jobs);
      for (std::size_t i = 0; i < points.size(); ++i)
        if (timings[i])
          lines_.push_back({one.name, "simulated", points[i].algorithm, spread, points[i].cores,
                            points[i].bytes, timings[i]->max_us, timings[i]->wrong_bytes == 0});
        else
          unfinished_.insert({one.name, points[i].cores, points[i].bytes, spread});
    }
  }

  void on_coherent(const Entrant& one) {
    std::vector<MemoryPoint> points;
    for (const std::string& spread : spreads_)
      for (const auto threads : one.threads)
        for (const auto bytes : sizes())
          for (const std::string& algorithm : one.algorithms) {
            MemoryPoint point{
                .machine = one.coherent, .bytes = bytes, .type = options_.type, .op = options_.op};
            point.spread = Spread(spread, static_cast<std::uint64_t>(options_.seed));
            point.trial.algorithm = algorithm;
            point.trial.threads = static_cast<int>(threads);
            point.trial.repetitions = std::max(options_.repetitions, point.spread.is_none() ? 3 : 10);
            set_shapes(point);
            points.push_back(std::move(point));
          }
    const auto timings = sweep<MemoryTiming, MemoryPoint>(
        points, options_.jobs, [](const MemoryPoint& point) { return weight(point); },
        [](const MemoryPoint& point) { return rccebench::measure(point); });
    const std::size_t per_spread = points.size() / spreads_.size();
    for (std::size_t i = 0; i < points.size(); ++i)
      if (timings[i])
        lines_.push_back({one.name, "simulated", points[i].trial.algorithm, spreads_[i / per_spread],
                          points[i].trial.threads, points[i].bytes, timings[i]->max_us, timings[i]->right});
      else
        unfinished_.insert({one.name, points[i].trial.threads, points[i].bytes, spreads_[i / per_spread]});
  }

  void on_host(const Entrant& one) {
    if (spreads_ != std::vector<std::string>{"none"})
      notes_.push_back("# host: all threads come at once; arrivals are spread on simulated machines only");
    mesh::Progress progress(static_cast<double>(one.threads.size() * sizes().size()));
    for (const auto threads : one.threads) {
      if (threads > host_processors())
        notes_.push_back(
            fmt::format("# host: {} threads take turns on {} processors: their times tell of the "
                        "system's scheduling as much as of the algorithms",
                        threads, host_processors()));
      for (const auto bytes : sizes()) {
        progress.show();
        std::vector<HostPoint> points;
        for (const std::string& algorithm : one.algorithms)
          points.push_back({algorithm, static_cast<int>(threads), bytes});
        const auto timings = rccebench::measure(points, [] { return interrupted_status() == 0; });
        if (interrupted_status() != 0) return;
        for (std::size_t i = 0; i < timings.size(); ++i)
          lines_.push_back({one.name, host_clock, points[i].algorithm, "none", points[i].threads, bytes,
                            timings[i].us, timings[i].right, timings[i].lower_us, timings[i].upper_us});
        progress.add(1);
      }
    }
  }

  [[nodiscard]] std::string automatic(const Line& line) const {
    const bool messages = std::any_of(entrants_.begin(), entrants_.end(), [&](const Entrant& one) {
      return one.name == line.machine && !one.coherent && one.name != host;
    });
    if (messages || options_.operation == "bcast") return {};
    const std::vector<std::string> known = rockcreek::tuned_machines();
    const bool tuned = std::find(known.begin(), known.end(), line.machine) != known.end();
    return rockcreek::automatic(options_.operation, line.threads, static_cast<std::size_t>(line.bytes),
                                rockcreek::Order::any, line.machine == host ? 0 : line.threads,
                                tuned ? line.machine : "");
  }

  Outcome report();
  void add_schedules(Report& report) const;

  const SheetOptions& options_;
  std::vector<Entrant> entrants_;
  std::vector<std::string> spreads_;
  std::vector<Line> lines_;
  std::set<Place> unfinished_; ///< where algorithms have not run: nobody wins there
  std::vector<std::string> notes_;
};

/// The rounds on every machine but the host, which tells of none.
void Sheet::add_schedules(Report& report) const {
  for (const Entrant& one : entrants_) {
    if (one.name == host || one.algorithms.empty()) continue;
    std::vector<show::Asked> asked;
    if (one.coherent)
      for (const std::string& algorithm : one.algorithms) {
        show::Asked& each = asked.emplace_back();
        each.common = options_.common;
        each.common.machine = one.name;
        each.name = algorithm;
        each.cores = static_cast<int>(*std::max_element(one.threads.begin(), one.threads.end()));
      }
    auto figure = one.coherent
        ? show::schedules_of(asked)
        : show::schedules_of(show::small_points(message_points(one, spreads_.front())));
    figure["title"] = fmt::format("{} on {}", figure["title"].get<std::string>(), one.name);
    page::add_figure(report, std::move(figure));
  }
}

Outcome Sheet::report() {
  std::map<Place, std::vector<const Line*>> places;
  std::vector<Place> order;
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
  for (const Entrant& one : entrants_) report.settings.emplace_back("machine", one.description);
  if (options_.facts().combines)
    report.settings.emplace_back("elements", fmt::format("{}, {}", options_.type, options_.op));
  report.settings.emplace_back(
      "time",
      "until the last rank or thread is done, from a common start or from the last "
      "arrival; on the host the median of several series of operations that take turns with the other "
      "algorithms', a reduction with the region around it");
  report.table.columns = {{"Machine", "", 0}, {"Clock", "", 0},     {"Threads", "", 0}, {"Size", "bytes", 0},
                          {"Spread", "", 0},  {"Algorithm", "", 0}, {"Time", "us", 3},  {"Behind", "%", 1},
                          {"Winner", "", 0},  {"Right", "", 0}};
  const bool measured =
      std::any_of(lines_.begin(), lines_.end(), [](const Line& line) { return line.clock == host_clock; });
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
                 {"Behind", "%", 1},
                 {"`auto` takes", "", 0},
                 {"`auto` behind", "%", 1}},
                {}};
  auto& list = report.summary["winners"] = nlohmann::ordered_json::array();
  const std::string not_decided;
  std::map<std::pair<std::string, std::string>, int> wins; ///< by machine and algorithm
  for (const Place& place : order) {
    auto& here = places[place];
    // A wrong result wins nothing, however fast it came.
    std::stable_sort(here.begin(), here.end(), [](const Line* a, const Line* b) {
      return a->right != b->right ? a->right : a->us < b->us;
    });
    const Line& best = *here.front();
    const bool unfinished = unfinished_.contains(place);
    const auto behind = [&](const Line& line) { return best.us > 0 ? (line.us / best.us - 1) * 100 : 0.0; };
    const bool decided = is_decided(here);
    for (const Line* line : here) {
      auto& row = report.table.rows.emplace_back(std::vector<Cell>{
          line->machine, line->clock, std::int64_t{line->threads}, line->bytes, line->spread, line->algorithm,
          line->us, behind(*line), unfinished ? Cell{} : Cell{decided && line == here.front()}, line->right});
      if (!measured) continue;
      const bool on_host = line->clock == host_clock;
      row.push_back(on_host ? Cell{line->lower_us} : Cell{});
      row.push_back(on_host ? Cell{line->upper_us} : Cell{});
    }
    if (unfinished) continue;
    const std::string taken = automatic(best);
    const auto found =
        std::find_if(here.begin(), here.end(), [&](const Line* line) { return line->algorithm == taken; });
    winners.rows.push_back({best.machine, std::int64_t{best.threads}, best.bytes, best.spread,
                            decided ? best.algorithm : best.algorithm + " (not decided)", best.us,
                            here.size() > 1 ? Cell{here[1]->algorithm} : Cell{},
                            here.size() > 1 ? Cell{behind(*here[1])} : Cell{},
                            taken.empty() ? Cell{} : Cell{taken},
                            found == here.end() ? Cell{} : Cell{behind(**found)}});
    list.push_back({{"machine", best.machine},
                    {"threads", best.threads},
                    {"bytes", best.bytes},
                    {"spread", best.spread},
                    {"algorithm", best.algorithm},
                    {"us", best.us},
                    {"decided", decided}});
    ++wins[{best.machine, decided ? best.algorithm : not_decided}];
  }
  Table all = report.table;
  all.title = "every algorithm, the fastest first";
  report.views = {std::move(all), std::move(winners)};
  report.notes = notes_;
  for (const auto& [who, count] : wins)
    report.notes.push_back(
        fmt::format("# {}: {} in {} of {} rows", who.first,
                    who.second.empty() ? "not decided, the quartiles of the first overlap others',"
                                       : who.second + " is the fastest",
                    count, std::count_if(order.begin(), order.end(), [&](const Place& place) {
                      return std::get<0>(place) == who.first;
                    })));
  report.notes.push_back(
      fmt::format("# {} points, {}", lines_.size(), right ? "all results right" : "wrong results"));
  if (!options_.common.report_file.empty() && interrupted_status() == 0) {
    report.figures = sheet_figures(report.views[0], report.views[1]);
    add_schedules(report);
  }
  report.summary["points"] = lines_.size();
  report.summary["wrong_bytes"] = right ? 0 : 1;
  return outcome_of(std::move(report));
}

} // namespace

bool is_sheet(const SheetOptions& options) {
  const std::string& name = options.common.machine;
  return name == host || name.find(',') != std::string::npos ||
      mesh::coherent_config(open_machine(each_machine(options.common).front()).config) != nullptr;
}

Outcome compare_machines(const SheetOptions& options) {
  return Sheet(options).measure();
}

std::vector<NamedAlgorithm> shared_memory_algorithms() {
  std::vector<NamedAlgorithm> algorithms;
  const auto add = [&](const auto& rows) {
    for (const auto& row : rows) {
      std::string_view summary;
      if constexpr (requires { row.summary; }) summary = row.summary;
      algorithms.push_back({row.name, summary, row.cost});
    }
  };
  add(in_memory::barriers<Simulated>());
  add(in_memory::joins<Simulated>());
  add(in_memory::reductions<Simulated>());
  add(in_memory::broadcasts<Simulated>());
  return algorithms;
}

} // namespace rccebench
