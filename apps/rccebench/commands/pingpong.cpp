// SPDX-License-Identifier: Apache-2.0
// rccebench pingpong: round trips between pairs of cores. The default is the ping-pong of the SCC broadcast
// thesis: core 0 against 1, 2, 10, 37 and 47, 256 to 8192 bytes in steps of 256, minimum of the repetitions,
// buffer checked.
// --window has several messages in flight, --overlap computes beside a message: both by iRCCE.
// --sweep distance takes core 0 against every other core and orders the latencies by hops.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "command_line/commands.hpp"
#include "command_line/records.hpp"
#include "lab.hpp"
#include "lab/lists.hpp"
#include "mesh_sim/counted.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "rcce_emu/host_file.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {
namespace {

struct Pair {
  int from, to;
};

struct PingpongOptions {
  CommonOptions common;
  RecordOptions records;
  std::string pairs, sizes, variant = "sendrecv", rcce = "2.0", sweep;
  int repetitions = 10;
  int window = 0;       ///< messages in flight; 0: one goes forth and back
  bool overlap = false; ///< a computation beside a message
  bool some_pushes = false;
  std::string pushes = "0,16"; ///< with overlap: how often the computation pushes the requests

  [[nodiscard]] bool is_nonblocking() const { return window > 0 || overlap; }
};

struct PairPoint {
  std::string machine;
  Pair pair;
  int hops;
  std::int64_t bytes;
  double counted_us, mean_us; ///< times of a round trip; counts() says which of them counts
  std::int64_t wrong_bytes;
};

std::vector<Pair> read_pairs(const std::string& text, int cores) {
  std::vector<Pair> pairs;
  for (const std::string& word : cut(text, ',')) {
    const std::string where = fmt::format("--pairs '{}'", word);
    const auto ends = cut(word, ':');
    if (ends.size() != 2)
      throw mesh::UserError(
          fmt::format("{}: this is not a pair of cores; write FROM:TO, as in 0:1,0:47", where));
    const Pair pair{static_cast<int>(whole_number(ends[0], where)),
                    static_cast<int>(whole_number(ends[1], where))};
    for (const int core : {pair.from, pair.to})
      if (core >= cores)
        throw mesh::UserError(
            fmt::format("{}: core {} is out of range 0..{} of this machine", where, core, cores - 1));
    if (pair.from == pair.to)
      throw mesh::UserError(
          fmt::format("{}: core {} cannot play with itself; name two cores", where, pair.from));
    pairs.push_back(pair);
  }
  return pairs;
}

/// The time that counts among the repetitions'. A flag is polled: its least time is that of a poll right
/// behind the write, at any distance.
const char* counts(const PingpongOptions& options) {
  return options.variant == "flag" ? "mean" : "minimum";
}

/// All sizes between two cores; `pushes` only counts with --overlap.
Run run_of(const PingpongOptions& options, const Pair& pair, const std::vector<std::int64_t>& sizes,
           std::int64_t pushes = 0) {
  const bool gory = options.variant != "sendrecv";
  Run run;
  run.program = options.is_nonblocking() ? "nonblocking" : gory ? "pingpong_gory" : "pingpong";
  run.generation = generation_of(options.rcce);
  run.cores = {std::min(pair.from, pair.to), std::max(pair.from, pair.to)}; // ranks follow ascending cores
  if (gory) run.arguments.push_back(options.variant);
  run.arguments.push_back(fmt::format("{}", options.repetitions));
  run.arguments.emplace_back(pair.from < pair.to ? "0" : "1");
  if (options.overlap) run.arguments.insert(run.arguments.end(), {"overlap", fmt::format("{}", pushes)});
  if (options.window > 0)
    run.arguments.insert(run.arguments.end(), {"window", fmt::format("{}", options.window)});
  for (const auto size : sizes) run.arguments.push_back(fmt::format("{}", size));
  return run;
}

/// The output of the pairs' programs on one machine. Statistics that are asked for go to the report.
std::vector<Output> outputs_of(const Machine& machine, const PingpongOptions& options,
                               const std::vector<Pair>& pairs, const std::vector<std::int64_t>& sizes,
                               Report& report, std::int64_t pushes = 0) {
  std::vector<Run> runs;
  for (const Pair& pair : pairs) {
    runs.push_back(run_of(options, pair, sizes, pushes));
    if (options.common.statistics) runs.back().recording.records["statistics"];
  }
  auto outputs = run_all(machine, runs);
  for (std::size_t i = 0; options.common.statistics && i < pairs.size(); ++i)
    report.statistics.emplace_back(
        fmt::format("{}:pingpong:{}-{}", machine.config.name(), pairs[i].from, pairs[i].to),
        std::make_shared<const mesh::Statistics>(outputs[i].result.table("statistics")));
  return outputs;
}

std::vector<PairPoint> measure(const Machine& machine, const PingpongOptions& options,
                               const std::vector<Pair>& pairs, const std::vector<std::int64_t>& sizes,
                               Report& report) {
  const auto outputs = outputs_of(machine, options, pairs, sizes, report);
  std::vector<PairPoint> points;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const auto& row : outputs[i].rows) {
      const double minimum = std::stod(row.at(1)), mean = std::stod(row.at(2));
      points.push_back({machine.config.name(), pairs[i], machine.hops(pairs[i].from, pairs[i].to),
                        whole_number(row.at(0), "bytes"), options.variant == "flag" ? mean : minimum, mean,
                        whole_number(row.at(3), "check")});
    }
  return points;
}

