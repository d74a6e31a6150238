// SPDX-License-Identifier: Apache-2.0
// Who has written and read which bytes of the message-passing buffers last, line by line: finds pairs of
// accesses that nothing orders. After FastTrack (Flanagan and Freund, PLDI 2009): per line the accesses that
// later ones can still conflict with, each with its UE's epoch and a mask of bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "check/clocks.hpp"
#include "check/findings.hpp"
#include "mesh_sim/units.hpp"

namespace rcce::check {

/// In place of a core: off-chip shared memory.
inline constexpr int shared_memory = -2;

/// One access to bytes within one line.
struct Access {
  int ue = -1;
  Epoch epoch = 0;
  std::uint32_t mask = 0; ///< bytes of the line
  bool write = false;
  bool single = false; ///< a store or look that the machine makes at once: two such conflict as stores of
                       ///< different values only
  bool silent = false; ///< a store of what is there already: whoever reads sees the same with and without it
  std::array<std::uint8_t, mesh::line_bytes> values{},
      bits{}; ///< of a single store: what, and which bits are known
};

class Lines {
 public:
  /// An access that has been met before and is not ordered with the present one.
  struct Conflict {
    Side side;
    bool write;
    std::uint32_t mask; ///< the bytes in common
  };

  /// Takes note of an access; the first conflict with an earlier one.
  [[nodiscard]] std::optional<Conflict> note(int core, std::size_t line, const Access& access,
                                             const Side& side, const Clocks& clocks);
  /// What has been done to the line so far does not matter any more.
  void forget(int core, std::size_t line) { at(core, line).accesses.clear(); }
  /// Bytes that something other than a store has ever written.
  [[nodiscard]] std::uint32_t copied(int core, std::size_t line) const {
    const auto found = lines_.find(key(core, line));
    return found == lines_.end() ? 0 : found->second.copied;
  }

 private:
  struct Record {
    Access access;
    Side side;
  };
  struct Line {
    std::vector<Record> accesses;
    std::uint32_t copied = 0;
  };
  [[nodiscard]] static std::uint64_t key(int core, std::size_t line) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(core)) << 32 | line;
  }
  [[nodiscard]] Line& at(int core, std::size_t line) { return lines_[key(core, line)]; }

  std::unordered_map<std::uint64_t, Line> lines_; ///< never walked
};

/// Mask of the bytes [first, last) of a line.
[[nodiscard]] constexpr std::uint32_t byte_mask(std::size_t first, std::size_t last) {
  const std::uint64_t all = (std::uint64_t{1} << (last - first)) - 1;
  return static_cast<std::uint32_t>(all << first);
}

} // namespace rcce::check
