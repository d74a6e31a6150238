// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/block_list.hpp"

#include <algorithm>

namespace rcce::protocol {

void BlockList::reset(std::size_t bytes) {
  blocks_.assign(1, {0, bytes, false});
}

std::optional<std::size_t> BlockList::allocate(std::size_t bytes) {
  if (bytes == 0) return std::nullopt;
  const auto takes = [bytes](const Block& block) { return !block.used && block.bytes >= bytes; };
  const auto tail = std::prev(blocks_.end());
  auto block = takes(*tail) ? tail : std::find_if(blocks_.begin(), tail, takes);
  if (block == tail && !takes(*tail)) return std::nullopt;

  const std::size_t offset = block->offset;
  if (block != tail && block->bytes == bytes) {
    block->used = true;
  } else {
    block->offset += bytes;
    block->bytes -= bytes;
    blocks_.insert(block, {offset, bytes, true});
  }
  return offset;
}

void BlockList::release(std::size_t offset) {
  auto block = std::find_if(blocks_.begin(), blocks_.end(),
                            [offset](const Block& b) { return b.used && b.offset == offset; });
  if (block == blocks_.end()) return;
  block->used = false;
  if (const auto next = std::next(block); !next->used) { // a used block always has the tail behind it
    next->offset = block->offset;
    next->bytes += block->bytes;
    block = blocks_.erase(block);
  }
  if (block != blocks_.begin() && !std::prev(block)->used) {
    block->offset = std::prev(block)->offset;
    block->bytes += std::prev(block)->bytes;
    blocks_.erase(std::prev(block));
  }
}

std::optional<std::size_t> BlockList::bytes_at(std::size_t offset) const {
  const auto block = std::find_if(blocks_.begin(), blocks_.end(),
                                  [offset](const Block& b) { return b.used && b.offset == offset; });
  return block == blocks_.end() ? std::nullopt : std::optional(block->bytes);
}

} // namespace rcce::protocol
