// SPDX-License-Identifier: Apache-2.0
// rccebench cost: what the simulation itself costs on this host, in host time and memory. Medians of several
// runs; a time per operation is the difference of a long and a short run, so loading and starting drop out.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/commands.hpp"
#include "commands/kernel_cost.hpp"
#include "commands/operation_cost.hpp"
#include "lab.hpp"
#include "lab/messages.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/progress.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {
namespace {

struct CostOptions {
  CommonOptions common;
  int runs = 5;
  std::string program, cores, sizes, algorithms;
  std::string probe; ///< hidden: "CORES PROGRAM WORDS...", run that once and end

  [[nodiscard]] bool broadcasts_only() const {
    return !cores.empty() || !sizes.empty() || !algorithms.empty();
  }
};

template <typename Measure>
double median_of(int runs, Measure&& measure) {
  std::vector<double> values;
  for (int i = 0; i < runs; ++i) values.push_back(measure());
  return median(std::move(values));
}

/// Memory of this process in KiB that is its own: anonymous pages. The others are pages of files and of the
/// one image that more than 512 UEs are clones of: all share them, and resident memory counts them once per
/// clone.
std::int64_t own_kibibytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (constexpr std::string_view name = "RssAnon:"; line.starts_with(name))
      return std::stoll(line.substr(name.size()));
  return 0;
}

std::vector<std::string> words_of(const std::string& text) {
  auto words = cut(text, ' ');
  std::erase(words, "");
  return words;
}

/// Runs a program of ours and prints this process's highest memory in KiB, looked at every millisecond, and
/// its processor time in seconds.
Status run_probe(const CostOptions& options) {
  auto words = words_of(options.probe);
  const int cores = std::stoi(words.at(0));
  const std::string& program = words.at(1);
  Machine given = open_machine(options.common);
  if (program == "large") given.host_file.clear(); // all of a mesh
  const Machine machine =
      program == "large" ? mesh_of(std::max(cores, 48), given) : machine_for(cores, given);
  const Run what{program, Generation::rcce20, machine.first_cores(cores), {words.begin() + 2, words.end()}};
  std::int64_t highest = own_kibibytes();
  {
    const std::jthread observer([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        highest = std::max(highest, own_kibibytes());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    (void)run(machine, what);
  }
  fmt::print("{} {}\n", highest, processor_nanoseconds() / 1e9);
  return 0;
}

struct Footprint {
  double kibibytes = 0, seconds = 0;
};

/// The text as one word of the shell's.
std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char c : text) c == '\'' ? word += "'\\''" : word += c;
  return word + '\'';
}

/// A probe in a process of its own, so that nothing else counts.
Footprint footprint(int cores, const std::string& program, const std::vector<std::string>& arguments,
                    const CommonOptions& common) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::string machine = shell_word(common.machine);
  for (const std::string& setting : common.settings) machine += " --set " + shell_word(setting);
  for (const auto& [option, value] : {std::pair{"--contention", common.contention},
                                      {"--granularity", common.granularity},
                                      {"--frames", common.frames},
                                      {"--hostfile", common.host_file}})
    if (!value.empty()) machine += fmt::format(" {} {}", option, shell_word(value));
  const std::string command =
      fmt::format("{} cost --machine {} --probe {}", shell_word(self), machine,
                  shell_word(fmt::format("{} {} {}", cores, program, fmt::join(arguments, " "))));
  Footprint result;
  std::FILE* pipe = popen(command.c_str(), "r");
  const bool read = pipe != nullptr && std::fscanf(pipe, "%lf %lf", &result.kibibytes, &result.seconds) == 2;
  if (pipe == nullptr || pclose(pipe) != 0 || !read)
    throw mesh::UserError(fmt::format("the memory measurement on {} cores failed: {}", cores, command));
  return result;
}

