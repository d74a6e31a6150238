// SPDX-License-Identifier: Apache-2.0
// The checker's part for what programs do by themselves: their own loads and stores, as code compiled by
// rccecc --observe tells them, memory that has been given back, and the buffers of unfinished receives.
#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <functional>

#include "check/checker.hpp"
#include "ue/ue.hpp"

namespace rcce::check {
namespace {

using mesh::line_bytes;

/// Calls visit(part of the range within one line).
template <class Visit>
void for_each_line(const MpbRange& range, Visit visit) {
  for (std::size_t done = 0; done < range.bytes;) {
    const std::size_t at = range.offset + done;
    const std::size_t part = std::min(range.bytes - done, line_bytes - at % line_bytes);
    visit(MpbRange{range.core, at, part}, done);
    done += part;
  }
}

} // namespace

void Checker::observes(const Ue& ue, const Watched& watched) {
  observed_ = true;
  watched_[index_of(ue)] = watched;
}

std::string Checker::unseen() const {
  if (observed_ || !pointers_) return "";
  return "rccerun: built without --observe: plain loads and stores to shared memory and buffers are not "
         "seen\n";
}

void Checker::hear(const Ue& ue, const mesh::PlainAccess& access) {
  const auto range = place_of(access.address, access.bytes);
  if (!range) {
    if (!access.write) check_receives(ue, access.address, access.bytes, access.code);
    return;
  }
  check_freed(ue, *range, access.code);
  const bool in_mpb = range->core != shared_memory;
  if (access.atomic || access.look) {
    for_each_line(*range, [&](const MpbRange& part, std::size_t) {
      see(ue, part, memory_of(part), std::span(all_bits).first(part.bytes));
      const std::size_t first = part.offset % line_bytes;
      looked_at_[byte_of(part.core, part.offset - first)] |= byte_mask(first, first + part.bytes);
    });
  }
  if (access.write) {
    if (in_mpb) check_blocks(ue, *range);
    plain_write(ue, *range, access);
    if (in_mpb) cached_.written(rank_of(ue), range->core, range->offset, range->bytes, side_at(ue, *range));
    return;
  }
  const bool single = access.look || access.atomic || flag_line(ue, range->core, range->offset);
  note(ue, *range, false, single, {}, access.code);
}

/// A store of at most a line acts at once; a longer one is as good as several.
void Checker::plain_write(const Ue& ue, const MpbRange& range, const mesh::PlainAccess& access) {
  const auto values_of = [&](const MpbRange& part, std::size_t done) {
    std::array<std::byte, line_bytes> values{};
    if (access.source != nullptr)
      std::memcpy(values.data(), access.source + done, part.bytes);
    else
      values.fill(access.filled);
    return values;
  };
  for_each_line(range, [&](const MpbRange& part, std::size_t done) {
    const auto values = values_of(part, done);
    const bool silent = access.known && std::memcmp(values.data(), memory_of(part), part.bytes) == 0;
    // What an atomic operation leaves is nobody's mistake.
    const bool compared = access.known && !access.atomic;
    note(ue, part, true, true, {compared ? values.data() : nullptr, 0xff, silent}, access.code);
  });
  const Snapshot known = clocks_.release(rank_of(ue)); // and with it what has just been noted
  if (!access.known) return;
  for_each_line(range, [&](const MpbRange& part, std::size_t done) {
    const auto values = values_of(part, done);
    signals_.write(byte_of(part.core, part.offset), {values.data(), part.bytes}, 0xff, known);
  });
}

/// What a UE has given back, and what the owner of a buffer has given back of the same allocation.
void Checker::check_freed(const Ue& ue, const MpbRange& range, std::uintptr_t code) {
  const std::size_t end = range.offset + range.bytes;
  const Blocks::Freed* freed = nullptr;
  if (range.core == shared_memory) {
    freed = shared_blocks_[index_of(ue)].freed(range.offset, end);
  } else {
    const Blocks& own = blocks_[static_cast<std::size_t>(ue.core->id())];
    freed = own.freed(range.offset, end);
    if (freed == nullptr && ue.core->id() != range.core) {
      freed = blocks_[static_cast<std::size_t>(range.core)].freed(range.offset, end);
      const Block* const mine = own.at(range.offset);
      // The owner may not have come to the allocation yet that this UE uses.
      if (freed != nullptr && mine != nullptr && mine->generation > freed->block.generation) freed = nullptr;
    }
  }
  if (freed == nullptr) return;
  Side side = side_at(ue, range);
  side.code = code;
  findings_.add("memory is used that has been freed", freed->by, side,
                "free memory when all have done what they do with it, behind a barrier for instance");
}

void Checker::tell_wrong_free(const Blocks& blocks, std::size_t offset, const Side& side) {
  const auto set_up = [](const Block& block) {
    Side by = block.by;
    by.mpb_core = -1;
    by.words = fmt::format(", which set up {}", name_of(block));
    return by;
  };
  const Blocks::Freed* const freed = blocks.freed(offset, offset + 1);
  const Block* const block = blocks.at(offset);
  if (freed != nullptr && freed->block.offset == offset)
    findings_.add("memory is freed twice", freed->by, side, "");
  else
    findings_.add("memory is freed by an address at which no allocation begins",
                  block != nullptr ? set_up(*block) : Side{}, side,
                  "free the address that the allocation has returned");
}

void Checker::shared_allocated(const Ue& ue, std::size_t offset, std::size_t bytes) {
  shared_blocks_[index_of(ue)].take({offset, bytes, Block::Kind::memory, side_of(ue)});
}

void Checker::shared_released(const Ue& ue, std::size_t offset) {
  Blocks& blocks = shared_blocks_[index_of(ue)];
  const Side side = side_at(ue, {shared_memory, offset, 1});
  if (!blocks.free(offset, side)) tell_wrong_free(blocks, offset, side);
}

void Checker::awaits(const Ue& ue, const void* request, const std::byte* buffer, std::size_t bytes,
                     const Side& posted) {
  receives_[index_of(ue)].push_back({request, buffer, bytes, posted});
  // They may lie anywhere.
  if (const Watched& watched = watched_[index_of(ue)]; watched.begin != nullptr) {
    *watched.begin = 0;
    *watched.bytes = ~0UL;
  }
}

void Checker::arrived(const Ue& ue, const void* request) {
  std::erase_if(receives_[index_of(ue)], [&](const Receive& one) { return one.request == request; });
}

void Checker::check_receives(const Ue& ue, const void* memory, std::size_t bytes, std::uintptr_t code) {
  const auto* const begin = static_cast<const std::byte*>(memory);
  for (const Receive& one : receives_[index_of(ue)]) {
    if (!std::less<>{}(begin, one.buffer + one.bytes) || !std::less<>{}(one.buffer, begin + bytes)) continue;
    Side side = side_of(ue);
    if (side.call == nullptr) {
      side.peer = -1;
      side.bytes = 0;
    }
    side.code = code;
    findings_.add("the buffer of an unfinished receive is read", one.posted, side,
                  "wait for the request, or test it, before its buffer is used");
  }
}

} // namespace rcce::check
