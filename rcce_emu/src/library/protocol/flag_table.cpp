// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/flag_table.hpp"

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

void FlagTable::add(std::size_t offset) {
  lines_.push_back({static_cast<std::uint32_t>(offset), 0, 0});
  taken_.resize(lines_.size() * width());
}

std::size_t FlagTable::take_rest(std::size_t most) {
  Line& line = lines_.back();
  const std::size_t count = std::min(most, static_cast<std::size_t>(per_line_ - line.members));
  const auto begin = flags_of(lines_.size() - 1) + line.members;
  std::fill(begin, begin + static_cast<std::ptrdiff_t>(count), true);
  line.members = static_cast<std::uint16_t>(line.members + count);
  line.lowest_free = line.members;
  find_room();
  return count;
}

FlagPosition FlagTable::take() {
  Line& line = lines_[first_with_room_];
  const auto first = flags_of(first_with_room_), end = first + per_line_;
  const auto entry = std::find(first + line.lowest_free, end, false);
  const auto location = static_cast<int>(entry - first);
  *entry = true;
  ++line.members;
  line.lowest_free = static_cast<std::uint16_t>(location + 1);
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
  const auto number = static_cast<std::size_t>(line - lines_.begin());
  const auto entry = flags_of(number) + position.location;
  if (!*entry) return false;
  *entry = false;
  line->lowest_free = std::min(line->lowest_free, static_cast<std::uint16_t>(position.location));
  first_with_room_ = std::min(first_with_room_, number);
  if (--line->members > 0 || line == lines_.begin()) return false;
  if (give_back) {
    taken_.erase(flags_of(number), flags_of(number) + per_line_);
    lines_.erase(line);
    find_room();
  }
  return true;
}

} // namespace rcce::protocol
