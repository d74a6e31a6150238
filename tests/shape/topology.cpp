// SPDX-License-Identifier: Apache-2.0
// The mesh as a shape: tiles, routes, controllers and voltage domains of the SCC, and the rules on other
// meshes.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/machines/scc/voltage_domains.hpp"
#include "mesh_sim/parts/topology.hpp"

using mesh::CoreId;
using mesh::TileId;
using mesh::Topology;

namespace {

std::vector<int> route(const Topology& mesh, int from, int to) {
  std::vector<int> links;
  mesh.route(TileId{from}, TileId{to}, [&](int link) { links.push_back(link); });
  return links;
}

/// Follows the links by their own meaning; returns the tile reached, -1 if a link leaves another tile than
/// the one reached.
int follow(const Topology& mesh, int tile, const std::vector<int>& links, bool& turned_back_to_row) {
  bool in_column = false;
  turned_back_to_row = false;
  for (const int link : links) {
    if (link / mesh::ports_per_router != tile) return -1;
    const auto port = static_cast<mesh::Port>(link % mesh::ports_per_router);
    int x = tile % mesh.columns(), y = tile / mesh.columns();
    const bool along_row = port == mesh::Port::east || port == mesh::Port::west;
    if (along_row && in_column) turned_back_to_row = true;
    in_column = in_column || !along_row;
    x += port == mesh::Port::east ? 1 : port == mesh::Port::west ? -1 : 0;
    y += port == mesh::Port::north ? 1 : port == mesh::Port::south ? -1 : 0;
    if (x < 0 || x >= mesh.columns() || y < 0 || y >= mesh.rows()) return -1;
    tile = y * mesh.columns() + x;
  }
  return tile;
}

} // namespace

TEST_CASE("every route goes along the row, then along the column, by the shortest way") {
  for (const auto& mesh :
       {Topology(6, 4, 2), Topology(1, 1, 1), Topology(1, 7, 3), Topology(5, 3, 1), Topology(16, 8, 2)})
    for (int from = 0; from < mesh.tiles(); ++from)
      for (int to = 0; to < mesh.tiles(); ++to) {
        INFO(mesh.columns() << "x" << mesh.rows() << ", tile " << from << " to " << to);
        const auto links = route(mesh, from, to);
        bool turned_back = false;
        REQUIRE(static_cast<int>(links.size()) == mesh.hops(TileId{from}, TileId{to}));
        REQUIRE(follow(mesh, from, links, turned_back) == to);
        REQUIRE_FALSE(turned_back);
      }
}

TEST_CASE("cores, tiles and coordinates of the SCC") {
  const Topology scc(6, 4, 2);
  REQUIRE(scc.cores() == 48);
  for (int core = 0; core < 48; ++core) {
    const TileId tile = scc.tile_of(CoreId{core});
    REQUIRE(index(tile) == core / 2);
    REQUIRE(scc.x(tile) == core / 2 % 6);
    REQUIRE(scc.y(tile) == core / 12);
    REQUIRE(scc.tile_at(scc.x(tile), scc.y(tile)) == tile);
  }
  REQUIRE(scc.hops(TileId{0}, TileId{23}) == 8);
}

TEST_CASE("controllers of the SCC stand at (0,0), (5,0), (0,2), (5,2) and serve their quadrants") {
  const Topology scc(6, 4, 2);
  const int expected[4][2] = {{0, 0}, {5, 0}, {0, 2}, {5, 2}};
  std::vector<int> served(4);
  for (int controller = 0; controller < 4; ++controller) {
    const TileId tile = scc.controller_tile(controller);
    REQUIRE(scc.x(tile) == expected[controller][0]);
    REQUIRE(scc.y(tile) == expected[controller][1]);
  }
  for (int tile = 0; tile < 24; ++tile) {
    const int x = tile % 6, y = tile / 6;
    REQUIRE(scc.controller_of(TileId{tile}) == (x >= 3 ? 1 : 0) + (y >= 2 ? 2 : 0));
    ++served[static_cast<std::size_t>(scc.controller_of(TileId{tile}))];
  }
  for (const int tiles : served) REQUIRE(tiles == 6);
}

