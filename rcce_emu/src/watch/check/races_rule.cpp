// SPDX-License-Identifier: Apache-2.0
// Two UEs use the same bytes, one of them writes, and nothing orders the two: a flag, barrier, lock or
// message that one leaves and the other waits for. Examples: two-writers and torn of
// tests/misuse/checked_gory.c; count, count-in-buffer, read-early, last-one, copies and flag-of-two of
// plain.c.
#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "watch/check/rule.hpp"

namespace rcce::check {
namespace {

using mesh::line_bytes;

/// One access to bytes within one line.
struct Access {
  int ue = -1;
  Epoch epoch = 0;
  std::uint32_t mask = 0; ///< bytes of the line
  bool write = false;
  bool single = false; ///< a store or look that the machine makes at once: two such conflict as stores of
                       ///< different values only
  bool silent = false; ///< a store of what is there already: whoever reads sees the same with and without it
  std::array<std::uint8_t, line_bytes> values{},
      bits{}; ///< values of a single store, and which bits are known
};

/// Who has written and read which bytes last, line by line. After FastTrack (Flanagan and Freund, PLDI 2009):
/// per line the accesses that later ones can still conflict with, each with its UE's epoch and a mask of
/// bytes.
class Lines {
 public:
  /// An access that has been met before and is not ordered with the present one.
  struct Conflict {
    Side side;
    bool write;
    std::uint32_t mask; ///< the bytes in common
  };

  /// Takes note of an access; the first conflict with an earlier one.
  [[nodiscard]] std::optional<Conflict> note(std::size_t line, const Access& access, const Side& side,
                                             const Clocks& clocks);

 private:
  struct Record {
    Access access;
    Side side;
  };
  std::unordered_map<std::size_t, std::vector<Record>> lines_; ///< never walked
};

/// True if two stores leave different values in some of these bytes.
bool differ(const Access& a, const Access& b, std::uint32_t bytes) {
  for (std::size_t i = 0; i < line_bytes; ++i)
    if ((bytes >> i & 1) != 0 && ((a.values[i] ^ b.values[i]) & a.bits[i] & b.bits[i]) != 0) return true;
  return false;
}

/// True if the order of the two matters to the bytes that they have in common.
bool conflicting(const Access& a, const Access& b, std::uint32_t common) {
  if (common == 0 || !(a.write || b.write)) return false;
  if (a.single && b.single) return a.write && b.write && differ(a, b, common);
  return !(a.silent && !b.write) && !(b.silent && !a.write);
}

std::optional<Lines::Conflict> Lines::note(std::size_t number, const Access& access, const Side& side,
                                           const Clocks& clocks) {
  std::vector<Record>& line = lines_[number];
  std::optional<Conflict> found;
  Record* same = nullptr;
  for (Record& record : line) {
    const Access& before = record.access;
    if (before.ue == access.ue) {
      if (before.write == access.write && before.single == access.single && before.silent == access.silent &&
          before.epoch == access.epoch)
        same = &record;
      continue;
    }
    const std::uint32_t common = before.mask & access.mask;
    if (!conflicting(before, access, common)) continue;
    if (!found && !clocks.ordered(before.ue, before.epoch, access.ue))
      found = Conflict{record.side, before.write, common};
  }
  if (same != nullptr) {
    same->access.mask |= access.mask;
    for (std::size_t i = 0; i < line_bytes; ++i) {
      if ((access.mask >> i & 1) == 0) continue;
      same->access.values[i] = static_cast<std::uint8_t>((same->access.values[i] & ~access.bits[i]) |
                                                         (access.values[i] & access.bits[i]));
      same->access.bits[i] |= access.bits[i];
    }
    return found;
  }
  // What conflicts with an access that this one covers conflicts with this one too, if the two are ordered;
  // if they are not, that has just been told, or they are stores of which either may come first.
  for (Record& record : line) {
    Access& before = record.access;
    const bool own = before.ue == access.ue;
    const bool covers = access.write
        ? !access.single || (before.single && (own || clocks.ordered(before.ue, before.epoch, access.ue)))
        : own && !before.write && before.single == access.single;
    if (covers) before.mask &= ~access.mask;
  }
  std::erase_if(line, [](const Record& record) { return record.access.mask == 0; });
  line.push_back({access, side});
  return found;
}

/// Pairs of stores that are kept until it is known what they are for.
constexpr std::size_t most_stores = 10'000;

class Races final : public Rule {
 public:
  using Rule::Rule;

