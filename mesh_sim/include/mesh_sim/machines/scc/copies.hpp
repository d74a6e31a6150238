// SPDX-License-Identifier: Apache-2.0
// The simulated SCC's copies between MPBs and memory while they are under way: transfer.hpp says how one gets
// on.
//
// Invariant: bytes of an MPB are what they would be had every copy under way moved each line when that acted,
// for whoever asks for them after commit(). Knows the kernel, the costs, the probes and the traffic; not
// who waits for the bytes.
#pragma once

#include <vector>

#include "mesh_sim/machines/scc/traffic.hpp"
#include "mesh_sim/machines/scc/transfer.hpp"

namespace mesh::scc {

class Copies {
 public:
  using CoreState = SccCosts::CoreState;

  Copies(Kernel& kernel, SccCosts& costs, ProbeSet& probes, Traffic& traffic);
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  /// Begins a copy of the running core; finds out whether its own side is an MPB. One at a time for each
  /// core.
  Transfer& open(CoreState& core, const Transfer::Task& task);
  /// From the fiber whose copy it is, until that has come to its end.
  void carry(Transfer& transfer);
  /// The next event of a copy by the current core. Returns whether it is the last.
  bool step(int core) { return step(costs_.core_state(core), transfers_[static_cast<std::size_t>(core)]); }

  /// Moves the bytes of copies under way, as far as they have come, before somebody reads these of an MPB, or
  /// writes them.
  void commit(int target, std::size_t offset, std::size_t bytes, bool writing) noexcept {
    if (!movers_[static_cast<std::size_t>(target)].empty()) commit_movers({target, offset}, bytes, writing);
  }
  /// The same for the side of a copy that is most often private memory.
  void commit(const void* own, std::size_t bytes, bool writing) noexcept;
  void commit_all() noexcept;
  /// The same before the kernel compares words that somebody polls; runs end before lines that write them.
  void settle();

  /// Tells of the side of a copy that is not the MPB that it was called for.
  void own_side_acts(const void* own, std::size_t bytes, bool write);

  /// Lines of runs that have acted are counted as what they took: a clock changes.
  void tell_runs();
  /// Copies to and from the tile, under way or to come, meet its port at its new pace, and those of its cores
  /// read at their new one.
  void change_clock(int tile);

 private:
  using MemoryPlacement = SccCosts::MemoryPlacement;
  using Work = SccCosts::Work;

  [[nodiscard]] bool step_by_itself() const noexcept;
  void survey(CoreState& core, Transfer& transfer, MemoryPlacement place);
  void join_movers(int self, Transfer& transfer);
  bool step(CoreState& core, Transfer& transfer);
  bool step_run(CoreState& core, Transfer& transfer);
  void end_run(CoreState& core, Transfer& transfer);
  static void learn(Transfer::Patience& patience, std::uint32_t lines) noexcept;
  void close(Transfer& transfer);
  Work own_side(CoreState& core, Transfer& transfer, std::size_t bytes);
  Work whole_side(CoreState& core, const Transfer& transfer);
  const Work& next_line(const CoreState& core, Transfer& transfer) const noexcept;
  static void pass_lines(Transfer& transfer, std::uint32_t lines) noexcept;
  [[nodiscard]] std::uint32_t first_polled(const Transfer& transfer, std::uint32_t lines) const noexcept;
  void line_acts(const Transfer& transfer, std::size_t from, std::size_t bytes);
  void move_at_once(Transfer& transfer, std::size_t n);
  void move_bytes(Transfer& transfer, std::size_t to) noexcept;
  void commit_movers(SccCosts::Spot first, std::size_t bytes, bool writing) noexcept;

  Kernel& kernel_;
  SccCosts& costs_;
  ProbeSet& probes_;
  Traffic& traffic_;
  bool contention_;
  bool by_line_;                         ///< granularity: each line is an event
  std::vector<Transfer> transfers_;      ///< the last one of each core
  std::vector<std::vector<int>> movers_; ///< by core whose MPB it is: cores whose transfer is under way
};

} // namespace mesh::scc
