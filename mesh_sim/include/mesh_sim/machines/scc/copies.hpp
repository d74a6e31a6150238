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
  void commit(int target, std::size_t offset, std::size_t bytes, bool writing, Picoseconds at) noexcept {
    if (!movers_[static_cast<std::size_t>(target)].empty())
      commit_movers({target, offset}, bytes, writing, at);
  }
  /// The same for the side of a copy that is most often private memory.
  void commit(const void* own, std::size_t bytes, bool writing, Picoseconds at) noexcept;
  void commit_all(Picoseconds at) noexcept;

  /// Tells of the side of a copy that is not the MPB that it was called for.
  void own_side_acts(const void* own, std::size_t bytes, bool write);

  /// Copies to and from the tile, under way or to come, meet its port at its new pace.
  void renew_port(int tile) noexcept;

 private:
  using MemoryPlacement = SccCosts::MemoryPlacement;
  using Work = SccCosts::Work;

  [[nodiscard]] bool step_by_itself() const noexcept;
  void survey(CoreState& core, Transfer& transfer, MemoryPlacement place);
  void join_movers(int self, Transfer& transfer);
  bool step(CoreState& core, Transfer& transfer);
  void step_block(CoreState& core, Transfer& transfer);
  void close(Transfer& transfer);
  Work own_side(CoreState& core, Transfer& transfer, std::uint32_t lines, std::size_t bytes);
  Work next_lines(const CoreState& core, Transfer& transfer, std::uint32_t lines) const noexcept;
  [[nodiscard]] std::uint32_t segment_lines(const Transfer& transfer) const noexcept;
  [[nodiscard]] Picoseconds worst_line(const CoreState& core, Copy how) const noexcept;
  void segment_acts(const Transfer& transfer, std::size_t from, std::size_t bytes);
  void move_at_once(Transfer& transfer, std::size_t n);
  void move_bytes(Transfer& transfer, std::size_t to) noexcept;
  void commit_movers(SccCosts::Spot first, std::size_t bytes, bool writing, Picoseconds at) noexcept;

  Kernel& kernel_;
  SccCosts& costs_;
  ProbeSet& probes_;
  Traffic& traffic_;
  bool contention_;
  bool blocks_, by_line_;                ///< granularity: of long copies, of all
  std::vector<Transfer> transfers_;      ///< the last one of each core
  std::vector<std::vector<int>> movers_; ///< by core whose MPB it is: cores whose transfer is under way
  int in_blocks_ = 0;                    ///< transfers under way that are
};

} // namespace mesh::scc
