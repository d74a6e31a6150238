// SPDX-License-Identifier: Apache-2.0
// Loads and stores of the program's own code in the caches of its core (rccerun --compute cache).
#include <algorithm>
#include <limits>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "mesh_sim/machines/scc/costs.hpp"
#include "mesh_sim/parts/own_accesses.hpp"

namespace mesh {

namespace {

constexpr std::size_t bus = 8, word = 4; ///< bytes of a transfer, of one that is part of a longer store

/// Transfers for `part` bytes of a store of `bytes`.
Picoseconds transfers(std::size_t bytes, std::size_t part) noexcept {
  return static_cast<Picoseconds>(bytes <= bus ? 1 : (part + word - 1) / word);
}

std::uint64_t line_of(const void* address) noexcept {
  return reinterpret_cast<std::uintptr_t>(address) / line_bytes;
}

const std::byte* start_of_line(const void* address) noexcept {
  return static_cast<const std::byte*>(address) - reinterpret_cast<std::uintptr_t>(address) % line_bytes;
}

/// For so long the core works until its next store.
Picoseconds work_of(const AccessStream& store, Picoseconds cycle) noexcept {
  return (store.how >> 1) * cycle;
}

/// Lines of private memory, one behind the other in a page, and which of them are where.
struct Run {
  std::uint64_t line;
  unsigned count, near = 0, in_l2 = 0, written_back = 0;
  Cache::LineSet not_near, not_l2;

  Run(SccCosts::CoreState& core, const void* address, unsigned lines)
      : line(core.memory.physical(address) / line_bytes), count(lines) {}
  [[nodiscard]] unsigned from_dram() const noexcept { return count - near - in_l2; }

  /// Each of them is loaded.
  void load(SccCosts::CoreState& core) noexcept {
    near = core.l1.read(line, count, nullptr, &not_near).hits;
    if (near == count) return;
    const Cache::Counts found = core.l2.read(line, count, near == 0 ? nullptr : &not_near, &not_l2);
    in_l2 = found.hits;
    written_back = found.written_back;
    count_in(core);
  }
  /// Each of them is stored to.
  void store(SccCosts::CoreState& core) noexcept {
    near = core.l1.write(line, count, nullptr, &not_near).hits;
    const unsigned all_in_l2 = core.l2.write(line, count, nullptr, &not_l2).hits;
    const unsigned nowhere =
        near == count || all_in_l2 == count ? 0 : Cache::LineSet::common(not_near, not_l2, line, count);
    in_l2 = count - near - nowhere;
    count_in(core);
    core.stored_lines += from_dram();
  }

