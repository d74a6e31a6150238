#include "mesh_sim/cache.hpp"

#include <algorithm>

namespace mesh {

Cache::Counts Cache::read(std::uint64_t line, unsigned count, const Lanes* wanted, Lanes* missed) noexcept {
  return replace(static_cast<unsigned>(line % sets_), count, tag_of(line), wanted, true, false, missed);
}

Cache::Counts Cache::write(std::uint64_t line, unsigned count, const Lanes* wanted, Lanes* missed) noexcept {
  return replace(static_cast<unsigned>(line % sets_), count, tag_of(line), wanted, false, true, missed);
}

// The inner loops run over lanes and carry no dependency from one lane to the next, so that the compiler
// makes vector code of them; hence masks of all ones instead of bool.
Cache::Counts Cache::replace(unsigned set, unsigned count, Tag tag, const Lanes* wanted, bool allocate,
                             bool dirty, Lanes* missed) noexcept {
  Counts counts;
  Tag* const front = tags_ + set;

  // Most runs of a repeated copy find every line where the last one left it: in front.
  if (wanted == nullptr) {
    Tag differs = 0;
    for (unsigned i = 0; i < count; ++i) differs |= static_cast<Tag>((front[i] & tag_mask) ^ tag);
    if (differs == 0) {
      if (dirty)
        for (unsigned i = 0; i < count; ++i) front[i] |= modified;
      if (missed != nullptr) std::fill_n(missed->begin(), count, Tag{0});
      counts.hits = count;
      return counts;
    }
  }

  Lanes hit{};   // lane found in some way
  Lanes state{}; // its modified bit
  for (unsigned way = 0; way < ways_; ++way) {
    const Tag* const row = front + std::size_t{way} * sets_;
    for (unsigned i = 0; i < count; ++i) {
      const Tag equal = static_cast<Tag>(-static_cast<int>((row[i] & tag_mask) == tag));
      hit[i] |= equal;
      state[i] |= static_cast<Tag>(row[i] & modified & equal);
    }
  }

  // Lanes that move: the wanted ones, and without allocation only those that hit.
  Lanes moving;
  for (unsigned i = 0; i < count; ++i) {
    const Tag want = wanted != nullptr ? (*wanted)[i] : static_cast<Tag>(0xffff);
    moving[i] = static_cast<Tag>(want & (allocate ? 0xffff : hit[i]));
  }

  // Each way hands its line to the next one until the line's old place, or the oldest way, has been filled.
  Lanes carry;
  Lanes placed;
  const Tag mark = dirty ? modified : Tag{0};
  for (unsigned i = 0; i < count; ++i) {
    carry[i] = static_cast<Tag>(tag | state[i] | mark);
    placed[i] = static_cast<Tag>(~moving[i]);
  }
  for (unsigned way = 0; way < ways_; ++way) {
    Tag* const row = front + std::size_t{way} * sets_;
    for (unsigned i = 0; i < count; ++i) {
      const Tag old = row[i];
      row[i] = static_cast<Tag>((old & placed[i]) | (carry[i] & ~placed[i]));
      placed[i] |= static_cast<Tag>(-static_cast<int>((old & tag_mask) == tag));
      carry[i] = old;
    }
  }

  unsigned hits = 0, written_back = 0;
  for (unsigned i = 0; i < count; ++i) {
    const Tag want = wanted != nullptr ? (*wanted)[i] : static_cast<Tag>(0xffff);
    hits += static_cast<unsigned>(want & hit[i]) & 1u;
    written_back += static_cast<unsigned>(moving[i] & ~hit[i] & carry[i] & modified) >> 15;
    if (missed != nullptr) (*missed)[i] = static_cast<Tag>(want & ~hit[i]);
  }
  counts.hits = hits;
  counts.written_back = written_back;
  return counts;
}

void Cache::read_mpb(std::size_t offset, unsigned count) noexcept {
  std::uint64_t line = offset / 32;
  while (count > 0) {
    const auto set = static_cast<unsigned>(line % sets_);
    const unsigned run = std::min({count, sets_ - set, longest_run});
    replace(set, run, static_cast<Tag>(first_mpb_tag + line / sets_ % 2), nullptr, true, false, nullptr);
    mpb_from_ = std::min(mpb_from_, set);
    mpb_to_ = std::max(mpb_to_, set + run);
    line += run;
    count -= run;
  }
}

void Cache::invalidate_mpb() noexcept {
  if (mpb_from_ >= mpb_to_) return;
  const unsigned count = mpb_to_ - mpb_from_;
  Tag* const front = tags_ + mpb_from_;
  // Empties the lines, then moves empty ones behind the others; one pass per way is enough for one bubble
  // each.
  for (unsigned way = 0; way < ways_; ++way)
    for (unsigned i = 0; i < count; ++i) {
      Tag& word = front[way * sets_ + i];
      word &= static_cast<Tag>(-static_cast<int>((word & tag_mask) < first_mpb_tag));
    }
  for (unsigned pass = 1; pass < ways_; ++pass)
    for (unsigned way = 0; way + pass < ways_; ++way) {
      Tag* const a = front + std::size_t{way} * sets_;
      Tag* const b = a + sets_;
      for (unsigned i = 0; i < count; ++i) {
        const Tag keep = static_cast<Tag>(-static_cast<int>(a[i] != 0));
        const Tag up = static_cast<Tag>((a[i] & keep) | (b[i] & ~keep));
        b[i] = static_cast<Tag>(b[i] & keep);
        a[i] = up;
      }
    }
  mpb_from_ = UINT32_MAX;
  mpb_to_ = 0;
}

} // namespace mesh
