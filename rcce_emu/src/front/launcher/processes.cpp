// SPDX-License-Identifier: Apache-2.0
#include "front/launcher/processes.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "engine/ue/engines.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/environment.hpp"
#include "rcce_emu/launched.hpp"

namespace rcce {
namespace {

/// By its path, or found by PATH; empty where there is none.
std::string find_command(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* const path = std::getenv(environment::search_path.name);
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = folder + "/" + name;
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

/// The signal that this process has received, and the process to which it is handed on.
volatile std::sig_atomic_t received = 0;
volatile pid_t launcher = 0;

void hand_on(int signal) {
  received = signal;
  if (launcher > 0) kill(launcher, signal);
}

/// In a group of its own: a terminal's Ctrl-C comes once, from here. It ends, and ends its processes, where
/// this one ends without a word. Sets an error number where it cannot be started.
pid_t start(const std::vector<char*>& words, int& error) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    error = errno;
    return -1;
  }
  const pid_t self = getpid(), child = fork();
  if (child == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != self) _exit(1); // it has ended already
    execv(words[0], words.data());
    error = errno;
    static_cast<void>(write(ends[1], &error, sizeof error));
    _exit(1);
  }
  error = child < 0 ? errno : 0;
  close(ends[1]);
  if (child > 0 && read(ends[0], &error, sizeof error) > 0) waitpid(child, nullptr, 0);
  close(ends[0]);
  return child;
}

} // namespace

bool needs_processes(const LaunchOptions& options) {
  return options.job.engine.kind == EngineKind::mpi && !launched().by_launcher();
}

std::vector<std::string> launcher_command(const LaunchOptions& options, int ues, const std::string& self,
                                          std::span<const std::string> words) {
  std::string launcher;
  if (!options.launcher.empty()) {
    launcher = find_command(options.launcher);
  } else {
    for (const char* const name : {ROCKCREEK_MPI_LAUNCHER, "mpirun", "mpiexec", "srun"})
      if (launcher.empty() && *name != '\0') launcher = find_command(name);
  }
  if (launcher.empty()) return {};
  constexpr int keep = 0;
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "true", keep);
  setenv("OMPI_MCA_orte_execute_quiet", "true", keep);
  std::vector<std::string> command{launcher, "-n", std::to_string(ues)};
  std::istringstream more(options.launcher_arguments);
  for (std::string word; more >> word;) command.push_back(word);
  command.push_back(self);
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

int run_launcher(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  struct sigaction action {};
  action.sa_handler = hand_on;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
  int error = 0;
  const pid_t child = start(words, error);
  if (error != 0)
    throw mesh::UserError(
        fmt::format("--engine mpi: '{}' cannot be started: {}", command.front(), std::strerror(error)));
  launcher = child;
  if (received != 0) kill(child, received);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int signal_base = 128;
  if (received != 0) return signal_base + received;
  return WIFSIGNALED(status) ? signal_base + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace rcce
