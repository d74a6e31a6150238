// SPDX-License-Identifier: Apache-2.0
// How packets get from one router to another: the interface that every network is seen by, and two networks
// of routers with links between neighbours. Pure functions of the shape; no time.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mesh_sim/units.hpp"

namespace mesh {

/// One route for each pair of routers, always the same. Routers and directed links are numbered from 0 on.
class Routes {
 public:
  virtual ~Routes() = default;
  [[nodiscard]] virtual int routers() const noexcept = 0;
  [[nodiscard]] virtual int links() const noexcept = 0;
  [[nodiscard]] virtual std::string link_name(int link) const = 0;
  /// The links from one router to another, in order; none to itself.
  [[nodiscard]] virtual std::vector<int> route(int from, int to) const = 0;
  /// How far they are from each other: on networks whose packets pass routers the links between them.
  [[nodiscard]] virtual int hops(int from, int to) const noexcept = 0;
};

/// Port of a router of a grid towards its neighbour; x grows eastwards, y northwards (router (0,0) is the
/// lower left corner).
enum class Port : std::uint8_t { east, west, north, south };
inline constexpr int ports_per_router = 4;

/// A rule for how packets go along a row or a column of a grid: `mesh` has links between neighbours only,
/// `torus` closes each row and column to a ring and goes the shorter way round.
struct GridRule {
  std::string_view name;
  /// Links from one coordinate to another of `length`; negative: towards coordinate 0.
  int (*steps)(int from, int to, int length) noexcept;
};
[[nodiscard]] std::span<const GridRule> grid_rules() noexcept;

/// Columns and rows. Routing is dimension-ordered, rows first (xy) or columns first (yx), so a packet turns
/// once.
///
/// Freedom from deadlock. On a mesh dimension order suffices: links can be numbered so that every route
/// climbs (Dally and Seitz, IEEE Trans. Computers C-36(5), 1987). A ring has a cycle of links, so a torus
/// needs two virtual channels a link and a dateline, the wrap-around link: a packet enters a ring on channel
/// 0 and goes on on channel 1 once it has crossed. Going the shorter way it crosses at most once, thus
/// channels 0 in order, the dateline, channels 1 in order climb again, first in the rings of one dimension,
/// then in those of the other. The model itself cannot deadlock: a packet holds one link at a time, for as
/// long as it is served.
class Grid final : public Routes {
 public:
  /// Throws std::invalid_argument for a rule that there is not.
  Grid(int columns, int rows, std::string_view rule, bool columns_first);

  int routers() const noexcept override { return columns_ * rows_; }
  /// Numbered by the router they leave and the port: 4 * router + port.
  int links() const noexcept override { return routers() * ports_per_router; }
  std::string link_name(int link) const override;
  std::vector<int> route(int from, int to) const override;
  int hops(int from, int to) const noexcept override {
    const Coordinates a = place(from), b = place(to);
    return std::abs(steps_x(a.x, b.x)) + std::abs(steps_y(a.y, b.y));
  }

  [[nodiscard]] Coordinates place(int router) const noexcept {
    return places_[static_cast<std::size_t>(router)];
  }

  /// Calls visit(link) for each link of a route, in order.
  template <class Visit>
  void walk(int from, int to, Visit&& visit) const {
    Coordinates at = place(from);
    const Coordinates end = place(to);
    const int x = steps_x(at.x, end.x), y = steps_y(at.y, end.y);
    if (columns_first_) along_column(at, y, visit);
    along_row(at, x, visit);
    if (!columns_first_) along_column(at, y, visit);
  }

 private:
  [[nodiscard]] int steps_x(int from, int to) const noexcept {
    return steps_x_[static_cast<std::size_t>(from * columns_ + to)];
  }
  [[nodiscard]] int steps_y(int from, int to) const noexcept {
    return steps_y_[static_cast<std::size_t>(from * rows_ + to)];
  }
  template <class Visit>
  void along_row(Coordinates& at, int steps, Visit& visit) const {
    const auto port = static_cast<int>(steps > 0 ? Port::east : Port::west);
    for (int left = std::abs(steps); left > 0; --left) {
      visit((at.y * columns_ + at.x) * ports_per_router + port);
      at.x = next(at.x, steps, columns_);
    }
  }
  template <class Visit>
  void along_column(Coordinates& at, int steps, Visit& visit) const {
    const auto port = static_cast<int>(steps > 0 ? Port::north : Port::south);
    for (int left = std::abs(steps); left > 0; --left) {
      visit((at.y * columns_ + at.x) * ports_per_router + port);
      at.y = next(at.y, steps, rows_);
    }
  }
  /// The neighbour of a coordinate, round the end where there is one.
  static int next(int at, int steps, int length) noexcept {
    if (steps > 0) return at + 1 == length ? 0 : at + 1;
    return at == 0 ? length - 1 : at - 1;
  }

  int columns_, rows_;
  bool columns_first_;
  // Tables: divisions and choices would show in the cost of every access.
  std::vector<Coordinates> places_;
  std::vector<std::int16_t> steps_x_, steps_y_; ///< from one coordinate to another
};

/// Routers anywhere, with links between some of them. Packets go the way of the fewest cycles, of several
/// that of the fewest links, of these that by the routers with the lowest numbers, so that all packets to one
/// target that meet go on together.
class Graph final : public Routes {
 public:
  static constexpr int most_routers = 1024;

  /// `places`: where the routers are drawn; `joined`: their links, with the cycles and the width of each.
  /// Throws std::invalid_argument that says what is wrong: a router that there is not, a link from a router
  /// to itself, a router that cannot be reached.
  Graph(std::vector<Coordinates> places, const std::vector<JoinedRouters>& joined);

  int routers() const noexcept override { return static_cast<int>(places_.size()); }
  int links() const noexcept override { return static_cast<int>(links_.size()); }
  /// From a place to a router's number: "link(3,1)->12".
  std::string link_name(int link) const override;
  std::vector<int> route(int from, int to) const override;
  int hops(int from, int to) const noexcept override {
    int links = 0;
    walk(from, to, [&](int) { ++links; });
    return links;
  }
  /// The cycles of a route's links.
  [[nodiscard]] Cycles cycles(int from, int to) const noexcept {
    Cycles sum = 0;
    walk(from, to, [&](int link) { sum += this->link(link).cycles; });
    return sum;
  }
  /// A directed link: from one router to the other.
  [[nodiscard]] const JoinedRouters& link(int number) const noexcept {
    return links_[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] Coordinates place(int router) const noexcept {
    return places_[static_cast<std::size_t>(router)];
  }

  /// As Grid::walk().
  template <class Visit>
  void walk(int from, int to, Visit&& visit) const {
    while (from != to) {
      const int link = next_[static_cast<std::size_t>(to * routers() + from)];
      visit(link);
      from = this->link(link).other;
    }
  }

 private:
  void find_ways(int target, const std::vector<std::vector<int>>& arriving, std::int32_t* next) const;

  std::vector<Coordinates> places_;
  std::vector<JoinedRouters> links_; ///< each one way
  std::vector<std::int32_t> next_;   ///< by target and router: the link to take
};

} // namespace mesh
