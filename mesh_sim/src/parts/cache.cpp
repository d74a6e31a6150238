// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/cache.hpp"

#include <algorithm>
#include <utility>

#include "parts/eight_words.hpp"

namespace mesh {

static_assert(words_at_once == Cache::block_sets);

// --- lines of a run ---

void Cache::LineSet::set(unsigned position) noexcept {
  Tag& block = block_[position / block_sets];
  if (block == every) return;
  if (block == none) std::fill_n(line_.begin() + position / block_sets * block_sets, block_sets, none);
  block = some;
  line_[position] = ones;
}

inline EightWords Cache::LineSet::blocks_with_some(unsigned first) const noexcept {
  return ~equal(load(block_.data() + first), EightWords{});
}
inline EightWords Cache::LineSet::blocks_with_all(unsigned first) const noexcept {
  return equal(load(block_.data() + first), all(every));
}
inline EightWords Cache::LineSet::lines_of(unsigned block) const noexcept {
  return block_[block] == some ? load(line_.data() + block * block_sets) : all(ones);
}
inline void Cache::LineSet::assign_blocks(unsigned first, EightWords blocks) noexcept {
  store(block_.data() + first, blocks);
}
inline void Cache::LineSet::assign_lines(unsigned block, EightWords lines) noexcept {
  if (!any(lines)) return;
  block_[block] = any(~lines) ? some : every;
  store(line_.data() + block * block_sets, lines);
}

unsigned Cache::LineSet::common(const LineSet& a, const LineSet& b, std::uint64_t line,
                                unsigned count) noexcept {
  const unsigned blocks = (line % block_sets + count + block_sets - 1) / block_sets;
  unsigned total = 0;
  for (unsigned block = 0; block < blocks; ++block)
    if (a.block_[block] != none && b.block_[block] != none)
      total += sum(a.lines_of(block) & b.lines_of(block) & all(1));
  return total;
}

// --- eight sets, or eight blocks of equal sets ---

/// The tags of eight sets side by side, or of eight blocks whose sets are equal, a lane each: way by way, in
/// order of use. A kept tag stays in the oldest way.
template <unsigned Ways>
class Cache::Rows {
 public:
  /// `front`: the tags used last; those of each further way are `stride` words behind.
  Rows(Tag* front, std::size_t stride) noexcept : front_(front), stride_(stride) {}
  [[nodiscard]] Tag* way(unsigned number) const noexcept { return front_ + number * stride_; }

  struct Outcome {
    EightWords hit, victim; ///< lanes where the line was there; ... where a modified line made room
  };
  Outcome use(EightWords want, EightWords tag, EightWords mark, bool allocate) noexcept;
  void push_front(EightWords want, Tag tag) noexcept;
  void drop(EightWords want, Tag tag) noexcept;

 private:
  Tag* front_;
  std::size_t stride_;
};

/// Looks the tag up and moves it to the front of the sets in `want`, with the bits of `mark`. Absent lines
/// are brought in if `allocate`, else left out.
template <unsigned Ways>
[[gnu::always_inline]] inline Cache::Rows<Ways>::Outcome
Cache::Rows<Ways>::use(EightWords want, EightWords tag, EightWords mark, bool allocate) noexcept {
  // Most lines of a repeated copy stand where the last one left them: in front.
  EightWords row[Ways], here[Ways];
  row[0] = load(way(0));
  here[0] = equal(row[0] & all(tag_mask), tag);
  if (!any(want & ~here[0])) {
    store(way(0), row[0] | (mark & want));
    return {want, EightWords{}};
  }
  EightWords hit = here[0];
  for (unsigned i = 1; i < Ways; ++i) {
    row[i] = load(way(i));
    here[i] = equal(row[i] & all(tag_mask), tag);
    hit |= here[i];
  }
  hit &= want;
  const EightWords kept = equal(row[Ways - 1], all(kept_tag));
  // Each way hands its line to the next one until the line's old place, or the oldest way, has been filled.
  EightWords left = want, carry = tag | mark;
  if (any(hit)) {
    for (unsigned i = 0; i < Ways; ++i) carry |= row[i] & all(modified) & here[i];
    if (!allocate) left = hit;
  } else {
    // Most lines of a long copy are in no cache.
    if (!allocate) return {hit, EightWords{}};
    for (unsigned i = 0; i < Ways; ++i) here[i] = EightWords{};
  }
  const EightWords absent = left & ~hit;
  for (unsigned i = 0; i + 1 < Ways; ++i) {
    store(way(i), choose(left, carry, row[i]));
    carry = row[i];
    left &= ~here[i];
  }
  store(way(Ways - 1), choose(left & ~kept, carry, row[Ways - 1]));
  // Of a set with one way that is kept nothing has to leave.
  const EightWords out = choose(kept, Ways == 1 ? EightWords{} : carry, row[Ways - 1]);
  return {hit, equal(absent & out & all(modified), all(modified))};
}

/// Puts `tag` in front of the sets in `want`; the oldest line makes room.
template <unsigned Ways>
[[gnu::always_inline]] inline void Cache::Rows<Ways>::push_front(EightWords want, Tag tag) noexcept {
  EightWords carry = all(tag);
  for (unsigned i = 0; i < Ways; ++i) {
    const EightWords old = load(way(i));
    store(way(i), choose(want & ~equal(old, all(kept_tag)), carry, old));
    carry = old;
  }
}

/// Drops `tag` from the sets in `want`; empty places move behind the others.
template <unsigned Ways>
[[gnu::always_inline]] inline void Cache::Rows<Ways>::drop(EightWords want, Tag tag) noexcept {
  EightWords old[Ways], row[Ways];
  for (unsigned i = 0; i < Ways; ++i) {
    old[i] = load(way(i));
    row[i] = old[i] & ~equal(old[i], all(tag));
  }
  const EightWords kept = equal(row[Ways - 1], all(kept_tag));
  row[Ways - 1] &= ~kept;
  for (unsigned pass = 1; pass < Ways; ++pass)
    for (unsigned i = 0; i + pass < Ways; ++i) {
      const EightWords empty = equal(row[i], EightWords{});
      row[i] |= row[i + 1] & empty;
      row[i + 1] &= ~empty;
    }
  row[Ways - 1] |= kept & all(kept_tag);
  for (unsigned i = 0; i < Ways; ++i) store(way(i), choose(want, row[i], old[i]));
}

// --- blocks, and the runs through them ---

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
  Tag* const oldest = for_ways([&]<unsigned Ways>() noexcept { return split<Ways>(blocks).way(Ways - 1); });
  std::fill_n(oldest, lines % block_sets, kept_tag);
}

