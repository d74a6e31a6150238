// SPDX-License-Identifier: Apache-2.0
#include "front/launcher/option_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "front/launcher/option_values.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/progress.hpp"
#include "rcce_emu/command_options.hpp"
#include "rcce_emu/recordings.hpp"
#include "watch/explore/perturbation.hpp"

namespace rcce {
namespace {

using mesh::UserError;

/// A generous bound of the stack or heap that the runtime itself needs in a UE.
constexpr std::size_t least_memory = std::size_t{64} << 10;

using Value = const std::string&;
void set(Reading& reading, Value option, Value parameter, Value value) {
  reading.machine.settings.push_back({option, parameter, value});
}

constexpr double most_compute_scale = 10'000;
constexpr double most_clock_ghz = 1'000'000;

void set_compute(Reading& reading, Value option, Value value) {
  JobOptions& job = reading.options.job;
  reading.options.compute_given = true;
  if (value == "none") {
    job.library.compute = ComputeModel::none;
    return;
  }
  if (value == "blocks" || value == "cache") {
    job.library.compute = value == "blocks" ? ComputeModel::blocks : ComputeModel::cache;
    return;
  }
  constexpr std::string_view host = "host:";
  if (!value.starts_with(host))
    fail(option, value, "takes 'none', 'blocks', 'cache' or 'host:SCALE', for instance host:20");
  job.library.compute = ComputeModel::host;
  job.library.compute_scale =
      positive(option, value, std::string_view(value).substr(host.size()), most_compute_scale,
               "host:SCALE takes a factor above 0, at most 10000");
}

void set_ues(Reading& reading, Value option, Value value) {
  (void)option;
  int ues = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), ues);
  if (error != std::errc() || end != value.data() + value.size() || ues < 1) {
    throw UserError(fmt::format("Error: number of UEs invalid: {}; it is a whole number from 1 on", value));
  }
  reading.options.ues = ues;
}

/// The original's nominal clock, or what the clock is of the threads engine.
void set_clock(Reading& reading, Value option, Value value) {
  if (value == "wall" || value == "simulated") {
    reading.options.job.engine.time = value == "wall" ? TimeSource::wall : TimeSource::simulated;
    reading.options.forwarded.push_back("--clock=" + value);
    return;
  }
  positive(option, value, value, most_clock_ghz,
           "GHz, above 0 and at most 1000000, or 'wall' or 'simulated' for --engine threads and mpi");
  reading.options.job.launch.clock = value;
  reading.options.clock_given = true;
}

void set_timeout(Reading& reading, Value option, Value value) {
  double& seconds = reading.options.job.timeout_seconds;
  constexpr std::string_view allowed = "takes finite seconds of host time, 0 or more; 0 is no limit";
  seconds = number<double>(option, value, value, allowed);
  if (!(seconds >= 0 && std::isfinite(seconds))) fail(option, value, allowed);
}

/// "100", "all", "all:5000".
void set_explore(Reading& reading, Value option, Value value) {
  constexpr std::string_view allowed =
      "takes a number of runs from 1 on, or 'all' or 'all:RUNS' for every order";
  constexpr std::string_view all = "all";
  explore::ExploreOptions explored;
  std::string_view runs = value;
  if (runs.starts_with(all)) {
    explored.all = true;
    runs.remove_prefix(all.size());
    if (runs.empty()) runs = ":1000";
    if (!runs.starts_with(':')) fail(option, value, allowed);
    runs.remove_prefix(1);
  }
  const auto [end, error] = std::from_chars(runs.data(), runs.data() + runs.size(), explored.runs);
  if (error != std::errc() || end != runs.data() + runs.size() || explored.runs == 0)
    fail(option, value, allowed);
  reading.options.explore = explored;
}

void set_replay(Reading& reading, Value option, Value value) {
  const auto perturbation = explore::parse_perturbation(value);
  if (!perturbation)
    fail(option, value, "takes a seed, or orders CORE.ACCESS:CORE.ACCESS,... as --explore prints them");
  reading.options.job.interference.perturbation = *perturbation;
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
      job.recording.records["check"] = "mpb";
      break;
    case What::leaks:
      job.process.check_leaks = true;
      [[fallthrough]];
    case What::heap:
      job.process.check_heap = true;
      break;
    }
    at = end + 1;
  }
}

/// One of the words that the placeholder lists: "on|off".
void check_word(Value option, Value value, std::string_view placeholder) {
  std::vector<std::pair<std::string_view, bool>> words;
  for (std::size_t at = 0; at <= placeholder.size();) {
    const std::size_t end = std::min(placeholder.find('|', at), placeholder.size());
    words.emplace_back(placeholder.substr(at, end - at), true);
    at = end + 1;
  }
  choice<bool>(option, value, words);
}

void set_record(Reading& reading, const RecordingOption& of, Value option, Value value) {
  if (of.value.find('|') != std::string_view::npos) check_word(option, value, of.value);
  reading.options.job.recording.records[std::string(of.names.substr(0, of.names.find(' ')))] = value;
}

