// SPDX-License-Identifier: Apache-2.0
// What one run leaves for the comparison of runs: how its UEs ended, what they printed, what they left in
// memory and, on request, what they accessed in which order. Written by the run, read by the process that
// compares.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mesh_sim/observe/events.hpp"
#include "rcce_emu/engine.hpp"

namespace rcce::explore {

/// An access as it acted, or a segment of one. Plain bytes.
struct TracedAccess {
  using Kind = mesh::Access::Kind;
  Picoseconds at = 0;
  std::uint64_t number = 0;        ///< number among the core's accesses in the order of its program, from 0
  std::uint64_t message_bytes = 0; ///< size in the call that made it
  std::uint64_t code = 0;          ///< place in the file, of the program's own access
  std::uint64_t value = 0;         ///< the first bytes of what is written; `valued` of them are known
  std::uint32_t sequence = 0;      ///< order of accesses at one instant: smaller first
  std::uint32_t offset = 0, bytes = 0, mask = 0;
  std::uint32_t wanted = 0; ///< the library's wait or poll: the value of the masked bits
  std::int32_t core = -1, target = -1;
  std::int32_t peer = -1; ///< the call's peer
  std::uint16_t call = 0; ///< in RunRecord::names
  std::uint16_t flag = 0; ///< the flag that the call waits for, in RunRecord::names
  Kind kind = Kind::load;
  std::uint8_t valued = 0;
  bool write = false, done = true, delivered = false;
  bool waits = false;   ///< looks until it sees what it waits for: with its number, the last round
  bool unequal = false; ///< true if any other value ends the wait
};

struct UeRecord {
  int core = -1;
  int status = 0;
  bool ended = false;
  std::uint64_t buffer =
      0;              ///< hash of its message-passing buffer at the end, where the program has a part in it
  std::string output; ///< on standard output
  std::size_t timed_from = std::string::npos; ///< position of its first line after it has asked for the time
};

struct RunRecord {
  int status = 0;
  Outcome outcome = Outcome::finished;
  bool endless = false;            ///< ended because it made more accesses than it was allowed
  bool impossible = false;         ///< with a wanted order everybody else has come to a standstill
  bool impatient = false;          ///< a wanted order was given up, though others went on
  bool asked_time = false;         ///< some UE has asked for the time, finer than in seconds
  bool knows_time = false;         ///< some UE has asked for it at all, or waits for an instant
  std::uint64_t shared_memory = 0; ///< hash of its contents at the end
  std::uint64_t accesses = 0;
  Picoseconds end = 0;            ///< the latest clock of any UE
  std::vector<UeRecord> ues;      ///< by rank
  bool pointers = false;          ///< the program was handed pointers to memory that UEs share
  bool observed = false;          ///< it tells its own loads and stores
  std::set<std::string> given_to; ///< code that does not was given such pointers
  /// Values that differ from run to run and that some UE has asked the host for.
  std::set<std::string> host_values;
  /// Files and memory of the host that one UE can write and another has opened too.
  std::set<std::string> met_outside;
  std::set<std::string> written;   ///< files and memory of the host that some UE can have written
  std::string program;             ///< its file
  bool trace_full = false;         ///< further accesses are not in the trace
  std::vector<TracedAccess> trace; ///< in the order in which they acted
  std::vector<std::string> names;  ///< the first is empty

  /// Replaces what the file holds. False where it cannot be written.
  bool write(int fd) const;
  /// Nothing where the file holds no complete record.
  [[nodiscard]] static std::optional<RunRecord> read(int fd);
};

} // namespace rcce::explore