/// Eight blocks, each as one set: of those that are not kept set by set.
template <unsigned Ways>
[[gnu::always_inline]] inline Cache::Rows<Ways> Cache::blocks(unsigned first) noexcept {
  return {whole_ + first, blocks_};
}
/// The sets of one block that is kept set by set.
template <unsigned Ways>
[[gnu::always_inline]] inline Cache::Rows<Ways> Cache::sets(unsigned block) noexcept {
  return {single_ + std::size_t{block} * Ways * block_sets, block_sets};
}

/// The sets of the block, one by one from now on.
template <unsigned Ways>
Cache::Rows<Ways> Cache::split(unsigned block) noexcept {
  const Rows<Ways> split = sets<Ways>(block), whole = blocks<Ways>(block);
  if (mixed_[block] == 0) {
    mixed_[block] = ones;
    for (unsigned i = 0; i < Ways; ++i) store(split.way(i), all(*whole.way(i)));
  }
  return split;
}

/// One set for all of the block if they are equal.
template <unsigned Ways>
void Cache::join(unsigned block) noexcept {
  const Rows<Ways> split = sets<Ways>(block), whole = blocks<Ways>(block);
  EightWords differ{};
  for (unsigned i = 0; i < Ways; ++i) differ |= load(split.way(i)) ^ all(*split.way(i));
  if (any(~equal(differ, EightWords{}))) return;
  for (unsigned i = 0; i < Ways; ++i) *whole.way(i) = *split.way(i);
  mixed_[block] = 0;
}

/// Walks through the blocks of a run, by their numbers from its first one on, eight at a time.
/// together(block, which) has those of the eight from `block` on that are kept as one set each and are wanted
/// as a whole, alone(block, which) the wanted sets of each other block, one by one.
template <unsigned Ways, class Together, class Alone>
[[gnu::always_inline]] inline void Cache::walk(unsigned set, unsigned count, const LineSet* wanted,
                                               Together&& together, Alone&& alone) noexcept {
  constexpr int step = block_sets;
  const unsigned first = set / block_sets;
  const int start = static_cast<int>(set % block_sets), end = start + static_cast<int>(count);
  const int blocks = (end + step - 1) / step, whole_from = start != 0 ? 1 : 0, whole_to = end / step;
  for (int done = 0; done < blocks; done += step) {
    const auto here = static_cast<unsigned>(done);
    EightWords in_run = lanes_before(blocks - done);
    EightWords whole = lanes_between(whole_from - done, whole_to - done) & ~load(mixed_ + first + here);
    if (wanted != nullptr) {
      in_run &= wanted->blocks_with_some(here);
      whole &= wanted->blocks_with_all(here);
    }
    together(here, whole);
    for_lanes(in_run & ~whole, [&](unsigned lane) noexcept {
      const int from = (done + static_cast<int>(lane)) * step; // position of the block's first line
      EightWords which = lanes_between(start - from, end - from);
      if (wanted != nullptr) which &= wanted->lines_of(here + lane);
      alone(here + lane, which);
      // Copies ascend: with its last line a block may have become even again.
      if (from + step <= end) join<Ways>(first + here + lane);
    });
  }
}

Cache::Counts Cache::access(std::uint64_t line, unsigned count, const LineSet* wanted, Use how,
                            LineSet* missed, LineSet* made_room) noexcept {
  return for_ways(
      [&]<unsigned Ways>() noexcept { return access<Ways>(line, count, wanted, how, missed, made_room); });
}

