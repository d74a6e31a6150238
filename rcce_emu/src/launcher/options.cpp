#include "launcher/options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>

#include "engine/engines.hpp"
#include "explore/perturbation.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/machine_choice.hpp"

// Options are read by a table of our own: the original's are long names behind a single dash (-nue 4), which
// the usual libraries take for clusters of short ones (-n -u -e 4).

namespace rcce {
namespace {

using mesh::UserError;

/// Options while they are read. Those of the machine wait until the machine itself is known, whatever their
/// order.
struct Reading {
  LaunchOptions options;
  MachineChoice machine;
};

[[noreturn]] void fail(std::string_view option, std::string_view value, std::string_view why) {
  throw UserError(fmt::format("{} '{}': {}", option, value, why));
}

template <typename Number>
Number number(std::string_view option, std::string_view value, std::string_view allowed) {
  Number result{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error != std::errc() || end != value.data() + value.size())
    fail(option, value, fmt::format("not a number; {}", allowed));
  return result;
}

/// A number above 0. inf and nan are numbers to from_chars().
double positive(std::string_view option, std::string_view value, std::string_view written, double most,
                std::string_view allowed) {
  const double result = number<double>(option, written, allowed);
  if (!(result > 0 && result <= most)) fail(option, value, allowed);
  return result;
}

/// What the runtime itself needs of a UE's stack or heap, generously.
constexpr std::size_t least_memory = std::size_t{64} << 10;

/// "16M", "16MB", "16MiB": powers of 1024.
std::size_t size(std::string_view option, std::string_view value, std::size_t least = 0) {
  constexpr std::string_view allowed = "bytes, with K, M or G behind the number for powers of 1024";
  std::uint64_t count = 0;
  const char* const last = value.data() + value.size();
  const auto [end, error] = std::from_chars(value.data(), last, count);
  std::string_view unit(end, static_cast<std::size_t>(last - end));
  unsigned shift = 0;
  if (!unit.empty()) {
    const std::string_view letters = "kKmMgG";
    const std::size_t at = letters.find(unit[0]);
    if (at != std::string_view::npos) {
      shift = 10 * (static_cast<unsigned>(at) / 2 + 1);
      unit.remove_prefix(1);
    }
    if (unit == "B" || unit == "iB") unit = {};
  }
  if (error != std::errc() || !unit.empty()) fail(option, value, fmt::format("not a size; {}", allowed));
  if (count > (std::uint64_t{1} << 46) >> shift)
    fail(option, value, "more than the 64 TB that a process can address");
  if (count << shift < least) fail(option, value, fmt::format("takes at least {}K", least >> 10));
  return static_cast<std::size_t>(count << shift);
}

template <typename Value>
Value choice(std::string_view option, std::string_view value,
             std::initializer_list<std::pair<std::string_view, Value>> choices) {
  std::vector<std::string_view> names;
  for (const auto& [name, result] : choices) {
    if (name == value) return result;
    names.push_back(name);
  }
  const std::string_view near = mesh::nearest(value, names);
  fail(option, value,
       fmt::format("takes {}{}", fmt::join(names, ", "),
                   near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

using Value = const std::string&;
using Apply = void (*)(Reading& reading, Value option, Value value);

void set(Reading& reading, Value option, Value parameter, Value value) {
  reading.machine.settings.push_back({option, parameter, value});
}

constexpr double most_compute_scale = 10'000;
constexpr double most_clock_ghz = 1'000'000;

void set_compute(Reading& reading, Value option, Value value) {
  JobOptions& job = reading.options.job;
  reading.options.compute_given = true;
  if (value == "none") {
    job.compute = ComputeModel::none;
    return;
  }
  constexpr std::string_view host = "host:";
  if (!value.starts_with(host)) fail(option, value, "takes 'none' or 'host:SCALE', for instance host:20");
  job.compute = ComputeModel::host;
  job.compute_scale = positive(option, value, std::string_view(value).substr(host.size()), most_compute_scale,
                               "host:SCALE takes a factor above 0, at most 10000");
}

void set_ues(Reading& reading, Value option, Value value) {
  (void)option;
  int ues = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), ues);
  if (error != std::errc() || end != value.data() + value.size() || ues < 1) {
    throw UserError(fmt::format("Error: number of UEs invalid: {}", value));
  }
  reading.options.ues = ues;
}

/// The original's nominal clock, or what the clock is of the threads engine.
void set_clock(Reading& reading, Value option, Value value) {
  if (value == "wall" || value == "simulated") {
    reading.options.job.time = value == "wall" ? TimeSource::wall : TimeSource::simulated;
    reading.options.forwarded.push_back("--clock=" + value);
    return;
  }
  positive(option, value, value, most_clock_ghz,
           "GHz, above 0 and at most 1000000, or 'wall' or 'simulated' for --engine threads");
  reading.options.job.clock = value;
  reading.options.clock_given = true;
}

void set_timeout(Reading& reading, Value option, Value value) {
  double& seconds = reading.options.job.timeout_seconds;
  constexpr std::string_view allowed = "seconds of host time, 0 for none";
  seconds = number<double>(option, value, allowed);
  if (!(seconds >= 0 && std::isfinite(seconds))) fail(option, value, allowed);
}

/// "100", "all", "all:5000".
void set_explore(Reading& reading, Value option, Value value) {
  constexpr std::string_view allowed =
      "takes a number of runs from 1 on, or 'all' or 'all:RUNS' for every order";
  constexpr std::string_view all = "all";
  explore::Wish wish;
  std::string_view runs = value;
  if (runs.starts_with(all)) {
    wish.all = true;
    runs.remove_prefix(all.size());
    if (runs.empty()) runs = ":1000";
    if (!runs.starts_with(':')) fail(option, value, allowed);
    runs.remove_prefix(1);
  }
  const auto [end, error] = std::from_chars(runs.data(), runs.data() + runs.size(), wish.runs);
  if (error != std::errc() || end != runs.data() + runs.size() || wish.runs == 0)
    fail(option, value, allowed);
  reading.options.explore = wish;
}

void set_replay(Reading& reading, Value option, Value value) {
  const auto perturbation = explore::parse_perturbation(value);
  if (!perturbation)
    fail(option, value, "takes a seed, or orders CORE.ACCESS:CORE.ACCESS,... as --explore prints them");
  reading.options.job.perturbation = *perturbation;
}

/// "mpb", "heap,leaks".
void set_check(Reading& reading, Value option, Value value) {
  JobOptions& job = reading.options.job;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find(',', at), value.size());
    enum class What { mpb, heap, leaks };
    switch (choice<What>(option, value.substr(at, end - at),
                         {{"mpb", What::mpb}, {"heap", What::heap}, {"leaks", What::leaks}})) {
    case What::mpb:
      job.check_mpb = true;
      break;
    case What::leaks:
      job.check_leaks = true;
      [[fallthrough]];
    case What::heap:
      job.check_heap = true;
      break;
    }
    at = end + 1;
  }
}

/// --explore needs runs that repeat.
void check_explore(const LaunchOptions& options) {
  const JobOptions& job = options.job;
  const char* const option = options.explore ? "--explore" : "--replay";
  const bool replay = job.perturbation.seed != 0 || !job.perturbation.orders.empty();
  if (!options.explore && !replay) return;
  if (options.explore && replay)
    throw UserError(
        "--explore with --replay: the one looks for runs, the other makes a single one; leave one out");
  if (options.explore && (job.check_mpb || job.check_heap))
    throw UserError(
        "--explore with --check: the one compares what runs do, the other reports what one run may do; leave "
        "one out");
  if (!capabilities_of(job).repeatable)
    throw UserError(fmt::format("{} with --engine threads: the host decides there who comes first; use "
                                "--engine sim",
                                option));
  if (job.compute == ComputeModel::host)
    throw UserError(fmt::format("{} with --compute host: times would contain the host's and no run could be "
                                "repeated; use --compute none",
                                option));
}

struct Option {
  std::string_view names; ///< "nue n np": the first is the one to show
  std::string_view value; ///< placeholder; empty: takes none; "[=FILE]": may take one, behind a '='
  std::string_view help;  ///< a group's heading where names is empty
  Apply apply = nullptr;
  bool forward = true; ///< concerns the job, not the launcher alone
};

// clang-format off: a table reads as one
constexpr Option table[] = {
    {"nue n np", "N", "number of units of execution (UEs); required", set_ues, false},
    {"f hostfile", "FILE",
     "host file, one core number per line (default: hosts/rc.hosts if it is there, else cores 0..N-1)",
     [](Reading& r, Value o, Value v) {
       if (v.empty()) fail(o, v, "takes the name of a file");
       r.options.host_file = v;
     },
     false},
    {"clock", "GHz", "nominal core clock as the program is told (default: the machine's; 1.0 for RCCE 1.0)",
     set_clock, false},
    {"emulator", "", "accepted for old scripts: there is nothing else", [](Reading&, Value, Value) {}, false},

    {"", "", "machine"},
    {"machine", "NAME|FILE",
     "scc (533/800/800 MHz, the default), scc-fast (800/1600/1066), or a machine file",
     [](Reading& r, Value, Value v) { r.machine.machine = v; }},
    {"set", "SECTION.NAME=VALUE", "one parameter of the machine; may be repeated",
     [](Reading& r, Value o, Value v) { r.machine.add(o, v); }},
    {"print-machine", "", "write the machine as a commented machine file and end",
     [](Reading& r, Value, Value) { r.options.print_machine = true; }, false},
    {"contention", "on|off", "whether links, buffers and controllers are contended for (default: on)",
     [](Reading& r, Value o, Value v) { set(r, o, "mesh.contention", v); }},
    {"granularity", "blocks|exact|lines",
     "what of a copy is one event: many lines of a long one (the default), as many as nobody can notice, one",
     [](Reading& r, Value o, Value v) { set(r, o, "mesh.granularity", v); }},
    {"frames", "contiguous|random", "physical frames of private memory (default: contiguous)",
     [](Reading& r, Value o, Value v) { set(r, o, "dram.frames", v); }},
    {"seed", "N", "seed of --frames random, and of the first run of --explore",
     [](Reading& r, Value o, Value v) { set(r, o, "dram.frame_seed", v); }},
    {"collectives", "original|auto|NAME[,NAME...]",
     "what does the program's RCCE_bcast, RCCE_reduce, RCCE_allreduce and RCCE_barrier: the library as it was "
     "(the default), what was measured to be fastest, or algorithms by name: bcast/mcast,reduce/f_nomial:degree=4",
     [](Reading& r, Value o, Value v) {
       if (v.empty()) fail(o, v, "takes original, auto, or names of algorithms with commas between");
       r.options.job.collectives = v == "original" ? "" : v;
     }},
    {"compute", "none|host:SCALE",
     "time of code between library calls: none, or the host's times SCALE (not deterministic)", set_compute},
    {"engine", "sim|threads",
     "who decides when things happen: the simulator (the default), or the host, with a thread for each UE; "
     "times are then the host's, with --clock simulated those of the chip without contention",
     [](Reading& r, Value o, Value v) {
       r.options.job.engine =
           choice<EngineKind>(o, v, {{"sim", EngineKind::sim}, {"threads", EngineKind::threads}});
     }},

    {"", "", "program"},
    {"rcce", "1.0|2.0", "refuse a program that is compiled for the other generation of the library",
     [](Reading& r, Value o, Value v) {
       r.options.generation = choice<unsigned>(o, v, {{"1.0", 10U}, {"2.0", 20U}});
     }},
    {"stack-size", "SIZE", "stack of each UE (default: 16M, taken as it is used)",
     [](Reading& r, Value o, Value v) { r.options.job.stack_bytes = size(o, v, least_memory); }},
    {"heap-size", "SIZE",
     "most heap of each UE, with what the C++ library and calls like asprintf allocate for it (default: 4G, "
     "taken as it is used)",
     [](Reading& r, Value o, Value v) { r.options.job.heap_bytes = size(o, v, least_memory); }},
    {"shared-memory", "SIZE", "off-chip shared memory (default: 64M)",
     [](Reading& r, Value o, Value v) { r.options.job.shared_memory_bytes = size(o, v); }},
    {"loading", "auto|dlopen|clone",
     "how the program's copies are made (default: auto, by dlopen up to 512 UEs)",
     [](Reading& r, Value o, Value v) {
       r.options.job.loading = choice<Loading>(
           o, v, {{"auto", Loading::automatic}, {"dlopen", Loading::dlopen}, {"clone", Loading::clone}});
     }},
    {"keep-going", "", "a crash ends its UE only, not the job",
     [](Reading& r, Value, Value) { r.options.job.keep_going_after_crash = true; }},
    {"timeout", "S", "end the job with status 124 after S seconds of host time", set_timeout},

    {"", "", "races and hangs"},
    {"explore", "N|all|all:RUNS",
     "run the program N times with other legal timing and compare; 'all': try every order of accesses that "
     "race, in at most RUNS runs (default: 1000); copies go with granularity exact",
     set_explore, false},
    {"replay", "SEED|ORDERS", "make one run with the timing that --explore has named", set_replay},
    {"check", "WHAT[,WHAT...]",
     "mpb: report wrong use of message-passing buffers, flags, requests and collectives; status 125 if there "
     "is any; copies go with the run's own --granularity. heap: end a UE that writes beyond its blocks, "
     "frees them twice or uses them afterwards, with the places that allocated and freed them; leaks: also "
     "report "
     "blocks that are never freed, status 125",
     set_check},

    {"", "", "output"},
    {"tag-output", "", "put the rank in front of each line",
     [](Reading& r, Value, Value) { r.options.job.tag_output = true; }},
    {"statistics", "[=FILE]",
     "what cores, calls, links, buffers and controllers did, the busiest first: on stderr, or to the file, "
     "as "
     "its ending says: .csv, .json, else a table",
     [](Reading& r, Value, Value v) {
       r.options.job.statistics = true;
       r.options.statistics_file = v;
     }},
    {"statistics-format", "table|csv|json", "the same in this format whatever the file is called",
     [](Reading& r, Value o, Value v) {
       using Format = mesh::StatisticsFormat;
       r.options.job.statistics = true;
       r.options.statistics_format =
           choice<Format>(o, v, {{"table", Format::table}, {"csv", Format::csv}, {"json", Format::json}});
     }},
    {"matrix", "FILE", "messages and bytes by sender and receiver, to the file; format as with --statistics",
     [](Reading& r, Value, Value v) {
       r.options.job.matrix = true;
       r.options.matrix_file = v;
     }},
    {"force", "", "--statistics and --matrix overwrite files",
     [](Reading& r, Value, Value) { r.options.overwrite = true; }},
    {"energy", "", "energy by voltage domain, with the statistics or on stderr",
     [](Reading& r, Value, Value) { r.options.job.energy = true; }},
    {"digest", "", "a hash over the order and time of all events, on stderr: the same on every host",
     [](Reading& r, Value, Value) { r.options.job.digest = true; }},
    {"verbose", "", "show the command that is started",
     [](Reading& r, Value, Value) { r.options.verbose = true; }, false},
    {"help h", "", "this text", [](Reading& r, Value, Value) { r.options.help = true; }, false},
    {"version", "", "release, revision of the machine model, and kind of build",
     [](Reading& r, Value, Value) { r.options.version = true; }, false},
};
// clang-format on

bool has_name(const Option& option, std::string_view name) {
  std::string_view rest = option.names;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == name) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

std::string_view first_name(const Option& option) {
  return option.names.substr(0, option.names.find(' '));
}

/// "-nue", "--machine": names of the original have one dash.
std::string shown(std::string_view name) {
  const bool original = name == "nue" || name == "np" || name == "clock" || name == "emulator";
  return (original || name.size() == 1 ? "-" : "--") + std::string(name);
}

bool takes_optional_value(const Option& option) {
  return option.value.starts_with('[');
}

const Option& find_option(const std::string& word, std::string_view name) {
  const auto* const found = std::find_if(std::begin(table), std::end(table),
                                         [&](const Option& option) { return has_name(option, name); });
  if (found != std::end(table)) return *found;
  std::vector<std::string_view> names;
  for (const Option& option : table) {
    if (!option.names.empty()) names.push_back(first_name(option));
  }
  const std::string_view near = mesh::nearest(name, names);
  throw UserError(fmt::format("Error: wrong option {}{}; --help lists the options", word,
                              near.empty() ? "" : fmt::format(" (did you mean {}?)", shown(near))));
}

/// Files are found from other folders too: scripts change theirs.
std::string forwarded_value(const Option& option, const std::string& value) {
  std::error_code ignored;
  const bool written = first_name(option) == "statistics" || first_name(option) == "matrix";
  if (written || (first_name(option) == "machine" && std::filesystem::exists(value, ignored)))
    return std::filesystem::absolute(value).string();
  return value;
}

} // namespace

