// SPDX-License-Identifier: Apache-2.0
// A critical path in words and as JSON.
#include "watch/record/why.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include "mesh_sim/observe/statistics.hpp"

namespace rcce::record {
namespace {

using mesh::json_string;
using mesh::Path;
using mesh::Slack;
using mesh::TimeShare;

constexpr int schema = 1;
constexpr std::size_t most_places = 3;   ///< named in a line
constexpr std::size_t most_waiting = 12; ///< told, a line each
constexpr double least_percent = 1;      ///< least share of a kind that has a line of its own

using mesh::microseconds;

double percent(Picoseconds part, Picoseconds whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

int rank_on(const Why& why, int core) {
  const auto ue = std::ranges::find(why.run.ues, core, &UeResult::core);
  return ue == why.run.ues.end() ? -1 : ue->rank;
}

std::string core_name(const Why& why, int core) {
  return fmt::format("rank {} (core {:02})", rank_on(why, core), core);
}

template <class Key>
using Shares = std::vector<std::pair<Key, Picoseconds>>;

template <class Key>
Shares<Key> longest_first(const std::map<Key, Picoseconds>& sums) {
  Shares<Key> sorted(sums.begin(), sums.end());
  std::ranges::stable_sort(sorted, std::greater<>{}, [](const auto& share) { return share.second; });
  return sorted;
}

/// The path's time by what `key` says of its parts, the longest first.
template <class Key>
Shares<Key> shares(const std::vector<const Path::Part*>& parts,
                   const std::function<Key(const Path::Part&)>& key) {
  std::map<Key, Picoseconds> sums;
  for (const Path::Part* part : parts) sums[key(*part)] += part->time;
  return longest_first(sums);
}

std::string place_of(const Path::Part& part) {
  if (!part.resource.empty()) return part.resource;
  return part.call.empty() ? "outside of calls" : part.call;
}

/// "; 2.5 hops on average", of accesses whose distance is known.
std::string distance_text(const std::vector<const Path::Part*>& parts) {
  double links = 0, count = 0;
  for (const Path::Part* part : parts) {
    if (part->hops < 0) continue;
    links += part->hops * static_cast<double>(part->count);
    count += static_cast<double>(part->count);
  }
  return count == 0 ? "" : fmt::format("; {:.1f} hops on average", links / count);
}

/// The functions in which the program has spent a part of the path outside of calls, the longest first.
Shares<std::string> functions_of(const Why& why, const std::vector<const Path::Part*>& parts) {
  std::map<std::string, Picoseconds> sums;
  for (const Path::Part* part : parts)
    for (const auto& [place, time] : part->places)
      sums[why.functions[static_cast<std::size_t>(place)]] += time;
  return longest_first(sums);
}

/// "RCCE_recv 312.5, RCCE_barrier 12.0, 3 more".
std::string names_text(const Shares<std::string>& places) {
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), most_places); ++i)
    text += fmt::format("{}{} {:.3f}", i > 0 ? ", " : "", places[i].first, microseconds(places[i].second));
  return places.size() > most_places ? text + fmt::format(", {} more", places.size() - most_places) : text;
}

std::string places_text(const std::vector<const Path::Part*>& parts) {
  return names_text(shares<std::string>(parts, place_of)) + distance_text(parts);
}

/// "; in solve 12.5, main 0.3".
std::string functions_text(const Why& why, const std::vector<const Path::Part*>& parts) {
  const Shares<std::string> functions = functions_of(why, parts);
  if (!functions.empty()) return "; in " + names_text(functions);
  const bool outside = std::ranges::any_of(parts, [](const Path::Part* part) { return part->call.empty(); });
  return outside && !why.run.part_end ? "; before which calls: --profile" : "";
}

/// "; cycles 20.1, L2 30.4, memory 50.0": of the program's own code, by the mix that each core has over the
/// whole run. Empty where no memory is counted (--compute cache).
std::string own_code_text(const Why& why, const std::vector<const Path::Part*>& parts) {
  double cycles = 0, l2 = 0, memory = 0;
  bool apart = true;
  for (const Path::Part* part : parts) {
    const auto ue = std::ranges::find(why.run.ues, part->what.core, &UeResult::core);
    const double time = microseconds(part->time);
    cycles += time;
    if (ue == why.run.ues.end() || ue->computed == 0) continue;
    const auto share = [&](Picoseconds of) {
      return time * static_cast<double>(of) / static_cast<double>(ue->computed);
    };
    cycles -= share(ue->memory);
    memory += share(ue->memory);
    l2 += share(ue->l2);
    apart = apart && ue->l2 >= 0;
  }
  if (memory == 0) return "";
  return apart ? fmt::format("; cycles {:.3f}, L2 {:.3f}, memory {:.3f}", cycles, l2, memory - l2)
               : fmt::format("; cycles {:.3f}, L2 and memory {:.3f}", cycles, memory);
}

