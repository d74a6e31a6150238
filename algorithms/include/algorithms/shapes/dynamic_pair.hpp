// SPDX-License-Identifier: Apache-2.0
// The word by which ranks find each other in reduce/dynamic_pair, free of communication. Its idea, drawing,
// cost and source stand at the top of src/on_messages/reduce/dynamic_pair.cpp.
#pragma once

#include <cstdint>

namespace algorithms::dynamic_pair {

/// A rank that waits for a partner, and how many operands its result holds, itself included: rank * 65536 +
/// operands.
using Word = std::uint32_t;

/// Nobody waits; not a rank's word, since that has an operand at least.
inline constexpr Word empty = 0;
/// Ranks there may be at most, so that both numbers have room.
inline constexpr int most_ranks = 65535;

[[nodiscard]] constexpr Word word_of(int rank, int operands) {
  return static_cast<Word>(rank) << 16 | static_cast<Word>(operands);
}
[[nodiscard]] constexpr int rank_of(Word word) {
  return static_cast<int>(word >> 16);
}
[[nodiscard]] constexpr int operands_of(Word word) {
  return static_cast<int>(word & 0xffff);
}

/// A rank comes to the word, alone: takes who waits there and leaves it empty, or waits there itself. Returns
/// whom it has taken; `empty`: it is to wait.
constexpr Word visit(Word& word, int rank, int operands) {
  const Word found = word;
  word = found == empty ? word_of(rank, operands) : empty;
  return found;
}

/// Words that are used in turn, one for each operation. A rank may leave an operation before it ends, and
/// must not offer itself for the next where late ranks look for partners of this one; each unfinished
/// operation keeps a rank inside, so at most ranks - 1 of them go on at once.
[[nodiscard]] constexpr int words(int ranks) {
  return ranks;
}

} // namespace algorithms::dynamic_pair