TEST_CASE("voltage domains of the SCC hold the cores that RCCE names") {
  const Topology scc(6, 4, 2);
  const int firsts[6][4] = {{0, 2, 12, 14},   {4, 6, 16, 18},   {8, 10, 20, 22},
                            {24, 26, 36, 38}, {28, 30, 40, 42}, {32, 34, 44, 46}};
  REQUIRE(mesh::scc::voltage_domains(scc) == 6);
  for (int domain = 0; domain < 6; ++domain)
    for (const int core : firsts[domain])
      for (int z = 0; z < 2; ++z)
        REQUIRE(mesh::scc::voltage_domain_of(scc, scc.tile_of(CoreId{core + z})) == domain);
}

TEST_CASE("controllers and domains exist on every mesh") {
  for (int columns = 1; columns <= 9; ++columns)
    for (int rows = 1; rows <= 9; ++rows) {
      const Topology mesh(columns, rows, 2);
      INFO(columns << "x" << rows);
      for (int controller = 0; controller < mesh.controllers(); ++controller) {
        const int tile = index(mesh.controller_tile(controller));
        REQUIRE(tile >= 0);
        REQUIRE(tile < mesh.tiles());
      }
      std::set<int> domains;
      for (int tile = 0; tile < mesh.tiles(); ++tile) {
        const int controller = mesh.controller_of(TileId{tile});
        REQUIRE(controller >= 0);
        REQUIRE(controller < mesh.controllers());
        domains.insert(mesh::scc::voltage_domain_of(mesh, TileId{tile}));
      }
      REQUIRE(static_cast<int>(domains.size()) == mesh::scc::voltage_domains(mesh));
      REQUIRE(*domains.rbegin() == mesh::scc::voltage_domains(mesh) - 1);
    }
}

TEST_CASE("a link's name tells where it is") {
  const Topology scc(6, 4, 2);
  const auto links = route(scc, index(scc.tile_at(3, 1)), index(scc.tile_at(4, 1)));
  REQUIRE(scc.link_name(links.at(0)) == "link(3,1)->east");
}

TEST_CASE("a torus goes the shorter way round, along the row, then along the column") {
  for (const bool columns_first : {false, true})
    for (const auto& [columns, rows] : {std::pair{6, 4}, {1, 7}, {5, 3}, {2, 2}, {8, 8}}) {
      const Topology torus(columns, rows, 1, {.topology = "torus", .columns_first = columns_first});
      for (int from = 0; from < torus.tiles(); ++from)
        for (int to = 0; to < torus.tiles(); ++to) {
          INFO(columns << "x" << rows << ", tile " << from << " to " << to << ", yx " << columns_first);
          int x = from % columns, y = from / columns, turns = 0;
          bool was_column = columns_first, connected = true;
          const auto links = route(torus, from, to);
          for (const int link : links) {
            connected = connected && link / mesh::ports_per_router == y * columns + x;
            const auto port = static_cast<mesh::Port>(link % mesh::ports_per_router);
            const bool column = port == mesh::Port::north || port == mesh::Port::south;
            if (column != was_column) ++turns;
            was_column = column;
            x = (x + (port == mesh::Port::east ? 1 : port == mesh::Port::west ? columns - 1 : 0)) % columns;
            y = (y + (port == mesh::Port::north ? 1 : port == mesh::Port::south ? rows - 1 : 0)) % rows;
          }
          const auto shorter = [](int a, int b, int length) {
            return std::min((b - a + length) % length, (a - b + length) % length);
          };
          REQUIRE(connected);
          REQUIRE(turns <= 1);
          REQUIRE(y * columns + x == to);
          REQUIRE(static_cast<int>(links.size()) ==
                  shorter(from % columns, to % columns, columns) +
                      shorter(from / columns, to / columns, rows));
          REQUIRE(torus.hops(TileId{from}, TileId{to}) == static_cast<int>(links.size()));
        }
    }
}

TEST_CASE("on a torus every link is on the way of as many pairs of tiles as every other of its direction") {
  const Topology torus(6, 4, 1, {.topology = "torus"});
  std::vector<int> used(static_cast<std::size_t>(torus.links()));
  for (int from = 0; from < torus.tiles(); ++from)
    for (int to = 0; to < torus.tiles(); ++to)
      for (const int link : route(torus, from, to)) ++used[static_cast<std::size_t>(link)];
  for (int link = 0; link < torus.links(); ++link) {
    const int alike = link % mesh::ports_per_router;
    CHECK(used[static_cast<std::size_t>(link)] > 0);
    CHECK(std::abs(used[static_cast<std::size_t>(link)] - used[static_cast<std::size_t>(alike)]) <=
          torus.tiles());
  }
}