LaunchOptions parse_job_options(std::span<const std::string> words) {
  Reading reading;
  LaunchOptions& options = reading.options;
  while (options.used < words.size()) {
    const std::string& word = words[options.used];
    if (word.size() < 2 || word[0] != '-') break;
    const std::size_t at = options.used++;
    if (word == "--") break;
    const std::size_t equals = word.find('=');
    const std::string written = word.substr(0, equals);
    const Option& option = find_option(written, std::string_view(written).substr(written[1] == '-' ? 2 : 1));
    std::string value;
    if (takes_optional_value(option)) {
      if (equals != std::string::npos) value = word.substr(equals + 1);
      if (equals != std::string::npos && value.empty()) fail(written, value, "the name of a file is missing");
    } else if (option.value.empty()) {
      if (equals != std::string::npos) fail(written, word.substr(equals + 1), "this option takes no value");
    } else if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else if (options.used < words.size()) {
      value = words[options.used++];
    } else {
      throw UserError(
          fmt::format("option {} needs a value: {} {}", word, shown(first_name(option)), option.value));
    }
    option.apply(reading, written, value);
    if (first_name(option) != "explore")
      options.unexplored.insert(options.unexplored.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                                words.begin() + static_cast<std::ptrdiff_t>(options.used));
    if (option.forward) {
      const bool bare = option.value.empty() || (takes_optional_value(option) && value.empty());
      options.forwarded.push_back(
          bare ? fmt::format("--{}", first_name(option))
               : fmt::format("--{}={}", first_name(option), forwarded_value(option, value)));
    }
  }
  if (!options.help && !options.version) {
    options.job.machine = reading.machine.read(options.job.costs);
    check_explore(options);
  }
  return std::move(reading.options);
}

