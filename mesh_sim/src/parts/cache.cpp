// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/cache.hpp"

#include <algorithm>
#include <cstring>
#include <emmintrin.h>
#include <utility>

namespace mesh {

namespace {

// Eight blocks, or the eight sets of one block, at a time. The vector extension of gcc and clang: comparison
// gives all ones or zero per lane.
constexpr unsigned width = 8;
static_assert(width == Cache::block_sets);
using Vector [[gnu::vector_size(16)]] = std::uint16_t;

constexpr std::uint16_t ones = 0xffff;

Vector load(const std::uint16_t* from) noexcept {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
void store(std::uint16_t* to, Vector v) noexcept {
  std::memcpy(to, &v, sizeof v);
}

Vector all(std::uint16_t word) noexcept {
  return Vector{} + word;
}
Vector equal(Vector a, Vector b) noexcept {
  return reinterpret_cast<Vector>(a == b);
}
Vector choose(Vector mask, Vector then, Vector otherwise) noexcept {
  return (mask & then) | (~mask & otherwise);
}
/// Of masks, whose lanes are all ones or zero: two bits for each lane with all ones.
unsigned bits_of(Vector v) noexcept {
  return static_cast<unsigned>(_mm_movemask_epi8(reinterpret_cast<__m128i>(v)));
}
bool any(Vector v) noexcept {
  return bits_of(v) != 0;
}

/// All ones in the lanes before `to`, a number from -144 to 144.
Vector lanes_before(int to) noexcept {
  constexpr int most = Cache::longest_run + 2 * width;
  static constexpr auto window = [] {
    std::array<std::uint16_t, 2 * most + width> words{};
    std::fill_n(words.begin(), most, ones);
    return words;
  }();
  return load(window.data() + (most - to));
}
Vector lanes_between(int from, int to) noexcept {
  return lanes_before(to) & ~lanes_before(from);
}

/// Sum of lanes that are small numbers.
unsigned sum(Vector v) noexcept {
  std::uint64_t half[2];
  std::memcpy(half, &v, sizeof v);
  return static_cast<unsigned>(((half[0] + half[1]) * 0x0001000100010001u) >> 48);
}

/// Calls act(lane) for each lane with all ones.
template <class Do>
void for_lanes(Vector v, Do&& act) noexcept {
  for (unsigned bits = bits_of(v); bits != 0; bits &= bits - 1, bits &= bits - 1)
    act(static_cast<unsigned>(std::countr_zero(bits)) / 2);
}

struct Outcome {
  Vector hit, victim; ///< lanes where the line was there; ... where a modified line made room
};

/// Looks the tag up in eight rows of ways, a lane each, and moves it to the front of those in `want`, with
/// the bits of `mark`. Absent lines are brought in if `allocate`, else left out.
template <unsigned Ways>
[[gnu::always_inline]] inline Outcome use(std::uint16_t* front, std::size_t stride, Vector want, Vector wish,
                                          Vector mark, bool allocate, std::uint16_t modified,
                                          std::uint16_t kept_tag) noexcept {
  const Vector tag_bits = all(static_cast<std::uint16_t>(~modified)), modified_bit = all(modified);
  // Most lines of a repeated copy stand where the last one left them: in front.
  Vector row[Ways], here[Ways];
  row[0] = load(front);
  here[0] = equal(row[0] & tag_bits, wish);
  if (!any(want & ~here[0])) {
    store(front, row[0] | (mark & want));
    return {want, Vector{}};
  }
  Vector hit = here[0];
  for (unsigned way = 1; way < Ways; ++way) {
    row[way] = load(front + way * stride);
    here[way] = equal(row[way] & tag_bits, wish);
    hit |= here[way];
  }
  hit &= want;
  const Vector kept = equal(row[Ways - 1], all(kept_tag));
  // Each way hands its line to the next one until the line's old place, or the oldest way, has been filled.
  Vector left = want, carry = wish | mark;
  if (any(hit)) {
    for (unsigned way = 0; way < Ways; ++way) carry |= row[way] & modified_bit & here[way];
    if (!allocate) left = hit;
  } else {
    // Most lines of a long copy are in no cache.
    if (!allocate) return {hit, Vector{}};
    for (unsigned way = 0; way < Ways; ++way) here[way] = Vector{};
  }
  const Vector absent = left & ~hit;
  for (unsigned way = 0; way + 1 < Ways; ++way) {
    store(front + way * stride, choose(left, carry, row[way]));
    carry = row[way];
    left &= ~here[way];
  }
  store(front + (Ways - 1) * stride, choose(left & ~kept, carry, row[Ways - 1]));
  // Of a set with one way that is kept nothing has to leave.
  const Vector out = choose(kept, Ways == 1 ? Vector{} : carry, row[Ways - 1]);
  return {hit, equal(absent & out & modified_bit, modified_bit)};
}

/// Puts `tag` in front of the rows in `want`; the oldest line makes room.
template <unsigned Ways>
[[gnu::always_inline]] inline void push_front(std::uint16_t* front, std::size_t stride, Vector want,
                                              std::uint16_t tag, std::uint16_t kept_tag) noexcept {
  Vector carry = all(tag);
  for (unsigned way = 0; way < Ways; ++way) {
    std::uint16_t* const place = front + way * stride;
    const Vector old = load(place);
    store(place, choose(want & ~equal(old, all(kept_tag)), carry, old));
    carry = old;
  }
}

/// Drops `tag` from the rows in `want`; empty places move behind the others.
template <unsigned Ways>
[[gnu::always_inline]] inline void drop(std::uint16_t* front, std::size_t stride, Vector want,
                                        std::uint16_t tag, std::uint16_t kept_tag) noexcept {
  Vector old[Ways], row[Ways];
  for (unsigned way = 0; way < Ways; ++way) {
    old[way] = load(front + way * stride);
    row[way] = old[way] & ~equal(old[way], all(tag));
  }
  const Vector kept = equal(row[Ways - 1], all(kept_tag));
  row[Ways - 1] &= ~kept;
  for (unsigned pass = 1; pass < Ways; ++pass)
    for (unsigned way = 0; way + pass < Ways; ++way) {
      const Vector empty = equal(row[way], Vector{});
      row[way] |= row[way + 1] & empty;
      row[way + 1] &= ~empty;
    }
  row[Ways - 1] |= kept & all(kept_tag);
  for (unsigned way = 0; way < Ways; ++way) store(front + way * stride, choose(want, row[way], old[way]));
}

} // namespace

void Cache::Lanes::set(unsigned position) noexcept {
  Tag& block = block_[position / block_sets];
  if (block == every) return;
  if (block == none) std::fill_n(lane_.begin() + position / block_sets * block_sets, block_sets, none);
  block = some;
  lane_[position] = ones;
}

unsigned Cache::Lanes::common(const Lanes& a, const Lanes& b, std::uint64_t line, unsigned count) noexcept {
  const unsigned blocks = (line % block_sets + count + block_sets - 1) / block_sets;
  unsigned total = 0;
  for (unsigned block = 0; block < blocks; ++block) {
    if (a.block_[block] == none || b.block_[block] == none) continue;
    Vector both = all(ones);
    for (const Lanes* one : {&a, &b})
      if (one->block_[block] == some) both &= load(one->lane_.data() + block * block_sets);
    total += sum(both & all(1));
  }
  return total;
}

Cache::Cache(std::size_t bytes, std::size_t ways, Tag* tags) noexcept
    : sets_(static_cast<unsigned>(bytes / ways / 32)),
      ways_(static_cast<unsigned>(ways)),
      set_bits_(static_cast<unsigned>(std::countr_zero(sets_))),
      blocks_(sets_ / block_sets),
      whole_(tags),
      mixed_(whole_ + blocks_ * ways),
      single_(tags + single_start(blocks_, ways)) {}

/// Calls act with the associativity as a constant, so that the loops over ways stay in registers.
template <class Do>
auto Cache::for_ways(Do&& act) noexcept {
  switch (ways_) {
  case 1:
    return act.template operator()<1>();
  case 2:
    return act.template operator()<2>();
  case 8:
    return act.template operator()<8>();
  default:
    return act.template operator()<4>();
  }
}

void Cache::keep(unsigned lines) noexcept {
  lines = std::min(lines, sets_);
  const unsigned blocks = lines / block_sets;
  std::fill_n(whole_ + (ways_ - 1) * blocks_, blocks, kept_tag);
  if (lines % block_sets == 0) return;
  Tag* const block = for_ways([&]<unsigned Ways>() noexcept { return split<Ways>(blocks); });
  std::fill_n(block + (ways_ - 1) * block_sets, lines % block_sets, kept_tag);
}

/// The sets of the block, one by one from now on.
template <unsigned Ways>
Cache::Tag* Cache::split(unsigned block) noexcept {
  Tag* const sets = single_ + std::size_t{block} * Ways * block_sets;
  if (mixed_[block] == 0) {
    mixed_[block] = ones;
    for (unsigned way = 0; way < Ways; ++way)
      store(sets + way * block_sets, all(whole_[std::size_t{way} * blocks_ + block]));
  }
  return sets;
}

/// One set for all of the block if they are equal.
template <unsigned Ways>
void Cache::join(unsigned block) noexcept {
  const Tag* const sets = single_ + std::size_t{block} * Ways * block_sets;
  Vector differ{};
  for (unsigned way = 0; way < Ways; ++way)
    differ |= load(sets + way * block_sets) ^ all(sets[way * block_sets]);
  if (any(~equal(differ, Vector{}))) return;
  for (unsigned way = 0; way < Ways; ++way)
    whole_[std::size_t{way} * blocks_ + block] = sets[way * block_sets];
  mixed_[block] = 0;
}

Cache::Counts Cache::read(std::uint64_t line, unsigned count, const Lanes* wanted, Lanes* missed,
                          Lanes* made_room) noexcept {
  return for_ways([&]<unsigned Ways>() noexcept {
    return access<Ways>(line, count, wanted, Use::read, missed, made_room);
  });
}

Cache::Counts Cache::write(std::uint64_t line, unsigned count, const Lanes* wanted, Lanes* missed) noexcept {
  return for_ways([&]<unsigned Ways>() noexcept {
    return access<Ways>(line, count, wanted, Use::write, missed, nullptr);
  });
}

Cache::Counts Cache::read_then_write(std::uint64_t line, unsigned count, Lanes* missed,
                                     Lanes* made_room) noexcept {
  return for_ways([&]<unsigned Ways>() noexcept {
    return access<Ways>(line, count, nullptr, Use::both, missed, made_room);
  });
}

template <unsigned Ways>
Cache::Counts Cache::access(std::uint64_t line, unsigned count, const Lanes* wanted, Use how, Lanes* missed,
                            Lanes* made_room) noexcept {
  commit();
  const auto set = static_cast<unsigned>(line & (sets_ - 1));
  const unsigned first = set / block_sets;
  const int start = static_cast<int>(set % block_sets), end = start + static_cast<int>(count);
  const Vector wish = all(tag_of(line)), mark = how == Use::read ? Vector{} : all(modified);
  const bool allocate = how != Use::write;
  constexpr int step = width;
  Vector counts{}; // per lane: hits, and 256 times victims
  const auto count_in = [&](const Outcome& outcome, int shift) noexcept {
    counts += ((outcome.hit & all(1)) | (outcome.victim & all(256))) << shift;
  };
  const int blocks = (end + step - 1) / step, whole_from = start != 0 ? 1 : 0, whole_to = end / step;
  for (int done = 0; done < blocks; done += step) {
    const unsigned block = first + static_cast<unsigned>(done);
    Vector in_run = lanes_before(blocks - done);
    Vector together = lanes_between(whole_from - done, whole_to - done) & ~load(mixed_ + block);
    if (wanted != nullptr) {
      const Vector chosen = load(wanted->block_.data() + done);
      in_run &= ~equal(chosen, Vector{});
      together &= equal(chosen, all(Lanes::every));
    }
    Vector not_there{}, in_its_place{};
    if (any(together)) {
      const Outcome whole =
          use<Ways>(whole_ + block, blocks_, together, wish, mark, allocate, modified, kept_tag);
      count_in(whole, 3);
      not_there = together & ~whole.hit;
      in_its_place = whole.victim;
    }
    for_lanes(in_run & ~together, [&](unsigned lane) noexcept {
      const int from = (done + static_cast<int>(lane)) * step; // position of the block's first line
      Vector want = lanes_between(start - from, end - from);
      if (wanted != nullptr && wanted->block_[static_cast<unsigned>(done) + lane] == Lanes::some)
        want &= load(wanted->lane_.data() + from);
      const Outcome each =
          use<Ways>(split<Ways>(block + lane), block_sets, want, wish, mark, allocate, modified, kept_tag);
      count_in(each, 0);
      if (const Vector absent = want & ~each.hit; missed != nullptr && any(absent)) {
        const Vector here = lanes_between(static_cast<int>(lane), static_cast<int>(lane) + 1);
        not_there |= here & all(any(~absent) ? Lanes::some : Lanes::every);
        store(missed->lane_.data() + from, absent);
      }
      if (made_room != nullptr && any(each.victim)) {
        const Vector here = lanes_between(static_cast<int>(lane), static_cast<int>(lane) + 1);
        in_its_place |= here & all(any(~each.victim) ? Lanes::some : Lanes::every);
        store(made_room->lane_.data() + from, each.victim);
      }
      // Copies ascend: with its last line a block may have become even again.
      if (from + step <= end) join<Ways>(block + lane);
    });
    if (missed != nullptr) store(missed->block_.data() + done, not_there);
    if (made_room != nullptr) store(made_room->block_.data() + done, in_its_place);
  }
  const unsigned total = sum(counts);
  return {total % 256, total / 256};
}

/// Brings the tags up to date with a line of which read_mpb() has only taken note.
void Cache::commit() noexcept {
  if (lone_ == nowhere) return;
  const unsigned set = std::exchange(lone_, nowhere);
  for_ways([&]<unsigned Ways>() noexcept {
    if (lone_dropped_)
      evict_oldest<Ways>(set);
    else
      fill_mpb<Ways>(set, 1);
  });
}

/// What remains of a message-passing line that has come and gone: the place at the end is empty.
template <unsigned Ways>
void Cache::evict_oldest(unsigned set) noexcept {
  const unsigned block = set / block_sets;
  const auto word = [&](unsigned way) {
    return mixed_[block] != 0 ? single_[(std::size_t{block} * Ways + way) * block_sets + set % block_sets]
                              : whole_[std::size_t{way} * blocks_ + block];
  };
  const unsigned kept = word(Ways - 1) == kept_tag ? 1 : 0;
  if (kept == Ways) return;
  const unsigned last = Ways - 1 - kept;
  if (word(last) != 0) split<Ways>(block)[last * block_sets + set % block_sets] = 0;
}

void Cache::read_mpb_run(std::size_t offset, unsigned count) noexcept {
  commit();
  std::uint64_t line = offset / 32;
  while (count > 0) {
    const auto set = static_cast<unsigned>(line & (sets_ - 1));
    const unsigned run = std::min({count, sets_ - set, longest_run});
    for_ways([&]<unsigned Ways>() noexcept { fill_mpb<Ways>(set, run); });
    line += run;
    count -= run;
  }
}

template <unsigned Ways>
void Cache::fill_mpb(unsigned set, unsigned count) noexcept {
  const unsigned first = set / block_sets, last = (set + count - 1) / block_sets;
  mpb_from_ = std::min(mpb_from_, first);
  mpb_to_ = std::max(mpb_to_, last + 1);
  const int start = static_cast<int>(set % block_sets), end = start + static_cast<int>(count);
  constexpr int step = width;
  const int blocks = (end + step - 1) / step, whole_from = start != 0 ? 1 : 0, whole_to = end / step;
  for (int done = 0; done < blocks; done += step) {
    const unsigned block = first + static_cast<unsigned>(done);
    const Vector in_run = lanes_before(blocks - done);
    const Vector together = lanes_between(whole_from - done, whole_to - done) & ~load(mixed_ + block);
    if (any(together)) push_front<Ways>(whole_ + block, blocks_, together, mpb_tag, kept_tag);
    for_lanes(in_run & ~together, [&](unsigned lane) noexcept {
      const int from = (done + static_cast<int>(lane)) * step;
      push_front<Ways>(split<Ways>(block + lane), block_sets, lanes_between(start - from, end - from),
                       mpb_tag, kept_tag);
      if (from + step <= end) join<Ways>(block + lane);
    });
  }
}

void Cache::invalidate_mpb_blocks() noexcept {
  commit();
  for_ways([&]<unsigned Ways>() noexcept {
    for (unsigned block = mpb_from_; block < mpb_to_; block += width) {
      const Vector in = lanes_before(static_cast<int>(std::min(mpb_to_ - block, width))),
                   mixed = in & load(mixed_ + block);
      if (any(in & ~mixed)) drop<Ways>(whole_ + block, blocks_, in & ~mixed, mpb_tag, kept_tag);
      for_lanes(mixed, [&](unsigned lane) noexcept {
        drop<Ways>(single_ + std::size_t{block + lane} * Ways * block_sets, block_sets, all(ones), mpb_tag,
                   kept_tag);
      });
    }
  });
  mpb_from_ = UINT32_MAX;
  mpb_to_ = 0;
}

} // namespace mesh