template <unsigned Ways>
Cache::Counts Cache::access(std::uint64_t line, unsigned count, const LineSet* wanted, Use how,
                            LineSet* missed, LineSet* made_room) noexcept {
  commit();
  const auto set = static_cast<unsigned>(line & (sets_ - 1));
  const unsigned first = set / block_sets;
  const EightWords tag = all(tag_of(line)), mark = how == Use::read ? EightWords{} : all(modified);
  const bool allocate = how != Use::write;
  EightWords hits{}, victims{}; // per lane
  const auto count_in = [&](const typename Rows<Ways>::Outcome& outcome, unsigned lines) noexcept {
    hits += outcome.hit & all(static_cast<Tag>(lines));
    victims += outcome.victim & all(static_cast<Tag>(lines));
  };
  walk<Ways>(
      set, count, wanted,
      [&](unsigned block, EightWords which) noexcept {
        typename Rows<Ways>::Outcome outcome{};
        if (any(which)) {
          outcome = blocks<Ways>(first + block).use(which, tag, mark, allocate);
          count_in(outcome, block_sets);
        }
        if (missed != nullptr) missed->assign_blocks(block, which & ~outcome.hit);
        if (made_room != nullptr) made_room->assign_blocks(block, outcome.victim);
      },
      [&](unsigned block, EightWords which) noexcept {
        const auto outcome = split<Ways>(first + block).use(which, tag, mark, allocate);
        count_in(outcome, 1);
        if (missed != nullptr) missed->assign_lines(block, which & ~outcome.hit);
        if (made_room != nullptr) made_room->assign_lines(block, outcome.victim);
      });
  return {sum(hits), sum(victims)};
}

/// The rule of Rows::use() for one set: a program's own accesses come one by one.
template <unsigned Ways>
[[gnu::always_inline]] inline Cache::Counts Cache::access_line(std::uint64_t line, Use how) noexcept {
  commit();
  const auto set = static_cast<unsigned>(line & (sets_ - 1));
  const unsigned block = set / block_sets;
  const Tag tag = tag_of(line), mark = how == Use::read ? Tag{0} : modified;
  Tag* const first = split<Ways>(block).way(0) + set % block_sets;
  Tag row[Ways];
  unsigned found = 0;
  Tag used = tag | mark;
  for (unsigned i = 0; i < Ways; ++i) {
    row[i] = first[std::size_t{i} * block_sets];
    const bool here = (row[i] & tag_mask) == tag;
    found |= (here ? 1U : 0U) << i;
    used |= here ? row[i] : Tag{0};
  }
  const bool hit = found != 0;
  unsigned place = static_cast<unsigned>(std::countr_zero(found));
  Tag leaves = 0;
  if (!hit) {
    const unsigned kept = row[Ways - 1] == kept_tag ? 1 : 0;
    if (how == Use::write || kept == Ways) return {};
    place = Ways - 1 - kept;
    leaves = kept != 0 && Ways > 1 ? row[Ways > 1 ? Ways - 2 : 0] : row[Ways - 1];
  }
  // Which way it was in is hard to guess: all are stored to, whether they change or not.
  for (unsigned i = 1; i < Ways; ++i) first[std::size_t{i} * block_sets] = i <= place ? row[i - 1] : row[i];
  first[0] = used;
  return {hit ? 1U : 0U, (leaves & modified) != 0 ? 1U : 0U};
}

Cache::Counts Cache::access_line(std::uint64_t line, Use how) noexcept {
  return for_ways([&]<unsigned Ways>() noexcept { return access_line<Ways>(line, how); });
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

/// Removes a message-passing line that has come and gone: the place at the end is empty.
template <unsigned Ways>
void Cache::evict_oldest(unsigned set) noexcept {
  const unsigned block = set / block_sets, lane = set % block_sets;
  const auto tag = [&](unsigned way) {
    return mixed_[block] != 0 ? sets<Ways>(block).way(way)[lane] : *blocks<Ways>(block).way(way);
  };
  const unsigned kept = tag(Ways - 1) == kept_tag ? 1 : 0;
  if (kept == Ways) return;
  const unsigned last = Ways - 1 - kept;
  if (tag(last) != 0) split<Ways>(block).way(last)[lane] = 0;
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
  walk<Ways>(
      set, count, nullptr,
      [&](unsigned block, EightWords which) noexcept {
        if (any(which)) blocks<Ways>(first + block).push_front(which, mpb_tag);
      },
      [&](unsigned block, EightWords which) noexcept {
        split<Ways>(first + block).push_front(which, mpb_tag);
      });
}

void Cache::invalidate_mpb_blocks() noexcept {
  commit();
  for_ways([&]<unsigned Ways>() noexcept {
    for (unsigned block = mpb_from_; block < mpb_to_; block += block_sets) {
      const EightWords in = lanes_before(static_cast<int>(std::min(mpb_to_ - block, block_sets))),
                       mixed = in & load(mixed_ + block);
      if (any(in & ~mixed)) blocks<Ways>(block).drop(in & ~mixed, mpb_tag);
      for_lanes(mixed, [&](unsigned lane) noexcept { sets<Ways>(block + lane).drop(all(ones), mpb_tag); });
    }
  });
  mpb_from_ = UINT32_MAX;
  mpb_to_ = 0;
}

} // namespace mesh
