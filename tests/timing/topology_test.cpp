// SPDX-License-Identifier: Apache-2.0
// Is every route dimension-ordered and of the right length, and every controller where the chip has it?
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/machines/scc/config.hpp"
#include "mesh_sim/machines/scc/costs.hpp"
#include "mesh_sim/machines/scc/voltage_domains.hpp"
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
  CHECK(mesh::scc::voltage_domain_of(scc, scc.tile_of(CoreId{34})) == 5);
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
  CHECK(mesh::scc::voltage_domains(odd) == 6);
  CHECK(mesh::scc::tiles_of_domain(odd, 0) ==
        std::vector<TileId>{TileId{0}, TileId{1}, TileId{3}, TileId{4}});
  CHECK(mesh::scc::tiles_of_domain(odd, 1) == std::vector<TileId>{TileId{2}, TileId{5}});
  CHECK(mesh::scc::tiles_of_domain(odd, 5) == std::vector<TileId>{TileId{14}});
  CHECK(mesh::scc::place_in_domain(odd, TileId{4}) == 3);
  CHECK(odd.contains(2, 4));
  CHECK_FALSE(odd.contains(3, 0));
  CHECK_FALSE(odd.contains(0, 5));
  CHECK_FALSE(odd.contains(-1, 1));
}

TEST_CASE("routes of every preset lead somewhere, over links that have names of their own") {
  for (const std::string_view name : mesh::machine_names()) {
    INFO(name);
    const auto routes = mesh::load_machine(name).parameters().routes();
    const int routers = routes->routers(), stride = routers / 50 + 1;
    for (int from = 0; from < routers; from += stride)
      for (int to = 0; to < routers; to += stride) {
        const auto links = routes->route(from, to);
        CHECK(links.empty() == (from == to));
        CHECK((routes->hops(from, to) == 0 || from != to));
        for (const int link : links) CHECK((link >= 0 && link < routes->links()));
      }
    std::set<std::string> names;
    for (int link = 0; link < routes->links(); link += stride) names.insert(routes->link_name(link));
    CHECK(static_cast<int>(names.size()) == (routes->links() + stride - 1) / stride);
  }
}

TEST_CASE("a fat tree's routes go up to the first switch above both, and down") {
  const auto tree = mesh::load_machine("alc").parameters().routes(); // 4 links up, 4 down
  CHECK(tree->hops(0, 3) == 2);
  CHECK(tree->hops(0, 4) == 4);
  CHECK(tree->hops(0, 900) == 10);
  for (const int to : {1, 3, 4, 17, 900})
    CHECK(static_cast<int>(tree->route(0, to).size()) == tree->hops(0, to));
}

TEST_CASE("a graph's routes are the shortest, by the lowest numbers") {
  // A ring of 0 1 2 3, and switch 4 between 1 and 3.
  const mesh::Graph graph({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {5, 5}},
                          {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 1}, {3, 4}});
  CHECK(graph.links() == 12);
  CHECK(graph.hops(0, 0) == 0);
  CHECK(graph.hops(0, 4) == 2);
  CHECK(graph.route(0, 2) == std::vector<int>{0, 2});
  CHECK(graph.route(2, 0) == std::vector<int>{3, 1});
  CHECK(graph.route(1, 3) == std::vector<int>{1, 7}); // by 0, not by 2 or 4
  CHECK(graph.link_name(8) == "link(5,5)->1");
  const auto refused = [](const std::vector<mesh::JoinedRouters>& links) {
    try {
      const mesh::Graph two({{0, 0}, {1, 0}, {2, 0}}, links);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused({{0, 1}}) == "no links lead from router 2 to router 0");
  CHECK(refused({{0, 3}}) == "there is no router 3; routers are 0..2");
  CHECK(refused({{1, 1}}) == "a link from router 1 to itself");
  CHECK(refused({{0, 1}, {1, 2}, {2, 1, true}}) ==
        "the link from router 2 to router 1 is named twice; 1,2 goes in both directions");
  CHECK(refused({{0, 1}, {1, 2, true}}) == "no links lead from router 2 to router 0");
}

TEST_CASE("a graph's links have latencies of their own, and may go one way") {
  // A ring of 0 1 2 3, one way; and from 0 to 2 a slow link both ways, and a faster one back.
  const mesh::Graph graph(
      {{0, 0}, {1, 0}, {1, 1}, {0, 1}},
      {{0, 1, true, 4}, {1, 2, true, 4}, {2, 3, true, 4}, {3, 0, true, 4}, {0, 2, false, 9}});
  CHECK(graph.links() == 6);
  CHECK(graph.route(0, 2) == std::vector<int>{0, 1}); // 8 cycles, not one link of 9
  CHECK(graph.cycles(0, 2) == 8);
  CHECK(graph.route(2, 0) == std::vector<int>{2, 3});
  CHECK(graph.hops(1, 0) == 3);
  CHECK(graph.cycles(1, 0) == 12);
  CHECK(graph.hops(0, 1) == 1);
  const mesh::Graph tie({{0, 0}, {1, 0}, {1, 1}}, {{0, 1, false, 4}, {1, 2, false, 4}, {0, 2, false, 8}});
  CHECK(tie.route(0, 2) == std::vector<int>{4}); // the fewest links of two that take 8 cycles
  // From 4 to 0 by 2 and 1, or by 3: 8 cycles both ways, of which the search from 0 finds the longer one
  // first.
  const mesh::Graph late(
      {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}},
      {{0, 1, false, 2}, {1, 2, false, 2}, {2, 4, false, 4}, {0, 3, false, 6}, {3, 4, false, 2}});
  CHECK(late.route(4, 0) == std::vector<int>{9, 7});
}