double one_way(const PairPoint& point) {
  return point.counted_us / 2;
}

double mebibytes_per_second(const PairPoint& point) {
  return static_cast<double>(point.bytes) / one_way(point) / 1.048576;
}

std::string verdict(std::int64_t wrong_bytes) {
  return wrong_bytes == 0 ? "ok" : fmt::format("{} wrong", wrong_bytes);
}

Table all_points(const std::vector<PairPoint>& points) {
  Table table{"",
              {{"From", "core", 0},
               {"To", "core", 0},
               {"Hops", "", 0},
               {"Size", "bytes", 0},
               {"Latency", "us", 3},
               {"Mean", "us", 3},
               {"Bandwidth", "MiB/s", 2},
               {"Check", "", 0}},
              {}};
  for (const PairPoint& p : points)
    table.rows.push_back({std::int64_t{p.pair.from}, std::int64_t{p.pair.to}, std::int64_t{p.hops}, p.bytes,
                          one_way(p), p.mean_us / 2, mebibytes_per_second(p), verdict(p.wrong_bytes)});
  return table;
}

std::vector<std::int64_t> pushes_of(const PingpongOptions& options) {
  return lab::read_numbers(options.pushes, "--pushes", 0, 1000000, "pushes");
}

/// Messages in flight, or a computation beside a message, on each machine.
Table nonblocking_points(const PingpongOptions& options, const std::vector<Machine>& machines,
                         const std::vector<Pair>& pairs, const std::vector<std::int64_t>& sizes,
                         Report& report, std::int64_t& wrong) {
  Table table{"", {}, {}};
  if (machines.size() > 1) table.columns.push_back({"Machine", "", 0});
  table.columns.insert(table.columns.end(),
                       {{"From", "core", 0}, {"To", "core", 0}, {"Hops", "", 0}, {"Size", "bytes", 0}});
  if (options.overlap)
    table.columns.insert(table.columns.end(),
                         {{"Pushes", "", 0}, {"Alone", "us", 3}, {"Both", "us", 3}, {"Hidden", "%", 1}});
  else
    table.columns.insert(
        table.columns.end(),
        {{"Window", "", 0}, {"Round", "us", 3}, {"Message", "us", 3}, {"Bandwidth", "MiB/s", 2}});
  table.columns.push_back({"Check", "", 0});
  const auto counts = options.overlap ? pushes_of(options) : std::vector<std::int64_t>{options.window};
  for (const Machine& machine : machines)
    for (const std::int64_t count : counts) {
      const auto outputs = outputs_of(machine, options, pairs, sizes, report, count);
      for (std::size_t i = 0; i < pairs.size(); ++i)
        for (const auto& row : outputs[i].rows) {
          const auto [from, to] = pairs[i];
          const std::int64_t bytes = whole_number(row.at(0), "bytes");
          const double alone = std::stod(row.at(1));
          std::vector<Cell> cells;
          if (machines.size() > 1) cells.emplace_back(machine.config.name());
          cells.insert(cells.end(),
                       {std::int64_t{from}, std::int64_t{to}, std::int64_t{machine.hops(from, to)}, bytes,
                        count, alone});
          if (options.overlap) {
            const double both = std::stod(row.at(2)); // the computation takes as long as the message alone
            cells.insert(cells.end(), {both, (2 - both / alone) * 100});
          } else {
            const auto each = alone / static_cast<double>(count);
            cells.insert(cells.end(), {each, static_cast<double>(bytes) / each / 1.048576});
          }
          const std::int64_t wrong_here = whole_number(row.back(), "check");
          wrong += wrong_here;
          cells.emplace_back(verdict(wrong_here));
          table.rows.push_back(std::move(cells));
        }
    }
  return table;
}

