// SPDX-License-Identifier: Apache-2.0
// What a run would take with one thing changed.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fmt/format.h>
#include <functional>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "process/image/file.hpp"
#include "process/run/report.hpp"
#include "rcce_emu/recordings.hpp"
#include "watch/explore/child_run.hpp"
#include "watch/record/why.hpp"

namespace rcce::record {
namespace {

/// The same program again with one thing changed.
struct Alternative {
  std::string name;     ///< "no contention"
  std::string how;      ///< "--contention off"; empty: no option does it
  std::string obstacle; ///< why there is no such run; then the options say nothing
  JobOptions options;
};

/// Nothing is recorded, and nothing is checked that takes no simulated time.
JobOptions plain(JobOptions job) {
  job.recording.records.clear();
  job.process.check_leaks = false;
  return job;
}

using Change = std::function<void(Alternative&)>;

void no_contention(Alternative& one) {
  constexpr std::string_view contention = "mesh.contention";
  mesh::MachineDescription& machine = one.options.machine;
  if (!machine.has(contention))
    one.obstacle = "this machine knows no contention";
  else if (machine.text(contention) == "off")
    one.obstacle = "the run has none";
  else
    machine.set(contention, "off");
}

void prefetching_copies(Alternative& one) {
  SoftwareCosts& costs = one.options.library.costs;
  const image::ImageFile program(one.options.program);
  if (costs.prefetches(program.variables().generation)) one.obstacle = "the run has them";
  costs.prefetch();
}

void fast_mesh(Alternative& one) {
  constexpr std::string_view clock = "mesh.clock";
  mesh::MachineDescription& machine = one.options.machine;
  if (!machine.has(clock)) {
    one.obstacle = "this machine has no such clock";
    return;
  }
  const double mhz = 2 * machine.number(clock);
  machine.set(clock, std::string_view(fmt::format("{}", mhz)));
  one.how = fmt::format("--set {}={}", clock, mhz);
}

void free_barriers(Alternative& one) {
  one.options.library.free_barriers = true;
}

void automatic_collectives(Alternative& one) {
  if (one.options.library.collectives == "auto") one.obstacle = "the run has them";
  one.options.library.collectives = "auto";
}

/// The result of a run, which a process hands on as bytes.
struct RunSummary {
  Outcome outcome = Outcome::stopped;
  int status = 0;
  Picoseconds end = 0, preparation = 0;
  char obstacle[1024] = {}; ///< cut where it is longer
};

RunSummary told_run(const JobOptions& options, RunJob run) {
  RunSummary told;
  try {
    const JobResult result = run(options);
    told.outcome = result.outcome;
    told.status = result.status;
    told.end = result.part_end.value_or(result.end);
    if (!result.part_end) told.preparation = result.preparation;
  } catch (const std::exception& error) {
    std::snprintf(told.obstacle, sizeof told.obstacle, "%s", error.what());
  }
  return told;
}

/// Standard input of the other runs: this process's where that can be read again, else a pipe that shows
/// whether somebody reads from it.
class Input {
 public:
  Input() : place_(lseek(STDIN_FILENO, 0, SEEK_CUR)) {
    const bool piped = place_ < 0 && pipe2(pipe_, O_CLOEXEC) == 0;
    if (piped && write(pipe_[1], "", 1) != 1) close(std::exchange(pipe_[0], -1));
    if (pipe_[1] >= 0) close(pipe_[1]);
  }
  ~Input() {
    if (place_ >= 0) lseek(STDIN_FILENO, place_, SEEK_SET);
    if (pipe_[0] >= 0) close(pipe_[0]);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  /// In the new process.
  void take() const {
    if (pipe_[0] >= 0) dup2(pipe_[0], STDIN_FILENO);
  }
  [[nodiscard]] bool lost() const {
    int left = 0;
    return pipe_[0] >= 0 && ioctl(pipe_[0], FIONREAD, &left) == 0 && left == 0;
  }

 private:
  off_t place_;
  int pipe_[2] = {-1, -1};
};

void take(const RunSummary& told, bool ended, WhatIf& made) {
  if (told.obstacle[0] != '\0')
    made.obstacle = told.obstacle;
  else if (!ended)
    made.obstacle = fmt::format("that run does not end (status {})", told.status);
  else {
    made.end = told.end;
    made.preparation = told.preparation;
  }
}

void run_in_process(Alternative& one, RunJob run, WhatIf& made) {
  one.options.output.sink = [](int, std::string_view) {};
  const RunSummary told = told_run(one.options, run);
  take(told, told.outcome == Outcome::finished && told.status == 0, made);
}

void run_in_child(const Alternative& one, RunJob run, WhatIf& made) {
  const Input input;
  int ends[2];
  std::fflush(nullptr);
  if (pipe2(ends, O_CLOEXEC) != 0) {
    made.obstacle = fmt::format("no pipe to its process: {}", std::strerror(errno));
    return;
  }
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    explore::Interrupts::leave_to_child();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    input.take();
    const RunSummary told = told_run(one.options, run);
    const bool written = write(ends[1], &told, sizeof told) == sizeof told;
    _exit(written ? 0 : 1);
  }
  explore::Interrupts::forward_to(std::max(child, 0));
  close(ends[1]);
  RunSummary told;
  const bool heard = child > 0 && TEMP_FAILURE_RETRY(read(ends[0], &told, sizeof told)) == sizeof told;
  close(ends[0]);
  int status = 0;
  if (child > 0) TEMP_FAILURE_RETRY(waitpid(child, &status, 0));
  explore::Interrupts::forward_to(0);
  if (input.lost())
    made.obstacle = "the program reads standard input, which is no file and so cannot be read again";
  else if (!heard)
    made.obstacle = "its process ended without a result";
  else
    take(told, told.outcome == Outcome::finished, made);
}

/// No contention, prefetching copies, a mesh at twice the clock, barriers that cost nothing, the collectives
/// that `auto` chooses: in this order. Nothing is recorded in their runs. Where the host's clock is in, two
/// runs differ by chance, and there are none.
std::vector<Alternative> alternatives(const JobOptions& job) {
  struct Row {
    const char *name, *how;
    void (*change)(Alternative&);
  };
  constexpr Row rows[] = {{"no contention", "--contention off", no_contention},
                          {"prefetching copies", "--set rcce.copies=prefetching", prefetching_copies},
                          {"mesh at twice the clock", "--set mesh.clock", fast_mesh},
                          {"free barriers", "", free_barriers},
                          {"automatic collectives", "--collectives auto", automatic_collectives}};
  std::vector<Alternative> all;
  for (const Row& row : rows) {
    Alternative& one = all.emplace_back(Alternative{row.name, row.how, "", plain(job)});
    if (job.library.compute == ComputeModel::host) {
      one.obstacle = "code between calls takes host time (--compute host), so two runs differ anyway";
      continue;
    }
    try {
      row.change(one);
    } catch (const std::exception& error) {
      one.obstacle = error.what();
    }
  }
  return all;
}

void check_interrupted() {
  const int signal = explore::Interrupts::signal();
  if (signal != 0)
    throw Interrupted(signal,
                      fmt::format("ended by signal {} ({}) during the runs of --why with one thing changed; "
                                  "the run itself had not begun (--what-if off leaves those runs out)",
                                  signal, run::signal_name(signal)));
}

} // namespace

std::vector<WhatIf> run_alternatives(const JobOptions& job, RunJob run) {
  std::vector<WhatIf> all;
  const bool embedded = job.output.sink != nullptr;
  std::optional<explore::Interrupts> interrupts;
  if (!embedded) interrupts.emplace();
  for (Alternative& one : alternatives(job)) {
    WhatIf& made = all.emplace_back(WhatIf{one.name, one.how, one.obstacle, std::nullopt});
    if (!one.obstacle.empty()) continue;
    if (embedded)
      run_in_process(one, run, made);
    else
      run_in_child(one, run, made);
    if (!embedded) check_interrupted();
  }
  return all;
}

} // namespace rcce::record
