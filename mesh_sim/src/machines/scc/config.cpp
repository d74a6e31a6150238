// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/config.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/parameters.hpp"
#include "mesh_sim/parts/cache.hpp"
#include "mesh_sim/parts/topology.hpp"

namespace mesh {

namespace {

/// "mesh|torus|graph".
std::string_view topology_names() {
  static const std::string names = [] {
    std::string text;
    for (const GridRule& rule : grid_rules()) text += fmt::format("{}|", rule.name);
    return text + "graph";
  }();
  return names;
}

/// Links that say nothing are as the machine's others.
std::shared_ptr<const Graph> graph_of(const MachineConfig& config) {
  std::vector<JoinedRouters> links = config.links;
  for (JoinedRouters& link : links) {
    if (link.cycles == 0) link.cycles = config.router_cycles;
    if (link.bytes == 0) link.bytes = static_cast<int>(config.link_bytes);
  }
  return std::make_shared<const Graph>(config.routers, links);
}

} // namespace

Topology MachineConfig::make_topology() const {
  if (is_graph())
    return {graph_of(*this), static_cast<int>(tiles()), static_cast<int>(cores_per_tile), controller_tiles};
  return {static_cast<int>(columns), static_cast<int>(rows), static_cast<int>(cores_per_tile),
          Interconnect{topology, routing == "yx", static_cast<int>(controllers), controller_tiles}};
}

ParameterTable MachineConfig::parameters() {
  return {
      {"mesh", "columns", &columns, "tiles", "columns of the mesh. Intel RCCE 2.0: 6", 1, 1000},
      {"mesh", "rows", &rows, "tiles", "rows of the mesh. Intel RCCE 2.0: 4", 1, 1000},
      {"mesh", "cores_per_tile", &cores_per_tile, "cores", "cores at each router. Intel RCCE 2.0: 2", 1, 64},
      {"mesh", "clock", &mesh_clock_mhz, "MHz",
       "router clock: 800 or 1600 in practice. Ziwisky, BareMichael, 2012", 1, 100000},
      {"mesh", "topology", &topology, topology_names(),
       "mesh: links between neighbours. torus: also between the two ends of each row and column. graph: the "
       "links of the list links. Intel RCCE 2.0: mesh"},
      {"mesh", "routers", &routers, "none|X,Y X,Y ...",
       "graph: places at which its routers are drawn; routers are numbered from 0"},
      {"mesh", "tiles", &router_tiles, "tiles",
       "graph: number of routers with cores, which are the first ones; the others are switches; 0: all have "
       "cores",
       0, Graph::most_routers},
      {"mesh", "links", &links, "none|A,B[:CYCLES[xBYTES]] ...",
       "graph: pairs of routers with a link in each direction; A>B: one from A to B alone. CYCLES, at least "
       "router_cycles, and BYTES in place of router_cycles and link_bytes"},
      {"mesh", "routing", &routing, "xy|yx",
       "xy: along the row first. yx: along the column first. Howard et al., ISSCC 2010: xy"},
      {"mesh", "router_cycles", &router_cycles, "mesh cycles",
       "latency of one hop. Salihundam et al., IEEE JSSC 46(4) 2011, abstract", 0, 10000},
      {"mesh", "link_bytes", &link_bytes, "bytes", "payload of one flit. Salihundam et al. 2011, abstract", 1,
       32},
      {"mesh", "contention", &contention, "on|off",
       "whether packets wait for each other at links, MPB ports and controllers"},
      {"mesh", "granularity", &granularity, "exact|lines",
       "what of a copy is one event. exact: the lines until one meets somebody. lines: one. Times are the "
       "same"},

      {"tile", "global_clock", &global_clock_mhz, "MHz", "clock that tiles divide. Intel RCCE 2.0: 1600", 1,
       100000},
      {"tile", "divider", &tile_divider, "-",
       "tile clock divider at start, which sets the cores' frequency: 3 is 533 MHz, 2 is 800 MHz. Intel RCCE "
       "2.0",
       1, 16},
      {"tile", "mpb_bytes", &mpb_bytes, "bytes", "message-passing buffer per core. Intel RCCE 2.0: 8192", 64,
       1 << 20},
      {"tile", "mpb_read_cycles", &mpb_read_cycles, "core cycles",
       "read of one MPB line, copy loop included, without the mesh. Intel SCC Programmer's Guide: 45, plus "
       "the loop",
       0, 100000},
      {"tile", "mpb_write_cycles", &mpb_write_cycles, "core cycles",
       "write of one MPB line through the write-combine buffer: the part for which the core waits", 0,
       100000},
      {"tile", "mpb_local_mesh_cycles", &mpb_local_mesh_cycles, "mesh cycles",
       "round trip to the own tile's MPB without the bypass, which is unusable (hardware bug 46). "
       "Programmer's Guide",
       0, 100000},
      {"tile", "mpb_remote_cycles", &mpb_remote_cycles, "core cycles",
       "further cost of a read that leaves the tile", 0, 100000},
      {"tile", "mpb_port_cycles", &mpb_port_cycles, "core cycles",
       "time an MPB is busy with one line: 112 core cycles of a get's line shared by the 24 readers that it "
       "serves without loss (Petrovic et al., SPAA 2012, cited from memory), in whole cycles",
       0, 10000},
      {"tile", "lock_acquire_cycles", &lock_acquire_cycles, "core cycles",
       "read of a test-and-set register, beside one mesh round trip. Reble et al., 3rd MARC Symposium 2011, "
       "Fig. 3",
       0, 100000},
      {"tile", "lock_release_cycles", &lock_release_cycles, "core cycles",
       "reset of a test-and-set register, beside two mesh round trips. The same figure: 113.3 in all and "
       "three round trips",
       0, 100000},
      {"tile", "lock_local_discount_cycles", &lock_local_discount_cycles, "core cycles",
       "what acquire and release on the core's own tile cost less than at zero hops. The same figure: 113 - "
       "97",
       0, 100000},
      {"tile", "counter_cycles", &counter_cycles, "core cycles",
       "atomic counter of the system FPGA beside its mesh round trip to tile (3,0): no published value, "
       "assumed",
       0, 1000000},
      {"tile", "counter_service_cycles", &counter_service_cycles, "mesh cycles",
       "time that the system FPGA is busy with one access to an atomic counter: one at a time, polls "
       "included. No published value, assumed; 0 (all at once) to 300 (the whole access at 800 MHz) are "
       "possible",
       0, 1000000},

      {"cache", "l1_bytes", &l1_bytes, "bytes",
       "first-level data cache. Sivaramakrishnan et al., MARC Aachen 2012", 128, 1 << 20},
      {"cache", "l1_ways", &l1_ways, "ways", "associativity, from memory", 1, 16},
      {"cache", "l2_bytes", &l2_bytes, "bytes", "second-level cache. Howard et al., ISSCC 2010", 128,
       1 << 26},
      {"cache", "l2_ways", &l2_ways, "ways", "associativity, from memory", 1, 16},
      {"cache", "l1_kept_lines", &l1_kept_lines, "lines",
       "lines of L1 that stack and library data keep, one path of as many sets, at most of all. iRCCE manual "
       "V2.0 Fig. 5: both curves at 8 KB",
       0, 1 << 20},
      {"cache", "l2_kept_pages", &l2_kept_pages, "pages",
       "4 KB pages of the unified L2 that code, stack and operating system keep, at most one path. The same "
       "figure: both curves at 256 KB",
       0, 1 << 20},
      {"cache", "l1_line_cycles", &l1_line_cycles, "core cycles", "private side of a copied line found in L1",
       0, 100000},
      {"cache", "l2_line_cycles", &l2_line_cycles, "core cycles",
       "further cost of a line found in L2. iRCCE manual V2.0 Fig. 5: half of 0.378 - 0.280 us a line", 0,
       100000},
      {"cache", "l2_read_cycles", &l2_read_cycles, "core cycles",
       "a load or store of the program's own that misses L1 and hits L2 (--compute cache). Sivaramakrishnan "
       "et al., MultiMLton, JFP 2014, citing Intel",
       0, 100000},
      {"cache", "plain_store_l1_cycles", &plain_store_l1_cycles, "core cycles",
       "plain copies (RCCE 1.0): 4-byte store to a line in L1. iRCCE manual V2.0 Fig. 5, V1.0.13 curve", 0,
       100000},
      {"cache", "plain_store_l2_cycles", &plain_store_l2_cycles, "core cycles",
       "the same to a line in L2 only. The same curve: 0.15 us", 0, 100000},
      {"cache", "plain_store_dram_cycles", &plain_store_dram_cycles, "core cycles",
       "the same to a line in no cache. The same curve: 0.64 us", 0, 100000},

      {"dram", "clock", &dram_clock_mhz, "MT/s", "data rate; latencies count cycles of half of it", 1,
       100000},
      {"dram", "core_cycles", &dram_core_cycles, "core cycles",
       "core part of a line read. Sivaramakrishnan et al., MultiMLton, JFP 2014, citing Intel", 0, 100000},
      {"dram", "ram_cycles", &dram_ram_cycles, "memory cycles", "memory part of a line read. The same", 0,
       100000},
      {"dram", "copy_cycles", &dram_copy_cycles, "core cycles",
       "further cost of a copied line that comes from DRAM", 0, 100000},
      {"dram", "write_back_cycles", &dram_write_back_cycles, "core cycles",
       "cost of a modified line that has to leave L2. iRCCE manual V2.0 Fig. 5: 0.39 us less the read", 0,
       100000},
      {"dram", "controllers", &controllers, "-",
       "memory controllers. Intel sccKit 1.4.1, default LUT data: 4", 1, 1024},
      {"dram", "controller_tiles", &controller_tiles, "edges|X,Y X,Y ...",
       "places of the controllers. edges: at the west and east ends of rows that divide the mesh evenly, "
       "each for its part. Or a list of tiles; each controller serves the tiles to which it is nearest. "
       "sccKit: 0,0 5,0 0,2 5,2, as edges gives"},
      {"dram", "controller_bandwidth", &controller_gb_per_s, "GB/s",
       "one of four controllers. Howard et al. 2010: 21 in all", 0.001, 100000},
      {"dram", "word_store_lines", &word_store_lines, "lines",
       "what a word that is stored by itself keeps its controller busy for. Assumed: its line is read and "
       "written again. Writers slow each other down (Melot et al., MARC 2011, abstract)",
       1, 1000},
      {"dram", "frames", &frames, "contiguous|random",
       "order of the physical pages that are given at the first access: contiguous or random"},
      {"dram", "frame_seed", &frame_seed, "-", "seed of random frames", 0, 1e15},

      {"power", "dynamic", &power_dynamic_w, "W/(V^2 MHz)",
       "chip at its two published points, 25 W (0.7 V, 125 MHz) and 125 W (1.14 V, 1 GHz): P = dynamic V^2 f "
       "+ static V. Howard et al. 2010",
       0, 1000},
      {"power", "static", &power_static_w, "W/V", "the same", 0, 100000},
      {"power", "start_volt", &start_volt, "V", "voltage at start: level 4 of RCCE 2.0", 0.1, 5},
  };
}

namespace {

/// 65,536 cores, more than 100 times the largest machine that anybody compares with: each takes some 10 KB of
/// the host's memory before anything runs.
constexpr std::int64_t most_cores = 1 << 16;

} // namespace

void MachineConfig::complete_graph() const {
  const auto wrong = [&](const std::string& what) {
    return UserError(fmt::format("machine '{}': [mesh] topology = graph: {}", name, what));
  };
  // A file that was printed has the defaults of grids.
  const MachineConfig usual;
  for (const auto& [parameter, is_usual] : {std::pair{"columns", columns == usual.columns},
                                            {"rows", rows == usual.rows},
                                            {"routing", routing == usual.routing}})
    if (!is_usual)
      throw wrong(fmt::format("{} is of grids; leave it out, for routers and links say all", parameter));
  constexpr int longest_side = 1000;
  if (routers.empty() || routers.size() > Graph::most_routers)
    throw wrong(
        fmt::format("routers names {}; it takes 1..{}, as in 0,0 1,0", routers.size(), Graph::most_routers));
  if (tiles() > static_cast<std::int64_t>(routers.size()))
    throw wrong(fmt::format("tiles = {}, but routers names {}", tiles(), routers.size()));
  for (const Coordinates& place : routers) {
    if (place.x < 0 || place.x >= longest_side || place.y < 0 || place.y >= longest_side)
      throw wrong(
          fmt::format("a router at {},{}; coordinates are 0..{}", place.x, place.y, longest_side - 1));
    if (std::count(routers.begin(), routers.end(), place) > 1)
      throw wrong(fmt::format("two routers at {},{}; each needs a place of its own", place.x, place.y));
  }
  constexpr std::int64_t most_cycles = 10000;
  for (const JoinedRouters& link : links) {
    if (link.cycles != 0 && (link.cycles < router_cycles || link.cycles > most_cycles))
      throw wrong(fmt::format("the link {},{} takes {} cycles; a link takes router_cycles..{}, {}..{}",
                              link.one, link.other, link.cycles, most_cycles, router_cycles, most_cycles));
    if (link.bytes < 0 || link.bytes > static_cast<int>(line_bytes))
      throw wrong(fmt::format("the link {},{} is {} bytes wide; widths are 1..{}, as that of link_bytes",
                              link.one, link.other, link.bytes, line_bytes));
  }
  try {
    static_cast<void>(graph_of(*this));
  } catch (const std::invalid_argument& error) {
    throw wrong(error.what());
  }
  if (controller_tiles.empty())
    throw wrong("[dram] controller_tiles = edges is for grids; name tiles, as in 0,0 1,0");
}

void MachineConfig::complete() const {
  constexpr std::int64_t most_on_any_mesh = 4; // the chip's: what a mesh of one row has not serves nobody
  if (is_graph())
    complete_graph();
  else if (router_tiles != 0 || !routers.empty() || !links.empty())
    throw UserError(
        fmt::format("machine '{}': [mesh] topology = {}: {} is of topology = graph; leave it out, or ask "
                    "for a graph",
                    name, topology,
                    router_tiles != 0      ? "tiles"
                        : !routers.empty() ? "routers"
                                           : "links"));
  if (!is_graph() && columns * rows * cores_per_tile > most_cores)
    throw UserError(fmt::format("machine '{}': [mesh] columns = {}, rows = {} and cores_per_tile = {} make "
                                "{} cores; at most {} can be simulated",
                                name, columns, rows, cores_per_tile, columns * rows * cores_per_tile,
                                most_cores));
  const auto check = [&](const char* cache, std::int64_t bytes, std::int64_t ways) {
    if (!Cache::possible(static_cast<std::size_t>(bytes), static_cast<std::size_t>(ways)))
      throw UserError(fmt::format("machine '{}': [cache] {}_bytes = {} with {}_ways = {} is no cache we can "
                                  "simulate: ways must be 1, 2, 4 or 8, "
                                  "and bytes / ways / 32 a power of two of at least 8",
                                  name, cache, bytes, cache, ways));
  };
  const bool own_takes_time = mpb_read_cycles + mpb_local_mesh_cycles > 0;
  if (!own_takes_time || mpb_read_cycles + mpb_remote_cycles + router_cycles == 0)
    throw UserError(fmt::format(
        "machine '{}': [tile] mpb_read_cycles = 0 with {} = 0: a read of {} message "
        "buffer takes no time, and a loop that waits would never let time pass; "
        "make one of them 1 or more",
        name, own_takes_time ? "mpb_remote_cycles = 0 and [mesh] router_cycles" : "mpb_local_mesh_cycles",
        own_takes_time ? "another tile's" : "an own"));
  if (lock_acquire_cycles <= lock_local_discount_cycles / 2)
    throw UserError(fmt::format(
        "machine '{}': [tile] lock_acquire_cycles = {} with lock_local_discount_cycles = {}: a read of an "
        "own test-and-set register takes no time, and a loop that waits would never let time pass; make "
        "lock_acquire_cycles {} or more",
        name, lock_acquire_cycles, lock_local_discount_cycles, lock_local_discount_cycles / 2 + 1));
  if (counter_cycles + router_cycles == 0)
    throw UserError(fmt::format("machine '{}': [tile] counter_cycles = 0 with [mesh] router_cycles = 0: a "
                                "read of an atomic counter takes no time, and a loop that waits would never "
                                "let time pass; make one of them 1 or more",
                                name));
  if (is_graph() && tiles() * cores_per_tile > most_cores)
    throw UserError(fmt::format("machine '{}': [mesh] {} tiles of cores_per_tile = {} make {} cores; at most "
                                "{} can be simulated",
                                name, tiles(), cores_per_tile, tiles() * cores_per_tile, most_cores));
  check("l1", l1_bytes, l1_ways);
  check("l2", l2_bytes, l2_ways);
  if (l1_bytes > l2_bytes)
    throw UserError(fmt::format("machine '{}': [cache] l1_bytes = {} with l2_bytes = {}: the first level is "
                                "larger than the second; give L2 {} or more",
                                name, l1_bytes, l2_bytes, l1_bytes));
  if (controller_tiles.empty() && controllers > std::max(most_on_any_mesh, 2 * rows))
    throw UserError(fmt::format("machine '{}': [dram] controllers = {}: the edges of a mesh of {} rows have "
                                "places for {}, and further ones would serve no tile; name their tiles by "
                                "controller_tiles",
                                name, controllers, rows, 2 * rows));
  if (!controller_tiles.empty() && controllers != static_cast<std::int64_t>(controller_tiles.size()))
    throw UserError(
        fmt::format("machine '{}': [dram] controllers = {}, but controller_tiles names {} tiles; set "
                    "controllers = {}{}",
                    name, controllers, controller_tiles.size(), controller_tiles.size(),
                    is_graph() ? "" : ", or controller_tiles = edges"));
  for (const Coordinates& place : controller_tiles) {
    if (std::ranges::count(controller_tiles, place) > 1)
      throw UserError(
          fmt::format("machine '{}': [dram] controller_tiles names {},{} twice; a second controller "
                      "there would serve no tile",
                      name, place.x, place.y));
    const auto first_switch = routers.begin() + (is_graph() ? tiles() : 0);
    if (is_graph() && std::find(routers.begin(), first_switch, place) == first_switch)
      throw UserError(fmt::format("machine '{}': [dram] controller_tiles: there is no tile {},{} among the "
                                  "first {} of [mesh] routers",
                                  name, place.x, place.y, tiles()));
    if (!is_graph() && (place.x < 0 || place.x >= columns || place.y < 0 || place.y >= rows))
      throw UserError(
          fmt::format("machine '{}': [dram] controller_tiles: there is no tile {},{} on a mesh of {} "
                      "columns and {} rows; coordinates are 0..{},0..{}",
                      name, place.x, place.y, columns, rows, columns - 1, rows - 1));
  }
  if (mpb_bytes % static_cast<std::int64_t>(line_bytes) != 0)
    throw UserError(fmt::format("machine '{}': [tile] mpb_bytes = {} is no multiple of {} bytes, a line",
                                name, mpb_bytes, line_bytes));
}

} // namespace mesh