/// The name of a kind for readers; files have name_of().
std::string_view words_for(TimeShare::Kind kind) {
  // In the order of TimeShare::Kind.
  constexpr std::string_view words[] = {
      "the program's own code", "code of the library",     "copies to buffers",   "copies from buffers",
      "caches, private memory", "flags, locks, counters",  "stores on their way", "until a poll sees it",
      "queues at links, ports", "asleep, cause not known",
  };
  static_assert(std::size(words) == static_cast<std::size_t>(TimeShare::Kind::unknown) + 1);
  return words[static_cast<std::size_t>(kind)];
}

/// A line for each kind, the last of them for all small ones; and the cores.
std::string kinds_text(const Why& why) {
  const Path& path = why.path;
  std::map<TimeShare::Kind, std::vector<const Path::Part*>> by_kind;
  std::vector<const Path::Part*> all;
  for (const Path::Part& part : path.parts) {
    by_kind[part.what.kind].push_back(&part);
    all.push_back(&part);
  }
  const Shares<TimeShare::Kind> kinds =
      shares<TimeShare::Kind>(all, [](const Path::Part& part) { return part.what.kind; });
  std::string text;
  auto alone = static_cast<std::size_t>(std::ranges::count_if(
      kinds, [&](const auto& kind) { return percent(kind.second, path.end) >= least_percent; }));
  if (alone + 1 >= kinds.size()) alone = kinds.size(); // one small kind has its line, too
  Picoseconds rest = path.end;
  for (std::size_t i = 0; i < alone; ++i) {
    const auto& [kind, time] = kinds[i];
    rest -= time;
    text += fmt::format("  {:<23} {:>12.3f} us {:>5.1f} %  {}\n", words_for(kind), microseconds(time),
                        percent(time, path.end),
                        places_text(by_kind[kind]) +
                            (kind == TimeShare::Kind::program
                                 ? functions_text(why, by_kind[kind]) + own_code_text(why, by_kind[kind])
                                 : ""));
  }
  if (rest > 0) {
    std::string names;
    for (std::size_t i = alone; i < kinds.size(); ++i)
      names += fmt::format("{}{} {:.3f}", i > alone ? ", " : "", words_for(kinds[i].first),
                           microseconds(kinds[i].second));
    text += fmt::format("  {:<23} {:>12.3f} us {:>5.1f} %  {}\n", "small ones", microseconds(rest),
                        percent(rest, path.end), names);
  }
  const Shares<int> cores = shares<int>(all, [](const Path::Part& part) { return part.what.core; });
  text += "  on ";
  for (std::size_t i = 0; i < std::min(cores.size(), most_places); ++i)
    text += fmt::format("{}{} {:.1f} %", i > 0 ? ", " : "", core_name(why, cores[i].first),
                        percent(cores[i].second, path.end));
  if (cores.size() > most_places) text += fmt::format(", {} more", cores.size() - most_places);
  return text + '\n';
}

/// A line for each lock that cores have waited for and that was held for long: what its holders do meanwhile
/// is in the lines above it.
std::string locks_text(const Why& why) {
  std::string text;
  for (const mesh::LockUsage::Lock& lock : why.path.locks) {
    if (percent(lock.held, why.path.end) < least_percent) break;
    text += fmt::format(
        "  the lock of {} was held {} time{}, for {:.3f} us ({:.1f} %) in all, with up to {} "
        "core{} waiting for it, {:.3f} us in all\n",
        rank_on(why, lock.core) < 0 ? fmt::format("core {:02}", lock.core) : core_name(why, lock.core),
        lock.taken, lock.taken == 1 ? "" : "s", microseconds(lock.held), percent(lock.held, why.path.end),
        lock.waiting, lock.waiting == 1 ? "" : "s", microseconds(lock.waited));
  }
  return text;
}