TEST_CASE("reads go there and back by other links where links go one way") {
  mesh::MachineConfig config;
  config.topology = "graph";
  config.routers = {{0, 0}, {1, 0}, {1, 1}};
  config.links = {{0, 1, true}, {1, 2, true, 10}, {2, 0, true}};
  config.controllers = 1;
  config.controller_tiles = {{0, 0}};
  config.complete();
  mesh::SccCosts costs(config, 0);
  const mesh::Picoseconds cycle = costs.mesh_cycles(1);
  const auto way = [&](int from, int to) {
    const auto found = costs.way(TileId{from}, TileId{to});
    return std::pair{found.there / cycle, found.both / cycle};
  };
  CHECK(way(0, 1) == std::pair<mesh::Cycles, mesh::Cycles>{4, 18});
  CHECK(way(1, 0) == std::pair<mesh::Cycles, mesh::Cycles>{14, 18});
  CHECK(way(0, 2) == std::pair<mesh::Cycles, mesh::Cycles>{14, 18});
  CHECK(costs.longest_way() == 14 * cycle);
  CHECK(costs.route_cost(costs.core_state(0), 2).read - costs.route_cost(costs.core_state(0), 0).read ==
        18 * cycle + config.mpb_remote_cycles * costs.core_state(0).cycle -
            config.mpb_local_mesh_cycles * cycle);
  CHECK(costs.core_state(2).dram_line - costs.core_state(0).dram_line == 18 * cycle);
}

TEST_CASE("a graph with tiles and switches is a topology; what is wrong with one is told") {
  mesh::MachineConfig config;
  config.name = "tree";
  config.topology = "graph";
  config.routers = {{0, 0}, {2, 0}, {4, 0}, {6, 0}, {1, 1}, {5, 1}, {3, 2}};
  config.links = {{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 6}, {5, 6}};
  config.router_tiles = 4;
  config.controllers = 2;
  config.controller_tiles = {{0, 0}, {6, 0}};
  config.complete();
  const Topology tree = config.make_topology();
  CHECK(tree.tiles() == 4);
  CHECK(tree.cores() == 8);
  CHECK_FALSE(tree.is_grid());
  CHECK(tree.columns() == 7); // that its routers lie in, as they are drawn
  CHECK(tree.rows() == 3);
  CHECK(tree.hops(TileId{0}, TileId{1}) == 2);
  CHECK(tree.hops(TileId{0}, TileId{3}) == 4);
  CHECK(tree.most_hops() == 4);
  CHECK(tree.controller_of(TileId{1}) == 0);
  CHECK(tree.controller_of(TileId{2}) == 1);
  CHECK(tree.tile_at(2, 0) == TileId{1});
  CHECK_FALSE(tree.contains(1, 1)); // a switch
  CHECK_FALSE(tree.contains(7, 0));

  const auto complaint = [](const mesh::MachineConfig& wrong) {
    try {
      wrong.complete();
    } catch (const mesh::UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  mesh::MachineConfig wrong = config;
  wrong.links.pop_back();
  CHECK(complaint(wrong).starts_with("machine 'tree': [mesh] topology = graph: no links lead from router"));
  wrong = config;
  wrong.controller_tiles = {{0, 0}, {3, 2}};
  CHECK(complaint(wrong) ==
        "machine 'tree': [dram] controller_tiles: there is no tile 3,2 among the first 4 of [mesh] routers");
  wrong.controller_tiles.clear();
  CHECK(complaint(wrong).ends_with("controller_tiles = edges is for grids; name tiles, as in 0,0 1,0"));
  wrong = config;
  wrong.links[1].cycles = 3;
  CHECK(complaint(wrong) ==
        "machine 'tree': [mesh] topology = graph: the link 1,4 takes 3 cycles; a link takes "
        "router_cycles..10000, 4..10000");
  wrong.links[1] = {1, 4, false, 4, 33};
  CHECK(complaint(wrong).ends_with("the link 1,4 is 33 bytes wide; widths are 1..32, as that of link_bytes"));
  wrong = config;
  wrong.router_tiles = 8;
  CHECK(complaint(wrong) == "machine 'tree': [mesh] topology = graph: tiles = 8, but routers names 7");
  wrong.routers.clear();
  CHECK(complaint(wrong).find("routers names 0; it takes 1..1024") != std::string::npos);
  wrong = config;
  wrong.routers[2] = {0, 0};
  CHECK(complaint(wrong).find("two routers at 0,0; each needs a place of its own") != std::string::npos);
}
