// SPDX-License-Identifier: Apache-2.0
// Loads and stores of the program's own code in the caches of its core (rccerun --compute cache).
#include <algorithm>
#include <limits>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "mesh_sim/machines/scc/costs.hpp"

namespace mesh {

MemoryAccess SccCosts::load_word(CoreState& core, const void* address) {
  const std::uint64_t line = core.memory.physical(address) / line_bytes;
  if (core.l1.read_line(line).hits > 0) return {};
  const Cache::Counts found = core.l2.read_line(line);
  core.l2_hits += found.hits;
  if (found.hits > 0) return {config_.l2_read_cycles * core.cycle, true};
  ++core.dram_lines;
  core.write_backs += found.written_back;
  return {core.dram_line + found.written_back * config_.dram_write_back_cycles * core.cycle, true};
}

MemoryAccess SccCosts::store_word(CoreState& core, const void* address) {
  const std::uint64_t line = core.memory.physical(address) / line_bytes;
  const bool in_l1 = core.l1.write_line(line).hits > 0;
  const bool in_l2 = core.l2.write_line(line).hits > 0;
  if (in_l1) return {};
  core.l2_hits += in_l2 ? 1 : 0;
  core.dram_lines += in_l2 ? 0 : 1;
  return {in_l2 ? config_.l2_read_cycles * core.cycle : core.dram_line, false};
}

MemoryAccess SccCosts::access_once(CoreState& core, const AccessStream& access) {
  constexpr std::size_t bus = 8, word = 4;
  const auto transfers = [&](std::size_t n) {
    return static_cast<Picoseconds>(access.bytes <= bus ? 1 : (n + word - 1) / word);
  };
  if (place_of(access.address) != MemoryPlacement::priv)
    return {core.dram_line * transfers(access.bytes), false};
  MemoryAccess sum;
  const std::byte* at = access.address;
  for (std::size_t left = access.bytes; left > 0;) {
    const std::size_t in_line =
        std::min(left, line_bytes - reinterpret_cast<std::uintptr_t>(at) % line_bytes);
    const MemoryAccess one = access.writes() ? store_word(core, at) : load_word(core, at);
    sum.time += one.time * (access.writes() ? transfers(in_line) : 1);
    sum.near = one.near;
    at += in_line;
    left -= in_line;
  }
  if (access.writes()) sum.time = std::max<Picoseconds>(0, sum.time - (access.how >> 1) * core.cycle);
  return sum;
}

/// One stream on its way through a loop, from one round in which it comes to new lines to the next.
class SccCosts::StreamWalk {
 public:
  explicit StreamWalk(const AccessStream& stream) noexcept
      : stream_(stream), at_(reinterpret_cast<std::uintptr_t>(stream.address)) {
    seen_ = upwards() ? at_ / line_bytes - 1 : (at_ + stream.bytes - 1) / line_bytes + 1;
    if (const std::uint64_t step = distance(); step > 0 && line_bytes % step == 0) usual_ = line_bytes / step;
  }

  [[nodiscard]] std::uint64_t next() const noexcept { return next_; }
  [[nodiscard]] bool stores_to(std::uint64_t line) const noexcept { return each_ > 0 && line == seen_; }

  /// Comes to the lines of round next(). Returns what its loads take; calls fetched(line) for each that has
  /// been brought in.
  template <class Fetched>
  Picoseconds arrive(SccCosts& costs, CoreState& core, Fetched&& fetched) {
    Picoseconds time = settle(next_);
    const std::uint64_t first = at_ / line_bytes, last = (at_ + stream_.bytes - 1) / line_bytes;
    for (std::uint64_t n = upwards() ? std::max(first, seen_ + 1) : std::min(last, seen_ - 1);
         n >= first && n <= last; n += upwards() ? 1 : -1) {
      seen_ = n;
      if (stream_.writes()) {
        store(costs, core);
      } else if (const Picoseconds one = costs.load_word(core, seen()).time; one > 0) {
        time += one;
        fetched(n);
      }
    }
    lead_on(first, last);
    return time;
  }

  /// Looks its line up again, which is another's to change.
  void store(SccCosts& costs, CoreState& core) {
    each_ = std::max<Picoseconds>(0, costs.store_word(core, seen()).time - (stream_.how >> 1) * core.cycle);
  }

  /// What its stores have taken until this round.
  Picoseconds settle(std::uint64_t round) noexcept {
    return each_ * static_cast<Picoseconds>(round - std::exchange(settled_, round));
  }

 private:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  [[nodiscard]] bool upwards() const noexcept { return stream_.step >= 0; }
  [[nodiscard]] std::uint64_t distance() const noexcept {
    return static_cast<std::uint64_t>(upwards() ? stream_.step : -stream_.step);
  }
  [[nodiscard]] const void* seen() const noexcept {
    return reinterpret_cast<const void*>(seen_ * line_bytes); // NOLINT(performance-no-int-to-ptr)
  }

  /// To the next round with a new line: its foremost byte is there.
  void lead_on(std::uint64_t first, std::uint64_t last) noexcept {
    const std::uint64_t step = distance();
    if (step == 0) {
      next_ = never;
      return;
    }
    std::uint64_t rounds = 1;
    if (step < line_bytes) {
      const std::uint64_t way =
          upwards() ? (last + 1) * line_bytes - (at_ + stream_.bytes - 1) : at_ - first * line_bytes + 1;
      rounds = usual_ > 0 && next_ > 0 ? usual_ : (way + step - 1) / step;
    }
    next_ += rounds;
    at_ += rounds * static_cast<std::uint64_t>(stream_.step);
  }

  AccessStream stream_;
  std::uint64_t at_;        ///< its first byte in round next_
  std::uint64_t seen_;      ///< the foremost line that it has come to
  std::uint64_t usual_ = 0; ///< rounds from line to line, where all are alike
  std::uint64_t next_ = 0, settled_ = 0;
  Picoseconds each_ = 0; ///< what a store takes
};

MemoryAccess SccCosts::access(CoreState& core, std::uint64_t rounds, std::span<const AccessStream> streams) {
  if (rounds == 1 && streams.size() == 1) return access_once(core, streams.front());
  MemoryAccess sum;
  constexpr std::size_t usual = 16;
  boost::container::small_vector<StreamWalk, usual> walks;
  for (const AccessStream& stream : streams) {
    if (place_of(stream.address) == MemoryPlacement::priv)
      walks.emplace_back(stream);
    else
      sum.time += core.dram_line * static_cast<Picoseconds>(rounds);
  }
  std::uint64_t round = 0;
  const auto fetched = [&](std::uint64_t line) {
    for (StreamWalk& walk : walks) {
      if (!walk.stores_to(line)) continue;
      sum.time += walk.settle(round);
      walk.store(*this, core);
    }
  };
  while (round < rounds) {
    std::uint64_t next = rounds;
    for (StreamWalk& walk : walks) {
      if (walk.next() == round) sum.time += walk.arrive(*this, core, fetched);
      next = std::min(next, walk.next());
    }
    round = next;
  }
  for (StreamWalk& walk : walks) sum.time += walk.settle(rounds);
  return sum;
}

} // namespace mesh