 private:
  void count_in(SccCosts::CoreState& core) const noexcept {
    core.l2_hits += in_l2;
    core.dram_lines += from_dram();
    core.write_backs += written_back;
  }
};

} // namespace

/// A word of it. Takes nothing where it is in the first-level cache.
Picoseconds SccCosts::load_line(CoreState& core, std::uint64_t line) {
  if (core.l1.read_line(line).hits > 0) return 0;
  const Cache::Counts found = core.l2.read_line(line);
  core.l2_hits += found.hits;
  if (found.hits > 0) {
    core.own_l2_time += config_.l2_read_cycles * core.cycle;
    return config_.l2_read_cycles * core.cycle;
  }
  ++core.dram_lines;
  core.write_backs += found.written_back;
  return core.dram_line + found.written_back * config_.dram_write_back_cycles * core.cycle;
}

/// One transfer. Takes nothing where the line is in the first-level cache.
Picoseconds SccCosts::store_line(CoreState& core, std::uint64_t line) {
  const bool in_l1 = core.l1.write_line(line).hits > 0;
  const bool in_l2 = core.l2.write_line(line).hits > 0;
  if (in_l1) return 0;
  core.l2_hits += in_l2 ? 1 : 0;
  core.dram_lines += in_l2 ? 0 : 1;
  core.stored_lines += in_l2 ? 0 : 1;
  return in_l2 ? config_.l2_read_cycles * core.cycle : core.dram_line;
}

Picoseconds SccCosts::access_each(CoreState& core, std::span<const AccessStream> accesses,
                                  KnownLines& known) {
  Picoseconds time = 0;
  for (const AccessStream& one : accesses) {
    const std::uint64_t line = line_of(one.address);
    if (known.has(line, one.writes())) continue;
    const Picoseconds transfer = one.writes() && one.bytes <= bus ? known.missed(line) : -1;
    if (transfer < 0) {
      time += access_once(core, one, known);
      continue;
    }
    const Picoseconds stall = std::max<Picoseconds>(0, transfer - work_of(one, core.cycle));
    if (transfer == core.dram_line) {
      ++core.dram_lines;
      ++core.stored_lines;
      ++core.own_words;
    } else {
      ++core.l2_hits;
      core.own_l2_time += stall;
    }
    time += stall;
  }
  return time;
}

Picoseconds SccCosts::access_once(CoreState& core, const AccessStream& access, KnownLines& known) {
  if (const MemoryPlacement place = place_of(access.address); place != MemoryPlacement::priv)
    return place == MemoryPlacement::mpb ? 0 : core.dram_line * transfers(access.bytes, access.bytes);
  constexpr std::size_t most = 16; ///< bytes; longer ones change many sets
  if (access.bytes > most) {
    known.forget();
    return access_long(core, access);
  }
  const std::uint64_t line = line_of(access.address), last = line_of(access.address + access.bytes - 1);
  const std::byte* at = access.address;
  Picoseconds sum = 0, stored_in_l2 = 0;
  bool near = true;
  for (std::uint64_t n = line; n <= last; ++n) {
    const std::byte* const end = n == last ? access.address + access.bytes : start_of_line(at) + line_bytes;
    const std::uint64_t physical = core.memory.physical(at) / line_bytes;
    known.is_accessed(n);
    if (access.writes()) {
      const Picoseconds transfer = store_line(core, physical);
      const auto count = transfers(access.bytes, static_cast<std::size_t>(end - at));
      const Picoseconds all = transfer * count;
      sum += all;
      if (transfer == core.dram_line) core.own_words += static_cast<std::uint64_t>(count);
      if (transfer != core.dram_line) stored_in_l2 += all;
      near = transfer == 0;
      if (!near && line == last && access.bytes <= bus) known.is_missed(line, transfer);
    } else {
      sum += load_line(core, physical);
    }
    at = end;
  }
  if (near) known.is_used(line, access.writes());
  return access.writes() ? stall_of(core, access, sum, stored_in_l2) : sum;
}

/// The time of a store beyond the core's work until the next one; with `in_l2` no more than that.
Picoseconds SccCosts::stall_of(CoreState& core, const AccessStream& store, Picoseconds time,
                               Picoseconds in_l2) noexcept {
  const Picoseconds stall = std::max<Picoseconds>(0, time - work_of(store, core.cycle));
  core.own_l2_time += std::min(in_l2, stall);
  return stall;
}

/// An access to more than a few bytes: all lines of a page at once.
Picoseconds SccCosts::access_long(CoreState& core, const AccessStream& access) {
  const Picoseconds from_l2 = config_.l2_read_cycles * core.cycle;
  Picoseconds sum = 0, stored_in_l2 = 0;
  const std::byte *at = access.address, *const end = access.address + access.bytes;
  const unsigned group = std::min({core.l1.sets(), core.l2.sets(), Cache::longest_run});
  while (at < end) {
    const std::uint64_t first = line_of(at);
    const auto count =
        static_cast<unsigned>(std::min<std::uint64_t>(group - first % group, line_of(end - 1) - first + 1));
    Run run(core, at, count);
    const std::byte* const behind = start_of_line(at) + count * line_bytes;
    if (!access.writes()) {
      run.load(core);
      core.own_l2_time += run.in_l2 * from_l2;
      sum += run.in_l2 * from_l2 + run.from_dram() * core.dram_line +
          run.written_back * config_.dram_write_back_cycles * core.cycle;
    } else {
      run.store(core);
      for (unsigned i = 0; i < count && run.near < count; ++i) {
        const std::byte* const line = start_of_line(at) + i * line_bytes;
        const unsigned position = static_cast<unsigned>(run.line % Cache::block_sets) + i;
        if (!run.not_near.has(position)) continue;
        const Picoseconds count_of_transfers = transfers(
            access.bytes, static_cast<std::size_t>(std::min(end, line + line_bytes) - std::max(at, line)));
        const bool in_l2 = !run.not_l2.has(position);
        sum += (in_l2 ? from_l2 : core.dram_line) * count_of_transfers;
        if (in_l2)
          stored_in_l2 += from_l2 * count_of_transfers;
        else
          core.own_words += static_cast<std::uint64_t>(count_of_transfers);
      }
    }
    at = behind;
  }
  return access.writes() ? stall_of(core, access, sum, stored_in_l2) : sum;
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
  [[nodiscard]] bool writes() const noexcept { return stream_.writes(); }
  [[nodiscard]] bool stores_to(std::uint64_t line) const noexcept { return each_ > 0 && line == seen_; }
  [[nodiscard]] std::int64_t step() const noexcept { return stream_.step; }
  [[nodiscard]] std::uint64_t seen() const noexcept { return seen_; }

  /// Comes to the lines of round next(). Returns what its loads take; calls fetched(line) for each that has
  /// been brought in.
  template <class Fetched>
  Picoseconds arrive(SccCosts& costs, CoreState& core, Fetched&& fetched) {
    Picoseconds time = settle(core, next_);
    const std::uint64_t first = at_ / line_bytes, last = (at_ + stream_.bytes - 1) / line_bytes;
    for (std::uint64_t n = upwards() ? std::max(first, seen_ + 1) : std::min(last, seen_ - 1);
         n >= first && n <= last; n += upwards() ? 1 : -1) {
      seen_ = n;
      if (stream_.writes()) {
        store(costs, core);
      } else if (const Picoseconds one = costs.load_line(core, physical(core, n)); one > 0) {
        time += one;
        fetched(n);
      }
    }
    lead_on(first, last);
    return time;
  }

  /// Looks its line up again, which is another's to change.
  void store(SccCosts& costs, CoreState& core) {
    const Picoseconds transfer = costs.store_line(core, physical(core, seen_));
    each_ = beyond_work(core, transfer);
    in_l2_ = transfer != core.dram_line;
    in_memory_ = !in_l2_;
  }

  /// The time of its stores up to this round.
  Picoseconds settle(CoreState& core, std::uint64_t round) noexcept {
    const std::uint64_t rounds = round - std::exchange(settled_, round);
    const Picoseconds time = each_ * static_cast<Picoseconds>(rounds);
    if (in_l2_) core.own_l2_time += time;
    if (in_memory_) core.own_words += rounds;
    return time;
  }

  /// Its foremost byte in this round. Of streams that go upwards, as all below.
  [[nodiscard]] std::uint64_t foremost(std::uint64_t round) const noexcept {
    return reinterpret_cast<std::uintptr_t>(stream_.address) + round * distance() + stream_.bytes - 1;
  }
  /// The round in which it comes to this line.
  [[nodiscard]] std::uint64_t round_of(std::uint64_t line) const noexcept {
    const std::uint64_t start = foremost(0), step = distance();
    return line * line_bytes <= start ? 0 : (line * line_bytes - start + step - 1) / step;
  }
  /// Comes to all lines before `end`, which are of one page, as arrive() would. Returns what that takes.
  Picoseconds arrive_before(SccCosts& costs, CoreState& core, std::uint64_t end);

 private:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max() - 1;

  [[nodiscard]] bool upwards() const noexcept { return stream_.step >= 0; }
  [[nodiscard]] std::uint64_t distance() const noexcept {
    return static_cast<std::uint64_t>(upwards() ? stream_.step : -stream_.step);
  }
  [[nodiscard]] static const void* address_of(std::uint64_t line) noexcept {
    return reinterpret_cast<const void*>(line * line_bytes); // NOLINT(performance-no-int-to-ptr)
  }
  [[nodiscard]] static std::uint64_t physical(CoreState& core, std::uint64_t line) {
    return core.memory.physical(address_of(line)) / line_bytes;
  }
  /// The time of a store beyond the core's work until the next one.
  [[nodiscard]] Picoseconds beyond_work(const CoreState& core, Picoseconds time) const noexcept {
    return std::max<Picoseconds>(0, time - work_of(stream_, core.cycle));
  }
  Picoseconds load_before(SccCosts& costs, CoreState& core, std::uint64_t first, unsigned count);
  Picoseconds store_before(SccCosts& costs, CoreState& core, std::uint64_t first, unsigned count);

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
  Picoseconds each_ = 0;   ///< time of a store
  bool in_l2_ = false;     ///< that is due to the second-level cache
  bool in_memory_ = false; ///< its stores are words that go to memory
};

Picoseconds SccCosts::StreamWalk::arrive_before(SccCosts& costs, CoreState& core, std::uint64_t end) {
  const std::uint64_t first = seen_ + 1;
  if (first >= end) return 0;
  const auto count = static_cast<unsigned>(end - first);
  const Picoseconds time =
      stream_.writes() ? store_before(costs, core, first, count) : load_before(costs, core, first, count);
  seen_ = end - 1;
  next_ = round_of(end);
  at_ = foremost(next_) - (stream_.bytes - 1);
  return time;
}

Picoseconds SccCosts::StreamWalk::load_before(SccCosts& costs, CoreState& core, std::uint64_t first,
                                              unsigned count) {
  Run run(core, address_of(first), count);
  run.load(core);
  core.own_l2_time += run.in_l2 * costs.config_.l2_read_cycles * core.cycle;
  return (run.in_l2 * costs.config_.l2_read_cycles +
          run.written_back * costs.config_.dram_write_back_cycles) *
      core.cycle +
      run.from_dram() * core.dram_line;
}

Picoseconds SccCosts::StreamWalk::store_before(SccCosts& costs, CoreState& core, std::uint64_t first,
                                               unsigned count) {
  Run run(core, address_of(first), count);
  run.store(core);
  const Picoseconds from_l2 = beyond_work(core, costs.config_.l2_read_cycles * core.cycle),
                    from_dram = beyond_work(core, core.dram_line);
  Picoseconds time = 0;
  std::uint64_t round = round_of(first);
  for (unsigned i = 0; i < count; ++i) {
    if (i > 0) round = usual_ > 0 ? round + usual_ : round_of(first + i);
    time += settle(core, round);
    const unsigned position = static_cast<unsigned>(run.line % Cache::block_sets) + i;
    in_l2_ = !run.not_l2.has(position);
    const bool near = !run.not_near.has(position);
    in_memory_ = !near && !in_l2_;
    each_ = near ? 0 : in_l2_ ? from_l2 : from_dram;
  }
  return time;
}

/// The streams of a loop that advance alike by at most a line each round: many lines of each at once, as long
/// as all stay in their pages. A line of a cache's set comes in the order of the rounds: first to the stream
/// that is furthest on in its page, of those that are equal to the first one of the loop.
class SccCosts::EvenWalks {
 public:
  explicit EvenWalks(std::span<StreamWalk> walks) noexcept : walks_(walks) {
    for (StreamWalk& walk : walks) {
      if (walk.step() == 0) continue;
      if (step_ != 0 && walk.step() != step_) return;
      step_ = walk.step();
      moving_.push_back(&walk);
    }
    possible_ = step_ > 0 && step_ <= static_cast<std::int64_t>(line_bytes) && moving_.size() <= most;
  }

