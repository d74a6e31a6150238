// SPDX-License-Identifier: Apache-2.0
// Who knows of whose past: what UEs leave in buffers, locks and counters for others, and learn from them.
// Bytes are numbered through all buffers and shared memory: CheckedJob::byte_of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "watch/check/clocks.hpp"
#include "watch/check/signals.hpp"

namespace rcce::check {

class Order {
 public:
  Order(int ues, int cores) : clocks(ues), locks_(static_cast<std::size_t>(cores)) {}

  Clocks clocks;

  /// A store has left these bytes of one line, of each the bits of `mask`; whoever sees them learns `known`.
  void stored(std::size_t first, std::span<const std::byte> values, std::uint8_t mask,
              const Snapshot& known) {
    signals_.write(first, values, mask, known);
  }
  /// Something other than a store has left these bytes of one line: any value may be seen there.
  void copied(std::size_t first, std::size_t bytes) {
    copied_[first / mesh::line_bytes] |=
        byte_mask(first % mesh::line_bytes, first % mesh::line_bytes + bytes);
  }
  /// A UE sees these bits of one line. False if a bit is set that no store has left there.
  bool seen(std::size_t first, std::span<const std::byte> values, std::span<const std::uint8_t> masks,
            int ue) {
    return signals_.read(first, values, masks, clocks, ue);
  }
  /// A UE sees these bytes of one line to decide by them. They may have come past the library: by a program's
  /// own store, unless a copy has left them.
  void decided_by(std::size_t first, std::span<const std::byte> values, int ue) {
    const std::size_t in_line = first % mesh::line_bytes;
    const bool explained = seen(first, values, std::span(all_bits).first(values.size()), ue);
    const auto found = copied_.find(first / mesh::line_bytes);
    const std::uint32_t copied = found == copied_.end() ? 0 : found->second;
    if (!explained && (copied & byte_mask(in_line, in_line + values.size())) == 0) clocks.acquire_all(ue);
  }

  void lock_taken(int ue, int core) { clocks.acquire(ue, locks_[static_cast<std::size_t>(core)]); }
  void lock_released(int ue, int core) { locks_[static_cast<std::size_t>(core)] = clocks.release(ue); }
  /// Before the counter is incremented (`replaced`: or written), and after its value has come back.
  void counter_changes(int ue, int counter, bool replaced) {
    Snapshot& known = counters_[counter];
    known = replaced ? clocks.release(ue) : clocks.release_beside(ue, known);
  }
  void counter_seen(int ue, int counter) {
    if (const auto found = counters_.find(counter); found != counters_.end())
      clocks.acquire(ue, found->second);
  }

 private:
  Signals signals_;
  std::vector<Snapshot> locks_;                           ///< by core
  std::unordered_map<int, Snapshot> counters_;            ///< never walked
  std::unordered_map<std::size_t, std::uint32_t> copied_; ///< bytes, by line; never walked
};

} // namespace rcce::check
