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
  none,   ///< code between library calls takes no simulated time
  blocks, ///< it takes what it counts: the cycles of its blocks on the chip's core
  cache,  ///< beside that, what its loads and stores take that miss the first-level cache
  host,   ///< it takes the host thread's time times `compute_scale`; not deterministic
};

/// Whether the program's own code takes the cycles that it counts.
[[nodiscard]] constexpr bool counts(ComputeModel model) noexcept {
  return model == ComputeModel::blocks || model == ComputeModel::cache;
}

enum class Loading : std::uint8_t {
  automatic, ///< dlopen copies up to 512 UEs, clones above
  dlopen,
  clone,
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

/// How a run is disturbed, and what it leaves, for `--explore` and `--replay`.
struct InterferenceOptions {
  Perturbation perturbation; ///< of the sim engine
  ExploredRun explored;
};

/// What is recorded of a run, and who watches it.
struct RecordOptions {
  Records records;
  /// Of what `matrix`, `why`, `profile` and `report` tell; empty: all of the run. The matrix then has what
  /// is copied from core to core, too, where no message goes.
  std::optional<RecordedPart> part;
  /// Gives further observers, which outlive the job; the argument knows the numbers of calls. What they
  /// allocate is not the program's.
  std::function<std::vector<mesh::Observer*>(mesh::Observers& told_by)> watch;
};

/// How a run was started, as text.
struct LaunchTexts {
  std::string command;            ///< what it was started by, for its report
  std::string clock = "0.533";    ///< nominal core clock in GHz, as the program is told
  std::vector<std::string> cores; ///< as the host file writes them ("00"); empty: two digits each
};

/// The library of each UE.
struct LibraryOptions {
  SoftwareCosts costs;
  /// What does the program's collective operations: "auto", or names
  /// ("bcast/mcast,reduce/f_nomial:degree=4"); empty: the library's own.
  std::string collectives;
  bool free_barriers = false; ///< RCCE_barrier costs nothing; sim engine only
  ComputeModel compute = ComputeModel::none;
  double compute_scale = 1.0;
};

/// What each UE has of the host.
struct ProcessOptions {
  Loading loading = Loading::automatic;
  std::size_t heap_bytes = std::size_t{4} << 30; ///< address space reserved per UE, not memory
  bool check_heap = false;  ///< watch how heaps are used; moves the blocks, and so simulated times a little
  bool check_leaks = false; ///< with it: blocks that are never freed are findings
  bool keep_going_after_crash = false; ///< a crash ends that UE only
};

/// Where the UEs' output goes.
struct OutputOptions {
  bool tag = false; ///< prefix each line with "[rank] "
  /// Receives whole lines in simulated-time order; fd is 1 or 2. Empty: the process's own descriptors.
  std::function<void(int fd, std::string_view text)> sink;
};

struct JobOptions {
  std::string program;                ///< path of an image built by rccecc
  std::vector<std::string> arguments; ///< the program's own arguments
  /// Memory of the caller's, for programs that know what lies there: rockcreek_job_data() gives it to every
  /// UE. Null: none.
  void* data = nullptr;
  std::vector<int>
      cores; ///< physical cores, one per UE, in host-file order; ranks follow ascending core number
  mesh::MachineDescription machine;
  EngineOptions engine;
  LibraryOptions library;
  ProcessOptions process;
  OutputOptions output;
  RecordOptions recording;
  InterferenceOptions interference;
  LaunchTexts launch;
  double timeout_seconds = 0; ///< host time; 0: none
};

} // namespace rcce