class Costs {
 public:
  explicit Costs(const CostOptions& options) : options_(options) {
    report_.title = fmt::format("rccebench cost {}", rcce::version_text);
    report_.table.columns = {{"What", "", 0},
                             {"Cores", "", 0},
                             {"Host cost", "", 3},
                             {"Unit", "", 0},
                             {"Bytes", "", 0},
                             {"Simulated communication", "us", 3},
                             {"Host seconds per simulated second", "", 3},
                             {"Lines moved", "", 0},
                             {"Host time per line", "ns", 2},
                             {"Peak memory", "MiB", 1}};
    parts_.columns = {{"What", "", 0}, {"Cores", "", 0}, {"Host cost", "", 3}, {"Unit", "", 0}};
    beside_.title = "per operation: simulated time of its communication, and what simulating it takes here";
    beside_.columns = {
        {"Operation", "", 0},       {"Cores", "", 0},           {"Bytes", "", 0},
        {"Communication", "us", 3}, {"Host", "us", 1},          {"Host s per simulated s", "", 3},
        {"Lines moved", "", 0},     {"Host per line", "ns", 2}, {"Memory", "MiB", 1}};
  }

  void kernel() {
    for (const int fibers : {48, 1000, 10000})
      add("fiber switch, core to core in a ring", fibers,
          median_of(options_.runs,
                    [&] { return switch_nanoseconds(fibers, std::max(10, 2'000'000 / fibers)); }),
          "ns");
    for (const int cores : {48, 1000, 10000}) {
      const double ns = median_of(options_.runs, [&] { return event_nanoseconds(cores, 2'000'000); });
      add("simulated event with its fiber switch", cores, ns, "ns");
      add("simulated events", cores, 1000 / ns, "million/s");
    }
  }

  /// The library's own operations, also line by line, and those of them that have a simulated time to
  /// compare.
  void operations() {
    const Machine machine = open_machine(options_.common);
    Machine by_line = machine;
    by_line.config.set("mesh.granularity", "lines");
    const CostedOperation round_trip{.word = "pingpong", .cores = 2, .bytes = 8192};
    const auto there_and_back = cost_of(machine, round_trip, options_.runs);
    add("RCCE message of 8192 bytes", 2, there_and_back.host_us / 2, "us");
    const CostedOperation barrier{.word = "barrier"};
    const auto meeting = cost_of(machine, barrier, options_.runs);
    add("RCCE_barrier", 48, meeting.host_us, "us");
    for (const auto bytes : default_bytes) {
      const CostedOperation what{.word = "bcast", .bytes = bytes};
      add(fmt::format("RCCE_bcast of {} bytes", bytes), 48, cost_of(machine, what, options_.runs).host_us,
          "us");
      add(fmt::format("RCCE_bcast of {} bytes, line by line", bytes), 48,
          cost_of(by_line, what, options_.runs).host_us, "us");
    }
    compare("round trip", round_trip, there_and_back);
    compare("RCCE_barrier", barrier, meeting);
  }

  /// Broadcasts by name: all of the table on the chip, or what the options say.
  void broadcasts() {
    const Machine given = open_machine(options_.common);
    const auto known = Messages::standard()->names_of("bcast");
    const auto names = options_.algorithms.empty()
        ? std::vector<std::string>{known.begin(), known.end()}
        : read_names(options_.algorithms, "--algorithms", "bcast/", known);
    const auto cores = options_.cores.empty()
        ? std::vector<std::int64_t>{48}
        : read_numbers(options_.cores, "--cores", 1, most_program_cores, "cores");
    const auto sizes = options_.sizes.empty() ? default_bytes : read_sizes(options_.sizes);
    mesh::Progress progress(static_cast<double>(names.size() * cores.size() * sizes.size()));
    for (const auto& name : names)
      for (const auto count : cores)
        for (const auto bytes : sizes) {
          const CostedOperation what{
              .word = "bcast", .algorithm = name, .cores = static_cast<int>(count), .bytes = bytes};
          compare(name, what, cost_of(machine_for(what.cores, given), what, options_.runs));
          progress.add(1);
        }
  }

