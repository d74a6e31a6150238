// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

#include "rcce_emu/environment.hpp"

extern char** environ;

namespace rcce::compiler {
namespace {

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t caught = 0;
volatile std::sig_atomic_t running = 0; ///< the child that run() waits for

void pass_on(int signal) {
  caught = signal;
  if (running > 0) kill(static_cast<pid_t>(running), signal);
}

std::vector<char*> pointers(const Words& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return 127;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace

std::string shell_line(const Words& words) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%^";
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) {
      if (c == '\'') {
        line += "'\\''";
      } else {
        line += c;
      }
    }
    line += '\'';
  }
  return line;
}

void catch_signals() {
  for (const int signal : ending_signals) {
    struct sigaction action = {}, before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue; // as nohup and shells ask for in the background
    action.sa_handler = pass_on;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

int caught_signal() noexcept {
  return caught;
}

int run(const Words& words) {
  // A signal that comes while the child is started waits until it is known whom to pass it on to.
  sigset_t ending, before;
  sigemptyset(&ending);
  for (const int signal : ending_signals) sigaddset(&ending, signal);
  sigprocmask(SIG_BLOCK, &ending, &before);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &before);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);

  std::vector<char*> argv = pointers(words);
  pid_t child = 0;
  const int error =
      caught != 0 ? EINTR : posix_spawnp(&child, argv[0], nullptr, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  running = child;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  int status = 127;
  if (error == 0)
    status = wait_for(child);
  else if (caught == 0)
    std::fprintf(stderr, "rccecc: cannot start '%s': %s\n", argv[0], std::strerror(error));
  running = 0;
  return caught != 0 ? 128 + caught : status;
}

int step(const Words& words, bool only_show) {
  if (!only_show) return run(words);
  std::printf("%s\n", shell_line(words).c_str());
  return 0;
}

std::string output_of(const Words& words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::vector<char*> argv = pointers(words);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  if (error == 0) {
    char buffer[4096];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<std::size_t>(n));
    (void)wait_for(child);
  }
  close(ends[0]);
  return text;
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : std::string();
  const char* path = std::getenv(environment::search_path.name);
  std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  for (;;) {
    const std::size_t colon = rest.find(':');
    std::string candidate(rest.substr(0, colon));
    candidate += (candidate.empty() ? "./" : "/") + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    if (colon == std::string_view::npos) return {};
    rest.remove_prefix(colon + 1);
  }
}

} // namespace rcce::compiler
