// SPDX-License-Identifier: Apache-2.0
// Makes one run of a program in a process of its own and collects what it leaves. The program's output goes
// nowhere: it is in the record.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "rcce_emu/interference_options.hpp"
#include "watch/explore/explore_options.hpp"
#include "watch/explore/record.hpp"

namespace rcce::explore {

/// Limits at which a run is given up. 0: no limit.
struct Limits {
  std::uint64_t accesses = 0;
  Picoseconds idle = 0;    ///< waiting for plain memory while nobody accesses shared state
  double host_seconds = 0; ///< then it reports where it is; what cannot even do that is killed later
};

struct ChildRun {
  int status = 0;        ///< exit status of the process, 128 + n after signal n
  bool too_long = false; ///< the limit of host time has passed
  double host_seconds = 0;
  std::string errors;              ///< its standard error
  std::optional<RunRecord> record; ///< nothing where the run did not begin, or was killed
};

/// Throws mesh::UserError where the process cannot be started.
[[nodiscard]] ChildRun run_child(const Start& start, const Perturbation& perturbation, bool accesses,
                                 const Limits& limits);

/// While it lives, SIGINT, SIGTERM and SIGHUP end the run that is being made, and are remembered.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  /// 0: none has come.
  [[nodiscard]] static int signal() noexcept;
  /// The process that makes a run, which leads a group of its own from now on; 0: it has ended.
  static void forward_to(pid_t child) noexcept;
  /// In the new process: signals are its own again.
  static void leave_to_child() noexcept;
};

} // namespace rcce::explore
