// SPDX-License-Identifier: Apache-2.0
#include "watch/explore/child_run.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mesh_sim/errors.hpp"
#include "process/run/interrupt.hpp"
#include "rcce_emu/statuses.hpp"
#include "watch/explore/perturbation.hpp"
#include "watch/explore/recording.hpp"

namespace rcce::explore {
namespace {

/// For its report, after its limit has passed.
constexpr double patience_seconds = 20;

volatile sig_atomic_t signal_seen = 0;
volatile sig_atomic_t running_child = 0; // leads a process group of its own

void handle(int signal) {
  signal_seen = signal;
  if (running_child > 0) kill(-static_cast<pid_t>(running_child), signal);
}

[[noreturn]] void fail(const char* what) {
  throw mesh::UserError(fmt::format("--explore: {}: {}", what, std::strerror(errno)));
}

/// A file without a name that lasts as long as its descriptor.
class Scratch {
 public:
  explicit Scratch(const char* name) {
    const int made = memfd_create(name, 0);
    // Where a standard stream is closed its number is free, and the child puts something else there.
    fd_ = made < 0 ? -1 : fcntl(made, F_DUPFD, STDERR_FILENO + 1);
    if (fd_ < 0) fail("no memory for the results of a run");
    close(made);
  }
  ~Scratch() { close(fd_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] int fd() const noexcept { return fd_; }
  [[nodiscard]] std::string text() const {
    std::string text;
    char part[4096];
    for (ssize_t n; (n = pread(fd_, part, sizeof part, static_cast<off_t>(text.size()))) > 0;)
      text.append(part, static_cast<std::size_t>(n));
    return text;
  }

 private:
  int fd_ = -1;
};

/// True if the process ends within so much host time, not counting an interrupt. If the system cannot tell,
/// waits for the end.
bool ends_within(pid_t child, double seconds) {
  const int process = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (process < 0) return true;
  pollfd ended{process, POLLIN, 0};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  int found = 0;
  do {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    found = poll(&ended, 1, static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, INT_MAX)));
  } while (found < 0 && errno == EINTR);
  close(process);
  return found > 0;
}

/// Every run reads the same input: a file from its start, else nothing.
void prepare_input(int nothing) {
  if (lseek(0, 0, SEEK_SET) < 0) dup2(nothing, 0);
}

/// A program may print addresses, or leave them in shared memory. Where the host refuses, they differ.
void same_addresses() {
  if (const int now = personality(0xffffffff); now >= 0)
    static_cast<void>(personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE));
}

} // namespace

ChildRun run_child(const Start& start, const Perturbation& perturbation, bool accesses,
                   const Limits& limits) {
  const Scratch record("rockcreek-record"), errors("rockcreek-errors");
  std::fflush(stdout);
  std::fflush(stderr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) fail("cannot start a process for a run");
  if (child == 0) {
    Interrupts::leave_to_child();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) std::_Exit(1);
    const int nothing = open("/dev/null", O_RDWR);
    prepare_input(nothing);
    same_addresses();
    dup2(nothing, 1);
    dup2(errors.fd(), 2);
    setenv(recording_variable, recording_text({record.fd(), accesses, limits.accesses, limits.idle}).c_str(),
           1);
    std::vector<std::string> options{"--replay=" + perturbation_text(perturbation)};
    if (limits.host_seconds > 0) options.push_back(fmt::format("--timeout={:.3f}", limits.host_seconds));
    start(options);
    std::_Exit(1); // it has become the program or thrown
  }
  Interrupts::forward_to(child);
  const auto begin = std::chrono::steady_clock::now();
  const bool killed = limits.host_seconds > 0 && !ends_within(child, limits.host_seconds + patience_seconds);
  if (killed) kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  Interrupts::forward_to(0);
  ChildRun made{.status = WIFSIGNALED(status) ? status_signal + WTERMSIG(status) : WEXITSTATUS(status),
                .errors = errors.text(),
                .record = RunRecord::read(record.fd())};
  made.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  made.too_long = killed ||
      (limits.host_seconds > 0 && made.status == status_timeout && made.host_seconds >= limits.host_seconds);
  return made;
}

Interrupts::Interrupts() {
  signal_seen = 0;
  struct sigaction action {};
  action.sa_handler = handle;
  for (const int signal : run::ending_signals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
}

Interrupts::~Interrupts() {
  for (const int signal : run::ending_signals) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == handle) std::signal(signal, SIG_DFL);
  }
}

int Interrupts::signal() noexcept {
  return signal_seen;
}

void Interrupts::forward_to(pid_t child) noexcept {
  if (child > 0) setpgid(child, child); // whoever comes first
  running_child = child;
  if (child > 0 && signal_seen != 0) kill(-child, signal_seen);
}

void Interrupts::leave_to_child() noexcept {
  setpgid(0, 0);
  for (const int signal : run::ending_signals) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == handle) std::signal(signal, SIG_DFL);
  }
}

} // namespace rcce::explore
