// SPDX-License-Identifier: Apache-2.0
#include "watch/check/checker.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <variant>

#include "engine/ue/job_state.hpp"
#include "mesh_sim/observe/call_traits.hpp"

namespace rcce::check {
namespace {

using Kind = mesh::Access::Kind;
using mesh::line_bytes;

/// The bytes of a little-endian word.
std::array<std::uint8_t, 4> bytes_of(std::uint32_t word) {
  return {static_cast<std::uint8_t>(word), static_cast<std::uint8_t>(word >> 8),
          static_cast<std::uint8_t>(word >> 16), static_cast<std::uint8_t>(word >> 24)};
}

} // namespace

Checker::Checker(Job& job)
    : job_(job), changing_(static_cast<std::size_t>(job.size())), clearing_(changing_.size()) {
#define ROCKCREEK_MAKE_RULE(name) rules_.push_back(name##_rule(job_));
  ROCKCREEK_RULES(ROCKCREEK_MAKE_RULE)
#undef ROCKCREEK_MAKE_RULE
}

const Ue& Checker::ue_on(int core) const {
  return *job_.job.ue_on(core);
}

// --- What the run tells -----------------------------------------------------------------------------------

/// Hears of an access that begins: what it stores, copies or reads. Other accesses may come in between.
void Checker::issued(const mesh::Access& access) {
  const Ue& ue = ue_on(access.core);
  const MpbRange range{access.target, access.offset, access.bytes};
  switch (access.kind) {
  case Kind::put:
    tell(&Rule::drops_lines, ue);
    tell(&Rule::reads, ue, access.own, access.bytes, 0);
    if (const auto from = job_.place_of(access.own, access.bytes)) copies(ue, *from, false);
    // A copy within a line acts at once: in a flag it is a store, by which others learn.
    if (range.offset / line_bytes == (range.offset + range.bytes - 1) / line_bytes &&
        job_.in_flags(ue, range))
      return stores(ue, range, access.own, 0xff);
    return copies(ue, range, true);
  case Kind::get:
    tell(&Rule::drops_lines, ue);
    copies(ue, range, false);
    if (const auto to = job_.place_of(access.own, access.bytes)) copies(ue, *to, true);
    return;
  case Kind::store:
    return stores(ue, range, access.own, 0xff);
  case Kind::update: {
    const auto bits = static_cast<std::byte>(access.value);
    return stores(ue, range, &bits, static_cast<std::uint8_t>(access.mask));
  }
  case Kind::load:
    return access.more ? void() : loads(ue, range);
  case Kind::lock_release:
    if (changing_[index_of(ue)].on) return;
    tell(&Rule::lock, ue, access.target, false);
    return job_.order.lock_released(ue.rank, access.target);
  default:
    return;
  }
}

/// Hears of an access that acts: what the core sees or takes at that moment. Copies act in segments and are
/// not needed here.
void Checker::acted(const mesh::Access& access) {
  if (!access.done) return;
  const Ue& ue = ue_on(access.core);
  switch (access.kind) {
  case Kind::wait:
  case Kind::look:
    return waited(ue, {access.target, access.offset, access.bytes}, access.mask);
  case Kind::lock_try:
    if (changing_[index_of(ue)].on) return;
    tell(&Rule::lock, ue, access.target, true);
    return job_.order.lock_taken(ue.rank, access.target);
  case Kind::counter:
    if (access.write) job_.order.counter_changes(ue.rank, access.target, !access.added);
    if (!access.write || access.added) job_.order.counter_seen(ue.rank, access.target);
    return;
  default:
    return;
  }
}

/// Hears of an access that ends: what it has read.
void Checker::ended(const mesh::Access& access, Picoseconds /*begin*/) {
  const Ue& ue = ue_on(access.core);
  const MpbRange from{access.target, access.offset, access.bytes};
  if (access.kind == Kind::get) { // a program may look at flags by copying them
    for_each_line(from, [&](const MpbRange& part, std::size_t done) {
      (void)job_.order.seen(job_.byte_of(part), {access.own + done, part.bytes},
                            std::span(all_bits).first(part.bytes), ue.rank);
    });
  } else if (access.kind == Kind::load && !access.more && !changing_[index_of(ue)].on) {
    // what changes bits loads the line to write it again
    job_.order.decided_by(job_.byte_of(from), {access.own, from.bytes}, ue.rank);
  }
}

void Checker::touched(const mesh::Touch& touch) {
  const Ue& ue = ue_on(touch.core);
  const auto range = job_.place_of(touch.memory, touch.bytes);
  if (range && range->bytes > 0)
    use({.ue = ue,
         .range = *range,
         .by = Use::By::touch,
         .write = touch.write,
         .single = job_.in_flags(ue, *range),
         .clears = clearing_[index_of(ue)]});
}

void Checker::looped(int core, Picoseconds /*at*/) {
  spun(ue_on(core));
}

void Checker::fact(const mesh::Fact& fact) {
  const Ue& ue = ue_on(fact.core);
  std::visit([&](const auto& what) { hear(ue, what); }, fact.what);
}

void Checker::ends(const std::vector<BlockedCore>& blocked) {
  tell(&Rule::ends, blocked);
}

std::string Checker::unseen() const {
  if (job_.observed || !(pointers_ || receives_)) return "";
  return fmt::format("rccerun: built without --observe: {} are not seen\n",
                     !receives_ ? "plain loads and stores to shared memory and buffers"
                         : !pointers_
                         ? "the program's own reads of the buffers of unfinished receives"
                         : "plain loads and stores to shared memory and buffers, and own reads of "
                           "the buffers of unfinished receives,");
}

// --- Facts of the library ---------------------------------------------------------------------------------

void Checker::hear(const Ue& ue, const mesh::MemoryFact& memory) {
  tell(&Rule::memory, ue, memory);
  job_.allocations.hear(side_of(ue), memory);
}

void Checker::hear(const Ue& ue, const mesh::FlagFact& flag) {
  using FlagKind = mesh::FlagFact::Kind;
  if (flag.kind == FlagKind::change_begins)
    changing_[index_of(ue)] = {true, job_.byte_of({flag.target, flag.offset, 0}), flag.mask};
  else if (flag.kind == FlagKind::change_ends)
    changing_[index_of(ue)] = {};
  else if (flag.kind == FlagKind::clear_begins || flag.kind == FlagKind::clear_ends)
    clearing_[index_of(ue)] = flag.kind == FlagKind::clear_begins;
  else
    tell(&Rule::flag, ue, flag);
}

void Checker::hear(const Ue& ue, const mesh::ProgramFact& program) {
  using ProgramKind = mesh::ProgramFact::Kind;
  switch (program.kind) {
  case ProgramKind::loops:
    return spun(ue);
  case ProgramKind::drops_lines:
    return tell(&Rule::drops_lines, ue);
  case ProgramKind::has_pointers:
    pointers_ = true;
    return;
  case ProgramKind::tells_accesses:
    job_.observed = true;
    tell(&Rule::program, ue, program);
  }
}

void Checker::hear(const Ue& ue, const mesh::PlainAccess& access) {
  const auto range = job_.place_of(access.address, access.bytes);
  if (!range) {
    if (!access.write) tell(&Rule::reads, ue, access.address, access.bytes, access.code);
    return;
  }
  const bool asks = access.atomic || access.look;
  if (asks)
    for_each_line(*range, [&](const MpbRange& part, std::size_t) {
      job_.order.decided_by(job_.byte_of(part), {job_.memory_of(part), part.bytes}, ue.rank);
    });
  const Use one{.ue = ue,
                .range = *range,
                .by = Use::By::plain,
                .write = access.write,
                .single = access.write || asks || job_.in_flags(ue, *range),
                .asks = asks,
                .clears = clearing_[index_of(ue)],
                // What an atomic operation leaves is nobody's mistake.
                .values = {.bytes = access.written(),
                           .filled = access.filled,
                           .known = access.known,
                           .compared = access.known && !access.atomic},
                .code = access.code};
  if (access.write)
    store(ue, {&one, 1});
  else
    use(one);
}

// --- Uses -------------------------------------------------------------------------------------------------

void Checker::use(const Use& use) {
  tell(&Rule::used, use);
  if (use.write && !use.single && !use.clears)
    for_each_line(use.range, [&](const MpbRange& part, std::size_t) {
      job_.order.copied(job_.byte_of(part), part.bytes);
    });
}

void Checker::store(const Ue& ue, std::span<const Use> parts) {
  for (const Use& part : parts) use(part);
  const Snapshot known = job_.order.clocks.release(ue.rank); // and with it what the rules have just noted
  for (const Use& one : parts) {
    if (!one.values.known) continue;
    for_each_line(one.range, [&](const MpbRange& part, std::size_t done) {
      std::array<std::byte, line_bytes> values{};
      for (std::size_t i = 0; i < part.bytes; ++i) values[i] = one.values[done + i];
      job_.order.stored(job_.byte_of(part), std::span(values).first(part.bytes), one.values.mask, known);
    });
  }
}

void Checker::copies(const Ue& ue, const MpbRange& range, bool write) {
  use({.ue = ue,
       .range = range,
       .by = Use::By::copy,
       .write = write,
       .single = job_.in_flags(ue, range),
       .clears = clearing_[index_of(ue)]});
}

void Checker::stores(const Ue& ue, const MpbRange& to, const std::byte* values, std::uint8_t mask) {
  tell(&Rule::drops_lines, ue);
  // Whoever comes last to the end writes everybody's flags there; what orders that is no access.
  const bool compared = !has(ue.activity.traits, mesh::CallTraits::ends);
  const auto part_of = [&](std::size_t offset, std::size_t bytes, std::uint8_t bits) {
    return Use{
        .ue = ue,
        .range = {to.core, offset, bytes},
        .by = Use::By::line,
        .write = true,
        .single = true,
        .clears = clearing_[index_of(ue)],
        .values = {
            .bytes = values + (offset - to.offset), .mask = bits, .known = true, .compared = compared}};
  };
  const ChangingBits& changing = changing_[index_of(ue)];
  const std::size_t first = job_.byte_of(to);
  if (!changing.on || changing.place / line_bytes != first / line_bytes) {
    const Use whole = part_of(to.offset, to.bytes, mask);
    return store(ue, {&whole, 1});
  }
  std::vector<Use> parts;
  const auto masks = bytes_of(changing.mask);
  for (std::size_t i = 0; i < masks.size(); ++i) {
    const std::size_t place = changing.place + i;
    if (masks[i] != 0 && place >= first && place < first + to.bytes)
      parts.push_back(part_of(to.offset + (place - first), 1, masks[i]));
  }
  store(ue, parts);
}

void Checker::loads(const Ue& ue, const MpbRange& from) {
  tell(&Rule::drops_lines, ue);
  use({.ue = ue, .range = from, .by = Use::By::line, .single = true, .clears = clearing_[index_of(ue)]});
}

void Checker::waited(const Ue& ue, const MpbRange& word, std::uint32_t mask) {
  tell(&Rule::drops_lines, ue);
  const auto masks = bytes_of(mask);
  if (!job_.order.seen(job_.byte_of(word), {job_.memory_of(word), word.bytes},
                       std::span(masks).first(word.bytes), ue.rank))
    job_.order.clocks.acquire_all(ue.rank);
}

/// The program's own waiting loop went round: what ends it may have come past the machine.
void Checker::spun(const Ue& ue) {
  if (!job_.observed) job_.order.clocks.acquire_all(ue.rank);
}

} // namespace rcce::check
