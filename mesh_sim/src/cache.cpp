#include "mesh_sim/cache.hpp"

#include <algorithm>
#include <cstring>

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
bool any(Vector v) noexcept {
  std::uint64_t half[2];
  std::memcpy(half, &v, sizeof v);
  return (half[0] | half[1]) != 0;
}

/// All ones in the lanes from `from` to before `to`.
Vector lanes_between(int from, int to) noexcept {
  using Signed [[gnu::vector_size(16)]] = std::int16_t;
  constexpr Signed number = {0, 1, 2, 3, 4, 5, 6, 7};
  const Signed low = Signed{} + static_cast<std::int16_t>(from),
               high = Signed{} + static_cast<std::int16_t>(to);
  return reinterpret_cast<Vector>(number >= low) & reinterpret_cast<Vector>(number < high);
}

/// Sum of lanes that are small numbers.
unsigned sum(Vector v) noexcept {
  std::uint64_t half[2];
  std::memcpy(half, &v, sizeof v);
  return static_cast<unsigned>(((half[0] + half[1]) * 0x0001000100010001u) >> 48);
}

/// Number of lanes with all ones.
unsigned lanes(Vector v) noexcept {
  std::uint64_t half[2];
  std::memcpy(half, &v, sizeof v);
  constexpr std::uint64_t lowest = 0x0001000100010001u;
  return static_cast<unsigned>((((half[0] & lowest) + (half[1] & lowest)) * lowest) >> 48);
}

/// Calls act(lane) for each lane with all ones.
template <class Do>
void for_lanes(Vector v, Do&& act) noexcept {
  std::uint64_t half[2];
  std::memcpy(half, &v, sizeof v);
  for (unsigned h = 0; h < 2; ++h)
    for (std::uint64_t bits = half[h] & 0x0001000100010001u; bits != 0; bits &= bits - 1)
      act(h * width / 2 + static_cast<unsigned>(std::countr_zero(bits)) / 16);
}

struct Outcome {
  Vector hit, victim; ///< lanes where the line was there; ... where a modified line made room
};

