// SPDX-License-Identifier: Apache-2.0
// rccerun: starts an RCCE program. It checks what can be checked beforehand, then becomes the program, with
// the argument vector of the original launcher and its own options in the environment; the program's
// start-up, in librcce.so, runs the job. So a script may stand between the two, as the original allowed.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <span>
#include <string>
#include <unistd.h>
#include <vector>

#include "engine/mpi/engine.hpp"
#include "front/launcher/options.hpp"
#include "front/launcher/processes.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/parameters.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "mesh_sim/printable.hpp"
#include "process/image/file.hpp"
#include "rcce_emu/environment.hpp"
#include "rcce_emu/host_file.hpp"
#include "rcce_emu/launched.hpp"
#include "rcce_emu/report_page.hpp"
#include "rcce_emu/statuses.hpp"
#include "rcce_emu/version.hpp"
#include "watch/explore/explore.hpp"

extern "C" void __tsan_init() __attribute__((weak));

namespace rcce {
namespace {

namespace fs = std::filesystem;
using mesh::UserError;

/// A mistake with a status of its own.
struct StartError {
  int status;
  std::string text;
};

/// A bare name is looked for in the working directory first: the original put the launch directory in front
/// of it.
std::string find_program(const std::string& name) {
  const auto is_file = [](const std::string& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored); // looking into a pipe or a device might never end
  };
  if (name.find('/') != std::string::npos) {
    std::error_code ignored;
    if (!is_file(name))
      throw StartError{
          status_not_found,
          fmt::format("no program '{}'{}", name, fs::exists(name, ignored) ? ": it is no regular file" : "")};
    return name;
  }
  if (is_file("./" + name)) return "./" + name;
  const char* path = std::getenv(environment::search_path.name);
  for (std::string_view rest = path != nullptr ? path : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string candidate = std::string(rest.substr(0, end)) + "/" + name;
    if (end > 0 && is_file(candidate) && access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  throw StartError{status_not_found, fmt::format("no program '{}' in this folder or in PATH", name)};
}

bool is_binary(const std::string& path) {
  char magic[4] = {};
  std::ifstream file(path, std::ios::binary);
  file.read(magic, sizeof magic);
  return std::memcmp(magic, ELFMAG, SELFMAG) == 0;
}

/// Refuses a source, which is what a first try names.
void check_no_source(const std::string& path) {
  const fs::path file = path;
  const std::string extension = file.extension().string(), stem = file.stem().string();
  const bool cxx = extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C";
  if (!cxx && extension != ".c") return;
  throw StartError{status_not_executable,
                   fmt::format("'{}' is a source; compile it first: {} {} -o {}, then rccerun ./{}", path,
                               cxx ? "rccec++" : "rccecc", path, stem, stem)};
}

std::string generation_name(unsigned generation) {
  return generation < 20 ? "1.0" : "2.0";
}

/// A program that was built before the installation moved looks for the runtime where that was. It finds the
/// one of this command then.
void find_runtime(const image::ImageFile& file) {
  constexpr const char* name = "librcce.so.0";
  const std::string& folders = file.run_path().empty() ? file.old_run_path() : file.run_path();
  if (folders.empty() || folders.find('$') != std::string::npos) return;
  for (std::string_view rest = folders; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    if (access((std::string(folder) + "/" + name).c_str(), R_OK) == 0) return;
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
  }
  Dl_info runtime;
  if (dladdr(reinterpret_cast<void*>(&parse_job_options), &runtime) == 0) return;
  const fs::path own = fs::path(runtime.dli_fname).parent_path();
  if (!fs::exists(own / name)) return;
  const char* const others = std::getenv(environment::library_path.name);
  setenv(environment::library_path.name,
         (own.native() + (others != nullptr && *others != '\0' ? fmt::format(":{}", others) : "")).c_str(),
         1);
}

/// Checks the program against the options. Returns its generation.
unsigned check_image(const std::string& path, const LaunchOptions& options, int ues) {
  const image::ImageFile file(path);
  find_runtime(file);
  const struct rockcreek_image& image = file.variables();
  if (options.generation && *options.generation != image.generation) {
    throw UserError(fmt::format(
        "'{}' is compiled for RCCE {}, but --rcce {} is asked for; compile it with rccecc --rcce {}", path,
        generation_name(image.generation), generation_name(*options.generation),
        generation_name(*options.generation)));
  }
  if (static_cast<unsigned>(ues) > image.max_np) {
    throw UserError(
        fmt::format("Error: number of UEs invalid: {}; '{}' is compiled for at most {}; compile it with "
                    "-DRCCE_MAXNP={} or more",
                    ues, path, image.max_np, ues));
  }
  return image.generation;
}

Hosts find_hosts(const LaunchOptions& options, int ues, int cores) {
  constexpr const char* usual = "hosts/rc.hosts";
  if (!options.host_file.empty()) return read_host_file(options.host_file, ues, cores);
  std::error_code ignored;
  return fs::exists(usual, ignored) ? read_host_file(usual, ues, cores) : first_hosts(ues);
}

/// The thread checker has to stand in front of the C library and of the runtime in the program as well, which
/// only the dynamic linker's preloading can give to a program that was built without it.
void preload_checker() {
  Dl_info checker;
  if (__tsan_init == nullptr || dladdr(reinterpret_cast<void*>(__tsan_init), &checker) == 0) return;
  setenv("LD_PRELOAD", checker.dli_fname, 1);
}

/// Becomes the program. Returns only if that fails.
[[noreturn]] void become(const std::string& path, const std::vector<std::string>& words) {
  preload_checker();
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execv(path.c_str(), argv.data());
  const int error = errno;
  if (error == ENOEXEC) {
    // A script without "#!" on its first line belongs to the shell, as for the shell itself.
    std::string shell = "/bin/sh";
    std::string script = path;
    argv[0] = script.data();
    argv.insert(argv.begin(), shell.data());
    execv(shell.c_str(), argv.data());
  }
  throw StartError{status_not_executable,
                   fmt::format("'{}' cannot be started: {}", path, std::strerror(error))};
}

/// Runs the launcher of as many processes as there are UEs, each of which is this command again.
int start_processes(const LaunchOptions& options, int ues, std::span<const std::string> words) {
  check_mpi();
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const std::vector<std::string> command = launcher_command(options, ues, self, words);
  if (command.empty())
    throw UserError(fmt::format("--engine mpi: no launcher '{}' found; install an MPI (sh apps/setup.sh "
                                "--with-mpi) or name its launcher "
                                "by --launcher",
                                options.launcher.empty() ? "mpirun, mpiexec or srun" : options.launcher));
  if (options.verbose)
    std::fprintf(stderr, "rccerun: %s\n", mesh::printable(shell_text(command), command).c_str());
  return run_launcher(command);
}

std::string usage_line(const char* self) {
  return fmt::format(
      "Usage: \"{} -nue <number of UEs> [-f HOSTFILE] [-clock GHz] <executable> [executable parameters]\"\n"
      "examples:\n"
      "  rccerun -nue 48 ./program                    runs it on 48 cores of the simulated chip\n"
      "  rccerun -nue 48 --why ./program              also says why the run took so long\n"
      "  rccerun -nue 48 --report run.html ./program  also draws the run as an HTML page\n"
      "  rccerun -nue 4 --check mpb,heap ./program    reports wrong use of buffers, flags and the heap\n"
      "  rccerun -nue 4 --explore 100 ./program       looks for races and hangs under other timing\n"
      "rccecc builds programs: rccecc program.c -o program. rccerun --help lists all options.",
      self);
}

/// The first seed of --explore: the seed of --seed, which machines with random frames have.
std::uint64_t first_seed(const mesh::MachineDescription& machine) {
  constexpr std::string_view seed = "dram.frame_seed";
  return machine.has(seed) ? static_cast<std::uint64_t>(machine.number(seed)) : 1;
}

std::string version_and_citation(const mesh::MachineDescription& machine) {
  return fmt::format(
      "rccerun (Rockcreek) {}\n"
      "cite a result by release, model revision, machine and digest, with which anybody can repeat it:\n"
      "  Rockcreek {}, model revision {}, machine {}, digest: the line of rccerun --digest\n"
      "with every --set that the run had; --machine names another one here; CITATION.cff cites the "
      "software\n",
      version_text, version, model_revision, machine.name());
}

/// The program knows best: the dynamic linker has loaded them for it.
[[noreturn]] void list_libraries(const LaunchOptions& options, const std::string& name) {
  const std::string path = find_program(name);
  if (!is_binary(path))
    check_no_source(path);
  else
    static_cast<void>(image::ImageFile(path));
  setenv(environment::job_options.name, join_options(options.forwarded).c_str(), 1);
  become(path, {name});
}

int launch(const char* self, std::span<const std::string> words) {
  const LaunchOptions options = parse_job_options(words);
  if (options.help) {
    std::fputs(options_help().c_str(), stdout);
    return 0;
  }
  if (options.version) {
    std::fputs(version_and_citation(options.job.machine).c_str(), stdout);
    return 0;
  }
  if (options.print_machine) {
    mesh::MachineDescription machine = options.job.machine;
    SoftwareCosts costs = options.job.library.costs;
    mesh::ParameterTable parameters = machine.table();
    // What the library costs in instructions, on machines that run RCCE programs.
    if (machine.offers(mesh::Capability::message_buffers))
      for (const mesh::Parameter& parameter : costs.parameters()) parameters.push_back(parameter);
    std::fputs(mesh::write_parameters(parameters).c_str(), stdout);
    return 0;
  }
  if (options.libraries && options.used < words.size()) list_libraries(options, words[options.used]);
  // Started by hand under mpirun, as many UEs as there are processes.
  const bool by_hand =
      options.job.engine.kind == EngineKind::mpi && !options.ues && !needs_processes(options);
  if (words.empty() && !by_hand) throw UserError(usage_line(self));
  if (!options.ues && !by_hand)
    throw UserError("Error: Did not find number of UEs: -nue N has to stand before the program, as in "
                    "rccerun -nue 48 ./program");
  const int ues = by_hand ? launched().processes : *options.ues;
  const int cores = options.job.machine.cores();
  if (ues > cores) {
    const bool grid = options.job.machine.parameters().topology().is_grid();
    throw UserError(fmt::format("Error: number of UEs invalid: {}; machine '{}' has {} cores; a larger one "
                                "is a machine file{}",
                                ues, options.job.machine.name(), cores,
                                grid ? ", or --set mesh.columns=N --set mesh.rows=N" : ""));
  }
  if (options.used == words.size()) throw UserError("Error: no executable specified\n" + usage_line(self));
  const std::string& name = words[options.used];
  const std::string path = find_program(name);
  const bool binary = is_binary(path);
  if (!binary) check_no_source(path);
  const Hosts hosts = find_hosts(options, ues, cores);
  const unsigned generation = binary ? check_image(path, options, ues) : options.generation.value_or(20);

  std::vector<std::string> vector{name, std::to_string(ues),
                                  options.clock_given ? options.job.launch.clock
                                                      : default_clock(options.job.machine, generation)};
  vector.insert(vector.end(), hosts.texts.begin(), hosts.texts.end());
  vector.insert(vector.end(), words.begin() + static_cast<std::ptrdiff_t>(options.used) + 1, words.end());
  if (needs_processes(options)) return start_processes(options, ues, words);
  if (options.verbose)
    std::fprintf(stderr, "rccerun: %s\n",
                 mesh::printable(fmt::format("{}", fmt::join(vector, " ")), words).c_str());
  const auto start = [&](const std::vector<std::string>& more) {
    std::vector<std::string> forwarded = options.forwarded;
    forwarded.insert(forwarded.end(), more.begin(), more.end());
    if (options.job.recording.records.contains("report")) {
      std::vector<std::string> command{"rccerun"};
      command.insert(command.end(), words.begin(), words.end());
      setenv(environment::command.name, shell_text(command).c_str(), 1);
    }
    setenv(environment::job_options.name, join_options(forwarded).c_str(), 1);
    become(path, vector);
  };
  if (options.explore) {
    const std::vector<std::string> program(words.begin() + static_cast<std::ptrdiff_t>(options.used),
                                           words.end());
    return explore::explore({.explored = *options.explore,
                             .first_seed = first_seed(options.job.machine),
                             .options = options.unexplored,
                             .program = program,
                             .timeout_seconds = options.job.timeout_seconds},
                            start);
  }
  start({});
  return 0;
}

} // namespace
} // namespace rcce

int main(int argc, char** argv) {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  const std::vector<std::string> words(arguments.begin() + (argc > 0 ? 1 : 0), arguments.end());
  try {
    const int status = rcce::launch(argc > 0 ? argv[0] : "rccerun", words);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw rcce::StartError{rcce::status_output_failed,
                             fmt::format("cannot write standard output: {}", std::strerror(errno))};
    return status;
  } catch (const rcce::StartError& error) {
    std::fprintf(stderr, "rccerun: %s\n", mesh::printable(error.text, words).c_str());
    return error.status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rccerun: %s\n", mesh::printable(error.what(), words).c_str());
    return rcce::status_usage;
  }
}
