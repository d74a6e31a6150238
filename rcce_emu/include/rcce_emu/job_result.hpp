// SPDX-License-Identifier: Apache-2.0
// The result of a job.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mesh_sim/units.hpp"
#include "rcce_emu/engine_options.hpp"

namespace mesh {
struct Statistic;
using Statistics = std::vector<Statistic>;
} // namespace mesh

namespace rcce {

using mesh::Picoseconds;

namespace record {
class Recording; // one, of one run: src/watch/record/recording.hpp
}

struct UeResult {
  int rank = -1;
  int core = -1;
  int status = 0;               ///< exit status, 128 + n after signal n
  bool ended = false;           ///< false if the run was over before the UE ended
  Picoseconds end = 0;          ///< its clock at the end
  Picoseconds computed = 0;     ///< part of `end`: its own code (ComputeModel::blocks)
  Picoseconds waited = 0;       ///< part of `end`: asleep (likewise, if the engine has contention)
  std::uint64_t own_cycles = 0; ///< that its own code has counted (likewise)
  Picoseconds memory = 0; ///< part of `computed`: its loads and stores that missed the first-level cache
  Picoseconds l2 = -1;    ///< part of `memory`: what the second-level cache had; -1: not known
};

/// A UE that has not ended at the end of the run.
struct UnfinishedUe {
  int rank = -1;
  bool waits = false;    ///< asleep, or polling a value that does not change
  Picoseconds since = 0; ///< when its wait began, or its last event
  int waits_for = -1;    ///< rank; -1: nobody in particular
  bool in_cycle = false; ///< with others that wait for each other
  std::string where;     ///< "RCCE_send to rank 3, 64 bytes, waiting for flag ready"
};

/// A message that has not been received in full at the end of the run.
struct UnfinishedMessage {
  int sender = -1, receiver = -1; ///< ranks; sender -1: any
  std::size_t bytes = 0;
  bool sent = false;     ///< true if its sender has begun; otherwise only its receiver has
  Picoseconds begin = 0; ///< when that side began
  std::string call;      ///< the call of that side
};

struct JobResult {
  int status = 0; ///< the job's: the lowest failing rank's, or one of statuses.hpp
  Outcome outcome = Outcome::finished;
  int interrupted_by = 0;    ///< the signal from outside the program that has ended the run; 0: none
  std::vector<UeResult> ues; ///< by rank
  Picoseconds end = 0;       ///< the latest clock of any UE
  std::optional<Picoseconds> part_end; ///< length of the recorded part
  /// If the program's own code counts cycles: by which table, compilers and levels of optimisation.
  std::string counted_by;
  std::uint64_t digest = 0; ///< record `digest`: a hash of order, time and bytes of all accesses
  std::uint64_t events = 0;
  std::size_t findings = 0; ///< distinct ones of `check`, places of `check_leaks`
  /// Time to prepare the collectives that replace the library's; the least of any UE.
  Picoseconds preparation = 0;
  bool asked_time = false;    ///< some UE read the simulated time, so `compute` matters to the reader
  bool observed = false;      ///< all of the program has been compiled by rccecc --observe
  bool unseen_stores = false; ///< the program has shared memory, and code whose plain stores are not seen
  /// In words, where UEs that ran at the same time had simulated clocks: what has been done whose order the
  /// host decides, and the times with it. Empty: all times are those of every run.
  std::string host_order;
  std::string report; ///< deadlock, crash and end reports, as written to stderr by the launcher
  // Of a run that records something and did not reach its end:
  std::vector<UnfinishedUe> unfinished;         ///< by rank
  std::vector<UnfinishedMessage> open_messages; ///< by rank of the side that has begun

  /// The numbers of the recording of this name: "statistics", "matrix" (pair.messages and pair.bytes, with
  /// the ranks as labels sender and receiver), "links" (link.*, mpb_port.*, controller.*) or "profile"
  /// (profile.*, labels function, place, call). Empty if the run has no such recording.
  [[nodiscard]] const mesh::Statistics& table(std::string_view recording) const;
  /// The text of a recording: of "why", of "profile", and the figures of "report", a JSON array that
  /// rcce_emu/report/README.md describes.
  [[nodiscard]] const std::string& text(std::string_view recording) const;
  std::vector<std::shared_ptr<record::Recording>> recordings; ///< in the order of their rows
};

} // namespace rcce