/// One row per size, one column per pair: how the curves of several pairs are read side by side.
Table by_size(const PingpongOptions& options, const std::vector<PairPoint>& points,
              const std::vector<Pair>& pairs) {
  Table table{
      fmt::format("latency of one message (half the round trip, {}) between cores, us", counts(options)),
      {{"Size", "bytes", 0}},
      {}};
  for (const Pair& pair : pairs) table.columns.push_back({fmt::format("{}:{}", pair.from, pair.to), "us", 3});
  table.columns.push_back({"Check", "", 0});
  const std::size_t sizes = points.size() / pairs.size();
  for (std::size_t s = 0; s < sizes; ++s) {
    std::vector<Cell> row{points[s].bytes};
    std::int64_t wrong = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      row.emplace_back(one_way(points[p * sizes + s]));
      wrong += points[p * sizes + s].wrong_bytes;
    }
    row.emplace_back(verdict(wrong));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Nanoseconds, by least squares over all pairs; 0 where they are equally far apart.
double growth_per_hop(const std::map<int, std::vector<PairPoint>>& distances) {
  double count = 0, hops_sum = 0, ns_sum = 0, both = 0, squares = 0;
  for (const auto& [hops, group] : distances)
    for (const PairPoint& point : group) {
      const double ns = one_way(point) * 1000;
      ++count;
      hops_sum += hops;
      ns_sum += ns;
      both += hops * ns;
      squares += static_cast<double>(hops) * hops;
    }
  const double spread = count * squares - hops_sum * hops_sum;
  return spread > 0 ? (count * both - hops_sum * ns_sum) / spread : 0;
}

/// One table per size: latency by hops.
std::vector<Table> by_distance(const PingpongOptions& options, const std::vector<PairPoint>& points,
                               const std::vector<std::int64_t>& sizes) {
  std::vector<Table> tables;
  for (const auto size : sizes) {
    std::map<int, std::vector<PairPoint>> distances;
    for (const PairPoint& point : points)
      if (point.bytes == size) distances[point.hops].push_back(point);
    Table table{
        fmt::format("{} bytes: latency of one message (half the round trip, {}) by distance; by least "
                    "squares {:.1f} ns more for each hop",
                    size, counts(options), growth_per_hop(distances)),
        {{"Hops", "", 0},
         {"Cores", "", 0},
         {"Least", "us", 3},
         {"Mean", "us", 3},
         {"Most", "us", 3},
         {"Bandwidth", "MiB/s", 2},
         {"Check", "", 0}},
        {}};
    for (const auto& [hops, group] : distances) {
      double least = one_way(group.front()), most = 0, sum = 0;
      std::int64_t wrong = 0;
      for (const PairPoint& point : group) {
        least = std::min(least, one_way(point));
        most = std::max(most, one_way(point));
        sum += one_way(point);
        wrong += point.wrong_bytes;
      }
      const double mean = sum / static_cast<double>(group.size());
      table.rows.push_back({std::int64_t{hops}, static_cast<std::int64_t>(group.size()), least, mean, most,
                            static_cast<double>(size) / mean / 1.048576, verdict(wrong)});
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

/// The pairs asked for; else the first core of the host file with each other one of it, or the thesis'
/// partners of core 0.
std::vector<Pair> pairs_of(const PingpongOptions& options, int cores) {
  if (!options.pairs.empty()) return read_pairs(options.pairs, cores);
  std::vector<Pair> pairs;
  const std::string& file = options.common.host_file;
  if (!file.empty()) {
    const std::vector<int> hosts = rcce::read_all_hosts(file, cores).cores;
    if (hosts.size() < 2)
      throw mesh::UserError(
          fmt::format("hostfile '{}': a pair needs two cores, and it lists {}", file, hosts.size()));
    for (std::size_t i = 1; i < hosts.size(); ++i) pairs.push_back({hosts.front(), hosts[i]});
  } else if (!options.sweep.empty()) {
    for (int core = 1; core < cores; ++core) pairs.push_back({0, core});
  } else {
    for (const int core : {1, 2, 10, 37, 47})
      if (core < cores) pairs.push_back({0, core});
  }
  return pairs;
}

/// Throws mesh::UserError for options that say two things.
void check(const PingpongOptions& options) {
  if (options.some_pushes && !options.overlap)
    throw mesh::UserError("--pushes: it says how often a computation pushes requests; add --overlap");
  if (!options.is_nonblocking()) return;
  const char* const option = options.overlap ? "--overlap" : "--window";
  if (options.overlap && options.window > 0)
    throw mesh::UserError("--window and --overlap: these are two measurements; run the command for each");
  if (options.variant != "sendrecv")
    throw mesh::UserError(fmt::format(
        "{}: it goes with messages of iRCCE, not with --variant {}; leave one out", option, options.variant));
  if (!options.sweep.empty()) throw mesh::UserError(fmt::format("{}: it takes --pairs, not --sweep", option));
}

Status run_pingpong(const PingpongOptions& options) {
  check(options);
  std::vector<Machine> machines;
  for (const CommonOptions& one : each_machine(options.common)) machines.push_back(open_machine(one));
  const int cores =
      std::ranges::min(machines, {}, [](const Machine& one) { return one.config.cores(); }).config.cores();
  const bool sweep = !options.sweep.empty();

  const std::vector<Pair> pairs = pairs_of(options, cores);
  auto sizes = read_sizes(!options.sizes.empty()         ? options.sizes
                              : sweep                    ? "32,8192"
                              : options.is_nonblocking() ? "32-131072:x4"
                                                         : "256-8192:256");
  if (options.variant == "flag")
    sizes = {0};
  else if (options.variant != "sendrecv") // the low-level calls move whole lines
    for (auto& size : sizes) size = (size + 31) / 32 * 32;
  if (const auto most = *std::ranges::max_element(sizes);
      options.window > 0 && most > lab::largest_message / options.window)
    throw mesh::UserError(fmt::format("--window {}: messages of {} bytes are together more than {} bytes",
                                      options.window, most, lab::largest_message));
  check_records(options.records, machines.size() * pairs.size(),
                "one of --pairs, and one value of each parameter");
  std::vector<PairPoint> points;
  Report report;
  std::int64_t wrong = 0;
  if (options.is_nonblocking())
    report.table = nonblocking_points(options, machines, pairs, sizes, report, wrong);
  else
    for (const Machine& machine : machines)
      for (PairPoint& point : measure(machine, options, pairs, sizes, report))
        points.push_back(std::move(point));
  require_whole();
  report.title = fmt::format("rccebench pingpong {}", rcce::version_text);
  const std::map<std::string, std::string> ways{{"sendrecv", "RCCE_send and RCCE_recv"},
                                                {"put", "RCCE_put to the receiver, RCCE_get at home, flags"},
                                                {"get", "RCCE_put at home, RCCE_get from the sender, flags"},
                                                {"flag", "RCCE_flag_write and RCCE_wait_until only"}};
  report.settings = {
      {"machine", machines.front().description()},
      {"library", fmt::format("RCCE {}", options.rcce)},
      {"transfer",
       options.window > 0
           ? fmt::format("iRCCE_isend and iRCCE_irecv, {} messages in flight, then a byte back",
                         options.window)
           : options.overlap ? "iRCCE_isend to iRCCE_irecv, a computation on both cores, both waits"
                             : ways.at(options.variant)},
      {"repetitions",
       fmt::format("{} timed, after 3 for warm-up; the {} counts", options.repetitions, counts(options))},
      {"time", "simulated; code between library calls takes none (compute none)"}};
  if (machines.size() > 1)
    report.settings.insert(report.settings.begin() + 1, {"set", text_of_set(each_machine(options.common))});
  if (options.overlap)
    report.settings.emplace_back("computation",
                                 "as long as the message takes alone; pushes: how often it calls "
                                 "iRCCE_irecv_push and iRCCE_isend_push");
  if (options.overlap) report.settings.emplace_back("hidden", "(alone + computation - both) / alone");
  if (!options.is_nonblocking()) report.table = all_points(points);
  if (options.is_nonblocking()) {
    // Its rows are all there is.
  } else if (machines.size() > 1) {
    // Views are of one machine.
    report.table.columns.insert(report.table.columns.begin(), {"Machine", "", 0});
    for (std::size_t i = 0; i < points.size(); ++i)
      report.table.rows[i].insert(report.table.rows[i].begin(), Cell{points[i].machine});
  } else if (sweep)
    report.views = by_distance(options, points, sizes);
  else if (pairs.size() > 1)
    report.views = {by_size(options, points, pairs)};

  for (const PairPoint& point : points) wrong += point.wrong_bytes;
  report.summary["points"] = report.table.rows.size();
  report.summary["wrong_bytes"] = wrong;
  report.notes.push_back(wrong == 0 ? fmt::format("# {}, every byte checked: correct",
                                                  mesh::counted(report.table.rows.size(), "point"))
                                    : fmt::format("# {} arrived wrong", mesh::counted(wrong, "byte")));
  const Status status = written({std::move(report), wrong == 0 ? 0 : 1}, options.common);
  if (options.records.any())
    write_records(options.records, [&](const rcce::Records& asked) {
      Run one = run_of(options, pairs.front(), sizes, options.overlap ? pushes_of(options).front() : 0);
      one.recording.records = asked;
      return run(machines.front(), one);
    });
  return status;
}

} // namespace

void add_pingpong(CommandLine& line, Status& status) {
  auto options = std::make_shared<PingpongOptions>();
  Command command = line.add_command("pingpong", "latency and bandwidth of messages between pairs of cores");
  options->common.add_to(command, mesh::Capability::message_buffers);
  options->common.add_hosts_to(command);
  options->common.add_statistics_to(command);
  options->common.add_report_to(command);
  options->common.add_sweep_to(command, nullptr);
  options->records.add_to(command);
  const Option pairs = command
                           .option("--pairs", options->pairs,
                                   "pairs of cores, as 0:1,0:47 (default: 0 against 1, 2, 10, 37, 47; "
                                   "with -f the first core of the file against its others)")
                           .not_blank();
  command.option("--sizes", options->sizes,
                 "bytes: 32,64 or 256-8192:256 (step) or 32-65536:x2 (factor) (default: 256-8192:256)");
  command.option("--variant", options->variant, "sendrecv, or with the low-level calls put, get, flag")
      .one_of({"sendrecv", "put", "get", "flag"})
      .with_default_in_help();
  command.option("--rcce", options->rcce, "generation of the library: 1.0 or 2.0")
      .one_of({"1.0", "2.0"})
      .with_default_in_help();
  command.option("--repetitions", options->repetitions, "timed round trips per point")
      .between(1, 1000000)
      .with_default_in_help();
  command.option("--sweep", options->sweep, "distance: core 0 against all others, 32 and 8192 bytes, by hops")
      .one_of({"distance"})
      .excludes(pairs);
  command
      .option("--window", options->window,
              "so many messages in flight by iRCCE_isend and iRCCE_irecv, as osu_bw does it: their bandwidth")
      .between(1, 1024);
  command.flag("--overlap", options->overlap,
               "a computation beside iRCCE_isend and iRCCE_irecv: how much of the message's time it hides");
  command
      .option("--pushes", options->pushes,
              "with --overlap: how often the computation pushes the requests, a list")
      .with_default_in_help()
      .tells(options->some_pushes);
  command.when_chosen([options, &status] { status = run_pingpong(*options); });
}

} // namespace rccebench
