// SPDX-License-Identifier: Apache-2.0
#include "watch/check/blocks.hpp"

#include <fmt/format.h>

namespace rcce::check {

void Blocks::take(Block block) {
  block.generation = generations_[block.offset]++;
  std::erase_if(freed_, [&](const auto& entry) {
    return entry.second.block.offset < block.end() && block.offset < entry.second.block.end();
  });
  const std::size_t offset = block.offset;
  blocks_[offset] = std::move(block);
}

void Blocks::free(std::size_t offset, const Side& by) {
  const auto found = blocks_.find(offset);
  if (found == blocks_.end()) return;
  if (found->second.kind == Block::Kind::memory) freed_[offset] = {found->second, by};
  blocks_.erase(found);
}

const Blocks::Freed* Blocks::freed(std::size_t offset, std::size_t end) const {
  auto next = freed_.upper_bound(offset);
  if (next != freed_.begin()) --next;
  for (; next != freed_.end() && next->first < end; ++next)
    if (next->second.block.end() > offset) return &next->second;
  return nullptr;
}

void Blocks::clear(std::size_t offset, std::size_t bytes) {
  std::erase_if(blocks_, [&](const auto& entry) {
    return entry.second.offset < offset + bytes && offset < entry.second.end();
  });
  std::erase_if(freed_, [&](const auto& entry) {
    return entry.second.block.offset < offset + bytes && offset < entry.second.block.end();
  });
}

void Blocks::clear_kind(Block::Kind kind) {
  std::erase_if(blocks_, [&](const auto& entry) { return entry.second.kind == kind; });
}

void Blocks::set_kind(std::size_t offset, Block::Kind kind) {
  if (const auto found = blocks_.find(offset); found != blocks_.end()) found->second.kind = kind;
}

const Block* Blocks::at(std::size_t place) const {
  auto after = blocks_.upper_bound(place);
  if (after == blocks_.begin()) return nullptr;
  const Block& block = std::prev(after)->second;
  return block.holds(place) ? &block : nullptr;
}

const Block* Blocks::other_than(std::size_t beside, std::size_t offset, std::size_t end) const {
  const Block* const first = at(beside);
  auto next = blocks_.upper_bound(offset);
  if (next != blocks_.begin()) --next;
  for (; next != blocks_.end() && next->first < end; ++next) {
    const Block& block = next->second;
    const bool joined = block.kind == Block::Kind::line && first != nullptr && first->kind == block.kind;
    if (block.end() > offset && !block.holds(beside) && !joined) return &block;
  }
  return nullptr;
}

void Allocations::hear(const Side& by, const mesh::MemoryFact& memory) {
  using Kind = mesh::MemoryFact::Kind;
  Blocks& own = of_cores_[static_cast<std::size_t>(by.core)];
  Blocks& shared = shared_[static_cast<std::size_t>(by.rank)];
  const auto freed_at = [&](int buffer) {
    Side side = by;
    side.mpb_core = buffer;
    side.offset = memory.offset;
    side.length = 1;
    return side;
  };
  switch (memory.kind) {
  case Kind::allocated:
    return own.take({memory.offset, memory.bytes, Block::Kind::memory, by});
  case Kind::line_allocated:
    return own.take({memory.offset, memory.bytes, Block::Kind::line, by});
  case Kind::released:
    return own.free(memory.offset, freed_at(by.core));
  case Kind::managed:
    return own.clear(memory.offset, memory.bytes);
  case Kind::flags:
    return own.set_kind(memory.offset, Block::Kind::flags);
  case Kind::payload:
    own.clear_kind(Block::Kind::payload);
    if (memory.bytes > 0) own.take({memory.offset, memory.bytes, Block::Kind::payload, by});
    return;
  case Kind::shared_allocated:
    return shared.take({memory.offset, memory.bytes, Block::Kind::memory, by});
  case Kind::shared_released:
    return shared.free(memory.offset, freed_at(shared_memory));
  case Kind::shared_managed:
    shared = {};
    return;
  case Kind::elsewhere_released:
    return;
  }
}

std::string name_of(const Block& block) {
  const auto place = fmt::format("bytes {}..{}", block.offset, block.end() - 1);
  switch (block.kind) {
  case Block::Kind::flags:
    return "a line of flags, " + place;
  case Block::Kind::payload:
    return "the payload area of messages, " + place;
  case Block::Kind::memory:
  case Block::Kind::line:
    break;
  }
  return "an allocation, " + place;
}

} // namespace rcce::check
