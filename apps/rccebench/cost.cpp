// rccebench cost: what the simulation itself costs on this host, in host time and memory. Medians of several
// runs; a time per operation is the difference of a long and a short run, so loading and starting drop out.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "commands.hpp"
#include "kernel_cost.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/version.hpp"
#include "ue_program.hpp"

namespace rccebench {
namespace {

struct CostOptions {
  CommonOptions common;
  int runs = 5;
  std::string probe; ///< hidden: "CORES WORD", run program `large` on that many cores and end
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

template <typename Measure>
double median_of(int runs, Measure&& measure) {
  std::vector<double> values;
  for (int i = 0; i < runs; ++i) values.push_back(measure());
  return median(std::move(values));
}

double microseconds_of(const Machine& machine, const Run& what) {
  const double start = processor_nanoseconds();
  (void)run(machine, what);
  return (processor_nanoseconds() - start) / 1000;
}

/// Host time of one repetition of an operation of program `operations`.
double operation_microseconds(const Machine& machine, const char* operation, int ues, int repetitions,
                              int bytes, int runs) {
  const auto with = [&](int count) {
    return Run{"operations",
               Generation::rcce20,
               first_cores(ues),
               {operation, fmt::format("{}", count), fmt::format("{}", bytes)}};
  };
  return median_of(runs, [&] {
    const double few = microseconds_of(machine, with(repetitions / 10));
    const double many = microseconds_of(machine, with(repetitions));
    return (many - few) / (repetitions - repetitions / 10);
  });
}

/// A mesh of two-core tiles with `cores` cores, about twice as wide as high.
Machine mesh_of(int cores, const CommonOptions& common) {
  Machine machine = open_machine(common.machine);
  const int tiles = cores / 2;
  int rows = static_cast<int>(std::sqrt(tiles / 2.0));
  while (tiles % rows != 0) --rows;
  machine.config.rows = rows;
  machine.config.columns = tiles / rows;
  machine.config.cores_per_tile = 2;
  return machine;
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

/// Runs program `large` and prints this process's highest memory in KiB, looked at every millisecond, and its
/// processor time in seconds.
Status run_probe(const CostOptions& options) {
  const auto blank = options.probe.find(' ');
  const int cores = std::stoi(options.probe.substr(0, blank));
  Run what{"large", Generation::rcce20, first_cores(cores), {options.probe.substr(blank + 1)}};
  std::int64_t highest = 0;
  {
    const std::jthread observer([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        highest = std::max(highest, own_kibibytes());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    (void)run(mesh_of(std::max(cores, 48), options.common), what);
  }
  fmt::print("{} {}\n", highest, processor_nanoseconds() / 1e9);
  return 0;
}

struct Footprint {
  double kibibytes = 0, seconds = 0;
};

/// A probe in a process of its own, so that nothing else counts.
Footprint footprint(int cores, const char* word, const CommonOptions& common) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command =
      fmt::format("'{}' cost --machine '{}' --probe '{} {}'", self, common.machine, cores, word);
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
    report_.table.columns = {{"What", "", 0}, {"Cores", "", 0}, {"Host cost", "", 3}, {"Unit", "", 0}};
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

  void operations() {
    const Machine machine = open_machine(options_.common.machine);
    Machine by_line = machine;
    by_line.config.lookahead = false;
    const auto one = [&](const std::string& name, const Machine& on, const char* operation, int ues,
                         int repetitions, int bytes) {
      add(name, ues, operation_microseconds(on, operation, ues, repetitions, bytes, options_.runs), "us");
    };
    const auto half = operation_microseconds(machine, "pingpong", 2, 5000, 8192, options_.runs) / 2;
    add("RCCE message of 8192 bytes", 2, half, "us");
    one("RCCE_barrier", machine, "barrier", 48, 2000, 0);
    struct Broadcast {
      int bytes, repetitions;
    };
    for (const auto [bytes, repetitions] : {Broadcast{8192, 500}, {190'000, 30}, {1'900'000, 10}}) {
      one(fmt::format("RCCE_bcast of {} bytes", bytes), machine, "bcast", 48, repetitions, bytes);
      one(fmt::format("RCCE_bcast of {} bytes, line by line", bytes), by_line, "bcast", 48, repetitions,
          bytes);
    }
  }

  void memory() {
    const Footprint none = footprint(2, "idle", options_.common);
    for (const int cores : {1000, 10000}) {
      const Footprint idle = footprint(cores, "idle", options_.common);
      add("memory per core, program started and ended", cores,
          (idle.kibibytes - none.kibibytes) / (cores - 2), "KiB");
      add("memory of the process", cores, idle.kibibytes / 1024, "MiB");
      add("start and end of all cores, program included", cores, idle.seconds, "s");
    }
    const Footprint init = footprint(1000, "init", options_.common);
    add("memory per core after RCCE_init, tables of all ranks included", 1000,
        (init.kibibytes - none.kibibytes) / 998, "KiB");
  }

  void finish() {
    report_.settings = {{"machine", open_machine(options_.common.machine).description()},
                        {"runs", fmt::format("median of {}", options_.runs)},
                        {"time", "processor time of this host; simulated times are not shown"}};
    write(report_, options_.common.format, options_.common.file);
  }

 private:
  void add(const std::string& what, int cores, double cost, const char* unit) {
    report_.table.rows.push_back({what, std::int64_t{cores}, cost, std::string(unit)});
  }

  const CostOptions& options_;
  Report report_;
};

Status run_cost(const CostOptions& options) {
  if (!options.probe.empty()) return run_probe(options);
  Costs costs(options);
  costs.kernel();
  costs.operations();
  costs.memory();
  costs.finish();
  return 0;
}

} // namespace

void add_cost(CommandLine& line, Status& status) {
  auto options = std::make_shared<CostOptions>();
  Command command = line.add_command("cost", "host time and memory that the simulation itself takes");
  options->common.add_to(command);
  command.option("--runs", options->runs, "runs per figure; the median counts")
      .between(1, 1000)
      .with_default_in_help();
  command.option("--probe", options->probe, "").hidden();
  command.when_chosen([options, &status] { status = run_cost(*options); });
}

} // namespace rccebench