void add_recordings(std::vector<Option>& table) {
  for (const RecordingOption& one : recording_options())
    table.push_back({one.names, one.value, one.help,
                     [one](Reading& r, Value o, Value v) { set_record(r, one, o, v); }, true,
                     writes_file(one)});
}

// clang-format off: a table reads as one
const Option before_recordings[] = {
    {"nue n np", "N", "number of units of execution (UEs); required", set_ues, false},
    {"f hostfile", "FILE",
     "host file, one core number per line (default: hosts/rc.hosts if it is there, else cores 0..N-1)",
     [](Reading& r, Value o, Value v) {
       if (v.empty()) fail(o, v, "takes the name of a file");
       r.options.host_file = v;
     },
     false},
    {"clock", "GHz",
     "core clock that the program is told; the cores keep that of the machine (default: the machine's; 1.0 "
     "for RCCE 1.0)",
     set_clock, false},
    {"emulator", "", "accepted for old scripts, without effect", [](Reading&, Value, Value) {}, false},

    {"", "", "machine"},
    {"machine", "NAME|FILE",
     "scc (533/800/800 MHz), scc-fast (800/1600/1066), or a machine file (default: scc)",
     [](Reading& r, Value, Value v) { r.machine.machine = v; }},
    {"set", "SECTION.NAME=VALUE", "one parameter of the machine; may be repeated",
     [](Reading& r, Value o, Value v) { r.machine.add(o, v); }},
    {"print-machine", "", "write the machine to standard output as a machine file with comments, and end",
     [](Reading& r, Value, Value) { r.options.print_machine = true; }, false},
    {"contention", "on|off",
     "whether packets wait for each other at links, buffers and controllers (default: on)",
     [](Reading& r, Value o, Value v) { set(r, o, "mesh.contention", v); }},
    {"granularity", "exact|lines",
     "what of a copy is one event. exact: the lines until one meets somebody. lines: one, which takes "
     "longer; times are the same (default: exact)",
     [](Reading& r, Value o, Value v) { set(r, o, "mesh.granularity", v); }},
    {"frames", "contiguous|random",
     "order in which private memory gets its physical page frames (default: contiguous)",
     [](Reading& r, Value o, Value v) { set(r, o, "dram.frames", v); }},
    {"seed", "N", "seed of --frames random, and of the first run of --explore",
     [](Reading& r, Value o, Value v) { set(r, o, "dram.frame_seed", v); }},
    {"collectives", "original|auto|NAME[,NAME...]",
     "algorithms of the program's RCCE_bcast, RCCE_reduce, RCCE_allreduce and RCCE_barrier. original: those "
     "of RCCE. auto: those measured to be fastest. Or names, for example "
     "bcast/mcast,reduce/f_nomial:degree=4 (default: original)",
     [](Reading& r, Value o, Value v) {
       if (v.empty()) fail(o, v, "takes original, auto, or names of algorithms separated by commas");
       r.options.job.library.collectives = v == "original" ? "" : v;
     }},
    {"compute", "none|blocks|cache|host:SCALE",
     "time of the program's own code: none, the cycles that it counts on the chip's core (blocks), these and "
     "its misses in the core's caches (cache, of programs compiled by rccecc --memory), or the host's times "
     "SCALE (not deterministic) (default: blocks for a program of which every object counts, else none)",
     set_compute},
    {"memory-profile", "FILE",
     "with --compute cache: write what loads and stores take beside the program's own cycles, on average; "
     "with --compute blocks: charge that, of a run before, on these cycles",
     [](Reading& r, Value o, Value v) {
       if (v.empty()) fail(o, v, "takes the name of a file");
       r.options.memory_profile = v;
     },
     true, true},
    {"engine", "sim|threads|mpi",
     "what runs the UEs. sim: the simulator, in simulated time. threads, mpi: a thread or an MPI process for "
     "each UE, in the host's time; with --clock simulated in simulated time without contention (default: "
     "sim)",
     [](Reading& r, Value o, Value v) {
       r.options.job.engine.kind = choice<EngineKind>(
           o, v, {{"sim", EngineKind::sim}, {"threads", EngineKind::threads}, {"mpi", EngineKind::mpi}});
     }},
    {"launcher", "COMMAND",
     "command that starts the processes of --engine mpi: mpirun, mpiexec or srun (default: the launcher of "
     "the MPI that this build is linked with)",
     [](Reading& r, Value o, Value v) {
       if (v.empty()) fail(o, v, "takes a command, for example mpirun");
       r.options.launcher = v;
     },
     false},
    {"launcher-args", "WORDS", "arguments for that command, separated by spaces",
     [](Reading& r, Value, Value v) { r.options.launcher_arguments = v; }, false},

    {"", "", "program"},
    {"rcce", "1.0|2.0", "refuse a program that was compiled for the other generation of the library",
     [](Reading& r, Value o, Value v) {
       if (v != "1.0" && v != "2.0") fail(o, v, "no such generation of the library; there are 1.0 and 2.0");
       r.options.generation = v == "1.0" ? 10U : 20U;
     }},
    {"stack-size", "SIZE", "stack of each UE (default: 16M, allocated as it is used)",
     [](Reading& r, Value o, Value v) { r.options.job.engine.stack_bytes = size(o, v, least_memory); }},
    {"heap-size", "SIZE",
     "limit of each UE's heap, including what the C++ library and calls such as asprintf allocate (default: "
     "4G, allocated as it is used)",
     [](Reading& r, Value o, Value v) { r.options.job.process.heap_bytes = size(o, v, least_memory); }},
    {"shared-memory", "SIZE", "off-chip shared memory (default: 64M)",
     [](Reading& r, Value o, Value v) { r.options.job.engine.shared_memory_bytes = size(o, v); }},
    {"loading", "auto|dlopen|clone",
     "how the program's copies are made (default: auto, by dlopen up to 512 UEs)",
     [](Reading& r, Value o, Value v) {
       r.options.job.process.loading = choice<Loading>(
           o, v, {{"auto", Loading::automatic}, {"dlopen", Loading::dlopen}, {"clone", Loading::clone}});
     }},
    {"libraries", "",
     "list the program's shared libraries, say which of them are copied for each UE, and end",
     [](Reading& r, Value, Value) { r.options.libraries = true; }},
    {"keep-going", "", "a crash ends only its UE, not the job",
     [](Reading& r, Value, Value) { r.options.job.process.keep_going_after_crash = true; }},
    {"timeout", "S",
     "end the job with status 124 after S seconds of host time; with --explore, each of its runs",
     set_timeout},

    {"", "", "races and hangs"},
    {"explore", "N|all|all:RUNS",
     "run the program N times, each with other timing that the chip could have, and compare the runs. all: "
     "try every order of accesses that race, in at most RUNS runs, 1000 if that is left out",
     set_explore, false},
    {"replay", "SEED|ORDERS", "make one run with the timing that --explore has named", set_replay},
    {"check", "WHAT[,WHAT...]",
     "mpb: report wrong use of message-passing buffers, flags, requests and collectives, with status 125. "
     "heap: end a UE that writes beyond a block, frees it twice or uses it after that; the report says where "
     "the block was allocated and freed. leaks: also report blocks that are never freed, with status 125",
     set_check},

    {"", "", "output"},
    {"tag-output", "", "put the rank in front of each line",
     [](Reading& r, Value, Value) { r.options.job.output.tag = true; }},
};
const Option behind_recordings[] = {
    {"progress", "", "with --explore: show progress even if stderr is no terminal",
     [](Reading&, Value, Value) { mesh::Progress::always(); }},
    {"force", "", "overwrite existing files of recordings and of the report",
     [](Reading& r, Value, Value) { r.options.overwrite = true; }},
    {"verbose", "", "print the command that starts the program",
     [](Reading& r, Value, Value) { r.options.verbose = true; }, false},
    {"help h", "", "this text", [](Reading& r, Value, Value) { r.options.help = true; }, false},
    {"version", "", "release, revision of the machine model, kind of build, and how to cite a result",
     [](Reading& r, Value, Value) { r.options.version = true; }, false},
};
// clang-format on

