// SPDX-License-Identifier: Apache-2.0
#include "front/launcher/processes.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "rcce_emu/environment.hpp"
#include "rcce_emu/launched.hpp"
#include "rcce_emu/statuses.hpp"

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
/// this one ends without a word. Sets an error number where it cannot be started. `output`: its standard
/// output.
pid_t start(const std::vector<char*>& words, int output, int& error) {
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
    dup2(output, STDOUT_FILENO);
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

/// Hands some of what lies in a pipe on to standard output, unless that has failed before, which sets an
/// error number. What read() has said: 0 at the pipe's end, less where nothing lies there.
ssize_t pass_on(int pipe, int& error) {
  std::array<char, 65536> bytes;
  const ssize_t have = read(pipe, bytes.data(), bytes.size());
  for (ssize_t done = 0; error == 0 && done < have;) {
    const ssize_t more = write(STDOUT_FILENO, bytes.data() + done, static_cast<std::size_t>(have - done));
    pollfd room{STDOUT_FILENO, POLLOUT, 0};
    if (more >= 0)
      done += more;
    else if (errno == EAGAIN)
      poll(&room, 1, -1);
    else if (errno != EINTR)
      error = errno;
  }
  return have;
}

/// Until the launcher has ended: its status. Launchers take no notice of output that they cannot write, so
/// it goes through this process, which ends the run then.
int await(pid_t child, int output) {
  constexpr int look_interval_ms = 100; // whom the launcher leaves behind may hold the pipe
  int status = 0, error = 0;
  for (bool open = true, over = false; !over;) {
    pollfd look{output, POLLIN, 0};
    if (open) poll(&look, 1, look_interval_ms);
    over = waitpid(child, &status, open ? WNOHANG : 0) == child;
    const bool failed = error != 0;
    ssize_t have = 0;
    do {
      have = open ? pass_on(output, error) : 0;
      open = have != 0;
    } while (over && have > 0);
    if (failed || error == 0) continue;
    std::fputs(
        fmt::format("rccerun: cannot write standard output: {}; the run is ended\n", std::strerror(error))
            .c_str(),
        stderr);
    if (!over) kill(child, SIGTERM);
  }
  if (error != 0) return error == EPIPE ? status_signal + SIGPIPE : status_output_failed;
  return WIFSIGNALED(status) ? status_signal + WTERMSIG(status) : WEXITSTATUS(status);
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
  int error = 0, output[2];
  if (pipe2(output, O_CLOEXEC) != 0 || fcntl(output[0], F_SETFL, O_NONBLOCK) != 0)
    throw mesh::UserError(fmt::format("--engine mpi: no pipe is to be had: {}", std::strerror(errno)));
  const pid_t child = start(words, output[1], error);
  close(output[1]);
  if (error != 0)
    throw mesh::UserError(
        fmt::format("--engine mpi: '{}' cannot be started: {}", command.front(), std::strerror(error)));
  launcher = child;
  if (received != 0) kill(child, received);
  std::signal(SIGPIPE, SIG_IGN); // after the start: programs inherit what is ignored
  const int status = await(child, output[0]);
  return received != 0 ? status_signal + received : status;
}

} // namespace rcce
