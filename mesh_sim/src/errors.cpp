// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/errors.hpp"

#include <algorithm>
#include <vector>

namespace mesh {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

} // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string result;
  for (const char c : text.substr(0, longest)) result += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > longest ? result + "..." : result;
}

/// A name's start, of so many letters, is as near to it as a word with so many mistakes.
constexpr std::size_t least_start = 3, distance_of_start = 2;

std::string_view nearest(std::string_view word, std::span<const std::string_view> names) {
  std::string_view best;
  std::size_t least =
      std::max<std::size_t>(word.size() / 3, 2) + 1; // farther than a third of the word is no likeness
  for (const std::string_view name : names) {
    std::size_t distance = edit_distance(word, name);
    if (word.size() >= least_start && name.starts_with(word))
      distance = std::min(distance, distance_of_start);
    if (distance < least) least = distance, best = name;
  }
  return best;
}

} // namespace mesh
