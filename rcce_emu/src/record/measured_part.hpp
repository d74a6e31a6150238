// SPDX-License-Identifier: Apache-2.0
// Stands between a run and its observers, and lets through what belongs to the part that
// RecordOptions::part names, on each core its own, with times from that part's beginning on: observers
// hear of a run that begins at 0 with the release and ends with the last core.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh_sim/observe/observers.hpp"
#include "rcce_emu/job_options.hpp"

namespace rcce::record {

using mesh::Picoseconds;

class MeasuredPart final : public mesh::Observer {
 public:
  /// `told_by` tells this observer, and knows the numbers of calls.
  MeasuredPart(const RecordedPart& part, int cores, mesh::Observers& told_by);

  /// Before this is added to those who are told: who hears of the part.
  void add(mesh::Observer& observer) { inner_.add(observer); }

  [[nodiscard]] mesh::EventMask wants() const override {
    return inner_.wanted() | mesh::EventMask::calls | mesh::EventMask::cores;
  }
  void call_begins(const mesh::Call& call) override;
  void call_ends(const mesh::Call& call) override;
  void message(const mesh::Message& message) override;
  void issued(const mesh::Access& access) override;
  void acted(const mesh::Access& access) override;
  void ended(const mesh::Access& access, Picoseconds begin) override;
  void wait_begins(const mesh::Wait& wait) override;
  void wait_ends(const mesh::Wait& wait) override;
  void served(const mesh::Service& service) override;

  // After the run:
  /// The end of a core's part, once it has left it; 0: it took no part.
  [[nodiscard]] Picoseconds end(int core) const noexcept {
    return cores_[static_cast<std::size_t>(core)].end;
  }
  /// Until the last core has.
  [[nodiscard]] Picoseconds end() const noexcept;

 private:
  struct PerCore {
    int number = -1;     ///< number of the part that has begun last
    bool between = true; ///< the next `begins_after` begins a part
    bool inside = false;
    Picoseconds end = 0;
  };
  [[nodiscard]] bool inside(int core) const noexcept {
    return core >= 0 && cores_[static_cast<std::size_t>(core)].inside;
  }
  [[nodiscard]] mesh::Access shifted(mesh::Access access) const noexcept;
  [[nodiscard]] mesh::Wait shifted(mesh::Wait wait) const noexcept;

  int begins_after_, ends_with_, wanted_;
  Picoseconds origin_ = -1; ///< the instant at which the part begins; -1: not yet
  std::vector<PerCore> cores_;
  mesh::Observers inner_;
};

} // namespace rcce::record
