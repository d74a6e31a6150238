// SPDX-License-Identifier: Apache-2.0
// Records the accesses of a run as they act, for the comparison of runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "mesh_sim/machines/machine.hpp"
#include "mesh_sim/observe/intervention.hpp"
#include "mesh_sim/observe/observer.hpp"
#include "watch/explore/record.hpp"

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

  [[nodiscard]] mesh::EventMask wants() const override {
    return mesh::EventMask::acts | mesh::EventMask::own;
  }
  void acted(const mesh::Access& access) override;
  void touched(const mesh::Touch& touch) override;

  /// The waiting loop that the core was in has come to its end: its last round is what counts of it.
  void loop_ended(int core);
  /// After the run, of a core that is still blocked: its looks have found nothing.
  void left_waiting(int core, const mesh::Machine::WaitCondition& waits_for);
  /// After the run and that.
  void finish();

  /// Offsets in buffers that RCCE_finalize has written.
  [[nodiscard]] const std::set<std::size_t>& last_bytes() const noexcept { return last_bytes_; }

 private:
  void trace(const mesh::Access& access);
  void keep(const TracedAccess& traced);
  void look(const TracedAccess& traced, unsigned read);
  [[nodiscard]] std::uint16_t name(const char* text);

  const Interference& interference_;
  RunRecord& record_;
  const bool trace_;
  /// By core: the looks of a waiting loop's present round, with the number of the read.
  std::vector<std::vector<std::pair<unsigned, TracedAccess>>> rounds_;
  std::uint32_t sequence_ = 0;
  std::set<std::size_t> last_bytes_;
  std::map<const char*, std::uint16_t> names_;
  Job* job_ = nullptr;
};

} // namespace rcce::explore