  /// True if rounds can be taken at all.
  [[nodiscard]] bool possible() const noexcept { return possible_; }
  /// If possible: takes as many rounds as it can from `round` on, before `rounds`. All arrivals before are
  /// done, and each stream has been there once. Returns the first round that it has not taken; adds to
  /// `time`.
  std::uint64_t advance(SccCosts& costs, CoreState& core, std::uint64_t round, std::uint64_t rounds,
                        Picoseconds& time) {
    constexpr std::uint64_t worthwhile = 8; // lines
    const auto lines = static_cast<std::uint64_t>(step_) * (rounds - round) / line_bytes;
    if (round < retry_ || lines < worthwhile || std::min(core.l1.sets(), core.l2.sets()) < page_lines)
      return round;
    std::uint64_t end = rounds;
    for (const StreamWalk* walk : moving_) {
      const std::uint64_t next_page = (walk->seen() + 1) / page_lines * page_lines + page_lines;
      end = std::min(end, walk->round_of(next_page));
    }
    if ((end - round) * static_cast<std::uint64_t>(step_) < worthwhile * line_bytes) {
      retry_ = end + 1;
      return round;
    }
    std::ranges::sort(moving_, [&](const StreamWalk* a, const StreamWalk* b) {
      const std::uint64_t of_a = in_page(*a, round), of_b = in_page(*b, round);
      return of_a != of_b ? of_a > of_b : a < b;
    });
    if (!is_even(round, end)) {
      possible_ = false;
      return round;
    }
    for (StreamWalk* walk : moving_)
      time += walk->arrive_before(costs, core, walk->foremost(end - 1) / line_bytes + 1);
    return end;
  }

