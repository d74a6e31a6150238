// SPDX-License-Identifier: Apache-2.0
#include "explore/tell.hpp"

#include <charconv>

#include <fmt/format.h>

#include "explore/table.hpp"

namespace algorithms::explore {

using Kind = Action::Kind;

std::string action_text(const Action& action, std::uint64_t given) {
  switch (action.kind) {
  case Kind::load:
    return fmt::format("loads word {}: {}", action.word, given);
  case Kind::store:
    return fmt::format("stores {} to word {}", action.operand, action.word);
  case Kind::compare_exchange:
    return given == action.expected
        ? fmt::format("compare_exchange of word {}: {} becomes {}", action.word, given, action.operand)
        : fmt::format("compare_exchange of word {}: is {}, not {}", action.word, given, action.expected);
  case Kind::fetch_add:
    return fmt::format("fetch_add of word {}: {} becomes {}", action.word, given, given + action.operand);
  case Kind::exchange:
  case Kind::take:
    return fmt::format("exchange of word {}: {} becomes {}", action.word, given, action.operand);
  case Kind::wait:
    return fmt::format("has waited for word {}: {}", action.word, given);
  case Kind::futex_wait:
    return given == 0 ? fmt::format("does not sleep on word {}: it is not {}", action.word, action.expected)
                      : fmt::format("sleeps on word {} at {}", action.word, action.expected);
  case Kind::futex_wake:
    return fmt::format("wakes {} of word {}", given, action.word);
  case Kind::blocks: {
    std::string text;
    for (const Range& range : action.ranges)
      text += fmt::format("{}{} bytes {}-{}", text.empty() ? "" : ", ", range.write ? "writes" : "reads",
                          range.from, range.to);
    return text;
  }
  case Kind::pause:
    return "has paused";
  default:
    return "";
  }
}

std::string waiting_text(const State& state, int thread, const Action& action) {
  if (state.sleeps(thread)) return fmt::format("sleeps on word {}", action.word);
  if (action.kind == Kind::wait || action.kind == Kind::take)
    return fmt::format("waits for word {}, which is {}", action.word, state.contents.words[action.word]);
  if (action.kind == Kind::pause) return "spins, and nobody changes anything";
  return action.kind == Kind::fault ? "has met a fault" : "has ended";
}

std::string deadlock_text(const State& state, const std::function<const Action&(int)>& next) {
  std::string text = "nobody can go on:";
  for (std::size_t thread = 0; thread < state.changed.size(); ++thread) {
    const Action& action = next(static_cast<int>(thread));
    if (action.kind != Kind::end)
      text += fmt::format("{} thread {} {}", text.back() == ':' ? "" : ",", thread,
                          waiting_text(state, static_cast<int>(thread), action));
  }
  return text;
}

std::string race_text(int threads, const std::function<const Action&(int)>& next) {
  for (int a = 0; a < threads; ++a)
    for (int b = a + 1; b < threads; ++b)
      if (overlap(next(a), next(b)))
        return fmt::format("nothing keeps two threads apart: thread {} {}, thread {} {}", a,
                           action_text(next(a), 0), b, action_text(next(b), 0));
  return "";
}

std::string schedule_text(const Schedule& schedule) {
  std::string text;
  for (std::size_t from = 0; from < schedule.size();) {
    std::size_t to = from;
    while (to < schedule.size() && schedule[to] == schedule[from]) ++to;
    text += fmt::format("{}{}", text.empty() ? "" : ",", schedule[from]);
    if (to - from > 1) text += fmt::format("*{}", to - from);
    from = to;
  }
  return text;
}

std::optional<Schedule> parse_schedule(std::string_view text, int threads) {
  constexpr std::size_t longest = 100'000;
  Schedule schedule;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  const auto number = [&](std::size_t& value) {
    const auto [rest, error] = std::from_chars(at, end, value);
    at = rest;
    return error == std::errc();
  };
  while (at != end) {
    std::size_t thread = 0, count = 1;
    if (!number(thread) || thread >= static_cast<std::size_t>(threads)) return std::nullopt;
    if (at != end && *at == '*' && (++at, !number(count))) return std::nullopt;
    if (count > longest - schedule.size()) return std::nullopt;
    schedule.insert(schedule.end(), count, static_cast<std::uint8_t>(thread));
    if (at == end) break;
    if (*at != ',' || ++at == end) return std::nullopt;
  }
  return schedule;
}

} // namespace algorithms::explore
