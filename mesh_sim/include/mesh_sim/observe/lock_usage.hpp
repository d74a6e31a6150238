// SPDX-License-Identifier: Apache-2.0
// How often and how long each test-and-set register is held, and who waits for it meanwhile.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh_sim/observe/observer.hpp"
#include "mesh_sim/observe/statistics.hpp"

namespace mesh {

inline constexpr StatisticKind lock_taken{"lock.taken", "1", "how often the core's lock was taken"},
    lock_held{"lock.held", "us", "from taking the core's lock until its release, in all"},
    lock_waiting{"lock.waiting", "us", "asleep until the core's lock was free, of all cores"},
    lock_most_waiting{"lock.most_waiting", "cores",
                      "most cores that waited for the core's lock at one moment"};

class LockUsage final : public Observer {
 public:
  struct Lock {
    int core = -1;           ///< whose register
    std::uint64_t taken = 0; ///< how often
    int waiting = 0;         ///< the most cores at one time
    Picoseconds held = 0;    ///< in all
    Picoseconds waited = 0;  ///< likewise, of all cores
  };

  explicit LockUsage(int cores) : locks_(static_cast<std::size_t>(cores)) {}

  [[nodiscard]] EventMask wants() const override {
    return EventMask::issues | EventMask::ends | EventMask::waits;
  }
  void issued(const Access& access) override;
  void ended(const Access& access, Picoseconds begin) override;
  void wait_begins(const Wait& wait) override;
  void wait_ends(const Wait& wait) override;

  /// After the run, those that were taken: the longest held first. What is held then was so until `end`.
  [[nodiscard]] std::vector<Lock> locks(Picoseconds end) const;
  void report(Statistics& to, Picoseconds end) const;

 private:
  struct State {
    Lock sums;
    Picoseconds since = -1; ///< when it was taken; -1: it is free
    int waiting = 0;        ///< cores at present
  };
  [[nodiscard]] State& lock(int core) { return locks_[static_cast<std::size_t>(core)]; }

  std::vector<State> locks_; ///< by core
};

} // namespace mesh