std::string slack_text(const Why& why) {
  const Path& path = why.path;
  const Slack& slack = path.slack;
  if (slack.core < 0) return "  no core waited for another, so there is no other path\n";
  const std::string in = path.slack_call.empty() ? "" : " in " + path.slack_call;
  const std::string who = core_name(why, slack.core);
  std::string how;
  switch (slack.at) {
  case Slack::Kind::sleep:
    how = fmt::format("{} waited only that long{}", who, in);
    break;
  case Slack::Kind::arrival:
    how = fmt::format("{} came only that much later than what it waited for{}", who, in);
    break;
  case Slack::Kind::end:
    how = fmt::format("{} ends only that much earlier", who);
    break;
  }
  return fmt::format("  shortening this path gains at most {:.3f} us; then another path is the longest: {}\n",
                     microseconds(slack.time), how);
}

/// "5.0 % shorter".
std::string change_text(Picoseconds end, Picoseconds before) {
  const std::string by = fmt::format("{:.1f}", percent(std::abs(end - before), before));
  return by == "0.0" ? "the same" : fmt::format("{} % {}", by, end < before ? "shorter" : "longer");
}

/// A short run says little of what takes long once. Where the run itself has set up collectives, both have
/// that time.
std::string preparation_text(const Why& why, const WhatIf& one) {
  if (one.preparation == 0 || why.run.preparation != 0) return "";
  const std::string rest = why.path.complete
      ? ", without which it is " + change_text(*one.end - one.preparation, why.path.end)
      : "";
  return fmt::format(" (with {:.3f} us to set them up, once{})", microseconds(one.preparation), rest);
}

/// A line for each that has been run, and one for those that have not, by reason.
std::string what_if_text(const Why& why) {
  std::string text;
  std::vector<std::pair<std::string, std::string>> left_out; // reason, names
  for (const WhatIf& one : why.what_ifs) {
    if (one.end) {
      text += fmt::format("  with {:<24} {:>11.3f} us, {}{}{}\n", one.name + ":", microseconds(*one.end),
                          why.path.complete ? change_text(*one.end, why.path.end) : "and that run ends",
                          preparation_text(why, one), one.how.empty() ? "" : "  " + one.how);
      continue;
    }
    const auto same =
        std::ranges::find(left_out, one.obstacle, [](const auto& entry) { return entry.first; });
    if (same == left_out.end())
      left_out.emplace_back(one.obstacle, one.name);
    else
      same->second += ", " + one.name;
  }
  for (const auto& [reason, names] : left_out)
    text += fmt::format("{}{}: {}", &reason == &left_out.front().first ? "  not run again: " : "; ", names,
                        reason);
  return left_out.empty() ? text : text + '\n';
}

std::string_view name_of_slack(Slack::Kind at) {
  return at == Slack::Kind::sleep ? "sleep" : at == Slack::Kind::arrival ? "arrival" : "end";
}

/// Who has not ended, the last to be heard of first.
std::vector<UnfinishedUe> last_first(const Why& why) {
  std::vector<UnfinishedUe> ues = why.run.unfinished;
  std::ranges::stable_sort(ues, std::greater<>{}, &UnfinishedUe::since);
  return ues;
}

/// From the last thing that happened back: a line each.
std::string waiting_text(const Why& why) {
  const std::vector<UnfinishedUe> ues = last_first(why);
  std::string text = ues.empty() ? "" : "  UEs that have not ended, the latest first:\n";
  for (std::size_t i = 0; i < std::min(ues.size(), most_waiting); ++i) {
    const UnfinishedUe& ue = ues[i];
    const std::string whom = ue.waits_for < 0 || !ue.waits ? "" : fmt::format(" for rank {}", ue.waits_for);
    text += fmt::format("  {:>14.3f} us  rank {} {}{}: {}{}\n", microseconds(ue.since), ue.rank,
                        ue.waits ? "waits" : "runs on", whom, ue.where, ue.in_cycle ? " (in the cycle)" : "");
  }
  if (ues.size() > most_waiting) text += fmt::format("  {} more before that\n", ues.size() - most_waiting);
  return text;
}

/// The functions of the program's own code, if they are known.
std::string functions_json(const Why& why, const Path::Part& part) {
  if (part.places.empty()) return "";
  std::string text;
  for (const auto& [function, time] : functions_of(why, {&part}))
    text += fmt::format(R"({}{{"function": {}, "time": {}}})", text.empty() ? "" : ", ",
                        json_string(function), time);
  return fmt::format(R"(, "functions": [{}])", text);
}

std::string unfinished_json(const Why& why) {
  std::string text = "[";
  std::string_view separator = "\n  ";
  for (const UnfinishedUe& ue : last_first(why)) {
    text += fmt::format(
        R"({}{{"rank": {}, "waits": {}, "since": {}, "waits_for": {}, "in_cycle": {}, "where": {}}})",
        separator, ue.rank, ue.waits, ue.since, ue.waits_for, ue.in_cycle, json_string(ue.where));
    separator = ",\n  ";
  }
  return text + "\n]";
}

