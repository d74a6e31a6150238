// SPDX-License-Identifier: Apache-2.0
#include "protocol/flag_table.hpp"

#include <algorithm>

namespace rcce::protocol {

const FlagScheme& FlagScheme::of(unsigned generation, bool smallflags) noexcept {
  static constexpr FlagScheme bytes{32, 1, false, false};
  static constexpr FlagScheme bits{256, 1, true, false};
  static constexpr FlagScheme lines{1, 4, false, true};
  static constexpr FlagScheme bits_of_lines{256, 4, true, true};
  if (generation >= 20) return smallflags ? bits : bytes;
  return smallflags ? bits_of_lines : lines;
}

FlagWord flag_word(const FlagScheme& scheme, int location) noexcept {
  const auto place = static_cast<std::size_t>(location);
  const std::size_t word_bits = scheme.word_bytes * std::size_t{8};
  if (!scheme.single_bit) {
    return {place * scheme.word_bytes, scheme.word_bytes == 1 ? 0xffu : 0xffffffffu};
  }
  const std::size_t bit = place % word_bits;
  // 2.0 counts a byte's bits from the right, 1.0 a word's bits from the left.
  const std::size_t shift = scheme.whole_line ? word_bits - 1 - bit : bit;
  return {place / word_bits * scheme.word_bytes, 1u << shift};
}

bool FlagTable::knows(std::size_t line) const noexcept {
  return std::any_of(lines_.begin(), lines_.end(), [line](const Line& l) { return l.offset == line; });
}

FlagPosition FlagTable::take() {
  Line& line = lines_[first_with_room_];
  const auto entry = std::find(line.taken.begin() + line.lowest_free, line.taken.end(), false);
  const auto location = static_cast<int>(entry - line.taken.begin());
  *entry = true;
  ++line.members;
  line.lowest_free = location + 1;
  find_room();
  return {line.offset, location};
}

long long FlagTable::taken() const noexcept {
  long long flags = 0;
  for (const Line& line : lines_) flags += line.members;
  return flags;
}

void FlagTable::find_room() {
  while (!full() && lines_[first_with_room_].members == per_line_) ++first_with_room_;
}

bool FlagTable::release(FlagPosition position, bool give_back) {
  const auto line =
      std::find_if(lines_.begin(), lines_.end(), [&](const Line& l) { return l.offset == position.line; });
  if (line == lines_.end() || position.location >= per_line_) return false;
  const auto entry = line->taken.begin() + position.location;
  if (!*entry) return false;
  *entry = false;
  line->lowest_free = std::min(line->lowest_free, position.location);
  first_with_room_ = std::min(first_with_room_, static_cast<std::size_t>(line - lines_.begin()));
  if (--line->members > 0 || line == lines_.begin()) return false;
  if (give_back) {
    lines_.erase(line);
    find_room();
  }
  return true;
}

} // namespace rcce::protocol