TEST_CASE("a torus's rings are free of deadlock by a dateline") {
  // Channel 0 before the wrap-around link, channel 1 from there on: the graph of channels, in which each
  // follows those that a packet holds before it, has no cycle, neither in one ring nor between the rings.
  for (const auto& [columns, rows] : {std::pair{6, 4}, {5, 3}, {8, 8}}) {
    const Topology torus(columns, rows, 1, {.topology = "torus"});
    const int channels = 2 * torus.links();
    std::vector<std::set<int>> after(static_cast<std::size_t>(channels));
    for (int from = 0; from < torus.tiles(); ++from)
      for (int to = 0; to < torus.tiles(); ++to) {
        int before = -1, crossed = 0;
        bool was_column = false;
        for (const int link : route(torus, from, to)) {
          const TileId tile{link / mesh::ports_per_router};
          const auto port = static_cast<mesh::Port>(link % mesh::ports_per_router);
          const bool column = port == mesh::Port::north || port == mesh::Port::south;
          if (column != was_column) crossed = 0;
          was_column = column;
          const int channel = 2 * link + crossed;
          if (before >= 0) after[static_cast<std::size_t>(before)].insert(channel);
          before = channel;
          if ((port == mesh::Port::east && torus.x(tile) == columns - 1) ||
              (port == mesh::Port::west && torus.x(tile) == 0) ||
              (port == mesh::Port::north && torus.y(tile) == rows - 1) ||
              (port == mesh::Port::south && torus.y(tile) == 0))
            crossed = 1;
        }
      }
    std::vector<int> waiting(static_cast<std::size_t>(channels));
    for (const auto& next : after)
      for (const int channel : next) ++waiting[static_cast<std::size_t>(channel)];
    std::vector<int> free;
    for (int channel = 0; channel < channels; ++channel)
      if (waiting[static_cast<std::size_t>(channel)] == 0) free.push_back(channel);
    std::size_t ordered = 0;
    while (!free.empty()) {
      const int channel = free.back();
      free.pop_back();
      ++ordered;
      for (const int next : after[static_cast<std::size_t>(channel)])
        if (--waiting[static_cast<std::size_t>(next)] == 0) free.push_back(next);
    }
    CHECK(ordered == static_cast<std::size_t>(channels));
  }
}

TEST_CASE("yx goes along the column first") {
  const Topology mesh(6, 4, 2, {.columns_first = true});
  const auto links = route(mesh, index(mesh.tile_at(1, 1)), index(mesh.tile_at(2, 2)));
  REQUIRE(links.size() == 2);
  CHECK(mesh.link_name(links[0]) == "link(1,1)->north");
  CHECK(mesh.link_name(links[1]) == "link(1,2)->east");
}

TEST_CASE("memory controllers stand where they are put") {
  const Topology listed(6, 4, 2, {.controllers = 2, .controller_tiles = {{1, 1}, {4, 2}}});
  REQUIRE(listed.controllers() == 2);
  CHECK(listed.controller_tile(1) == listed.tile_at(4, 2));
  for (int tile = 0; tile < listed.tiles(); ++tile) {
    const TileId here{tile};
    const int first = listed.hops(here, listed.controller_tile(0)),
              second = listed.hops(here, listed.controller_tile(1));
    CHECK(listed.controller_of(here) == (second < first ? 1 : 0));
  }
  // The SCC's, given as a list, are those at the edges.
  const Topology four(6, 4, 2, {.controller_tiles = {{0, 0}, {5, 0}, {0, 2}, {5, 2}}}), scc(6, 4, 2);
  for (int controller = 0; controller < 4; ++controller)
    CHECK(four.controller_tile(controller) == scc.controller_tile(controller));

  const Topology eight(6, 4, 2, {.controllers = 8}), one(6, 4, 2, {.controllers = 1});
  const int rows[] = {0, 0, 1, 1, 2, 2, 3, 3};
  for (int controller = 0; controller < 8; ++controller)
    CHECK(eight.controller_tile(controller) == eight.tile_at(controller % 2 == 0 ? 0 : 5, rows[controller]));
  CHECK(eight.controller_of(eight.tile_at(5, 3)) == 7);
  CHECK(one.controller_of(one.tile_at(5, 3)) == 0);
}