 private:
  static constexpr std::size_t most = 16;
  static constexpr std::uint64_t page_lines = AddressSpace::page_bytes / line_bytes;
  static_assert(page_lines == Cache::longest_run);

  /// How far on it is in the page of its next new line.
  [[nodiscard]] static std::uint64_t in_page(const StreamWalk& walk, std::uint64_t round) noexcept {
    return walk.foremost(round) - (walk.seen() + 1) / page_lines * AddressSpace::page_bytes +
        AddressSpace::page_bytes;
  }

  /// True if the order by places in pages is that of the rounds, and no stream's line is fetched by another
  /// while it stores to it.
  [[nodiscard]] bool is_even(std::uint64_t round, std::uint64_t end) const noexcept {
    for (std::size_t i = 0; i < moving_.size(); ++i)
      for (std::size_t k = i + 1; k < moving_.size(); ++k)
        if (moving_[i] > moving_[k] &&
            in_page(*moving_[i], round) - in_page(*moving_[k], round) < static_cast<std::uint64_t>(step_))
          return false;
    for (const StreamWalk& store : walks_) {
      if (!store.writes()) continue;
      for (const StreamWalk* load : moving_) {
        if (load->writes()) continue;
        const std::uint64_t line = store.seen();
        if (store.step() == 0) {
          if (line > load->seen() && line <= load->foremost(end) / line_bytes) return false;
          continue;
        }
        const std::uint64_t ahead = store.foremost(0) - load->foremost(0); // huge where it is behind
        if (ahead < line_bytes && (ahead > 0 || &store < load)) return false;
      }
    }
    return true;
  }