std::vector<Option> make_table() {
  std::vector<Option> table(std::begin(before_recordings), std::end(before_recordings));
  add_recordings(table);
  table.insert(table.end(), std::begin(behind_recordings), std::end(behind_recordings));
  return table;
}

bool has_name(const Option& option, std::string_view name) {
  std::string_view rest = option.names;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == name) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

} // namespace

std::span<const Option> option_table() {
  static const std::vector<Option> table = make_table();
  return table;
}

std::string_view first_name(const Option& option) {
  return option.names.substr(0, option.names.find(' '));
}

std::string shown_option(std::string_view name) {
  const bool original = name == "nue" || name == "np" || name == "clock" || name == "emulator";
  return (original || name.size() == 1 ? "-" : "--") + std::string(name);
}

bool takes_optional_value(const Option& option) {
  return option.value.starts_with('[');
}

std::vector<CommandOption> rccerun_options() {
  std::vector<CommandOption> options;
  for (const Option& option : option_table()) {
    if (option.names.empty()) continue;
    CommandOption& row = options.emplace_back(CommandOption{{}, option.value, option.help});
    for (std::string_view rest = option.names; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      row.names.push_back(shown_option(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return options;
}

const Option& find_option(const std::string& word, std::string_view name) {
  const std::span<const Option> table = option_table();
  const auto found =
      std::ranges::find_if(table, [&](const Option& option) { return has_name(option, name); });
  if (found != table.end()) return *found;
  std::vector<std::string_view> names;
  for (const Option& option : option_table()) {
    if (!option.names.empty()) names.push_back(first_name(option));
  }
  const std::string_view near = mesh::nearest(name, names);
  throw UserError(fmt::format("Error: wrong option {}{}; --help lists the options", word,
                              near.empty() ? "" : fmt::format(" (did you mean {}?)", shown_option(near))));
}

} // namespace rcce
