#include "check/checker.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

#include "loader/report.hpp"
#include "ue.hpp"

namespace rcce::check {
namespace {

using mesh::line_bytes;

constexpr std::array<std::uint8_t, line_bytes> all_bits = [] {
  std::array<std::uint8_t, line_bytes> masks{};
  masks.fill(0xff);
  return masks;
}();

/// The bytes of a little-endian word.
std::array<std::uint8_t, 4> bytes_of(std::uint32_t word) {
  return {static_cast<std::uint8_t>(word), static_cast<std::uint8_t>(word >> 8),
          static_cast<std::uint8_t>(word >> 16), static_cast<std::uint8_t>(word >> 24)};
}

std::string conflict_headline(bool before_writes, bool writes) {
  if (before_writes && writes) return "two writes to the same bytes, in an order that nothing decides";
  if (writes) return "bytes are overwritten while another may still read them";
  return "bytes are read that another may still be writing";
}

} // namespace

Checker::Checker(Engine& engine, int ues)
    : engine_(engine),
      mpb_bytes_(engine.mpb_bytes()),
      first_mpb_(reinterpret_cast<std::uintptr_t>(engine.mpb(0))),
      clocks_(ues),
      lines_(static_cast<std::size_t>(engine.cores()), engine.mpb_bytes()),
      cached_(ues),
      blocks_(static_cast<std::size_t>(engine.cores())),
      locks_(static_cast<std::size_t>(engine.cores())),
      bits_(static_cast<std::size_t>(ues)),
      clearing_(static_cast<std::size_t>(ues)) {}

int Checker::rank_of(const Ue& ue) {
  return ue.rank;
}

std::optional<MpbRange> Checker::place_of(const void* address, std::size_t bytes) const {
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - first_mpb_; // they lie in a row
  const std::size_t core = offset / mpb_bytes_;
  if (core >= static_cast<std::size_t>(engine_.cores())) return std::nullopt;
  const std::size_t within = offset % mpb_bytes_;
  return MpbRange{static_cast<int>(core), within, std::min(bytes, mpb_bytes_ - within)};
}

Side Checker::side_at(const Ue& ue, const MpbRange& range) const {
  Side side = side_of(ue);
  side.mpb_core = range.core;
  side.offset = range.offset;
  side.length = range.bytes;
  return side;
}

bool Checker::flag_line(const Ue& ue, int core, std::size_t offset) const {
  for (const int owner : {core, ue.core->id()}) {
    const Block* block = blocks_[static_cast<std::size_t>(owner)].at(offset);
    if (block != nullptr && block->kind == Block::Kind::flags) return true;
  }
  return false;
}

void Checker::note(const Ue& ue, const MpbRange& range, bool write, bool single) {
  if (clearing_[index_of(ue)]) return;
  const Side side = side_at(ue, range);
  const std::size_t end = range.offset + range.bytes;
  for (std::size_t at = range.offset; at < end;) {
    const std::size_t line = at / line_bytes, first = at % line_bytes;
    const std::size_t last = std::min(end - line * line_bytes, line_bytes);
    const Access access{rank_of(ue), clocks_.now(rank_of(ue)), byte_mask(first, last), write, single};
    if (const auto conflict = lines_.note(range.core, line, access, side, clocks_))
      findings_.add(conflict_headline(conflict->write, write), conflict->side, side,
                    "one has to wait for a flag, barrier, lock or message that the other leaves behind it");
    at = line * line_bytes + last;
  }
}

/// `owner`: whose allocations the bytes are compared with. Returns whether they are right.
bool Checker::check_block(const Ue& ue, const MpbRange& to, int owner) {
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

void Checker::check_blocks(const Ue& ue, const MpbRange& to) {
  if (clearing_[index_of(ue)]) return;
  if (check_block(ue, to, to.core) && ue.core->id() != to.core) check_block(ue, to, ue.core->id());
}

void Checker::copies_to(const Ue& ue, const MpbRange& to, const void* source) {
  drops_lines(ue);
  if (const auto from = place_of(source, to.bytes)) copies_from(ue, *from);
  check_blocks(ue, to);
  note(ue, to, true, flag_line(ue, to.core, to.offset));
  cached_.written(rank_of(ue), to.core, to.offset, to.bytes, side_at(ue, to));
}

void Checker::copies_from(const Ue& ue, const MpbRange& from) {
  drops_lines(ue);
  note(ue, from, false, flag_line(ue, from.core, from.offset));
  cached_.read(rank_of(ue), from.core, from.offset, from.bytes, side_at(ue, from));
}

void Checker::gets(const Ue& ue, const MpbRange& from, const void* target) {
  copies_from(ue, from);
  const auto to = place_of(target, from.bytes);
  if (!to) return;
  check_blocks(ue, *to);
  note(ue, *to, true, flag_line(ue, to->core, to->offset));
  cached_.written(rank_of(ue), to->core, to->offset, to->bytes, side_at(ue, *to));
}

void Checker::copied_from(const Ue& ue, const MpbRange& from) {
  // A program may look at flags by copying them.
  const std::byte* values = engine_.mpb(from.core) + from.offset;
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
  const Bits& bits = bits_[index_of(ue)];
  if (bits.on && bits.place / line_bytes == byte_of(to.core, to.offset) / line_bytes) {
    const auto masks = bytes_of(bits.mask);
    const Snapshot known = clocks_.release(rank_of(ue));
    for (std::size_t i = 0; i < masks.size(); ++i) {
      const std::size_t place = bits.place + i;
      const std::size_t first = byte_of(to.core, to.offset);
      if (masks[i] == 0 || place < first || place >= first + to.bytes) continue;
      note(ue, {to.core, place % mpb_bytes_, 1}, true, true);
      signals_.write(place, {values + (place - first), 1}, masks[i], known);
      cached_.written(rank_of(ue), to.core, place % mpb_bytes_, 1,
                      side_at(ue, {to.core, place % mpb_bytes_, 1}));
    }
    return;
  }
  check_blocks(ue, to);
  note(ue, to, true, true);
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

void Checker::waited(const Ue& ue, int core, std::size_t offset, const Condition& condition) {
  drops_lines(ue);
  const std::size_t bytes = condition.bytes;
  const auto masks = bytes_of(condition.mask);
  std::array<std::byte, 4> values{};
  if (condition.unequal) {
    std::memcpy(values.data(), engine_.mpb(core) + offset, bytes);
  } else {
    const auto value = bytes_of(condition.value);
    std::memcpy(values.data(), value.data(), bytes);
  }
  if (!signals_.read(byte_of(core, offset), {values.data(), bytes}, std::span(masks).first(bytes), clocks_,
                     rank_of(ue)))
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
                               loader::microseconds(stale->cached.at));
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
