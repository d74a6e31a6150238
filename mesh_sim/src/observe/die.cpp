// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/die.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "mesh_sim/terminal.hpp"

namespace mesh {
namespace {

constexpr double hot = 0.75, warm = 0.4; ///< least shares of the most loaded one that are coloured

/// Shares of the run by name, of one family, in percent.
std::map<std::string, double> shares(const Statistics& load, std::string_view name) {
  std::map<std::string, double> all;
  for (const Statistic& one : load)
    if (one.name == name && !one.labels.empty()) all[one.labels.front().second] = one.value;
  return all;
}

class Die {
 public:
  Die(const Topology& topology, const Statistics& load, std::span<const int> ranks, bool colours, bool utf8)
      : topology_(topology),
        ranks_(ranks),
        colours_(colours),
        glyphs_(glyphs(utf8)),
        links_(shares(load, "link.share")),
        ports_(shares(load, "mpb_port.share")),
        controllers_(shares(load, "controller.share")) {
    for (const auto* const family : {&links_, &ports_})
      for (const auto& [name, share] : *family)
        if (share > most_) {
          most_ = share;
          busiest_ = name;
        }
    int highest = 0;
    for (const int rank : ranks) highest = std::max(highest, rank);
    digits_ = static_cast<int>(fmt::format("{}", highest).size());
    cell_ = 2 + topology.cores_per_tile() * (digits_ + 1);
  }

  [[nodiscard]] std::string text() const {
    if (!topology_.is_grid()) return listed() + legend();
    std::string all;
    for (int y = topology_.rows() - 1; y >= 0; --y) {
      std::string row = " ";
      for (int x = 0; x < topology_.columns(); ++x) {
        row += tile(topology_.tile_at(x, y));
        if (x + 1 < topology_.columns())
          row += ' ' + link(x, y, Port::east) + link(x + 1, y, Port::west) + ' ';
      }
      all += trimmed(row);
      if (y > 0) all += below(y);
    }
    return all + legend();
  }

 private:
  static std::string trimmed(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
  }

  [[nodiscard]] std::string glyph(double share) const {
    if (share <= 0 || most_ <= 0) return " ";
    const double part = share / most_;
    const auto eighths = static_cast<std::size_t>(std::clamp(std::ceil(part * 8), 1.0, 8.0));
    return coloured(glyphs_[eighths],
                    part > hot        ? Colour::red
                        : part > warm ? Colour::yellow
                                      : Colour::green,
                    colours_);
  }
  [[nodiscard]] std::string of(const std::map<std::string, double>& family, const std::string& name) const {
    const auto found = family.find(name);
    return glyph(found == family.end() ? 0 : found->second);
  }
  [[nodiscard]] std::string link(int x, int y, Port port) const {
    return of(
        links_,
        topology_.link_name(index(topology_.tile_at(x, y)) * ports_per_router + static_cast<int>(port)));
  }

  /// "[ 0  1▃]": ranks, and the load of the tile's buffer port.
  [[nodiscard]] std::string tile(TileId tile) const {
    std::string text = "[";
    const int first = index(tile) * topology_.cores_per_tile();
    for (int i = 0; i < topology_.cores_per_tile(); ++i) {
      const auto core = static_cast<std::size_t>(first + i);
      const int rank = core < ranks_.size() ? ranks_[core] : -1;
      if (i > 0) text += ' ';
      text +=
          (rank < 0 ? coloured(std::string(static_cast<std::size_t>(digits_), '.'), Colour::grey, colours_)
                    : fmt::format("{:>{}}", rank, digits_));
    }
    return text + of(ports_, fmt::format("mpb({},{})", topology_.x(tile), topology_.y(tile))) + "]";
  }

  /// Tiles, then links that were used, of what is no grid.
  [[nodiscard]] std::string listed() const {
    std::string all;
    for (int i = 0; i < topology_.tiles(); ++i)
      all += fmt::format("({},{}) {}\n", topology_.x(TileId{i}), topology_.y(TileId{i}), tile(TileId{i}));
    for (int link = 0; link < topology_.links(); ++link)
      if (const auto found = links_.find(topology_.link_name(link)); found != links_.end())
        all += fmt::format("{} {} {:.2f} %\n", glyph(found->second), found->first, found->second);
    return all;
  }

  /// The links between a row and the one below it: upwards, downwards.
  [[nodiscard]] std::string below(int y) const {
    std::string row = " ";
    const int left = (cell_ - 2) / 2;
    for (int x = 0; x < topology_.columns(); ++x)
      row += std::string(static_cast<std::size_t>(left), ' ') + link(x, y - 1, Port::north) +
          link(x, y, Port::south) + std::string(static_cast<std::size_t>(cell_ - 2 - left + 4), ' ');
    return trimmed(row);
  }

  [[nodiscard]] std::string legend() const {
    std::string text = most_ > 0
        ? fmt::format("{} = busy {:.1f} % of the run ({}), the others by eighths of that.\n"
                      "Behind a tile's ranks its buffer port{}.\n",
                      glyph(most_), most_, busiest_,
                      topology_.is_grid() ? "; between tiles the link to the east or\n"
                                            "north, then the link to the west or south"
                                          : "")
        : std::string("no link and no buffer port was used.\n");
    for (int controller = 0; controller < topology_.controllers(); ++controller) {
      const TileId tile = topology_.controller_tile(controller);
      const auto found = controllers_.find(fmt::format("controller {}", controller));
      const double share = found == controllers_.end() ? 0 : found->second;
      const auto full = static_cast<std::size_t>(std::clamp(share / 5, 0.0, 20.0));
      std::string bar;
      for (std::size_t i = 0; i < full; ++i) bar += glyphs_[8];
      bar += glyphs_[static_cast<std::size_t>(
          share >= 100 ? 0 : std::clamp(std::ceil((share / 5 - static_cast<double>(full)) * 8), 0.0, 8.0))];
      text += fmt::format("controller {} at ({},{}) {:6.2f} % {}", controller, topology_.x(tile),
                          topology_.y(tile), share, coloured(bar, Colour::cyan, colours_ && share > 0));
      text.erase(text.find_last_not_of(' ') + 1);
      text += '\n';
    }
    return text;
  }

  const Topology& topology_;
  std::span<const int> ranks_;
  bool colours_;
  const std::array<const char*, 9>& glyphs_;
  std::map<std::string, double> links_, ports_, controllers_;
  double most_ = 0;
  std::string busiest_;
  int digits_, cell_;
};

} // namespace

std::string die_text(const Topology& topology, const Statistics& load, std::span<const int> ranks,
                     bool colours, bool utf8) {
  return Die(topology, load, ranks, colours, utf8).text();
}

} // namespace mesh
