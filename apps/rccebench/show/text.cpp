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

namespace rccebench::show {
namespace {

using mesh::Colour;
using mesh::RoundEdge;

constexpr std::size_t width = 80;
constexpr int link_width = 3;

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

/// The tiles of a round with their ranks, and what goes over the links between them.
class MeshDrawing {
 public:
  MeshDrawing(const Recording& recording, int round, bool colours)
      : recording_(recording), mesh_(*recording.mesh), colours_(colours) {
    digits_ = fmt::format("{}", recording.ranks() - 1).size();
    ranks_.resize(static_cast<std::size_t>(mesh_.tiles()));
    for (int rank = 0; rank < recording.ranks(); ++rank)
      ranks_[static_cast<std::size_t>(tile_of(rank))].push_back(rank);
    for (const RoundEdge& edge : recording.edges_of(round)) {
      gives_.insert(edge.from);
      gets_.insert(edge.to);
      const int from = tile_of(edge.from), to = tile_of(edge.to);
      if (from == to)
        (edge.from < edge.to ? up_ : down_).insert(from);
      else
        mesh_.route(mesh::TileId{from}, mesh::TileId{to}, [&](int link) { links_.insert(link); });
    }
  }

  /// Characters of a line.
  [[nodiscard]] static std::size_t width_of(const Recording& recording) {
    const mesh::Topology& mesh = *recording.mesh;
    const std::size_t digits = fmt::format("{}", recording.ranks() - 1).size();
    return 2 + static_cast<std::size_t>(mesh.columns()) * cell(digits, mesh.cores_per_tile()) +
        static_cast<std::size_t>(mesh.columns() - 1) * link_width;
  }

  /// Row 0 stands at the bottom, as on the chip. Rows above the last rank are left out.
  [[nodiscard]] std::string text() const {
    int top = 0;
    for (int rank = 0; rank < recording_.ranks(); ++rank)
      top = std::max(top, recording_.places[static_cast<std::size_t>(rank)].y);
    for (const int link : links_) top = std::max(top, link / mesh::ports_per_router / mesh_.columns());
    std::string all;
    for (int y = top; y >= 0; --y) {
      std::string row = "  ";
      for (int x = 0; x < mesh_.columns(); ++x) {
        row += tile(tile_at(x, y));
        if (x + 1 < mesh_.columns()) row += between(tile_at(x, y), tile_at(x + 1, y));
      }
      all += trimmed(row);
      if (y > 0) all += below(y);
    }
    return all;
  }

 private:
  [[nodiscard]] static std::size_t cell(std::size_t digits, int cores) {
    return 2 + static_cast<std::size_t>(cores) * (digits + 1) - 1;
  }
  [[nodiscard]] int tile_of(int rank) const {
    const Place& place = recording_.places[static_cast<std::size_t>(rank)];
    return tile_at(place.x, place.y);
  }
  [[nodiscard]] int tile_at(int x, int y) const { return index(mesh_.tile_at(x, y)); }
  [[nodiscard]] bool takes(int tile, mesh::Port port) const {
    return links_.contains(tile * mesh::ports_per_router + static_cast<int>(port));
  }
  static std::string trimmed(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
  }

  [[nodiscard]] std::string tile(int tile) const {
    const auto& ranks = ranks_[static_cast<std::size_t>(tile)];
    std::string text = "[";
    for (int i = 0; i < mesh_.cores_per_tile(); ++i) {
      if (i > 0)
        text += up_.contains(tile) && down_.contains(tile) ? "↔"
            : up_.contains(tile)                           ? "→"
            : down_.contains(tile)                         ? "←"
                                                           : " ";
      if (static_cast<std::size_t>(i) >= ranks.size()) {
        text += std::string(digits_, ' ');
        continue;
      }
      const int rank = ranks[static_cast<std::size_t>(i)];
      const std::string number = fmt::format("{:>{}}", rank, digits_);
      text += gets_.contains(rank) ? mesh::coloured(number, Colour::green, colours_)
          : gives_.contains(rank)  ? mesh::coloured(number, Colour::yellow, colours_)
                                   : number;
    }
    return text + "]";
  }

  [[nodiscard]] std::string between(int west, int east) const {
    const bool eastwards = takes(west, mesh::Port::east), westwards = takes(east, mesh::Port::west);
    const char* const text = eastwards && westwards ? "◀─▶" : eastwards ? "──▶" : westwards ? "◀──" : "   ";
    return mesh::coloured(text, Colour::cyan, colours_ && (eastwards || westwards));
  }

  /// The links between a row and the one below it.
  [[nodiscard]] std::string below(int y) const {
    const std::size_t one = cell(digits_, mesh_.cores_per_tile());
    std::string row = "  ";
    for (int x = 0; x < mesh_.columns(); ++x) {
      const bool down = takes(tile_at(x, y), mesh::Port::south),
                 up = takes(tile_at(x, y - 1), mesh::Port::north);
      const std::string text = up && down ? "▲▼" : up ? "▲ " : down ? " ▼" : "  ";
      const std::size_t left = (one - 2) / 2;
      row += std::string(left, ' ') + mesh::coloured(text, Colour::cyan, colours_ && (up || down)) +
          std::string(one - 2 - left + (x + 1 < mesh_.columns() ? link_width : 0), ' ');
    }
    return trimmed(row);
  }

  const Recording& recording_;
  const mesh::Topology& mesh_;
  bool colours_;
  std::size_t digits_;
  std::vector<std::vector<int>> ranks_; ///< by tile
  std::set<int> gives_, gets_, links_;
  std::set<int> up_, down_; ///< tiles in which an edge goes to the higher rank, the lower
};

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

  [[nodiscard]] bool is_one() const { return !edge_.empty() || recording_.ranks() == 1; }

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
  return utf8 ? text : in_ascii(std::move(text));
}

} // namespace rccebench::show
