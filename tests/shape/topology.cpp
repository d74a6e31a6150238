// The mesh as a shape: tiles, routes, controllers and voltage domains of the SCC, and the rules on other
// meshes.
#include <set>
#include <vector>

#include "catch.hpp"
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
  REQUIRE(scc.voltage_domains() == 6);
  for (int domain = 0; domain < 6; ++domain)
    for (const int core : firsts[domain])
      for (int z = 0; z < 2; ++z) REQUIRE(scc.voltage_domain_of(scc.tile_of(CoreId{core + z})) == domain);
}

TEST_CASE("controllers and domains exist on every mesh") {
  for (int columns = 1; columns <= 9; ++columns)
    for (int rows = 1; rows <= 9; ++rows) {
      const Topology mesh(columns, rows, 2);
      INFO(columns << "x" << rows);
      for (int controller = 0; controller < Topology::controllers; ++controller) {
        const int tile = index(mesh.controller_tile(controller));
        REQUIRE(tile >= 0);
        REQUIRE(tile < mesh.tiles());
      }
      std::set<int> domains;
      for (int tile = 0; tile < mesh.tiles(); ++tile) {
        const int controller = mesh.controller_of(TileId{tile});
        REQUIRE(controller >= 0);
        REQUIRE(controller < Topology::controllers);
        domains.insert(mesh.voltage_domain_of(TileId{tile}));
      }
      REQUIRE(static_cast<int>(domains.size()) == mesh.voltage_domains());
      REQUIRE(*domains.rbegin() == mesh.voltage_domains() - 1);
    }
}

TEST_CASE("a link's name tells where it is") {
  const Topology scc(6, 4, 2);
  const auto links = route(scc, index(scc.tile_at(3, 1)), index(scc.tile_at(4, 1)));
  REQUIRE(scc.link_name(links.at(0)) == "link(3,1)->east");
}
