// SPDX-License-Identifier: Apache-2.0
// The free blocks of a heap by size: small ones in a ring for each size, large ones in a treap (Seidel and
// Aragon, Algorithmica 1996) ordered by size and place. Both keep to the first two words of a block. What a
// program has written there after it has freed the block is noticed: neighbours in a ring name each other,
// and every node of the tree ranks below its parent.
#include <bit>

#include "process/heap/heap.hpp"
#include "process/heap/words.hpp"

namespace rcce::heap {

using namespace words;

namespace {

// Which word of a free block holds what: neighbours in its ring, or children in the tree.
constexpr std::ptrdiff_t next_word = 0, last_word = 1;
constexpr std::ptrdiff_t left_word = 0, right_word = 1;

constexpr std::uint64_t highest = ~std::uint64_t{0};

/// A node's place in the tree is above those of lower rank: as if drawn by chance, but the same in every run.
constexpr std::uint64_t rank_of(Unit unit) {
  return unit * 0x9e3779b97f4a7c15;
}

} // namespace

Heap::Unit Heap::free_units(Unit unit) const noexcept {
  const Word word = head(unit);
  const Unit units = units_of(word);
  if (word != free_head(unit, units) || units > end_ - unit) fail_free(unit, 0);
  return units;
}

Heap::Unit Heap::visit(Unit unit, std::uint64_t& above) const noexcept {
  if (!inside(unit)) fail_free(0, 0);
  const Unit units = free_units(unit);
  if (rank_of(unit) >= above) fail_free(unit, units);
  above = rank_of(unit);
  return units;
}

Heap::Unit Heap::best_fit(Unit units) const noexcept {
  if (units <= most_listed)
    if (const std::uint64_t fitting = lists_->used >> (units - least_units); fitting != 0)
      return lists_->first[units - least_units + static_cast<Unit>(std::countr_zero(fitting))];
  Unit best = 0;
  std::uint64_t above = highest;
  for (Unit unit = root_; unit != 0;) {
    const bool fits = visit(unit, above) >= units;
    if (fits) best = unit;
    unit = word(unit, fits ? left_word : right_word);
  }
  return best;
}

bool Heap::none_between(Unit low, Unit high) const noexcept {
  if (low >= most_listed) return true;
  const std::uint64_t above = lists_->used >> (low + 1 - least_units);
  return above == 0 || low + 1 + static_cast<Unit>(std::countr_zero(above)) >= high;
}

bool Heap::is_first(Unit unit, Unit units) const noexcept {
  return units > most_listed || lists_->first[units - least_units] == unit;
}

bool Heap::is_last(Unit unit, Unit units) const noexcept {
  return units > most_listed || word(unit, next_word) == lists_->first[units - least_units];
}

void Heap::insert(Unit unit, Unit units, bool last) noexcept {
  if (units > most_listed) {
    insert_large(unit, units);
    return;
  }
  Unit& first = lists_->first[units - least_units];
  if (first == 0) {
    word(unit, next_word) = word(unit, last_word) = first = unit;
    lists_->used |= std::uint64_t{1} << (units - least_units);
    return;
  }
  const Unit end = word(first, last_word);
  if (!inside(end) || word(end, next_word) != first) fail_free(first, units);
  word(unit, next_word) = first;
  word(unit, last_word) = end;
  word(end, next_word) = word(first, last_word) = unit;
  if (!last) first = unit;
}

void Heap::remove(Unit unit, Unit units) noexcept {
  if (units > most_listed) {
    remove_large(unit, units);
    return;
  }
  const Unit next = word(unit, next_word);
  const Unit before = word(unit, last_word);
  if (!inside(next) || !inside(before) || word(next, last_word) != unit || word(before, next_word) != unit)
    fail_free(unit, units);
  Unit& first = lists_->first[units - least_units];
  if (next == unit) {
    first = 0;
    lists_->used &= ~(std::uint64_t{1} << (units - least_units));
    return;
  }
  word(before, next_word) = next;
  word(next, last_word) = before;
  if (first == unit) first = next;
}

void Heap::insert_large(Unit unit, Unit units) noexcept {
  const auto goes_left = [&](Unit there, Unit size) { return units != size ? units < size : unit < there; };
  std::uint64_t above = highest;
  Unit* link = &root_;
  Unit rest = root_;
  while (rest != 0 && rank_of(rest) > rank_of(unit)) {
    const Unit size = visit(rest, above);
    link = &word(rest, goes_left(rest, size) ? left_word : right_word);
    rest = *link;
  }
  *link = unit;
  // What stood here is parted into what comes before and after it.
  Unit* left = &word(unit, left_word);
  Unit* right = &word(unit, right_word);
  while (rest != 0) {
    const Unit size = visit(rest, above);
    Unit*& side = goes_left(rest, size) ? right : left;
    *side = rest;
    side = &word(rest, goes_left(rest, size) ? left_word : right_word);
    rest = *side;
  }
  *left = *right = 0;
}

void Heap::remove_large(Unit unit, Unit units) noexcept {
  std::uint64_t above = highest;
  Unit* link = &root_;
  while (*link != unit) {
    const Unit there = *link;
    if (there == 0) fail_free(unit, units);
    const Unit size = visit(there, above);
    const bool left = units != size ? units < size : unit < there;
    link = &word(there, left ? left_word : right_word);
  }
  Unit left = word(unit, left_word);
  Unit right = word(unit, right_word);
  std::uint64_t above_left = highest, above_right = highest;
  while (left != 0 && right != 0) {
    if (rank_of(left) > rank_of(right)) {
      static_cast<void>(visit(left, above_left));
      *link = left;
      link = &word(left, right_word);
      left = *link;
    } else {
      static_cast<void>(visit(right, above_right));
      *link = right;
      link = &word(right, left_word);
      right = *link;
    }
  }
  *link = left != 0 ? left : right;
}

} // namespace rcce::heap
