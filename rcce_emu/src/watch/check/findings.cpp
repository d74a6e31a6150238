// SPDX-License-Identifier: Apache-2.0
#include "watch/check/findings.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "engine/host/symbols.hpp"
#include "engine/ue/ue.hpp"
#include "mesh_sim/observe/call_traits.hpp"
#include "process/run/report.hpp"

namespace rcce::check {
namespace {

/// Findings that are written out; the rest is counted.
constexpr std::size_t most_told = 50;

} // namespace

std::string Side::text() const {
  const std::string_view name = call == nullptr ? "the program's own code" : call;
  std::string text = fmt::format("rank {} (core {:02d}): {}{}", rank, core, name, words);
  if (peer >= 0)
    text += fmt::format(
        " {} rank {}",
        has(traits, mesh::CallTraits::receives | mesh::CallTraits::copies_from) ? "from" : "to", peer);
  if (bytes > 0) text += fmt::format(", {} byte{}", bytes, bytes == 1 ? "" : "s");
  text += fmt::format(", at {}", run::microseconds(at));
  if (mpb_core == shared_memory && length > 0)
    text += length == 1 ? fmt::format(", byte {} of shared memory", offset)
                        : fmt::format(", bytes {}..{} of shared memory", offset, offset + length - 1);
  if (mpb_core >= 0 && length > 0)
    text += length == 1
        ? fmt::format(", byte {} of the buffer of core {:02d}", offset, mpb_core)
        : fmt::format(", bytes {}..{} of the buffer of core {:02d}", offset, offset + length - 1, mpb_core);
  return text;
}

Side side_of(const Ue& ue) {
  const Activity& activity = ue.activity;
  const bool calls = activity.call != nullptr; // else the rest is left over from the last call
  return {.rank = ue.rank,
          .core = ue.core->id(),
          .call = activity.call,
          .peer = calls ? activity.peer : -1,
          .bytes = calls ? activity.bytes : 0,
          .at = ue.core->now(),
          .traits = activity.traits};
}

void Findings::add(const std::string& headline, const Side& first, const Side& second,
                   const std::string& advice) {
  const auto name = [](const Side& side) { return side.call == nullptr ? "" : side.call; };
  const std::string key = fmt::format("{}|{}|{}|{}|{}|{}|{}", headline, first.rank, name(first), first.code,
                                      second.rank, name(second), second.code);
  const auto [place, fresh] = places_.try_emplace(key, findings_.size());
  if (!fresh) {
    ++findings_[place->second].count;
    return;
  }
  const auto text = [](const Side& side) { return side.rank < 0 ? std::string() : side.text(); };
  findings_.push_back({headline, advice, {{text(first), first.code}, {text(second), second.code}}});
}

std::string Findings::text(const std::string& program) const {
  if (findings_.empty()) return "";
  std::map<std::uintptr_t, std::string> places;
  for (const Finding& finding : findings_)
    for (const auto& side : finding.sides)
      if (side.code != 0) places[side.code];
  if (!places.empty()) {
    std::vector<std::uintptr_t> offsets;
    for (const auto& place : places) offsets.push_back(place.first);
    const std::vector<std::string> names = host::describe_offsets(program, offsets);
    for (std::size_t i = 0; i < offsets.size(); ++i) places[offsets[i]] = ", in " + names[i];
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(findings_.size(), most_told); ++i) {
    const Finding& finding = findings_[i];
    text += fmt::format("rccerun: check: {}", finding.headline);
    if (finding.count > 1) text += fmt::format(" ({} times)", finding.count);
    text += '\n';
    for (const auto& side : finding.sides)
      if (!side.text.empty())
        text += fmt::format("  {}{}\n", side.text, side.code == 0 ? "" : places[side.code]);
    if (!finding.advice.empty()) text += fmt::format("  {}\n", finding.advice);
  }
  if (findings_.size() > most_told)
    text += fmt::format("rccerun: check: {} more findings are left out\n", findings_.size() - most_told);
  return text +
      fmt::format("rccerun: check: {} finding{}\n", findings_.size(), findings_.size() == 1 ? "" : "s");
}

} // namespace rcce::check
