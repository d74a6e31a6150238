// SPDX-License-Identifier: Apache-2.0
// What has come of a job.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mesh_sim/observe/statistics.hpp"
#include "rcce_emu/engine.hpp"

namespace rcce {

namespace record {
class Recording; // one, of one run: src/record/recording.hpp
}

struct UeResult {
  int rank = -1;
  int core = -1;
  int status = 0;           ///< exit status, 128 + n after signal n
  bool ended = false;       ///< false when the run was over before it ended
  Picoseconds end = 0;      ///< its clock at the end
  Picoseconds computed = 0; ///< of that, its own code (ComputeModel::blocks)
  Picoseconds waited = 0;   ///< of that, asleep (likewise, where the engine is contended)
};

/// A UE that has not ended when the run is over.
struct UnfinishedUe {
  int rank = -1;
  bool waits = false;    ///< asleep, or looking again and again at what stays as it is
  Picoseconds since = 0; ///< it waits, or has not been heard of
  int waits_for = -1;    ///< rank; -1: nobody in particular
  bool in_cycle = false; ///< with others that wait for each other
  std::string where;     ///< "RCCE_send to rank 3, 64 bytes, waiting for flag ready"
};

/// A message that has not been received in full when the run is over.
struct UnfinishedMessage {
  int sender = -1, receiver = -1; ///< ranks; sender -1: any
  std::size_t bytes = 0;
  bool sent = false;     ///< its sender has begun; else only its receiver has
  Picoseconds begin = 0; ///< of that side
  std::string call;      ///< likewise
};

struct JobResult {
  int status = 0; ///< of the job: lowest failing rank's status; 121 deadlock, 124 timeout, 125 findings, 128
                  ///< + n signal
  Outcome outcome = Outcome::finished;
  std::vector<UeResult> ues;           ///< by rank
  Picoseconds end = 0;                 ///< the latest clock of any UE
  std::optional<Picoseconds> part_end; ///< of the part that is recorded, from its beginning on
  /// Where the program's own code counts: by which table, compilers and levels of optimisation.
  std::string counted_by;
  std::uint64_t digest = 0;            ///< by `digest`: over order, time and bytes of every access
  std::uint64_t events = 0;
  std::size_t findings = 0; ///< distinct ones of `check`, places of `check_leaks`
  bool asked_time = false;  ///< some UE asked for simulated time: what `compute` counts matters to the reader
  std::string report;       ///< deadlock, crash and end reports, as written to stderr by the launcher
  // Of a run that records something and has not come to its end:
  std::vector<UnfinishedUe> unfinished;         ///< by rank
  std::vector<UnfinishedMessage> open_messages; ///< by rank of the side that has begun

  /// What the recording of this name has in numbers: of "statistics", "matrix" (pair.messages and pair.bytes,
  /// labels sender and receiver, ranks), "links" (link.*, mpb_port.*, controller.*) and "profile"
  /// (profile.*, labels function, place, call). Empty where the run has no such recording.
  [[nodiscard]] const mesh::Statistics& table(std::string_view recording) const;
  /// The same as text: of "why" and of "profile", and the figures of "report", a JSON array as
  /// rcce_emu/report/README.md has it.
  [[nodiscard]] const std::string& text(std::string_view recording) const;
  std::vector<std::shared_ptr<record::Recording>> recordings; ///< in the order of their rows
};

} // namespace rcce
