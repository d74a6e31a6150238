// SPDX-License-Identifier: Apache-2.0
// A critical path in words and as JSON.
#include "rcce_emu/why.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace rcce {
namespace {

using mesh::json_string;
using mesh::Path;
using mesh::Slack;
using mesh::Spending;

constexpr int schema = 1;
constexpr std::size_t most_places = 3, most_lines = 10, least_kinds = 2;

double microseconds(Picoseconds time) {
  return static_cast<double>(time) / mesh::picoseconds_per_microsecond;
}

double percent(Picoseconds part, Picoseconds whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

int rank_on(const JobResult& result, int core) {
  const auto ue = std::ranges::find(result.ues, core, &UeResult::core);
  return ue == result.ues.end() ? -1 : ue->rank;
}

std::string core_name(const JobResult& result, int core) {
  return fmt::format("rank {} (core {:02})", rank_on(result, core), core);
}

template <class Key>
using Shares = std::vector<std::pair<Key, Picoseconds>>;

/// The path's time by what `key` says of its parts, the longest first.
template <class Key>
Shares<Key> shares(const std::vector<const Path::Part*>& parts,
                   const std::function<Key(const Path::Part&)>& key) {
  std::map<Key, Picoseconds> sums;
  for (const Path::Part* part : parts) sums[key(*part)] += part->time;
  Shares<Key> sorted(sums.begin(), sums.end());
  std::ranges::stable_sort(sorted, std::greater<>{}, [](const auto& share) { return share.second; });
  return sorted;
}

std::string place_of(const Path::Part& part) {
  if (!part.resource.empty()) return part.resource;
  return part.call.empty() ? "outside of calls" : part.call;
}

/// "RCCE_recv 312.5, RCCE_barrier 12.0, 3 more".
std::string places_text(const std::vector<const Path::Part*>& parts) {
  const Shares<std::string> places = shares<std::string>(parts, place_of);
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), most_places); ++i)
    text += fmt::format("{}{} {:.3f}", i > 0 ? ", " : "", places[i].first, microseconds(places[i].second));
  if (places.size() > most_places) text += fmt::format(", {} more", places.size() - most_places);
  return text;
}

/// Lines of text.
std::size_t lines_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

/// A line for each kind, the last of them for all others where there are more than `most`; and the cores.
std::string kinds_text(const JobResult& result, std::size_t most) {
  const Path& path = result.path;
  std::map<Spending::Kind, std::vector<const Path::Part*>> by_kind;
  std::vector<const Path::Part*> all;
  for (const Path::Part& part : path.parts) {
    by_kind[part.what.kind].push_back(&part);
    all.push_back(&part);
  }
  const Shares<Spending::Kind> kinds =
      shares<Spending::Kind>(all, [](const Path::Part& part) { return part.what.kind; });
  std::string text;
  const std::size_t alone = kinds.size() <= most ? kinds.size() : most - 1;
  Picoseconds rest = path.end;
  for (std::size_t i = 0; i < alone; ++i) {
    const auto& [kind, time] = kinds[i];
    rest -= time;
    text += fmt::format("  {:<9} {:>14.3f} us {:>5.1f} %  {}\n", name_of(kind), microseconds(time),
                        percent(time, path.end), places_text(by_kind[kind]));
  }
  if (rest > 0) {
    std::string names;
    for (std::size_t i = alone; i < kinds.size(); ++i)
      names += fmt::format("{}{} {:.3f}", i > alone ? ", " : "", name_of(kinds[i].first),
                           microseconds(kinds[i].second));
    text += fmt::format("  {:<9} {:>14.3f} us {:>5.1f} %  {}\n", "others", microseconds(rest),
                        percent(rest, path.end), names);
  }
  const Shares<int> cores = shares<int>(all, [](const Path::Part& part) { return part.what.core; });
  text += "  by core: ";
  for (std::size_t i = 0; i < std::min(cores.size(), most_places); ++i)
    text += fmt::format("{}{} {:.1f} %", i > 0 ? ", " : "", core_name(result, cores[i].first),
                        percent(cores[i].second, path.end));
  if (cores.size() > most_places) text += fmt::format(", {} more", cores.size() - most_places);
  return text + '\n';
}