  /// All algorithms of a machine without message buffers, on as many ranks and sizes as sweeps usually take.
  void collectives() {
    const auto machine = std::make_shared<const Machine>(open_machine(options_.common));
    const auto backend = backend_of(*machine);
    std::vector<std::string_view> known;
    for (const Row& row : backend->rows()) known.push_back(row.name);
    const auto names = options_.algorithms.empty()
        ? std::vector<std::string>{known.begin(), known.end()}
        : read_names(options_.algorithms, "--algorithms", "", known);
    const auto cores = options_.cores.empty()
        ? std::vector<std::int64_t>{backend->usual_ranks(*machine).back()}
        : read_numbers(options_.cores, "--cores", 1, backend->most_ranks(*machine), "ranks");
    const auto sizes = options_.sizes.empty() ? std::vector<std::int64_t>{8192} : read_sizes(options_.sizes);
    for (const std::string& name : names)
      for (const auto count : cores)
        for (const auto bytes : sizes) {
          Point point{.machine = machine,
                      .machine_name = machine->config.name(),
                      .backend = backend,
                      .algorithm = name,
                      .cores = static_cast<int>(count)};
          if (point.operation().has_message) point.bytes = bytes;
          if (!point.operation().has_message && bytes != sizes.front()) continue;
          point.warm_up = backend->usual_warm_up(point);
          point.repetitions = backend->usual_repetitions(point);
          OperationCost cost;
          cost.host_us = median_of(options_.runs, [&] {
            const Result result = backend->run(point);
            cost.simulated_us = result.wall_clock ? 0 : result.max_us;
            return result.host_us;
          });
          add(name, point.cores, point.bytes > 0 ? Cell{point.bytes} : Cell{}, cost, {});
        }
  }

  /// A program of the user's, whole.
  void program() {
    auto words = words_of(options_.program);
    const auto cores = options_.cores.empty()
        ? std::vector<std::int64_t>{48}
        : read_numbers(options_.cores, "--cores", 1, most_program_cores, "cores");
    const std::vector<std::string> arguments{words.begin() + 1, words.end()};
    for (const auto count : cores)
      add(std::filesystem::path(words.front()).filename().string(), static_cast<int>(count), {},
          cost_of_program(open_machine(options_.common), words.front(), arguments, static_cast<int>(count),
                          options_.runs),
          {});
  }

  void memory() {
    const Footprint none = footprint(2, "large", {"idle"}, options_.common);
    for (const int cores : {1000, 10000}) {
      const Footprint idle = footprint(cores, "large", {"idle"}, options_.common);
      add("memory per core, program started and ended", cores,
          (idle.kibibytes - none.kibibytes) / (cores - 2), "KiB");
      add("memory of the process", cores, idle.kibibytes / 1024, "MiB");
      add("start and end of all cores, program included", cores, idle.seconds, "s");
    }
    const Footprint init = footprint(1000, "large", {"init"}, options_.common);
    add("memory per core after RCCE_init, tables of all ranks included", 1000,
        (init.kibibytes - none.kibibytes) / 998, "KiB");
  }

  Report report() && {
    const std::string machine = open_machine(options_.common).description(),
                      &hosts = options_.common.host_file;
    report_.settings = {
        {"machine", hosts.empty() ? machine : fmt::format("{}; cores as in {}", machine, hosts)},
        {"runs", fmt::format("median of {}", options_.runs)},
        {"host", "processor time; of a program with its start and its own computation"},
        {"simulated", "communication; code between library calls takes none"}};
    if (!parts_.rows.empty()) report_.views.push_back(std::move(parts_));
    if (!beside_.rows.empty()) {
      report_.views.push_back(std::move(beside_));
      report_.notes = {
          "# host s per simulated s below 1: simulating the communication is faster than the chip",
          "# lines: put into message-passing buffers and got out of them, by all cores",
          "# memory: the most that one run holds of its own; files and clones' common pages left out"};
    }
    return std::move(report_);
  }

