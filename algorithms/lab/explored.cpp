// SPDX-License-Identifier: Apache-2.0
#include "lab/explored.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "algorithms/explore/rows.hpp"
#include "lab/isolated.hpp"

namespace lab {
namespace {

namespace explore = algorithms::explore;

constexpr int explored_calls = 2;
constexpr std::size_t most_states = 1'000'000;
constexpr double most_seconds = 20;
constexpr const char *passed = "passed", *given_up = "given up";

/// Other forms of a row are rows of the explorer's own: of joins, and of rows that take a vector in parts.
constexpr std::array forms{"", "/reset", "/two_parts"};

std::string search_all(const explore::Row& row) {
  bool complete = true;
  for (const int threads : {2, 3}) {
    explore::Result result;
    try {
      result = explore::search(threads, row.make(explored_calls),
                               {.states = most_states, .symmetric = row.symmetric, .forgets = row.forgets});
    } catch (const std::length_error&) { // it takes more memory than the explorer has
      return given_up;
    }
    if (result.fault)
      return fmt::format("{} threads can come to this: {}; rccebench explore --with FILE --algorithms {} "
                         "--threads {} --operations {} --replay {} shows how",
                         threads, result.fault->what, row.name, threads, explored_calls,
                         explore::schedule_text(result.fault->schedule));
    complete = complete && result.complete;
  }
  return complete ? passed : given_up;
}

/// True if the point asks for a value that the explorer's rows, which have the defaults, do not have.
bool has_other_values(const Point& point) {
  return std::ranges::any_of(point.options, [&point](const auto& asked) {
    const Parameter* const known = point.row().parameter(asked.first);
    return known == nullptr || asked.second != known->default_text();
  });
}

} // namespace

Verdict explored(const Point& point) {
  if (has_other_values(point)) return {};
  const std::string& algorithm = point.algorithm;
  static std::map<std::string, Verdict> known;
  const auto [at, fresh] = known.try_emplace(algorithm);
  if (!fresh) return at->second;
  for (const explore::Row& row : explore::own_rows()) {
    if (std::ranges::none_of(forms, [&](const char* form) { return row.name == algorithm + form; })) continue;
    const std::string text = isolated(
        most_seconds, [&] { return search_all(row); }, [] { return std::string(given_up); });
    if (text != passed && text != given_up) return at->second = {.found = text};
    at->second.explored = text == passed;
    if (text == given_up) return at->second;
  }
  return at->second;
}

} // namespace lab
