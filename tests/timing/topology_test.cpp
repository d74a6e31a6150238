// SPDX-License-Identifier: Apache-2.0
// Is every route dimension-ordered and of the right length, and every controller where the chip has it?
#include <vector>

#include "catch.hpp"
#include "mesh_sim/parts/topology.hpp"

using mesh::CoreId;
using mesh::TileId;
using mesh::Topology;

TEST_CASE("SCC: controllers stand at (0,0), (5,0), (0,2), (5,2) and serve quadrants") {
  const Topology scc(6, 4, 2);
  CHECK(scc.cores() == 48);
  CHECK(scc.controller_tile(0) == scc.tile_at(0, 0));
  CHECK(scc.controller_tile(1) == scc.tile_at(5, 0));
  CHECK(scc.controller_tile(2) == scc.tile_at(0, 2));
  CHECK(scc.controller_tile(3) == scc.tile_at(5, 2));
  // Hops to the own controller: 0 for 4 tiles, 1 for 8, 2 for 8, 3 for 4 (Intel sccKit 1.4.1, default LUT
  // data).
  int tiles_at[4] = {};
  for (int tile = 0; tile < 24; ++tile)
    ++tiles_at[scc.hops(TileId{tile}, scc.controller_tile(scc.controller_of(TileId{tile})))];
  CHECK(tiles_at[0] == 4);
  CHECK(tiles_at[1] == 8);
  CHECK(tiles_at[2] == 8);
  CHECK(tiles_at[3] == 4);
  CHECK(scc.tile_of(CoreId{47}) == scc.tile_at(5, 3));
  CHECK(scc.hops(scc.tile_of(CoreId{0}), scc.tile_of(CoreId{47})) == 8);
  CHECK(scc.voltage_domain_of(scc.tile_of(CoreId{34})) == 5);
}

TEST_CASE("routes go along the row, then along the column") {
  struct Shape {
    int columns, rows;
  };
  const Shape shape = GENERATE(Shape{6, 4}, Shape{1, 5}, Shape{7, 1}, Shape{5, 3});
  const Topology mesh(shape.columns, shape.rows, 1);
  for (int a = 0; a < mesh.tiles(); ++a)
    for (int b = 0; b < mesh.tiles(); ++b) {
      int x = mesh.x(TileId{a}), y = mesh.y(TileId{a}), links = 0;
      bool column_begun = false, connected = true, ordered = true;
      mesh.route(TileId{a}, TileId{b}, [&](int link) {
        connected = connected && link / mesh::ports_per_router == y * shape.columns + x;
        const auto port = static_cast<mesh::Port>(link % mesh::ports_per_router);
        const bool vertical = port == mesh::Port::north || port == mesh::Port::south;
        ordered = ordered && (vertical || !column_begun);
        column_begun = column_begun || vertical;
        x += port == mesh::Port::east ? 1 : port == mesh::Port::west ? -1 : 0;
        y += port == mesh::Port::north ? 1 : port == mesh::Port::south ? -1 : 0;
        ++links;
      });
      CAPTURE(a, b);
      REQUIRE(connected);
      REQUIRE(ordered);
      REQUIRE(links == mesh.hops(TileId{a}, TileId{b}));
      REQUIRE(mesh.tile_at(x, y) == TileId{b});
    }
}

TEST_CASE("links have names") {
  CHECK(Topology(6, 4, 2).link_name((1 * 6 + 3) * 4) == "link(3,1)->east");
}

TEST_CASE("voltage domains hold the tiles of their 2x2 block that the mesh has") {
  const Topology odd(3, 5, 1);
  CHECK(odd.voltage_domains() == 6);
  CHECK(odd.tiles_of_domain(0) == std::vector<TileId>{TileId{0}, TileId{1}, TileId{3}, TileId{4}});
  CHECK(odd.tiles_of_domain(1) == std::vector<TileId>{TileId{2}, TileId{5}});
  CHECK(odd.tiles_of_domain(5) == std::vector<TileId>{TileId{14}});
  CHECK(odd.place_in_domain(TileId{4}) == 3);
  CHECK(odd.contains(2, 4));
  CHECK_FALSE(odd.contains(3, 0));
  CHECK_FALSE(odd.contains(0, 5));
  CHECK_FALSE(odd.contains(-1, 1));
}
