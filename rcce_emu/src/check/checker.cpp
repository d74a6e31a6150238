// SPDX-License-Identifier: Apache-2.0
#include "check/checker.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <string_view>

#include "run/report.hpp"
#include "ue/job_state.hpp"
#include "ue/ue.hpp"

namespace rcce::check {
namespace {

using mesh::line_bytes;

/// The bytes of a little-endian word.
std::array<std::uint8_t, 4> bytes_of(std::uint32_t word) {
  return {static_cast<std::uint8_t>(word), static_cast<std::uint8_t>(word >> 8),
          static_cast<std::uint8_t>(word >> 16), static_cast<std::uint8_t>(word >> 24)};
}

/// Pairs of stores that are kept until it is known what they are for.
constexpr std::size_t most_stores = 10'000;
constexpr const char* order_advice =
    "one has to wait for a flag, barrier, lock or message that the other leaves behind it";

std::string conflict_headline(bool before_writes, bool writes) {
  if (before_writes && writes) return "two writes to the same bytes, in an order that nothing decides";
  if (writes) return "bytes are overwritten while another may still read them";
  return "bytes are read that another may still be writing";
}

} // namespace

Checker::Checker(Job& job)
    : job_(job),
      engine_(job.engine()),
      mpb_bytes_(engine_.mpb_bytes()),
      first_mpb_(reinterpret_cast<std::uintptr_t>(engine_.mpb(0))),
      clocks_(job.size()),
      cached_(job.size()),
      watched_(static_cast<std::size_t>(job.size())),
      receives_(watched_.size()),
      blocks_(static_cast<std::size_t>(engine_.cores())),
      shared_blocks_(watched_.size()),
      locks_(blocks_.size()),
      bits_(watched_.size()),
      clearing_(watched_.size()) {}

const Ue& Checker::ue_on(int core) const {
  return *job_.ue_on(core);
}

int Checker::rank_of(const Ue& ue) {
  return ue.rank;
}

std::optional<MpbRange> Checker::place_of(const void* address, std::size_t bytes) const {
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - first_mpb_; // they lie in a row
  const std::size_t core = offset / mpb_bytes_;
  if (core >= static_cast<std::size_t>(engine_.cores())) {
    const std::uintptr_t shared =
        reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(engine_.shared_memory());
    if (shared >= engine_.shared_memory_bytes()) return std::nullopt;
    return MpbRange{shared_memory, shared, std::min(bytes, engine_.shared_memory_bytes() - shared)};
  }
  const std::size_t within = offset % mpb_bytes_;
  return MpbRange{static_cast<int>(core), within, std::min(bytes, mpb_bytes_ - within)};
}

Side Checker::side_at(const Ue& ue, const MpbRange& range) const {
  Side side = side_of(ue);
  if (side.call == nullptr) { // left over from the last call
    side.peer = -1;
    side.bytes = 0;
  }
  side.mpb_core = range.core;
  side.offset = range.offset;
  side.length = range.bytes;
  return side;
}

bool Checker::flag_line(const Ue& ue, int core, std::size_t offset) const {
  if (core == shared_memory) return false;
  for (const int owner : {core, ue.core->id()}) {
    const Block* block = blocks_[static_cast<std::size_t>(owner)].at(offset);
    if (block != nullptr && block->kind == Block::Kind::flags) return true;
  }
  return false;
}

const std::byte* Checker::memory_of(const MpbRange& range) const {
  return (range.core == shared_memory ? engine_.shared_memory() : engine_.mpb(range.core)) + range.offset;
}

void Checker::note(const Ue& ue, const MpbRange& range, bool write, bool single, const Stored& stored,
                   std::uintptr_t code) {
  if (clearing_[index_of(ue)]) return;
  Side side = side_at(ue, range);
  side.code = code;
  const std::size_t end = range.offset + range.bytes;
  for (std::size_t at = range.offset; at < end;) {
    const std::size_t line = at / line_bytes, first = at % line_bytes;
    const std::size_t last = std::min(end - line * line_bytes, line_bytes);
    Access access{.ue = rank_of(ue),
                  .epoch = clocks_.now(rank_of(ue)),
                  .mask = byte_mask(first, last),
                  .write = write,
                  .single = single,
                  .silent = stored.silent};
    for (std::size_t i = first; i < last && stored.values != nullptr; ++i) {
      access.values[i] = static_cast<std::uint8_t>(stored.values[line * line_bytes + i - range.offset]);
      access.bits[i] = stored.mask;
    }
    if (observed_ && !write && !single)
      used_[byte_of(range.core, line * line_bytes)] |= byte_mask(first, last);
    const auto conflict = lines_.note(range.core, line, access, side, clocks_);
    if (conflict && write && conflict->write && code != 0 && conflict->side.code != 0) {
      if (stores_.size() < most_stores)
        stores_.push_back({byte_of(range.core, line * line_bytes), conflict->mask, conflict->side, side});
    } else if (conflict) {
      findings_.add(conflict_headline(conflict->write, write), conflict->side, side, order_advice);
    }
    at = line * line_bytes + last;
  }
}

/// `owner`: whose allocations the bytes are compared with. Returns whether they are right.
bool Checker::check_block(const Ue& ue, const MpbRange& to, int owner) {
  if (to.core == shared_memory) return true;
  const Block* other =
      blocks_[static_cast<std::size_t>(owner)].other_than(to.offset, to.offset, to.offset + to.bytes);
  if (other == nullptr) return true;
  Side by = other->by;
  by.mpb_core = -1;
  by.words = fmt::format(", which set up {} of the buffer of core {:02d}", name_of(*other), owner);
  findings_.add("a copy runs over the end of the memory that it begins in, into other memory",
                side_at(ue, to), by, "");
  return false;
}

void Checker::tell_stores() {
  const auto meets = [](const auto& places, const Stores& pair) {
    const auto found = places.find(pair.line);
    return found != places.end() && (found->second & pair.bytes) != 0;
  };
  for (const Stores& pair : stores_)
    if (!meets(looked_at_, pair) && meets(used_, pair))
      findings_.add(conflict_headline(true, true), pair.first, pair.second, order_advice);
}

void Checker::check_blocks(const Ue& ue, const MpbRange& to) {
  if (clearing_[index_of(ue)]) return;
  if (check_block(ue, to, to.core) && ue.core->id() != to.core) check_block(ue, to, ue.core->id());
}

void Checker::copies_to(const Ue& ue, const MpbRange& to, const void* source) {
  drops_lines(ue);
  check_receives(ue, source, to.bytes, 0);
  if (const auto from = place_of(source, to.bytes)) copies_from(ue, *from);
  check_freed(ue, to, 0);
  check_blocks(ue, to);
  note(ue, to, true, flag_line(ue, to.core, to.offset));
  cached_.written(rank_of(ue), to.core, to.offset, to.bytes, side_at(ue, to));
}

void Checker::copies_from(const Ue& ue, const MpbRange& from) {
  drops_lines(ue);
  check_freed(ue, from, 0);
  note(ue, from, false, flag_line(ue, from.core, from.offset));
  cached_.read(rank_of(ue), from.core, from.offset, from.bytes, side_at(ue, from));
}

void Checker::gets(const Ue& ue, const MpbRange& from, const void* target) {
  copies_from(ue, from);
  const auto to = place_of(target, from.bytes);
  if (!to) return;
  check_freed(ue, *to, 0);
  check_blocks(ue, *to);
  note(ue, *to, true, flag_line(ue, to->core, to->offset));
  cached_.written(rank_of(ue), to->core, to->offset, to->bytes, side_at(ue, *to));
}

void Checker::copied_from(const Ue& ue, const MpbRange& from, const std::byte* values) {
  // A program may look at flags by copying them.
  for (std::size_t done = 0; done < from.bytes;) {
    const std::size_t place = from.offset + done;
    const std::size_t part = std::min(from.bytes - done, line_bytes - place % line_bytes);
    (void)signals_.read(byte_of(from.core, place), {values + done, part}, std::span(all_bits).first(part),
                        clocks_, rank_of(ue));
    done += part;
  }
}

void Checker::stores(const Ue& ue, const MpbRange& to, const std::byte* values, std::uint8_t mask) {
  drops_lines(ue);
  // Whoever comes last to the end writes everybody's flags there; what orders that is no access.
  const bool ends = ue.activity.traits.ends;
  const Bits& bits = bits_[index_of(ue)];
  if (bits.on && bits.place / line_bytes == byte_of(to.core, to.offset) / line_bytes) {
    const auto masks = bytes_of(bits.mask);
    const auto for_each_byte = [&](auto visit) {
      for (std::size_t i = 0; i < masks.size(); ++i) {
        const std::size_t place = bits.place + i;
        const std::size_t first = byte_of(to.core, to.offset);
        if (masks[i] != 0 && place >= first && place < first + to.bytes)
          visit(MpbRange{to.core, place % mpb_bytes_, 1}, values + (place - first), masks[i]);
      }
    };
    for_each_byte([&](const MpbRange& byte, const std::byte* value, std::uint8_t changed) {
      note(ue, byte, true, true, {ends ? nullptr : value, changed}, 0);
    });
    const Snapshot known = clocks_.release(rank_of(ue)); // and with it what has just been noted
    for_each_byte([&](const MpbRange& byte, const std::byte* value, std::uint8_t changed) {
      signals_.write(byte_of(to.core, byte.offset), {value, 1}, changed, known);
      cached_.written(rank_of(ue), to.core, byte.offset, 1, side_at(ue, byte));
    });
    return;
  }
  check_blocks(ue, to);
  note(ue, to, true, true, {ends ? nullptr : values, mask}, 0);
  signals_.write(byte_of(to.core, to.offset), {values, to.bytes}, mask, clocks_.release(rank_of(ue)));
  cached_.written(rank_of(ue), to.core, to.offset, to.bytes, side_at(ue, to));
}

void Checker::loads(const Ue& ue, const MpbRange& from) {
  drops_lines(ue);
  cached_.read(rank_of(ue), from.core, from.offset, from.bytes, side_at(ue, from));
  if (!flag_line(ue, from.core, from.offset)) note(ue, from, false, true);
}

void Checker::loaded(const Ue& ue, const MpbRange& from, const std::byte* values) {
  if (bits_[index_of(ue)].on) return; // to write the line again
  see(ue, from, values, std::span(all_bits).first(from.bytes));
}

/// What has been seen may have come past the library: by a program's own store, unless a copy has left it.
void Checker::see(const Ue& ue, const MpbRange& from, const std::byte* values,
                  std::span<const std::uint8_t> masks) {
  const bool explained =
      signals_.read(byte_of(from.core, from.offset), {values, from.bytes}, masks, clocks_, rank_of(ue));
  const std::size_t first = from.offset % line_bytes;
  const std::uint32_t copied = lines_.copied(from.core, from.offset / line_bytes);
  if (!explained && (copied & byte_mask(first, first + from.bytes)) == 0) clocks_.acquire_all(rank_of(ue));
}

void Checker::waited(const Ue& ue, const MpbRange& word, std::uint32_t mask) {
  drops_lines(ue);
  const auto masks = bytes_of(mask);
  if (!signals_.read(byte_of(word.core, word.offset), {memory_of(word), word.bytes},
                     std::span(masks).first(word.bytes), clocks_, rank_of(ue)))
    clocks_.acquire_all(rank_of(ue));
}

void Checker::lock_taken(const Ue& ue, int core) {
  if (!bits_[index_of(ue)].on) order(ue, locks_[static_cast<std::size_t>(core)]);
}

void Checker::lock_released(const Ue& ue, int core) {
  if (!bits_[index_of(ue)].on) locks_[static_cast<std::size_t>(core)] = clocks_.release(rank_of(ue));
}

void Checker::counter_changes(const Ue& ue, int counter, bool replaced) {
  Snapshot& known = counters_[counter];
  known = replaced ? clocks_.release(rank_of(ue)) : clocks_.release_beside(rank_of(ue), known);
}

void Checker::counter_seen(const Ue& ue, int counter) {
  if (const auto found = counters_.find(counter); found != counters_.end()) order(ue, found->second);
}

void Checker::touches(const Ue& ue, const void* memory, std::size_t bytes, bool write) {
  const auto range = place_of(memory, bytes);
  if (!range || range->bytes == 0) return;
  const Side side = side_at(ue, *range);
  if (write) {
    check_blocks(ue, *range);
    note(ue, *range, true, flag_line(ue, range->core, range->offset));
    cached_.written(rank_of(ue), range->core, range->offset, range->bytes, side);
    return;
  }
  if (const auto stale = cached_.stale(rank_of(ue), range->core, range->offset, range->bytes)) {
    Side reader = side;
    reader.words = fmt::format(", reads a line that {} brought into its cache at {}",
                               stale->cached.call == nullptr ? "its own code" : stale->cached.call,
                               run::microseconds(stale->cached.at));
    findings_.add("a line is read from the cache that another has written since", stale->written, reader,
                  "call RC_cache_invalidate before the read, or use RCCE_get");
  }
  note(ue, *range, false, flag_line(ue, range->core, range->offset));
  cached_.read(rank_of(ue), range->core, range->offset, range->bytes, side);
}

void Checker::begins_bits(const Ue& ue, int core, std::size_t word, std::uint32_t bits) {
  bits_[index_of(ue)] = {true, byte_of(core, word), bits};
}

void Checker::ends_bits(const Ue& ue) {
  bits_[index_of(ue)] = {};
}

} // namespace rcce::check
