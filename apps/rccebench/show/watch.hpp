// SPDX-License-Identifier: Apache-2.0
// What is kept of a run that is shown.
#pragma once

#include <map>
#include <vector>

#include "mesh_sim/observe/call_traits.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "mesh_sim/observe/rounds.hpp"
#include "show/recording.hpp"

namespace rccebench::show {

/// Keeps the rounds of a run, and when each core was inside of the operation that is shown.
class Watch final : public mesh::Observer {
 public:
  [[nodiscard]] mesh::EventMask wants() const override { return mesh::EventMask::calls; }
  void call_begins(const mesh::Call& call) override {
    if (call.kind == leaves_ && open_.contains(call.core)) close(call);
    if (has(call.traits, mesh::CallTraits::collective) && leaves_ < 0) open_[call.core] = call.at;
  }
  void call_ends(const mesh::Call& call) override {
    if (call.kind == enters_) open_[call.core] = call.at;
    if (has(call.traits, mesh::CallTraits::collective) && leaves_ < 0) close(call);
  }
  [[nodiscard]] std::vector<mesh::Observer*> both() { return {this, &rounds}; }
  /// The program of the collectives sleeps until the release, does the operation, and looks at the clock.
  [[nodiscard]] std::vector<mesh::Observer*> for_program(mesh::Observers& told_by) {
    enters_ = told_by.call_kind("rcce_sleep_until");
    leaves_ = told_by.call_kind("rcce_picoseconds");
    return both();
  }

  std::map<int, mesh::RoundWindow> windows; ///< by core: the last time
  mesh::Rounds rounds;

 private:
  void close(const mesh::Call& call) {
    windows[call.core] = {call.core, open_[call.core], call.at};
    open_.erase(call.core);
  }
  std::map<int, mesh::Picoseconds> open_;
  int enters_ = -1, leaves_ = -1;
};

/// Edges between ranks, from the beginning of the operation on, and its end.
void take_edges(Recording& recording, const mesh::Rounds& rounds,
                const std::map<int, mesh::RoundWindow>& windows);

} // namespace rccebench::show
