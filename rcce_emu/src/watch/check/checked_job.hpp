// SPDX-License-Identifier: Apache-2.0
// What the rules of `--check mpb` share of a job: what is allocated, who knows of whose past, what is found.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "rcce_emu/engine.hpp"
#include "watch/check/blocks.hpp"
#include "watch/check/findings.hpp"
#include "watch/check/order.hpp"

namespace rcce {
class Job;
} // namespace rcce

namespace rcce::check {

/// Bytes of the MPB of a core, or of shared memory.
struct MpbRange {
  int core = -1;
  std::size_t offset = 0, bytes = 0;

  [[nodiscard]] std::size_t end() const { return offset + bytes; }
};

/// Calls visit(part of the range within one line, how many bytes of the range come before it).
template <class Visit>
void for_each_line(const MpbRange& range, Visit visit) {
  for (std::size_t done = 0; done < range.bytes;) {
    const std::size_t at = range.offset + done;
    const std::size_t part = std::min(range.bytes - done, mesh::line_bytes - at % mesh::line_bytes);
    visit(MpbRange{range.core, at, part}, done);
    done += part;
  }
}

class CheckedJob {
 public:
  /// `job` has its UEs and has not begun to run.
  explicit CheckedJob(Job& job);

  Job& job;
  Engine& engine;
  Order order;
  Allocations allocations;
  Findings findings;
  bool observed = false; ///< the program tells of its own loads and stores

  /// The bytes at an address of the host, as far as they lie in one buffer; nothing where it is private.
  [[nodiscard]] std::optional<MpbRange> place_of(const void* address, std::size_t bytes) const;
  [[nodiscard]] const std::byte* memory_of(const MpbRange& range) const;
  /// The number of the range's first byte among those of all buffers and of shared memory.
  [[nodiscard]] std::size_t byte_of(const MpbRange& range) const {
    return static_cast<std::size_t>(range.core == shared_memory ? engine.cores() : range.core) * mpb_bytes_ +
        range.offset;
  }
  /// The side of a finding: the present use of these bytes by the UE.
  [[nodiscard]] Side side_at(const Ue& ue, const MpbRange& range, std::uintptr_t code = 0) const;
  /// Does the range begin in a line of flags?
  [[nodiscard]] bool in_flags(const Ue& ue, const MpbRange& range) const;

 private:
  std::size_t mpb_bytes_;
  std::uintptr_t first_mpb_;
};

} // namespace rcce::check
