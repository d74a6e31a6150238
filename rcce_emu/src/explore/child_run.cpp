#include "explore/child_run.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "explore/perturbation.hpp"
#include "explore/recording.hpp"
#include "mesh_sim/errors.hpp"

namespace rcce::explore {
namespace {

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
  explicit Scratch(const char* name) : fd_(memfd_create(name, 0)) {
    if (fd_ < 0) fail("no memory for what a run leaves");
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
  int fd_;
};

/// Every run reads the same input: a file from its start, else nothing.
void prepare_input(int nothing) {
  if (lseek(0, 0, SEEK_SET) < 0) dup2(nothing, 0);
}

} // namespace

ChildRun run_child(const Start& start, const Perturbation& perturbation, bool accesses,
                   std::uint64_t most_accesses) {
  const Scratch record("rockcreek-record"), errors("rockcreek-errors");
  std::fflush(stdout);
  std::fflush(stderr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) fail("no process for a run");
  if (child == 0) {
    setpgid(0, 0);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) std::_Exit(1);
    const int nothing = open("/dev/null", O_RDWR);
    prepare_input(nothing);
    dup2(nothing, 1);
    dup2(errors.fd(), 2);
    setenv(recording_variable, recording_text({record.fd(), accesses, most_accesses}).c_str(), 1);
    start({"--replay=" + perturbation_text(perturbation)});
    std::_Exit(1); // it has become the program or thrown
  }
  setpgid(child, child); // whoever comes first
  running_child = child;
  if (signal_seen != 0) kill(-child, signal_seen);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  running_child = 0;
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), errors.text(),
          RunRecord::read(record.fd())};
}

Interrupts::Interrupts() {
  signal_seen = 0;
  struct sigaction action {};
  action.sa_handler = handle;
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
}

Interrupts::~Interrupts() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == handle) std::signal(signal, SIG_DFL);
  }
}

int Interrupts::signal() noexcept {
  return signal_seen;
}

} // namespace rcce::explore
