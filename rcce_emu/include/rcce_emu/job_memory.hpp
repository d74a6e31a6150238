// SPDX-License-Identifier: Apache-2.0
// What the UEs of one job tell one another past buffers, registers and counters of the machine: who sends how
// much, for checks; who has a lock, for reports; when the voltage regulator is free; who has come to its end.
// Where all cores live in one process this is memory of it; an engine whose cores live in several keeps it
// elsewhere. Costs no simulated time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "mesh_sim/units.hpp"

namespace rcce {

/// The message that a blocking call sends, or has sent last; read by the partner's checks only, once it has
/// seen the flag of that message.
struct Outgoing {
  static constexpr int to_all = -2; ///< as the peer: to all other UEs at once
  int peer = -1;                    ///< rank
  std::size_t bytes = 0;
  const char* call = nullptr; ///< that sends it: a text of the runtime's own
  bool operator==(const Outgoing&) const = default;
};

/// A UE that takes part in nothing any more: it waits in RCCE_finalize, or has ended without it.
struct Departure {
  struct Flag {
    std::size_t offset = 0; ///< in its core's message-passing buffer
    std::uint32_t mask = 0;
  };
  int core = -1;
  bool waits = false;
  mesh::Picoseconds at = 0; ///< its clock
  Flag gather{}, release{}; ///< the flags of the barrier among all at which it waits
  int value = 0;            ///< value that it waits for in its release flag
};

class JobMemory {
 public:
  virtual ~JobMemory() = default;

  /// From the core's own context.
  virtual void set_outgoing(int core, const Outgoing& message) = 0;
  /// Valid until the calling context's next call.
  [[nodiscard]] virtual const Outgoing& outgoing(int core) const = 0;

  /// Rank that holds the test-and-set register of a core; -1: none. From the context of who takes or frees
  /// it.
  virtual void set_lock_holder(int core, int rank) = 0;
  [[nodiscard]] virtual int lock_holder(int core) const = 0;

  /// The one voltage regulator takes requests one after the other: when this one, made at `now`, is done.
  [[nodiscard]] virtual mesh::Picoseconds take_regulator(mesh::Picoseconds now,
                                                         mesh::Picoseconds duration) = 0;

  /// Lets those who wait go on. Called once in a job.
  using Release = std::function<void(const std::vector<Departure>& waiting)>;
  /// The calling core's UE takes part in nothing any more. Once all have come so far, `release` of the one
  /// that came last by its clock is called with those that wait, itself among them: in its own context where
  /// it waits. True for that one; all others that wait are to wait for their release flags.
  virtual bool depart(const Departure& own, Release release) = 0;
};

} // namespace rcce
