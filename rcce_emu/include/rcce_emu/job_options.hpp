// SPDX-License-Identifier: Apache-2.0
// The options of a job: program, machine, cores, recordings.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mesh_sim/kernel/hold.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/units.hpp"
#include "rcce_emu/costs.hpp"
#include "rcce_emu/engine_options.hpp"

namespace mesh {
class Observer;
class Observers;
} // namespace mesh

namespace rcce {

using mesh::Picoseconds;

/// What a run records: options of recording_rows() (recordings.hpp) with their values, as {"matrix", "m.csv"}
/// or {"energy", ""}. Without a file, only the JobResult holds the recording.
using Records = std::map<std::string, std::string, std::less<>>;

enum class ComputeModel : std::uint8_t {
  none,   ///< code between library calls takes no simulated time
  blocks, ///< it takes the cycles of its basic blocks on the chip's core, which it counts
  cache,  ///< the same, and the time of its loads and stores that miss the first-level cache
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

/// Changes a run into another that the chip could have made: cores are delayed, by a seed or until another
/// core has acted.
struct Perturbation {
  std::uint64_t seed = 0;         ///< 0: no delays
  std::vector<mesh::Hold> orders; ///< single accesses that must wait for others
};

/// What a run records for the comparison with other runs of the same program.
struct ExploredRun {
  int fd = -1;                     ///< file that receives the record; -1: none
  bool accesses = false;           ///< with every access to shared state
  std::uint64_t most_accesses = 0; ///< a run with more accesses is ended; 0: no limit
  Picoseconds most_idle =
      0; ///< a longer wait on plain memory, while no UE accesses anything, ends the run; 0: no limit
};

/// The part of a run that is recorded. On each core it begins when the call `begins_after` returns, which
/// releases all cores at one instant, and ends when the next call `ends_with` returns. If there are several
/// such parts, `number` chooses one, counted from 0.
struct RecordedPart {
  std::string begins_after; ///< "rcce_sleep_until"
  std::string ends_with;    ///< "rcce_picoseconds"
  int number = 0;
};

/// How a run is disturbed, and what it records, for `--explore` and `--replay`.
struct InterferenceOptions {
  Perturbation perturbation; ///< sim engine only
  ExploredRun explored;
};

/// What is recorded of a run, and who watches it.
struct RecordOptions {
  Records records;
  /// The part that `matrix`, `why`, `profile` and `report` cover; empty: the whole run. With a part, the
  /// matrix also has the data that puts and gets copy between cores.
  std::optional<RecordedPart> part;
  /// Returns further observers, which must outlive the job; the argument knows the numbers of calls. Their
  /// allocations do not count as the program's.
  std::function<std::vector<mesh::Observer*>(mesh::Observers& told_by)> watch;
};

/// How a run was started, as text.
struct LaunchTexts {
  std::string command;            ///< the command line, for the report
  std::string clock = "0.533";    ///< core clock in GHz that the program is told
  std::vector<std::string> cores; ///< as the host file writes them ("00"); empty: two digits each
};

/// The library of each UE.
struct LibraryOptions {
  SoftwareCosts costs;
  /// Algorithms of the program's collective operations: "auto", or names
  /// ("bcast/mcast,reduce/f_nomial:degree=4"); empty: those of the library.
  std::string collectives;
  bool free_barriers = false; ///< RCCE_barrier costs nothing; sim engine only
  ComputeModel compute = ComputeModel::none;
  double compute_scale = 1.0;
  /// Of ComputeModel::blocks: what the program's loads and stores take, on average, beside a million cycles
  /// of its own code, which another run has measured (rccerun --memory-profile).
  Picoseconds memory_per_million_cycles = 0;
};

/// What each UE gets from the host.
struct ProcessOptions {
  Loading loading = Loading::automatic;
  std::size_t heap_bytes = std::size_t{4} << 30; ///< address space reserved per UE, not memory
  /// The next job of this process may have the pages of this one's heaps. For programs that leave the
  /// protection of their memory alone; without check_heap.
  bool keep_pages = false;
  bool check_heap = false;  ///< check the use of heaps; moves blocks, and so changes simulated times a little
  bool check_leaks = false; ///< with check_heap: blocks that are never freed are findings
  bool keep_going_after_crash = false; ///< a crash ends only its UE
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
  /// Memory of the caller that the program shares: rockcreek_job_data() returns this pointer in every UE.
  /// Null: none.
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
