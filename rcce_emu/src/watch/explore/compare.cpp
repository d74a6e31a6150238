// SPDX-License-Identifier: Apache-2.0
#include "watch/explore/compare.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace rcce::explore {
namespace {

/// Longer lines are shown up to here.
constexpr std::size_t most_shown = 160;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Length of the number with a fraction or an exponent at the front of the text; 0 where there is none.
std::size_t time_length(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t from = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at > from;
  };
  if (!digits()) return 0;
  bool is_time = false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    is_time = digits();
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t before = at++;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (digits())
      is_time = true;
    else
      at = before;
  }
  return is_time ? at : 0;
}

/// Times by one character each, and the blanks in front of them, whose number depends on the width, by none.
std::string without_times(std::string_view line) {
  std::string text;
  for (std::size_t at = 0; at < line.size();) {
    if (const std::size_t time = time_length(line.substr(at)); time > 0) {
      text.erase(text.find_last_not_of(' ') + 1);
      text += '#';
      at += time;
    } else if (is_digit(line[at])) {
      while (at < line.size() && is_digit(line[at])) text += line[at++];
    } else {
      text += line[at++];
    }
  }
  return text;
}

/// Takes a line with its newline from the front of the text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  return line;
}

std::string shown(std::string_view line) {
  while (line.ends_with('\n')) line.remove_suffix(1);
  return fmt::format("\"{}{}\"", line.substr(0, most_shown), line.size() > most_shown ? "..." : "");
}

std::string output_difference(const UeRecord& ue, const UeRecord& other, const std::string& who,
                              const std::string& name) {
  std::string_view ours = ue.output, theirs = other.output;
  for (int number = 1; !ours.empty() || !theirs.empty(); ++number) {
    const bool timed = ue.output.size() - ours.size() >= ue.timed_from ||
        other.output.size() - theirs.size() >= other.timed_from;
    if (theirs.empty())
      return fmt::format("{} does not print line {}: {}", who, number, shown(take_line(ours)));
    if (ours.empty())
      return fmt::format("{} prints a further line, {}: {}", who, number, shown(take_line(theirs)));
    const std::string_view our_line = take_line(ours), their_line = take_line(theirs);
    if (our_line == their_line || (timed && without_times(our_line) == without_times(their_line))) continue;
    return fmt::format("{} prints another line {}{}:\n    unperturbed: {}\n    {}: {}", who, number,
                       timed ? ", after reading the time" : "", shown(our_line), name, shown(their_line));
  }
  return {};
}

} // namespace

std::string difference(const RunRecord& run, const RunRecord& other, const std::string& name) {
  if (other.outcome == Outcome::deadlock && run.outcome != Outcome::deadlock) return "the run deadlocks";
  if (other.endless) return "the run does not end";
  const std::size_t ues = std::min(run.ues.size(), other.ues.size());
  for (std::size_t rank = 0; rank < ues; ++rank) // first those that may be why others do not end
    if (other.ues[rank].ended && run.ues[rank].status != other.ues[rank].status)
      return fmt::format("rank {} ends with status {}; unperturbed with {}", rank, other.ues[rank].status,
                         run.ues[rank].status);
  for (std::size_t rank = 0; rank < ues; ++rank) {
    const UeRecord &ours = run.ues[rank], &theirs = other.ues[rank];
    const std::string who = fmt::format("rank {}", rank);
    if (ours.ended && !theirs.ended) return who + " does not end";
    if (std::string text = output_difference(ours, theirs, who, name); !text.empty()) return text;
  }
  if (run.status != other.status)
    return fmt::format("the job ends with status {}; unperturbed with {}", other.status, run.status);
  if (run.asked_time || other.asked_time) return {};
  for (std::size_t rank = 0; rank < ues; ++rank)
    if (run.ues[rank].buffer != other.ues[rank].buffer)
      return fmt::format("at the end, the message-passing buffer of rank {} has other contents", rank);
  if (run.shared_memory != other.shared_memory) return "at the end, shared memory has other contents";
  return {};
}

} // namespace rcce::explore
