// SPDX-License-Identifier: Apache-2.0
// What a job is: program, machine, cores, what it records.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/parts/access.hpp"
#include "rcce_emu/costs.hpp"
#include "rcce_emu/engine.hpp"

namespace mesh {
class Observer;
class Observers;
} // namespace mesh

namespace rcce {

/// What a run records: options of recording_rows() (recordings.hpp) with their values. {"matrix", "m.csv"},
/// {"energy", ""}; without a file the result has it alone.
using Records = std::map<std::string, std::string, std::less<>>;

enum class ComputeModel : std::uint8_t {
  none, ///< code between library calls takes no simulated time
  host, ///< it takes the host thread's time times `compute_scale`; not deterministic
};

enum class Loading : std::uint8_t {
  automatic, ///< dlopen copies up to 512 UEs, clones above
  dlopen,
  clone,
};

enum class EngineKind : std::uint8_t {
  sim,     ///< simulated time on fibers in one thread
  threads, ///< a thread per UE
  mpi,     ///< a process of an MPI job per UE
};

/// What the threads engine's UEs are told when they ask for the time.
enum class TimeSource : std::uint8_t {
  wall,      ///< the host's
  simulated, ///< that of the simulated machine, without contention
};

/// Makes a run another one that the chip could have made: cores are late, by a seed or until another has
/// acted.
struct Perturbation {
  std::uint64_t seed = 0;         ///< 0: no delays
  std::vector<mesh::Hold> orders; ///< single accesses that wait for others
};

/// What a run leaves for the comparison with other runs of the same program.
struct ExploredRun {
  int fd = -1;                     ///< file that receives the record; -1: none
  bool accesses = false;           ///< with every access to shared state
  std::uint64_t most_accesses = 0; ///< more of them end the run; 0: any number
  Picoseconds most_idle =
      0; ///< so much waiting on plain memory while nobody accesses anything ends it; 0: any
};

/// The part of a run that is recorded: on each core from where the one call returns, by which all go on at
/// one instant, until the next call of the other has; of several such parts the one of that number, from 0
/// on.
struct RecordedPart {
  std::string begins_after; ///< "rcce_sleep_until"
  std::string ends_with;    ///< "rcce_picoseconds"
  int number = 0;
};

struct JobOptions {
  std::string program; ///< path of an image built by rccecc
  std::vector<int>
      cores; ///< physical cores, one per UE, in host-file order; ranks follow ascending core number
  std::vector<std::string>
      core_texts;                     ///< the same as written in the host file ("00"); empty: two digits each
  std::string clock = "0.533";        ///< nominal core clock in GHz, passed on as text
  std::vector<std::string> arguments; ///< the program's own arguments
  /// Memory of the caller's, for programs that know what lies there: rockcreek_job_data() gives it to every
  /// UE. Null: none.
  void* data = nullptr;
  /// What does the program's collective operations: "auto", or names
  /// ("bcast/mcast,reduce/f_nomial:degree=4"); empty: the library's own.
  std::string collectives;
  mesh::MachineDescription machine;
  SoftwareCosts costs;
  EngineKind engine = EngineKind::sim;
  TimeSource time = TimeSource::wall; ///< of the threads engine; the other knows simulated time only
  ComputeModel compute = ComputeModel::none;
  double compute_scale = 1.0;
  Loading loading = Loading::automatic;
  std::size_t stack_bytes = std::size_t{16} << 20;
  std::size_t heap_bytes = std::size_t{4} << 30; ///< address space reserved per UE, not memory
  std::size_t shared_memory_bytes = std::size_t{64} << 20;
  bool tag_output = false;    ///< prefix each line with "[rank] "
  double timeout_seconds = 0; ///< host time; 0: none
  bool free_barriers = false; ///< RCCE_barrier costs nothing; sim engine only
  Records records;
  /// Of what `matrix`, `why`, `profile` and `report` tell; empty: all of the run. The matrix then has what
  /// is copied from core to core, too, where no message goes.
  std::optional<RecordedPart> part;
  std::string command;       ///< what the run was started by, for its report
  bool check_heap = false;   ///< watch how heaps are used; moves the blocks, and so simulated times a little
  bool check_leaks = false;  ///< with it: blocks that are never freed are findings
  Perturbation perturbation; ///< of the sim engine
  ExploredRun explored;
  bool keep_going_after_crash = false; ///< a crash ends that UE only
  /// Receives the UEs' output, whole lines in simulated-time order; fd is 1 or 2. Empty: the process's own
  /// descriptors.
  std::function<void(int fd, std::string_view text)> output;
  /// Gives further observers, which outlive the job; the argument knows the numbers of calls. What they
  /// allocate is not the program's.
  std::function<std::vector<mesh::Observer*>(mesh::Observers& told_by)> watch;
};

} // namespace rcce