  void used(const Use& use) override {
    if (use.asks) for_each_line(use.range, [&](const MpbRange& part, std::size_t) { mark(asked_, part); });
    const bool loads_flags = use.by == Use::By::line && !use.write && job_.in_flags(use.ue, use.range);
    if (use.clears || loads_flags) return;
    for_each_line(use.range, [&](const MpbRange& part, std::size_t done) { note(use, part, done); });
  }

  void ends(std::span<const BlockedCore>) override {
    for (const Stores& pair : stores_)
      if (!met(asked_, pair) && met(used_, pair)) add(true, pair.first, true, pair.second);
  }

 private:
  /// Two stores of the program's own, which are no mistake where a loop asks for the word: it may be how UEs
  /// agree.
  struct Stores {
    std::size_t line;
    std::uint32_t bytes;
    Side first, second;
  };
  using BytesOfLines = std::unordered_map<std::size_t, std::uint32_t>; ///< by line; never walked

  [[nodiscard]] std::size_t line_of(const MpbRange& part) const { return job_.byte_of(part) / line_bytes; }
  [[nodiscard]] static std::uint32_t bytes_of(const MpbRange& part) {
    const std::size_t first = part.offset % line_bytes;
    return byte_mask(first, first + part.bytes);
  }
  void mark(BytesOfLines& places, const MpbRange& part) const { places[line_of(part)] |= bytes_of(part); }
  [[nodiscard]] static bool met(const BytesOfLines& places, const Stores& pair) {
    const auto found = places.find(pair.line);
    return found != places.end() && (found->second & pair.bytes) != 0;
  }

  /// `part`: of one line, `done` bytes of the range come before it.
  void note(const Use& use, const MpbRange& part, std::size_t done) {
    const bool own_store = use.by == Use::By::plain && use.write;
    // A store of at most a line acts at once; a longer one is as good as several.
    const Side side = job_.side_at(use.ue, own_store ? part : use.range, use.code);
    if (job_.observed && !use.write && !use.single) mark(used_, part);
    const auto conflict = lines_.note(line_of(part), access_of(use, part, done), side, job_.order.clocks);
    if (!conflict) return;
    if (use.write && conflict->write && use.code != 0 && conflict->side.code != 0) {
      if (stores_.size() < most_stores)
        stores_.push_back({line_of(part), conflict->mask, conflict->side, side});
    } else {
      add(conflict->write, conflict->side, use.write, side);
    }
  }

  [[nodiscard]] Access access_of(const Use& use, const MpbRange& part, std::size_t done) const {
    Access access{.ue = use.ue.rank,
                  .epoch = job_.order.clocks.now(use.ue.rank),
                  .mask = bytes_of(part),
                  .write = use.write,
                  .single = use.single};
    if (!use.values.known) return access;
    const std::size_t first = part.offset % line_bytes;
    const std::byte* const there = job_.memory_of(part);
    access.silent = use.by == Use::By::plain;
    for (std::size_t i = 0; i < part.bytes; ++i) {
      const std::byte value = use.values[done + i];
      access.silent = access.silent && value == there[i];
      if (!use.values.compared) continue;
      access.values[first + i] = static_cast<std::uint8_t>(value);
      access.bits[first + i] = use.values.mask;
    }
    return access;
  }

  void add(bool before_writes, const Side& before, bool writes, const Side& side) {
    job_.findings.add(
        before_writes && writes ? "two writes to the same bytes, and nothing orders them"
            : writes            ? "bytes are overwritten while another may still read them"
                                : "bytes are read that another may still be writing",
        before, side,
        "one UE must wait for a flag, barrier, lock or message of the other, sent after its access");
  }

  Lines lines_;
  std::vector<Stores> stores_; ///< stores of different values that nothing orders
  BytesOfLines asked_, used_;  ///< bytes that loops ask for, and bytes that are read to be used
};

} // namespace

constinit const MakeRule races_rule = make<Races>;

} // namespace rcce::check