/// Looks the tag up in eight rows of ways, a lane each, and moves it to the front of those in `want`. Reads
/// bring absent lines in; writes (`mark` is the bit to set) leave them out.
template <unsigned Ways>
[[gnu::always_inline]] inline Outcome use(std::uint16_t* front, std::size_t stride, Vector want, Vector wish,
                                          Vector mark, bool write, std::uint16_t modified,
                                          std::uint16_t kept_tag) noexcept {
  const Vector tag_bits = all(static_cast<std::uint16_t>(~modified)), modified_bit = all(modified);
  // Most lines of a repeated copy stand where the last one left them: in front.
  const Vector row0 = load(front);
  const Vector hit0 = equal(row0 & tag_bits, wish);
  if (!any(want & ~hit0)) {
    if (write) store(front, row0 | (mark & want));
    return {want, Vector{}};
  }
  Vector row[Ways];
  Vector hit{}, state{};
  for (unsigned way = 0; way < Ways; ++way) {
    row[way] = load(front + way * stride);
    const Vector here = equal(row[way] & tag_bits, wish);
    hit |= here;
    state |= row[way] & modified_bit & here;
  }
  // Each way hands its line to the next one until the line's old place, or the oldest way, has been filled.
  // Writes move only lines that are there.
  const Vector moving = write ? want & hit : want;
  Vector carry = wish | state | mark;
  Vector left = moving;
  for (unsigned way = 0; way < Ways; ++way) {
    if (way == Ways - 1) left &= ~equal(row[way], all(kept_tag));
    store(front + way * stride, choose(left, carry, row[way]));
    if (way == Ways - 1)
      carry = choose(equal(row[way], all(kept_tag)), carry, row[way]);
    else
      carry = row[way];
    left &= ~equal(row[way] & tag_bits, wish);
  }
  return {want & hit, equal(moving & ~hit & carry & modified_bit, modified_bit)};
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

bool Cache::Lanes::has(unsigned position) const noexcept {
  const Tag block = block_[position / block_sets];
  return block == some ? lane_[position] != 0 : block == every;
}

unsigned Cache::Lanes::common(const Lanes& a, const Lanes& b, std::uint64_t line, unsigned count) noexcept {
  const unsigned blocks = (line % block_sets + count + block_sets - 1) / block_sets;
  unsigned total = 0;
  for (unsigned block = 0; block < blocks; ++block) {
    if (a.block_[block] == none || b.block_[block] == none) continue;
    Vector both = all(ones);
    for (const Lanes* one : {&a, &b})
      if (one->block_[block] == some) both &= load(one->lane_.data() + block * block_sets);
    total += lanes(both);
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
  if (any(differ)) return;
  for (unsigned way = 0; way < Ways; ++way)
    whole_[std::size_t{way} * blocks_ + block] = sets[way * block_sets];
  mixed_[block] = 0;
}

Cache::Counts Cache::read(std::uint64_t line, unsigned count, const Lanes* wanted, Lanes* missed) noexcept {
  return for_ways([&]<unsigned Ways>() noexcept { return access<Ways>(line, count, wanted, false, missed); });
}

Cache::Counts Cache::write(std::uint64_t line, unsigned count, const Lanes* wanted, Lanes* missed) noexcept {
  return for_ways([&]<unsigned Ways>() noexcept { return access<Ways>(line, count, wanted, true, missed); });
}

template <unsigned Ways>
Cache::Counts Cache::access(std::uint64_t line, unsigned count, const Lanes* wanted, bool write,
                            Lanes* missed) noexcept {
  const auto set = static_cast<unsigned>(line & (sets_ - 1));
  const unsigned first = set / block_sets;
  const int start = static_cast<int>(set % block_sets), end = start + static_cast<int>(count);
  const Vector wish = all(tag_of(line)), mark = write ? all(modified) : Vector{};
  constexpr int step = width;
  Vector hits{}, victims{}, whole_hits{}, whole_victims{}; // counts per lane
  for (int done = 0; done * step < end; done += step) {    // in blocks
    const unsigned block = first + static_cast<unsigned>(done);
    const Vector chosen = wanted != nullptr ? load(wanted->block_.data() + done) : all(ones);
    const Vector in_run = lanes_between(0, (end + step - 1) / step - done) & ~equal(chosen, Vector{});
    const Vector together = in_run & lanes_between((start != 0 ? 1 : 0) - done, end / step - done) &
        equal(chosen, all(Lanes::every)) & ~load(mixed_ + block);
    Vector not_there{};
    if (any(together)) {
      const Outcome whole =
          use<Ways>(whole_ + block, blocks_, together, wish, mark, write, modified, kept_tag);
      whole_hits -= whole.hit;
      whole_victims -= whole.victim;
      not_there = together & ~whole.hit;
    }
    for_lanes(in_run & ~together, [&](unsigned lane) noexcept {
      const int from = (done + static_cast<int>(lane)) * step; // position of the block's first line
      Vector want = lanes_between(start - from, end - from);
      if (wanted != nullptr && wanted->block_[static_cast<unsigned>(done) + lane] == Lanes::some)
        want &= load(wanted->lane_.data() + from);
      const Outcome each =
          use<Ways>(split<Ways>(block + lane), block_sets, want, wish, mark, write, modified, kept_tag);
      hits -= each.hit; // each lane that is all ones counts one
      victims -= each.victim;
      if (const Vector absent = want & ~each.hit; missed != nullptr && any(absent)) {
        const Vector here = lanes_between(static_cast<int>(lane), static_cast<int>(lane) + 1);
        not_there |= here & all(any(~absent) ? Lanes::some : Lanes::every);
        store(missed->lane_.data() + from, absent);
      }
      // Copies ascend: with its last line a block may have become even again.
      if (from + step <= end) join<Ways>(block + lane);
    });
    if (missed != nullptr) store(missed->block_.data() + done, not_there);
  }
  return {sum(hits) + block_sets * sum(whole_hits), sum(victims) + block_sets * sum(whole_victims)};
}

void Cache::read_mpb(std::size_t offset, unsigned count) noexcept {
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
  for (int done = 0; done * step < end; done += step) {
    const unsigned block = first + static_cast<unsigned>(done);
    const Vector in_run = lanes_between(0, (end + step - 1) / step - done);
    const Vector together =
        lanes_between((start != 0 ? 1 : 0) - done, end / step - done) & ~load(mixed_ + block);
    if (any(together)) push_front<Ways>(whole_ + block, blocks_, together, mpb_tag, kept_tag);
    for_lanes(in_run & ~together, [&](unsigned lane) noexcept {
      const int from = (done + static_cast<int>(lane)) * step;
      push_front<Ways>(split<Ways>(block + lane), block_sets, lanes_between(start - from, end - from),
                       mpb_tag, kept_tag);
      if (from + step <= end) join<Ways>(block + lane);
    });
  }
}

void Cache::invalidate_mpb() noexcept {
  if (mpb_from_ >= mpb_to_) return;
  for_ways([&]<unsigned Ways>() noexcept {
    for (unsigned block = mpb_from_; block < mpb_to_; block += width) {
      const Vector in = lanes_between(0, static_cast<int>(mpb_to_ - block)),
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
