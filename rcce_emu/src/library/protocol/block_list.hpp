// SPDX-License-Identifier: Apache-2.0
// The original's allocator, for MPB lines and for shared memory: one ordered list of blocks, each used or
// free, the last one the untouched remainder ("tail"). Its placement is part of the interface: UEs that make
// the same requests in the same order have to get the same offsets.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace rcce::protocol {

class BlockList {
 public:
  /// Manages [0, bytes) anew; everything is free.
  void reset(std::size_t bytes);

  /// Takes from the tail while that has room, else from the first free block that is large enough. Nothing
  /// for 0 bytes or where no block is large enough.
  [[nodiscard]] std::optional<std::size_t> allocate(std::size_t bytes);

  /// Merges the block with free neighbours. An offset that no used block starts at is ignored.
  void release(std::size_t offset);

  /// Bytes of the used block that starts there; nothing where none does.
  [[nodiscard]] std::optional<std::size_t> bytes_at(std::size_t offset) const;

 private:
  struct Block {
    std::size_t offset;
    std::size_t bytes;
    bool used;
  };
  std::vector<Block> blocks_{{0, 0, false}}; ///< ascending and without gaps; the last one is the tail
};

/// The largest block that the halving rule of RCCE_malloc_request finds: rounds up to `grain`, halves while
/// `allocate` (bytes -> optional offset) refuses. Where even one grain is refused the original loops for
/// ever; this gives nothing.
template <class Allocate>
std::optional<std::size_t> allocate_request(std::size_t bytes, std::size_t grain, std::size_t& granted,
                                            Allocate&& allocate) {
  granted = 0;
  while (bytes > 0) {
    const std::size_t rounded = (bytes + grain - 1) / grain * grain;
    if (std::optional<std::size_t> offset = allocate(rounded)) {
      granted = rounded;
      return offset;
    }
    if (rounded <= grain) break;
    bytes = rounded / 2;
  }
  return std::nullopt;
}

} // namespace rcce::protocol