std::string slack_text(const JobResult& result) {
  const Path& path = result.path;
  const Slack& slack = path.slack;
  if (slack.core < 0) return "  there is no other chain: no core has waited for another\n";
  const std::string in = path.slack_call.empty() ? "" : " in " + path.slack_call;
  const std::string who = core_name(result, slack.core);
  std::string how;
  switch (slack.at) {
  case Slack::At::sleep:
    how = fmt::format("{} slept so long{}", who, in);
    break;
  case Slack::At::arrival:
    how = fmt::format("what {} looked for{} had been there so long", who, in);
    break;
  case Slack::At::end:
    how = fmt::format("{} ends so much earlier", who);
    break;
  }
  return fmt::format("  the next best chain is {:.3f} us shorter: {}\n", microseconds(slack.time), how);
}

/// A line for each that has been run, and one for those that have not, by reason.
std::string what_if_text(const JobResult& result, const std::vector<WhatIf>& what_ifs) {
  std::string text;
  std::vector<std::pair<std::string, std::string>> left_out; // reason, names
  for (const WhatIf& one : what_ifs) {
    if (one.end) {
      text += fmt::format("  if {:<24} {:>11.3f} us {:>+6.1f} %{}{}\n", one.name + ":",
                          microseconds(*one.end), percent(*one.end - result.path.end, result.path.end),
                          one.how.empty() ? "" : "  ", one.how);
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

std::string_view name_of_slack(Slack::At at) {
  return at == Slack::At::sleep ? "sleep" : at == Slack::At::arrival ? "arrival" : "end";
}

} // namespace

std::string why_text(const JobResult& result, const std::vector<WhatIf>& what_ifs) {
  const Path& path = result.path;
  if (!path.complete) return "why: the run has not come to its end: there is no chain that has made it\n";
  const std::string other_runs = what_if_text(result, what_ifs);
  constexpr std::size_t others = 3; // this line, the cores, the next best chain
  const std::size_t kinds = std::max(least_kinds, most_lines - others - lines_of(other_runs));
  return fmt::format("why: the run takes {:.3f} us, until {} ends; what has made it so long, one thing after "
                     "the other, changes core {} time{}\n",
                     microseconds(path.end), core_name(result, path.core), path.changes,
                     path.changes == 1 ? "" : "s") +
      kinds_text(result, kinds) + slack_text(result) + other_runs;
}

std::string why_json(const JobResult& result, const std::vector<WhatIf>& what_ifs) {
  const Path& path = result.path;
  std::string text = fmt::format(R"({{"schema": {}, "unit": "ps", "complete": {})", schema, path.complete);
  if (!path.complete) return text + "}\n";
  text += fmt::format(R"(, "end": {}, "rank": {}, "core": {}, "changes": {},)", path.end,
                      rank_on(result, path.core), path.core, path.changes) +
      "\n\"path\": [";
  std::string_view separator = "\n  ";
  for (const Path::Part& part : path.parts) {
    text += separator;
    text += fmt::format(
        R"({{"kind": "{}", "call": {}, "rank": {}, "core": {}, "resource": {}, "time": {}, "count": {}}})",
        name_of(part.what.kind), json_string(part.call), rank_on(result, part.what.core), part.what.core,
        json_string(part.resource), part.time, part.count);
    separator = ",\n  ";
  }
  const Slack& slack = path.slack;
  text += "\n],\n\"next\": ";
  text += slack.core < 0 ? "null"
                         : fmt::format(R"({{"shorter": {}, "by": "{}", "rank": {}, "core": {}, "call": {}}})",
                                       slack.time, name_of_slack(slack.at), rank_on(result, slack.core),
                                       slack.core, json_string(path.slack_call));
  text += ",\n\"what_if\": [";
  separator = "\n  ";
  for (const WhatIf& one : what_ifs) {
    text += separator;
    text += fmt::format(R"({{"name": {}, "how": {}, )", json_string(one.name), json_string(one.how));
    text += one.end ? fmt::format(R"("end": {}}})", *one.end)
                    : fmt::format(R"("obstacle": {}}})", json_string(one.obstacle));
    separator = ",\n  ";
  }
  return text + "\n]}\n";
}

} // namespace rcce
