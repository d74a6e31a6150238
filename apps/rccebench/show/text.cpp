// SPDX-License-Identifier: Apache-2.0
// Rounds as text: the mesh with the links that a round's edges take, the tree of first receipts or last
// gifts, or lists.
#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/terminal.hpp"
#include "rcce_emu/version.hpp"
#include "show/forms.hpp"
#include "show/mesh_drawing.hpp"

namespace rccebench::show {
namespace {

using mesh::Colour;
using mesh::RoundEdge;

constexpr std::size_t width = 80;

std::string arrow(const RoundEdge& edge) {
  return fmt::format("{}{}{}", edge.from, edge.data ? "→" : "⇢", edge.to);
}

/// "round 1, ends at 12.345 us: 3 edges of 4096 bytes, 2 signals"
std::string head_of(const Recording& recording, int round) {
  const auto edges = recording.edges_of(round);
  std::set<std::size_t> lengths;
  std::size_t data = 0;
  for (const RoundEdge& edge : edges) {
    if (!edge.data) continue;
    ++data;
    lengths.insert(edge.bytes);
  }
  std::vector<std::string> parts;
  const std::string of = lengths.size() == 1 ? fmt::format(" of {} bytes", *lengths.begin())
      : lengths.empty()                      ? ""
                        : fmt::format(" of {} to {} bytes", *lengths.begin(), *lengths.rbegin());
  if (data > 0) parts.push_back(fmt::format("{} edge{}{}", data, data == 1 ? "" : "s", of));
  const std::size_t signals = edges.size() - data;
  if (signals > 0) parts.push_back(fmt::format("{} signal{}", signals, signals == 1 ? "" : "s"));
  return fmt::format("round {}, ends at {:.3f} us: {}\n", round, us_of(recording.end_of(round)),
                     fmt::join(parts, ", "));
}

/// The edges of a round, as many to a line as fit.
std::string list_of(const Recording& recording, int round) {
  std::string text, line = "   ";
  std::size_t length = line.size();
  for (const RoundEdge& edge : recording.edges_of(round)) {
    const std::string one = arrow(edge);
    const std::size_t shown = one.size() - 2; // the arrow is three bytes
    if (length + shown + 2 > width) {
      text += line + '\n';
      line = "   ";
      length = line.size();
    }
    line += ' ' + one;
    length += shown + 1;
  }
  return text + line + '\n';
}

/// Who had it from whom first, or who gave it to whom last; empty where that is no tree from one root.
class Tree {
 public:
  explicit Tree(const Recording& recording) : recording_(recording) {
    const bool gathers = recording.operation == "reduce" || recording.operation == "join";
    if (!gathers && recording.operation != "bcast") return;
    for (const RoundEdge& edge : recording.edges) {
      const int rank = gathers ? edge.from : edge.to;
      if (rank == recording.root) continue;
      const auto known = edge_.find(rank);
      const auto key = [](const RoundEdge& one) { return std::tuple(one.data, one.round, one.end); };
      if (known == edge_.end() ||
          (gathers ? key(edge) > key(known->second)
                   : std::tuple(!edge.data, edge.round, edge.end) <
                   std::tuple(!known->second.data, known->second.round, known->second.end)))
        edge_[rank] = edge;
    }
    for (const auto& [rank, edge] : edge_) children_[gathers ? edge.to : edge.from].push_back(rank);
    for (auto& [rank, ranks] : children_)
      std::stable_sort(ranks.begin(), ranks.end(),
                       [&](int a, int b) { return edge_.at(a).round < edge_.at(b).round; });
    if (reached(recording.root) != recording.ranks()) edge_.clear();
  }

  [[nodiscard]] bool is_one() const {
    return recording_.root >= 0 && (!edge_.empty() || recording_.ranks() == 1);
  }

  [[nodiscard]] std::string text() const {
    std::string all = fmt::format("{}\n", recording_.root);
    add(all, recording_.root, "");
    return all;
  }

