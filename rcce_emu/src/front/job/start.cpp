// SPDX-License-Identifier: Apache-2.0
// How a program starts. A file built by rccecc is an ordinary executable whose start code calls
// __libc_start_main; exported from here, that name leads to the launcher instead of the program's main:
// `./prog` and `rccerun ./prog` are the same thing from here on. Other programs that link to the runtime
// start as usual.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/host/real.hpp"
#include "engine/ue/engines.hpp"
#include "front/job/memory_profile.hpp"
#include "front/launcher/options.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/parameters.hpp"
#include "mesh_sim/printable.hpp"
#include "process/image/held_constructors.h"
#include "process/image/own_libraries.hpp"
#include "process/libc/state/standard_streams.hpp"
#include "process/run/host_call.hpp"
#include "process/run/last_words.hpp"
#include "rcce_emu/environment.hpp"
#include "rcce_emu/image.h"
#include "rcce_emu/job.hpp"
#include "rcce_emu/launched.hpp"
#include "rcce_emu/recordings.hpp"
#include "rcce_emu/report_page.hpp"
#include "rcce_emu/statuses.hpp"
#include "watch/explore/recording.hpp"

namespace rcce {

namespace {

/// The options of rccerun, set by it for the program that it starts.
constexpr const char* options_variable = environment::job_options.name;

std::optional<int> whole_number(const char* text) {
  char* end = nullptr;
  errno = 0;
  const long value = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || value < 0 || value > 1'000'000) return std::nullopt;
  return static_cast<int>(value);
}

/// Takes `PROGRAM N GHZ ID1 .. IDN ARGUMENTS`, the layout of the original launcher; false where it is not
/// that.
bool take_raw_arguments(std::span<char*> words, JobOptions& job) {
  if (words.size() < 4) return false;
  const auto count = whole_number(words[1]);
  if (!count || *count == 0 || words.size() < 3 + static_cast<std::size_t>(*count)) return false;
  char* end = nullptr;
  const double ghz = std::strtod(words[2], &end);
  if (!(ghz > 0) || !std::isfinite(ghz) || *end != '\0') return false;
  const auto ids = words.subspan(3, static_cast<std::size_t>(*count));
  std::vector<int> cores;
  for (const char* id : ids) {
    const auto core = whole_number(id);
    if (!core) return false;
    cores.push_back(*core);
  }
  job.cores = std::move(cores);
  job.launch.cores.assign(ids.begin(), ids.end());
  job.launch.clock = words[2];
  const auto rest = words.subspan(3 + ids.size());
  job.arguments.assign(rest.begin(), rest.end());
  return true;
}

/// Without that layout one UE runs on core 0, or RCCE_NUE of them on cores 0, 1, 2, ...
void take_plain_arguments(std::span<char*> words, JobOptions& job) {
  int count = 1;
  if (const char* text = std::getenv(environment::ue_count.name)) {
    const auto number = whole_number(text);
    if (!number || *number == 0 || *number > job.machine.cores())
      throw mesh::UserError(fmt::format("{}={}: the number of UEs has to be 1..{} on machine '{}'",
                                        environment::ue_count.name, text, job.machine.cores(),
                                        job.machine.name()));
    count = *number;
  }
  job.cores.clear();
  job.launch.cores.clear();
  for (int core = 0; core < count; ++core) job.cores.push_back(core);
  job.arguments.assign(words.begin() + 1, words.end());
}

/// The program's file as it was called, where that leads to it; else (found by PATH) its full path.
std::string program_path(const char* name) {
  struct stat called {
  }, running{};
  if (stat("/proc/self/exe", &running) != 0 ||
      (stat(name, &called) == 0 && called.st_ino == running.st_ino && called.st_dev == running.st_dev))
    return name;
  std::string path(4096, '\0');
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  return length <= 0 ? name : path.substr(0, static_cast<std::size_t>(length));
}

/// The static part's record of the running file.
const struct rockcreek_image& running_image() {
  return *static_cast<const struct rockcreek_image*>(dlsym(RTLD_DEFAULT, "rockcreek_image"));
}

void check_generation(const LaunchOptions& options, const std::string& program) {
  const auto name = [](unsigned generation) {
    return fmt::format("{}.{}", generation / 10, generation % 10);
  };
  const unsigned built = running_image().generation;
  if (options.generation && *options.generation != built)
    throw mesh::UserError(
        fmt::format("--rcce {}: program '{}' was built for RCCE {}; build it with 'rccecc --rcce {}'",
                    name(*options.generation), program, name(built), name(*options.generation)));
}

/// The options that rccerun has handed on. They have been read once before, unless somebody else has set
/// them.
LaunchOptions handed_options() {
  const char* const text = std::getenv(options_variable);
  const std::vector<std::string> words = split_options(text);
  if (text != nullptr && std::strchr(text, option_separator) != nullptr) mesh::tell_no_old_names();
  try {
    LaunchOptions options = parse_job_options(words);
    if (options.used < words.size())
      throw mesh::UserError(fmt::format("there is no option '{}'", words[options.used]));
    return options;
  } catch (const mesh::UserError& error) {
    throw mesh::UserError(fmt::format("{}; this is in the environment variable {}, by which rccerun passes "
                                      "its options to the program: unset it, and give the options to rccerun",
                                      error.what(), options_variable));
  }
}

/// -clock is what the program is told, as on the chip; it sets no clock. "" where the two are the same.
std::string other_clock_text(const JobOptions& job) {
  const mesh::MachineDescription& machine = job.machine;
  const std::string& told = job.launch.clock;
  if (told.empty() || told == default_clock(machine, running_image().generation)) return {};
  double told_mhz = 1000 * std::strtod(told.c_str(), nullptr);
  const double mhz = machine.core_mhz();
  constexpr double rounding = 0.01; // people write 0.53 and 0.5333
  if (std::abs(told_mhz - mhz) <= rounding * mhz) return {};
  constexpr double most_ghz = 20;
  std::string unit;
  if (told_mhz > 1000 * most_ghz) { // people write 533
    told_mhz /= 1000;
    unit = fmt::format("is in GHz, {:.0f} MHz are {:.4g}; it ", told_mhz, told_mhz / 1000);
  }
  constexpr std::string_view divider = "tile.divider", global = "tile.global_clock";
  std::string remedy = "another --machine does";
  if (machine.has(divider) && machine.has(global)) {
    const double wanted = std::clamp(std::round(machine.number(global) / told_mhz), 1.0, 16.0);
    remedy =
        fmt::format("--set {}={} sets {:.0f}", divider, wanted, std::floor(machine.number(global) / wanted));
  }
  return fmt::format("-clock {} {}sets no clock: the cores ran at {:.0f} MHz, {}", told, unit,
                     std::floor(mhz), remedy);
}

/// Buffers larger than the program knows of change nothing, which a comparison of sizes has to know.
std::string unused_buffers_text(const JobOptions& job) {
  const unsigned long used = running_image().mpb_bytes;
  const std::size_t there = job.machine.message_buffer_bytes();
  return there <= used ? std::string()
                       : fmt::format("the program uses {} of {} bytes of each message buffer, "
                                     "-DRCCE_BUFF_SIZE_MAX={} compiles it for all",
                                     used, there, there);
}

/// Those of its objects whose code counts nothing, "old.o, libold.a(part.o)"; null: none.
const char* uncounted_objects() {
  return static_cast<const char*>(dlsym(RTLD_DEFAULT, "rockcreek_uncounted"));
}

/// Chooses the model of the program's own code if --compute does not.
void choose_compute(LaunchOptions& options) {
  options.job.engine.stores_unseen = running_image().counts == 0 || uncounted_objects() != nullptr;
  if (options.compute_given) return;
  const struct rockcreek_image& image = running_image();
  if (const char* const text = std::getenv(environment::compute.name)) {
    const std::string value = text;
    if (value != "none" && value != "blocks")
      throw mesh::UserError(fmt::format("{}={}: takes 'none' or 'blocks'", environment::compute.name, value));
    options.job.library.compute = value == "none" ? ComputeModel::none : ComputeModel::blocks;
    options.compute_given = true;
  } else if (image.counts != 0 && uncounted_objects() == nullptr &&
             !capabilities_of(options.job).wall_clock) {
    options.job.library.compute = ComputeModel::blocks;
  }
}

/// "12.41 s on the chip; mean UE: 9.80 computing, 1.90 in calls and polling, 0.71 waiting", from the start
/// to the end of the last UE.
std::string parts_text(const JobOptions& job, const JobResult& result) {
  double computing = 0, waiting = 0;
  for (const UeResult& ue : result.ues) {
    computing += static_cast<double>(ue.computed);
    waiting += static_cast<double>(ue.waited + result.end - ue.end);
  }
  const auto ues = static_cast<double>(result.ues.size());
  const auto whole = static_cast<double>(result.end);
  const bool seconds = whole >= 1e12, milliseconds = whole >= 1e9;
  const double unit = seconds ? 1e12 : milliseconds ? 1e9 : 1e6;
  computing /= ues * unit;
  waiting /= ues * unit;
  const double rest = whole / unit - computing;
  const std::string begin = fmt::format("{:.2f} {} on the chip; {}{:.2f} computing", whole / unit,
                                        seconds            ? "s"
                                            : milliseconds ? "ms"
                                                           : "us",
                                        result.ues.size() == 1 ? "" : "mean UE: ", computing);
  return capabilities_of(job).contended
      ? fmt::format("{}, {:.2f} in calls and polling, {:.2f} waiting", begin, rest - waiting, waiting)
      : fmt::format("{}, {:.2f} in calls, polling and waiting", begin, rest);
}

/// The components of the simulated times; "" if there is nothing to say. `uncounted`: the program's code that
/// counts nothing, by name; null: none, or all.
std::string times_text(const LaunchOptions& options, const JobResult& result, const char* uncounted) {
  const JobOptions& job = options.job;
  switch (job.library.compute) {
  case ComputeModel::blocks:
  case ComputeModel::cache:
    return parts_text(job, result) +
        (uncounted == nullptr
             ? std::string()
             : fmt::format("; code of {} takes no time, nor do its own loads and stores of message buffers",
                           uncounted)) +
        (job.process.check_heap && job.library.compute == ComputeModel::cache
             ? "; --check heap has moved its blocks, and what the caches hold"
             : "") +
        (result.observed ? "; rccecc --observe may have moved local variables, and times by nanoseconds"
                         : "");
  case ComputeModel::host:
    return "the times contain host time (--compute host): they differ from run to run";
  case ComputeModel::none:
    break;
  }
  if (options.compute_given) return {};
  return uncounted == nullptr
      ? "times are of communication only: no cycles are counted in the program's code, nor its own loads and "
        "stores of message buffers (--compute none silences this)"
      : fmt::format(
            "times are of communication only: no cycles are counted in {}, nor its own loads and stores "
            "of message buffers (--compute blocks counts the rest)",
            uncounted);
}

/// Such stores are made when the host comes to them.
std::string unseen_stores_text(const JobResult& result, const char* uncounted) {
  if (!result.unseen_stores) return {};
  return fmt::format("plain stores of {} to shared memory are not seen: another UE can read one early, and "
                     "one that waits in "
                     "a loop goes on with the next call of the UE that stores",
                     uncounted == nullptr ? "the program's code" : uncounted);
}

/// The closing lines of a run, most of them for those who ask for the time: at most one about what times are
/// made of, and one about what was asked for in vain.
void tell_end(const LaunchOptions& options, const JobResult& result) {
  const bool timed = result.asked_time && !capabilities_of(options.job).wall_clock;
  const char* const uncounted = timed && running_image().counts != 0 ? uncounted_objects() : nullptr;
  std::vector<std::string> times, vain;
  if (timed) {
    times = {times_text(options, result, uncounted), unseen_stores_text(result, uncounted)};
    vain.push_back(other_clock_text(options.job));
  }
  vain.push_back(unused_buffers_text(options.job));
  if (!result.host_order.empty())
    vain.push_back("the host has decided the order of " + result.host_order +
                   ": the times can differ from run to run (--engine sim repeats them)");
  for (std::vector<std::string>* const line : {&times, &vain}) {
    std::erase(*line, std::string());
    if (!line->empty()) std::fputs(fmt::format("rccerun: {}\n", fmt::join(*line, "; ")).c_str(), stderr);
  }
}

/// Everything that the run has recorded, each where it is wanted. Returns the status of the whole.
int write_results(const JobResult& result) {
  int status = result.status;
  for (const std::string& failure : write_recordings(result)) {
    std::fputs(fmt::format("rccerun: {}\n", failure).c_str(), stderr);
    status = status_usage;
  }
  // All that has gone there: reports, words of the runtime, results without a file. A UE that writes to a
  // stream that it has closed has lost that alone.
  const auto is_lost = [](FILE* file) { return std::fflush(file) != 0 || std::ferror(file) != 0; };
  const bool lost = is_lost(libc::process_stream(1)) || is_lost(libc::process_stream(2));
  return lost && result.status == 0 ? status_output_failed : status;
}

int list(const image::OwnLibraries& libraries) {
  std::fputs(libraries.listing().c_str(), stdout);
  if (std::fflush(stdout) == 0) return 0;
  std::fputs(fmt::format("rccerun: cannot write standard output: {}\n", std::strerror(errno)).c_str(),
             stderr);
  return status_output_failed;
}

int run_program(int argc, char** argv, char**) {
  const auto refuse = [&](const char* why) {
    const std::span<char*> words(argv, static_cast<std::size_t>(argc));
    std::fputs(fmt::format("rccerun: {}\n", mesh::printable(why, words)).c_str(), stderr);
    return status_usage;
  };
  bool told_elsewhere = false; // what is to be said once, by the process of rank 0
  try {
    LaunchOptions options = handed_options();
    told_elsewhere = options.job.engine.kind == EngineKind::mpi && launched().rank > 0;
    unsetenv(options_variable); // programs that this one starts are no part of the job
    JobOptions& job = options.job;
    if (const char* const given = std::getenv(environment::command.name)) {
      job.launch.command = given;
      unsetenv(environment::command.name);
    } else {
      job.launch.command = shell_text(std::vector<std::string>(argv, argv + argc));
    }
    if (const char* const recording = std::getenv(explore::recording_variable)) {
      job.interference.explored = explore::parse_recording(recording);
      unsetenv(explore::recording_variable);
    }
    const std::span<char*> words(argv, static_cast<std::size_t>(argc));
    job.program = program_path(argv[0]);
    if (!take_raw_arguments(words, job)) {
      take_plain_arguments(words, job);
      if (!options.clock_given) job.launch.clock = default_clock(job.machine, running_image().generation);
    }
    check_generation(options, job.program);
    choose_compute(options);
    take_memory_profile(options);
    if (options.libraries || rockcreek_held_count > 0) {
      image::ImageFile file(job.program);
      const image::OwnLibraries libraries(file);
      if (options.libraries) return list(libraries);
      image::construct_shared(libraries, argc, argv, environ);
    }
    check_recording_files(job.recording.records, options.overwrite);
    const JobResult result = run_job(job);
    std::fflush(stdout);
    std::fputs(result.report.c_str(), stderr);
    run::report_was_shown();
    if (!told_elsewhere && result.outcome == Outcome::finished) tell_end(options, result);
    if (!told_elsewhere) write_memory_profile(options, result);
    const int status = write_results(result);
    if (run::was_call_left()) {
      run::end_children();
      _exit(status); // exit() may wait for ever for a lock that a UE has left taken
    }
    return status;
  } catch (const Interrupted& error) {
    refuse(error.what());
    return status_signal + error.signal();
  } catch (const std::bad_alloc&) {
    return refuse("the host has too little memory for the job; use fewer UEs, a smaller machine, a smaller "
                  "--stack-size or a smaller --shared-memory");
  } catch (const mesh::HostLimit& error) {
    return refuse(error.what());
  } catch (const mesh::UserError& error) {
    // The launcher ends all processes as soon as one has failed: rank 0 says first what is wrong. Who is
    // still there then has met it alone.
    if (told_elsewhere) std::this_thread::sleep_for(std::chrono::seconds(2));
    return refuse(error.what());
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}

using Main = int (*)(int, char**, char**);

/// Is this main part of a program built by rccecc?
bool is_image(Main main) {
  Dl_info of_main, of_image;
  const void* image = dlsym(RTLD_DEFAULT, "rockcreek_image");
  return image != nullptr && dladdr(reinterpret_cast<void*>(main), &of_main) != 0 &&
      dladdr(image, &of_image) != 0 && of_main.dli_fbase == of_image.dli_fbase;
}

void no_constructors() {}

} // namespace

} // namespace rcce

extern "C" int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                                 void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  using Start = int(rcce::Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  auto* start = rcce::host::real_function<Start>("__libc_start_main");
  if (!rcce::is_image(main)) return start(main, argc, argv, init, fini, rtld_fini, stack_end);
  // The file itself is the one copy of the program that never runs: with an `init` of ours the C library
  // leaves its constructors alone, and without `rtld_fini` the dynamic linker leaves its destructors alone.
  return start(rcce::run_program, argc, argv, rcce::no_constructors, nullptr, nullptr, stack_end);
}