  std::span<StreamWalk> walks_;
  boost::container::small_vector<StreamWalk*, most> moving_;
  std::int64_t step_ = 0;
  bool possible_ = false;
  std::uint64_t retry_ = 1; ///< round from which on it may go again
};

Picoseconds SccCosts::access_in_loop(CoreState& core, std::uint64_t rounds,
                                     std::span<const AccessStream> streams, KnownLines& known) {
  known.forget();
  if (rounds == 1 && streams.size() == 1) {
    const Picoseconds time = access_once(core, streams.front(), known);
    known.forget();
    return time;
  }
  Picoseconds sum = 0;
  constexpr std::size_t usual = 16;
  boost::container::small_vector<StreamWalk, usual> walks;
  for (const AccessStream& stream : streams) {
    const MemoryPlacement place = place_of(stream.address);
    if (place == MemoryPlacement::priv)
      walks.emplace_back(stream);
    else if (place == MemoryPlacement::shared)
      sum += core.dram_line * static_cast<Picoseconds>(rounds);
  }
  boost::container::small_vector<StreamWalk*, usual> stores;
  for (StreamWalk& walk : walks)
    if (walk.writes()) stores.push_back(&walk);
  std::uint64_t round = 0;
  const auto fetched = [&](std::uint64_t line) {
    for (StreamWalk* walk : stores) {
      if (!walk->stores_to(line)) continue;
      sum += walk->settle(core, round);
      walk->store(*this, core);
    }
  };
  EvenWalks even({walks.data(), walks.size()});
  constexpr std::size_t few = 3;
  while (round < rounds && (even.possible() || walks.size() > few)) {
    if (even.possible()) round = even.advance(*this, core, round, rounds, sum);
    if (round == rounds) break;
    std::uint64_t next = rounds;
    for (StreamWalk& walk : walks) {
      if (walk.next() == round) sum += walk.arrive(*this, core, fetched);
      next = std::min(next, walk.next());
    }
    round = next;
  }
  // In each round the streams take turns in their order. Of a few, one goes on alone until it is another's
  // turn.
  while (round < rounds && !walks.empty()) {
    StreamWalk& first = *std::ranges::min_element(walks, {}, &StreamWalk::next);
    if (first.next() >= rounds) break;
    std::uint64_t end = rounds;
    for (const StreamWalk& walk : walks)
      if (&walk != &first) end = std::min(end, walk.next() + (&walk > &first ? 1 : 0));
    for (std::uint64_t at = first.next(); at < end; at = first.next()) {
      round = at;
      sum += first.arrive(*this, core, fetched);
    }
  }
  for (StreamWalk& walk : walks) sum += walk.settle(core, rounds);
  return sum;
}

} // namespace mesh