 private:
  [[nodiscard]] int reached(int rank) const {
    int count = 1;
    if (const auto found = children_.find(rank); found != children_.end())
      for (const int child : found->second) count += reached(child);
    return count;
  }
  void add(std::string& all, int rank, const std::string& before) const {
    const auto found = children_.find(rank);
    if (found == children_.end()) return;
    for (const int child : found->second) {
      const bool last = child == found->second.back();
      const RoundEdge& edge = edge_.at(child);
      all += fmt::format("{}{}{}   round {}, {:.3f} us\n", before, last ? "└─ " : "├─ ", child, edge.round,
                         us_of(edge.end));
      add(all, child, before + (last ? "   " : "│  "));
    }
  }

  const Recording& recording_;
  std::map<int, RoundEdge> edge_; ///< by rank
  std::map<int, std::vector<int>> children_;
};

Drawing suitable(const Recording& recording) {
  if (recording.mesh && MeshDrawing::width_of(recording) <= width) return Drawing::mesh;
  return Tree(recording).is_one() ? Drawing::tree : Drawing::list;
}

/// A line for each.
std::string holds_of(const Recording& recording) {
  std::string text = recording.holds.empty() ? "" : "\nheld by\n";
  for (const Hold& hold : recording.holds)
    text += fmt::format("  {} {} from {:.3f} to {:.3f} us\n", recording.place_word(), hold.rank,
                        us_of(hold.begin), us_of(hold.end));
  return text;
}

/// The same in as many columns.
std::string in_ascii(std::string text) {
  constexpr std::pair<std::string_view, char> characters[] = {{"→", '>'}, {"⇢", '~'}, {"↔", 'x'}, {"←", '<'},
                                                              {"─", '-'}, {"▶", '>'}, {"◀", '<'}, {"▲", '^'},
                                                              {"▼", 'v'}, {"├", '|'}, {"└", '`'}, {"│", '|'}};
  for (const auto& [wide, plain] : characters)
    for (std::size_t at = 0; (at = text.find(wide, at)) != std::string::npos; ++at)
      text.replace(at, wide.size(), 1, plain);
  return text;
}

} // namespace

std::string title_of(const Recording& recording) {
  std::string text = fmt::format("{}: {} {}{}", recording.algorithm, recording.ranks(),
                                 recording.place_word(), recording.ranks() == 1 ? "" : "s");
  if (recording.root >= 0) text += fmt::format(", root {}", recording.root);
  if (recording.bytes >= 0) text += fmt::format(", {} bytes", recording.bytes);
  for (const auto& [name, value] : recording.parameters) text += fmt::format(", {}={}", name, value);
  return text;
}

std::string machine_of(const Recording& recording) {
  return recording.setting.starts_with(recording.machine) ? recording.setting
                                                          : recording.machine + ": " + recording.setting;
}

std::string to_text(const Recording& recording, Drawing drawing, bool colours, bool utf8) {
  if (drawing == Drawing::suitable) drawing = suitable(recording);
  if (drawing == Drawing::mesh && !recording.mesh)
    throw mesh::UserError(
        fmt::format("--drawing mesh: machine '{}' has none; write tree or list", recording.machine));
  if (drawing == Drawing::tree && !Tree(recording).is_one())
    throw mesh::UserError(
        fmt::format("--drawing tree: the edges of {} are no tree from one root; write {}list",
                    recording.algorithm, recording.mesh ? "mesh or " : ""));
  const int rounds = recording.rounds();
  std::string text = fmt::format("# rccebench show {}\n# {}\n# {}\n# {} round{}, done at {:.3f} us\n",
                                 rcce::version_text, title_of(recording), machine_of(recording), rounds,
                                 rounds == 1 ? "" : "s", us_of(recording.end));
  if (drawing == Drawing::tree) {
    text += '\n' + Tree(recording).text() + '\n';
    for (int round = 1; round <= rounds; ++round) text += head_of(recording, round);
    return utf8 ? text : in_ascii(std::move(text));
  }
  for (int round = 1; round <= rounds; ++round) {
    text += '\n' + mesh::coloured(head_of(recording, round), Colour::blue, false);
    if (drawing == Drawing::mesh) text += MeshDrawing(recording, round, colours).text();
    text += list_of(recording, round);
  }
  text += holds_of(recording);
  return utf8 ? text : in_ascii(std::move(text));
}

} // namespace rccebench::show