std::vector<std::string> split_options(const char* text) {
  std::vector<std::string> words;
  std::string_view rest = text != nullptr ? text : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(option_separator), rest.size());
    words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

/// A clock below would be told as 0.000, which is none.
constexpr double least_with_three_decimals = 0.0005;

std::string default_clock(const mesh::MachineDescription& machine, unsigned generation) {
  if (generation < 20) return "1.0";
  const double ghz = machine.core_mhz() / 1000;
  return ghz < least_with_three_decimals ? fmt::format("{:.9f}", ghz) : fmt::format("{:.3f}", ghz);
}

std::string options_help() {
  constexpr std::size_t column = 30; // where the explanations begin
  constexpr std::size_t width = 118;
  std::string text = "usage: rccerun -nue N [option]... program [argument]...\n\n"
                     "Runs an RCCE program, built by rccecc, on N cores of the simulated chip. The program "
                     "may be a script that\n"
                     "starts the program with the arguments it was given. Options take one dash or two.\n\n";
  for (const Option& option : table) {
    if (option.names.empty()) {
      text += fmt::format("\n{}:\n", option.help);
      continue;
    }
    std::string left;
    for (std::string_view rest = option.names; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      left += (left.empty() ? "  " : ", ") + shown(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!option.value.empty())
      left += fmt::format("{}{}", takes_optional_value(option) ? "" : " ", option.value);
    std::size_t at = left.size();
    text += left;
    if (at + 2 > column) {
      text += '\n';
      at = 0;
    }
    text.append(column - at, ' ');
    at = column;
    for (std::string_view rest = option.help; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      if (at > column && at + 1 + end > width) {
        text += '\n';
        text.append(column, ' ');
        at = column;
      } else if (at > column) {
        text += ' ';
        ++at;
      }
      text += rest.substr(0, end);
      at += end;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    text += '\n';
  }
  text += R"(
status:
  0    every UE ended with status 0; with --explore: all runs agree
  n    the status of the lowest rank whose own was not 0
  1    with --explore: two runs differ
  2    the job could not be started: wrong options, host file, machine or program; or --replay
       names an order that has not come about
  74   standard output or standard error could not be written
  121  deadlock: cores were left and none could ever go on; with --explore: in one of the runs
  124  --timeout has passed
  125  --check has findings, and the status would have been 0
  128+n  signal n ended the job, 139 for a segmentation fault
  126, 127  the program may not be executed; there is no such program

A program also starts by itself: ./program N GHz id1 ... idN arguments, or ./program arguments as one UE.
)";
  return text;
}

} // namespace rcce