/// The end of the path, and how often it goes from core to core.
std::string head_text(const Why& why) {
  const Path& path = why.path;
  const double us = microseconds(path.end);
  const std::string who = core_name(why, path.core);
  std::string what;
  if (path.complete) {
    what = why.run.part_end
        ? fmt::format("the measured part takes {:.3f} us, from the release until {} is done", us, who)
        : fmt::format("the run takes {:.3f} us, until {} ends", us, who);
  } else if (path.crashed) {
    what = fmt::format("{} crashes at {:.3f} us", who, us);
  } else {
    const auto last = std::ranges::find(why.run.ues, path.core, &UeResult::core);
    const auto stands = std::ranges::find(why.run.unfinished, last->rank, &UnfinishedUe::rank);
    const std::string how = stands == why.run.unfinished.end() ? "ends"
        : stands->waits
        ? fmt::format("begins to wait{}",
                      stands->waits_for < 0 ? "" : fmt::format(" for rank {}", stands->waits_for))
        : "was heard of last";
    what = fmt::format("{} {:.3f} us, when {} {}",
                       why.run.outcome == Outcome::deadlock ? "the run hangs: the last event is at"
                                                            : "the run was ended: the latest clock is",
                       us, who, how);
  }
  return fmt::format("why: {}; the critical path by kind of time (where a core waited, it continues on the "
                     "core that it waited for: {} time{}):\n",
                     what, path.changes, path.changes == 1 ? "" : "s");
}

} // namespace

std::string why_text(const Why& why) {
  if (why.path.core < 0) return "why: no core has begun: there is no path\n";
  return head_text(why) + kinds_text(why) + locks_text(why) +
      (why.path.complete ? slack_text(why) : waiting_text(why)) + what_if_text(why);
}

std::string why_json(const Why& why) {
  const Path& path = why.path;
  std::string text = fmt::format(R"({{"schema": {}, "unit": "ps", "complete": {})", schema, path.complete);
  if (path.core < 0) return text + "}\n";
  text += fmt::format(R"(, "end": {}, "rank": {}, "core": {}, "changes": {},)", path.end,
                      rank_on(why, path.core), path.core, path.changes) +
      "\n\"path\": [";
  std::string_view separator = "\n  ";
  for (const Path::Part& part : path.parts) {
    text += separator;
    text += fmt::format(R"({{"kind": "{}", "call": {}, "rank": {}, "core": {}, "resource": {}, "time": {}, )"
                        R"("count": {}, "hops": {}{}}})",
                        name_of(part.what.kind), json_string(part.call), rank_on(why, part.what.core),
                        part.what.core, json_string(part.resource), part.time, part.count,
                        part.hops < 0 ? "null" : fmt::format("{:.2f}", part.hops), functions_json(why, part));
    separator = ",\n  ";
  }
  const Slack& slack = path.slack;
  text += "\n],\n\"next\": ";
  text += slack.core < 0 ? "null"
                         : fmt::format(R"({{"shorter": {}, "by": "{}", "rank": {}, "core": {}, "call": {}}})",
                                       slack.time, name_of_slack(slack.at), rank_on(why, slack.core),
                                       slack.core, json_string(path.slack_call));
  text += ",\n\"locks\": [";
  separator = "\n  ";
  for (const mesh::LockUsage::Lock& lock : path.locks) {
    text += fmt::format(
        R"({}{{"rank": {}, "core": {}, "taken": {}, "held": {}, "waiting": {}, "waited": {}}})", separator,
        rank_on(why, lock.core), lock.core, lock.taken, lock.held, lock.waiting, lock.waited);
    separator = ",\n  ";
  }
  text += "\n]";
  if (!path.complete) text += ",\n\"unfinished\": " + unfinished_json(why);
  text += ",\n\"what_if\": [";
  separator = "\n  ";
  for (const WhatIf& one : why.what_ifs) {
    text += separator;
    text += fmt::format(R"({{"name": {}, "how": {}, )", json_string(one.name), json_string(one.how));
    text += one.end ? fmt::format(R"("end": {}, "preparation": {}}})", *one.end, one.preparation)
                    : fmt::format(R"("obstacle": {}}})", json_string(one.obstacle));
    separator = ",\n  ";
  }
  return text + "\n]}\n";
}

} // namespace rcce::record