 private:
  inline static const std::vector<std::int64_t> default_bytes{8192, 190'000, 1'900'000};

  void add(const std::string& what, int cores, double cost, const char* unit) {
    parts_.rows.push_back({what, std::int64_t{cores}, cost, std::string(unit)});
    auto row = parts_.rows.back();
    row.resize(report_.table.columns.size());
    report_.table.rows.push_back(std::move(row));
  }

  void add(const std::string& what, int cores, Cell bytes, const OperationCost& cost, Cell memory) {
    const Cell lines = cost.lines > 0 ? Cell{cost.lines} : Cell{};
    const Cell per_line =
        cost.lines > 0 ? Cell{cost.host_us * 1000 / static_cast<double>(cost.lines)} : Cell{};
    const Cell ratio = cost.simulated_us > 0 ? Cell{cost.host_us / cost.simulated_us} : Cell{};
    beside_.rows.push_back(
        {what, std::int64_t{cores}, bytes, cost.simulated_us, cost.host_us, ratio, lines, per_line, memory});
    report_.table.rows.push_back({what, std::int64_t{cores}, cost.host_us, std::string("us"), bytes,
                                  cost.simulated_us, ratio, lines, per_line, memory});
  }

  /// With the memory that one run in a process of its own takes.
  void compare(const std::string& name, const CostedOperation& what, const OperationCost& cost) {
    const Run once = run_of(machine_for(what.cores, open_machine(options_.common)), what, 1);
    const Footprint memory = footprint(what.cores, once.program, once.arguments, options_.common);
    add(name, what.cores, what.bytes > 0 ? Cell{what.bytes} : Cell{}, cost, memory.kibibytes / 1024);
  }

  const CostOptions& options_;
  Table parts_, beside_; ///< the report's one table, as the text format shows it
  Report report_;
};

Outcome measure_cost(const CostOptions& options) {
  Costs costs(options);
  const bool by_messages = open_machine(options.common).config.offers(mesh::Capability::message_buffers);
  if (!options.program.empty()) {
    costs.program();
  } else if (!by_messages) {
    costs.collectives();
  } else if (options.broadcasts_only()) {
    costs.broadcasts();
  } else {
    costs.kernel();
    costs.operations();
    costs.broadcasts();
    costs.memory();
  }
  return {std::move(costs).report(), 0};
}

} // namespace

void add_cost(CommandLine& line, Status& status) {
  auto options = std::make_shared<CostOptions>();
  Command command = line.add_command("cost", "host time and memory that simulations take on this host");
  command.when_met([options](Command& met) {
    options->common.add_to(met);
    options->common.add_hosts_to(met);
    met.option("--runs", options->runs, "runs per figure; the median counts")
        .between(1, 1000)
        .with_default_in_help();
    met.option("--cores", options->cores,
               "measure only broadcasts, on these numbers of cores (at most 10000), for example 48,1000. "
               "More than 48 cores are a larger mesh of the chip's tiles. On other machines: all algorithms "
               "on these numbers of ranks")
        .not_blank();
    const auto sizes = met.option("--sizes", options->sizes,
                                  "measure only broadcasts, of these sizes in bytes, for example 8192,190000")
                           .not_blank();
    const auto algorithms =
        met.option("--algorithms", options->algorithms,
                   fmt::format("measure only broadcasts, by these algorithms (default: all): {}",
                               fmt::join(Messages::standard()->names_of("bcast"), ", ")))
            .not_blank();
    met.option("--program", options->program,
               "'FILE ARGUMENTS...': measure only whole runs of this program, built by rccecc, on --cores; "
               "its output is not shown")
        .not_blank()
        .excludes(sizes)
        .excludes(algorithms);
    met.option("--probe", options->probe, "").hidden();
  });
  command.when_chosen([options, &status] {
    status = options->probe.empty() ? on_each_machine(*options, measure_cost) : run_probe(*options);
  });
}

} // namespace rccebench
