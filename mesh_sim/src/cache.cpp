#include "mesh_sim/cache.hpp"

#include <algorithm>
#include <cstring>

namespace mesh {

namespace {

// Eight sets at a time. The vector extension of gcc and clang: comparison gives all ones or zero per lane.
constexpr unsigned width = 8;
using Vector [[gnu::vector_size(16)]] = std::uint16_t;

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

/// All ones in the first `count` lanes.
Vector first_lanes(unsigned count) noexcept {
  constexpr Vector number = {0, 1, 2, 3, 4, 5, 6, 7};
  return count >= width ? all(0xffff)
                        : reinterpret_cast<Vector>(number < all(static_cast<std::uint16_t>(count)));
}

unsigned sum(Vector v) noexcept {
  unsigned total = 0;
  for (unsigned i = 0; i < width; ++i) total += v[i];
  return total;
}

} // namespace

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
  std::fill_n(tags_ + (ways_ - 1) * sets_, std::min(lines, sets_), kept_tag);
}

Cache::Counts Cache::read(std::uint64_t line, unsigned count, const Lanes* wanted, Lanes* missed) noexcept {
  return access(line, count, wanted, false, missed);
}

Cache::Counts Cache::write(std::uint64_t line, unsigned count, const Lanes* wanted, Lanes* missed) noexcept {
  return access(line, count, wanted, true, missed);
}

Cache::Counts Cache::access(std::uint64_t line, unsigned count, const Lanes* wanted, bool write,
                            Lanes* missed) noexcept {
  const auto set = static_cast<unsigned>(line & (sets_ - 1));
  const Tag tag = tag_of(line);
  return for_ways(
      [&]<unsigned Ways>() noexcept { return replace<Ways>(set, count, tag, wanted, write, missed); });
}

template <unsigned Ways>
Cache::Counts Cache::replace(unsigned set, unsigned count, Tag tag, const Lanes* wanted, bool write,
                             Lanes* missed) noexcept {
  Tag* const front = tags_ + set;
  const Vector wish = all(tag), tag_bits = all(tag_mask), modified_bit = all(modified);
  const Vector mark = write ? modified_bit : Vector{};
  Vector hits{}, victims{}; // counts per lane position
  for (unsigned i = 0; i < count; i += width) {
    Vector want = first_lanes(count - i);
    if (wanted != nullptr) want &= load(wanted->lane.data() + i);

    // Most lines of a repeated copy stand where the last one left them: in front.
    const Vector row0 = load(front + i);
    const Vector hit0 = equal(row0 & tag_bits, wish);
    if (!any(want & ~hit0)) {
      store(front + i, row0 | (mark & want));
      hits += want & all(1);
      if (missed != nullptr) store(missed->lane.data() + i, Vector{});
      continue;
    }

    Vector row[Ways];
    Vector hit{}, state{};
    for (unsigned way = 0; way < Ways; ++way) {
      row[way] = load(front + std::size_t{way} * sets_ + i);
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
      store(front + std::size_t{way} * sets_ + i, choose(left, carry, row[way]));
      if (way == Ways - 1)
        carry = choose(equal(row[way], all(kept_tag)), carry, row[way]);
      else
        carry = row[way];
      left &= ~equal(row[way] & tag_bits, wish);
    }
    hits += want & hit & all(1);
    victims += (moving & ~hit & carry & modified_bit) >> 15;
    if (missed != nullptr) store(missed->lane.data() + i, want & ~hit);
  }
  return {sum(hits), sum(victims)};
}

void Cache::read_mpb(std::size_t offset, unsigned count) noexcept {
  std::uint64_t line = offset / 32;
  while (count > 0) {
    const auto set = static_cast<unsigned>(line & (sets_ - 1));
    const unsigned run = std::min({count, sets_ - set, longest_run});
    for_ways([&]<unsigned Ways>() noexcept {
      for (unsigned i = 0; i < run; i += width) {
        const Vector in = first_lanes(run - i);
        Vector carry = all(mpb_tag);
        for (unsigned way = 0; way < Ways; ++way) {
          Tag* const place = tags_ + std::size_t{way} * sets_ + set + i;
          const Vector old = load(place);
          store(place, choose(in & ~equal(old, all(kept_tag)), carry, old));
          carry = old;
        }
      }
    });
    mpb_from_ = std::min(mpb_from_, set);
    mpb_to_ = std::max(mpb_to_, set + run);
    line += run;
    count -= run;
  }
}

void Cache::invalidate_mpb() noexcept {
  if (mpb_from_ >= mpb_to_) return;
  for_ways([&]<unsigned Ways>() noexcept {
    // Whole vectors: sets without such lines come out as they went in.
    for (unsigned set = mpb_from_ / width * width; set < mpb_to_; set += width) {
      Vector row[Ways];
      for (unsigned way = 0; way < Ways; ++way) {
        const Vector old = load(tags_ + std::size_t{way} * sets_ + set);
        row[way] = old & ~equal(old, all(mpb_tag));
      }
      const Vector kept = equal(row[Ways - 1], all(kept_tag));
      row[Ways - 1] &= ~kept;
      // Empty places move behind the others.
      for (unsigned pass = 1; pass < Ways; ++pass)
        for (unsigned way = 0; way + pass < Ways; ++way) {
          const Vector empty = equal(row[way], Vector{});
          row[way] |= row[way + 1] & empty;
          row[way + 1] &= ~empty;
        }
      row[Ways - 1] |= kept & all(kept_tag);
      for (unsigned way = 0; way < Ways; ++way) store(tags_ + std::size_t{way} * sets_ + set, row[way]);
    }
  });
  mpb_from_ = UINT32_MAX;
  mpb_to_ = 0;
}

} // namespace mesh
