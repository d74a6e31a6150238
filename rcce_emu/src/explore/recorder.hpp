// SPDX-License-Identifier: Apache-2.0
// Records the accesses of a run as they act, for the comparison of runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "explore/record.hpp"
#include "mesh_sim/observe/observer.hpp"

namespace rcce {
class Job;
}

namespace rcce::explore {

class Interference;

class Recorder final : public mesh::Observer {
 public:
  /// Adds to the record; all live as long as the run. `trace`: with every access.
  Recorder(const Interference& interference, RunRecord& record, int cores, bool trace);
  /// Before the run.
  void attach(Job& job) { job_ = &job; }

  [[nodiscard]] mesh::Told wants() const override { return mesh::Told::acts; }
  void acted(const mesh::Access& access) override;

  /// Offsets in buffers that RCCE_finalize has written.
  [[nodiscard]] const std::set<std::size_t>& last_bytes() const noexcept { return last_bytes_; }

 private:
  void trace(const mesh::Access& access);
  [[nodiscard]] std::uint16_t name(const char* text);

  /// The last look of a loop that waits for plain memory.
  struct Look {
    std::uint64_t number = 0; ///< of the access
    std::size_t trace = 0;    ///< where it is recorded, from 1
  };
  const Interference& interference_;
  RunRecord& record_;
  const bool trace_;
  std::vector<Look> looks_; ///< by core
  std::set<std::size_t> last_bytes_;
  std::map<const char*, std::uint16_t> names_;
  Job* job_ = nullptr;
};

} // namespace rcce::explore
