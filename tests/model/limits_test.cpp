// SPDX-License-Identifier: Apache-2.0
// The limits of algorithms/LIMITS.md: no run of any algorithm on any machine beats one, and each term is what
// the page says, worked out here by hand.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "catch.hpp"
#include "command_line/collective_results.hpp"
#include "lab/backend.hpp"
#include "lab/limits.hpp"
#include "lab/messages.hpp"
#include "lab/random.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/machines/scc/kind.hpp"

namespace {

using lab::Point;

/// Points of a sweep: a tenth of all, the first of the seeded sequence, unless WHOLE=1 asks for all.
std::size_t points_of(std::size_t all) {
  return std::getenv("WHOLE") != nullptr ? all : all / 10;
}

std::shared_ptr<lab::Machine> preset_with(const char* name, const std::vector<std::string>& settings) {
  auto machine = std::make_shared<lab::Machine>(lab::open_machine(name));
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    machine->config.set(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return machine;
}

std::shared_ptr<lab::Machine> round_phi(const char* hit) {
  return preset_with("xeon-phi-5110p",
                     {"load.modified=200", "load.exclusive=190", "load.shared=180", "load.invalid=300", hit,
                      "memory.misses=4", "queue.scans=in_order", "machine.clock=1000"});
}

std::shared_ptr<const lab::Machine> machine_of(const std::vector<std::string>& settings, int columns = 6,
                                               int rows = 4) {
  auto machine = preset_with("scc", settings);
  if (columns != 6 || rows != 4) machine->resize(columns, rows, "--mesh");
  return machine;
}

/// 24 tiles on a ring that goes one way, with slow and narrow links across it.
std::shared_ptr<const lab::Machine> one_way_ring() {
  std::string routers, links;
  for (int i = 0; i < 24; ++i) {
    routers += fmt::format("{},{} ", i % 6, i / 6);
    links += fmt::format("{}>{} ", i, (i + 1) % 24);
    if (i % 5 == 0) links += fmt::format("{},{}:{}x4 ", i, (i + 9) % 24, 5 + i);
  }
  return machine_of({"mesh.routers=" + routers, "mesh.links=" + links,
                     "dram.controller_tiles=0,0 5,0 0,2 5,2", "mesh.topology=graph"});
}

Point point_of(const std::shared_ptr<const lab::Machine>& machine, const std::string& algorithm, int cores,
               std::int64_t bytes) {
  Point point{.machine = machine,
              .machine_name = machine->config.name(),
              .backend = lab::backend_of(*machine),
              .algorithm = algorithm,
              .cores = cores,
              .bytes = bytes};
  point.warm_up = point.backend->usual_warm_up(point);
  return point;
}

std::map<std::string, double> terms_of(const Point& point) {
  std::map<std::string, double> terms;
  for (const lab::LimitTerm& term : point.backend->limit(point).terms)
    terms[std::string(term.name)] = term.us;
  return terms;
}

// Microseconds, of the chip at 533/800/800: core and mesh cycles, a put line, a get from 0, 1 and 2 hops.
constexpr double core = 0.001875, hop_cycle = 0.00125;
constexpr double put = 66 * core, get = 62 * core + 8 * hop_cycle, get1 = 86 * core + 8 * hop_cycle,
                 get2 = 86 * core + 16 * hop_cycle;
// A get from the own tile whose request meets a line that has just come.
constexpr double seen = 62 * core + 4 * hop_cycle;
constexpr double l1 = 8 * core, l2 = 26 * core, load_l2 = 18 * core;

void check(double is, double ought) {
  CHECK(is == Approx(ought).epsilon(1e-9));
}

/// A line from one of so many cores of a grid to the others, with as many copies as is cheapest.
double handed_out(int cores) {
  double best = 0;
  for (int copies = 1; copies <= cores; ++copies) {
    double cost = copies * put + (copies - 1) * l1;
    int left = cores - 1;
    for (int hops = 0; left > 0; ++hops) {
      const int here = std::min(left, copies * (hops == 0 ? 2 : 8 * hops));
      cost += here * (hops == 0 ? get : 86 * core + 8 * hops * hop_cycle);
      left -= here;
    }
    if (best == 0 || cost < best) best = cost;
  }
  return best;
}

} // namespace

TEST_CASE("the terms of a broadcast") {
  const auto chip = machine_of({});
  auto terms = terms_of(point_of(chip, "bcast/cube", 48, 8192)); // 256 lines, from a corner: 8 hops
  check(terms["distance"], put + 8 * 4 * hop_cycle + seen);
  check(terms["root"], 256 * (put + l1) + get);
  check(terms["receiver"], put + 256 * (get + l1));
  check(terms["work"], 256 * (l1 + handed_out(48) + 47 * l1) / 48);
  check(terms["controllers"], 0);
  check(terms["ports"],
        (256 * 48 / 24 - 1) * static_cast<double>(mesh::scc_config(chip->config)->mpb_port_cycles) * core);
  // 480 lines in L1 and 7296 in L2, for 32 and 896 hold other things for good; 2224 in memory.
  terms = terms_of(point_of(chip, "bcast/cube", 2, 320'000));
  const double line = 40 * core + 8 * core + 46 * 0.0025; // by rcce_copy, 8 words
  check(terms["root"], 10'000 * (put + l1) + 7296 * l2 + 2224 * line + get);
  check(terms["receiver"], put + 10'000 * (get + l1) + 7296 * l2 + 2224 * (line + 92 * core));
  check(terms["controllers"], 2224 * 0.032 / 5.25);
  // In the line of a flag: not through private memory.
  terms = terms_of(point_of(chip, "bcast/cube", 2, 28));
  check(terms["distance"], put + get); // both on one tile
  check(terms["root"], put + get);
  check(terms["receiver"], put + get);
}

TEST_CASE("a broadcast spreads no faster than ports give and cores put") {
  const auto looks = [](const std::vector<std::string>& settings, int cores, int tiles = 6) {
    return terms_of(point_of(machine_of(settings, tiles, tiles), "bcast/cube", cores, 32))["looks"];
  };
  check(looks({}, 2), put + get);
  // The second reader comes to the first buffer much later, or to a second one that is put behind the first.
  const double dear = looks({"tile.mpb_port_cycles=1000"}, 3);
  CHECK(dear > put + get + 0.1);
  CHECK(dear <= 2 * put + get);
  CHECK(looks({}, 3) < dear);
  // 47 readers of one buffer would take 0.44 us after the first.
  CHECK(looks({}, 48) > put + get + 0.2);
  CHECK(looks({}, 48) < put + get + 0.44);
  CHECK(looks({"tile.mpb_port_cycles=3"}, 48) < looks({}, 48));
  CHECK(looks({}, 512, 16) > looks({}, 48, 16) + put);
  CHECK(looks({"mesh.contention=off"}, 48) == 0);
}

TEST_CASE("the last line keeps nobody waiting at a port, and waits for flags go past it") {
  const auto narrow = machine_of({"tile.mpb_port_cycles=500"});
  const Point point = point_of(narrow, "allreduce/tagged", 2, 8);
  check(terms_of(point)["ports"], (2 - 1) * 500 * core);
  CHECK(point.backend->run(point).max_us > lab::limit_on_messages(point).binding().us);
}

TEST_CASE("many copies where the mesh is large") {
  const auto large = machine_of({}, 32, 16);
  auto terms = terms_of(point_of(large, "bcast/oc_tree", 1024, 8192));
  check(terms["work"], 256 * (l1 + handed_out(1024) + 1023 * l1) / 1024);
  CHECK(handed_out(1024) < put + 2 * get + 1021 * get2);
}

TEST_CASE("the terms of reductions and barriers") {
  const auto chip = machine_of({});
  const double element = static_cast<double>(chip->costs.rcce20.element) * core;
  auto terms = terms_of(point_of(chip, "reduce/linear", 5, 8192)); // cores 0..4: tiles 0..2
  const double together = get + l1 + 4 * element;
  check(terms["distance"], put + 2 * 4 * hop_cycle + seen);
  check(terms["sender"], 256 * (put + l1) + get);
  check(terms["root"], put + 256 * (get + l1) + 32 * load_l2); // operand and result are 512 lines, 480 in L1
  check(terms["work"], 4 * 256 * (put + l1 + together) / 5);
  CHECK(terms["depth"] > 2 * (put + get));
  CHECK(terms["depth"] < 3 * (put + get + 4 * element));
  // A long operand need not be read by a copy: it can be combined into what another rank has sent. Loads take
  // less.
  terms = terms_of(point_of(chip, "reduce/linear", 5, 320'000));
  const double load_memory = 40 * core + 46 * 0.0025;
  const double operand = 7296 * load_l2 + 2224 * load_memory, both = operand + 10'000 * load_memory;
  check(terms["sender"], 10'000 * (put + l1) + operand + get);
  check(terms["root"], put + 10'000 * (get + l1) + both);
  check(terms["work"], 4 * 10'000 * (put + l1 + together) / 5 + operand);
  // Cores 0 to 4 have one controller. Of operand and result 7776 lines can be in caches.
  check(terms["controllers"], ((20'000 - 7776) + 4 * 2224) * 0.032 / 5.25);
  terms = terms_of(point_of(chip, "allreduce/reduce_scatter", 5, 320'000));
  check(terms["each"], 10'000 * (put + get + 2 * l1) + both);
  check(terms["controllers"], 5 * (20'000 - 7776) * 0.032 / 5.25);
  check(terms["work"],
        (4 * 10'000 * (put + l1 + together) + 10'000 * (put + 2 * get + 2 * get1 + 4 * l1)) / 5 + both);
  terms = terms_of(point_of(chip, "allreduce/reduce_scatter", 5, 8192));
  check(terms["each"], 256 * (put + get + 2 * l1) + 32 * load_l2);
  check(terms["work"],
        (4 * 256 * (put + l1 + together) + 256 * (put + 2 * get + 2 * get1 + 4 * l1)) / 5 + 32 * load_l2);
  terms = terms_of(point_of(chip, "barrier/tree", 48, 0));
  check(terms["distance"], 8 * 4 * hop_cycle + 20 * core);
  // Registers of 37.5 ns, in steps of whole ones: twice as many by each look, 2^6 at the sixth.
  check(terms["looks"], 6 * 0.037);
  check(terms_of(point_of(chip, "barrier/tree", 2, 0))["looks"], 0.037);
  // Where registers and counters are dear, a line of 256 bits tells of 48 at once, and of 512 cores' by two
  // looks.
  const std::vector<std::string> dear{"tile.lock_acquire_cycles=1000", "tile.counter_cycles=5000"};
  check(terms_of(point_of(machine_of(dear), "barrier/tree", 48, 0))["looks"], 0.25);
  check(terms_of(point_of(machine_of(dear, 16, 16), "barrier/tree", 512, 0))["looks"], 0.25 + 0.126);
  // A counter that is served once a microsecond.
  const std::vector<std::string> one{"tile.lock_acquire_cycles=100000", "tile.mpb_write_cycles=100000",
                                     "tile.counter_service_cycles=800"};
  terms = terms_of(point_of(machine_of(one), "barrier/tree", 48, 0));
  check(terms["distance"], 0.385);
  CHECK(terms["looks"] > 1);
  CHECK(terms["looks"] < 47);
}

TEST_CASE("the terms of operations on blocks") {
  const auto chip = machine_of({});
  auto terms = terms_of(point_of(chip, "allgather/ring", 5, 8192)); // blocks of 1638 or 1639 bytes: 52 lines
  check(terms["distance"], put + 2 * 4 * hop_cycle + seen);
  check(terms["each"], 52 * (put + l1) + 205 * (get + l1)); // 6554 bytes: 205 lines
  check(terms["work"], (5 * (1638 + 6553) / 32.0 * l1 + 256 * (put + 2 * get + 2 * get1)) / 5);
  // 8 ranks of 48 have no byte; the last one has: core 47 is 8 hops from core 0.
  terms = terms_of(point_of(chip, "allgather/ring", 48, 40));
  check(terms["distance"], put + 8 * 4 * hop_cycle + seen);
  check(terms["each"], put + 2 * get); // 39 bytes of others; in lines of flags
}

TEST_CASE("the terms of operations with a root on blocks") {
  const auto chip = machine_of({});
  Point point = point_of(chip, "gather/linear", 5, 8192); // of others 6553 or 6554 bytes: 205 lines
  auto terms = terms_of(point);
  check(terms["distance"], put + 2 * 4 * hop_cycle + seen);
  check(terms["sender"], 52 * (put + l1) + get);
  check(terms["root"], put + 205 * (get + l1));
  point = point_of(chip, "scatter/linear", 5, 8192);
  terms = terms_of(point);
  check(terms["distance"], put + 2 * 4 * hop_cycle + seen);
  check(terms["root"], 205 * (put + l1) + get);
  check(terms["receiver"], put + 52 * (get + l1));
  // The one byte belongs to the last rank: 2 hops from rank 0, nothing to do from that rank.
  point = point_of(chip, "scatter/linear", 5, 1);
  check(terms_of(point)["distance"], put + 2 * 4 * hop_cycle + seen);
  point.root = 4;
  CHECK(terms_of(point).empty());
}

TEST_CASE("the terms of exchanges, and of reductions on blocks") {
  const auto chip = machine_of({});
  auto terms = terms_of(point_of(chip, "alltoall/pairwise", 5, 8192));
  check(terms["each"], 205 * (put + get + 2 * l1)); // 4 blocks of 1638 or 1639 bytes each way
  // 80,000 bytes each way are 2500 lines, in caches; 200,000 are 6250, of which the caches hold 7776 of
  // 12500.
  terms = terms_of(point_of(chip, "alltoall/pairwise", 2, 160'000));
  check(terms["each"], 2500 * (put + get) + 5000 * l1 + (5000 - 480) * l2);
  terms = terms_of(point_of(chip, "alltoall/pairwise", 2, 400'000));
  const double beyond = 40 * core + 8 * core + 46 * 0.0025;
  check(terms["each"], 6250 * (put + get) + 12500 * l1 + 7296 * l2 + (12500 - 7776) * beyond);
  const double element = static_cast<double>(chip->costs.rcce20.element) * core;
  terms = terms_of(point_of(chip, "reduce_scatter/pairwise", 5, 8000)); // 200 doubles each: 50 lines
  check(terms["distance"], put + 2 * 4 * hop_cycle + seen);
  check(terms["each"], 200 * (put + l1) + 50 * (get + l1));
  check(terms["work"], 4 * (250 * (put + get + 2 * l1) + 1000 * element) / 5);
  terms = terms_of(point_of(chip, "scan/linear", 5, 8000));
  check(terms["distance"], put + 2 * 4 * hop_cycle + seen);
  check(terms["sender"], 250 * (put + l1) + 20 * load_l2 + get);
  check(terms["receiver"], put + 250 * (get + l1) + 20 * load_l2);
  check(terms["each"], 250 * (put + get + 2 * l1) + 20 * load_l2);
  check(terms["work"], 4 * 250 * (put + get + 2 * l1 + 4 * element) / 5 + 20 * load_l2);
  terms = terms_of(point_of(chip, "reduce_scatter/pairwise", 5, 32'000)); // 1000 lines and 200
  check(terms["each"], 800 * (put + l1) + 200 * (get + l1) + 720 * load_l2);
  check(terms["work"], 4 * (1000 * (put + get + 2 * l1) + 4000 * element) / 5 + 720 * load_l2);
}

TEST_CASE("nothing to undercut") {
  const auto chip = machine_of({});
  CHECK(terms_of(point_of(chip, "bcast/cube", 1, 8192)).empty());
  CHECK(terms_of(point_of(chip, "bcast/cube", 48, 0)).empty());
  Point spread = point_of(chip, "bcast/cube", 48, 8192);
  spread.spread = lab::Spread("uniform:5", 1);
  CHECK(terms_of(spread).empty());
}

TEST_CASE("no run beats its limit") {
  const std::vector<std::shared_ptr<const lab::Machine>> machines{
      machine_of({}),
      machine_of({"mesh.contention=off"}),
      machine_of({"tile.divider=2", "mesh.clock=1600", "dram.clock=1066"}),
      machine_of({"tile.divider=8"}),
      machine_of({"dram.frames=random"}),
      machine_of({"mesh.topology=torus"}),
      machine_of({"cache.l2_bytes=65536", "tile.mpb_bytes=16384"}),
      machine_of({"cache.l2_bytes=65536", "dram.controller_bandwidth=0.5"}),
      machine_of({"tile.mpb_port_cycles=60", "tile.counter_service_cycles=400"}),
      machine_of({"cache.plain_store_l2_cycles=1", "cache.plain_store_dram_cycles=1"}),
      machine_of({"tile.mpb_local_mesh_cycles=200"}),
      one_way_ring(),
      machine_of({}, 8, 8),
      machine_of({}, 3, 2),
  };
  std::vector<Point> points;
  const std::size_t wanted = points_of(5000);
  for (std::uint64_t i = 0; points.size() < wanted; ++i) {
    lab::Random random(1, i, 0);
    const auto below = [&](std::size_t n) {
      return static_cast<std::size_t>(random.uniform() * static_cast<double>(n));
    };
    const auto& machine = machines[below(machines.size())];
    const auto backend = lab::backend_of(*machine);
    const lab::Row& row = backend->rows()[below(backend->rows().size())];
    const int most = machine->config.cores();
    Point point =
        point_of(machine, row.name, 2 + static_cast<int>(below(static_cast<std::size_t>(most - 1))), 0);
    if (point.operation().has_message) {
      const double size = std::pow(2.0, 2 + random.uniform() * (below(8) == 0 ? 15 : 11));
      point.bytes = static_cast<std::int64_t>(size) / 8 * 8 + 8;
    }
    if (point.operation().has_root)
      point.root = static_cast<int>(below(static_cast<std::size_t>(point.cores)));
    point.reads = below(2) == 0;
    if (!point.reads) point.warm_up = static_cast<int>(below(2));
    point.repetitions = 1 + static_cast<int>(below(2));
    point.copies = below(4) == 0 ? "plain" : "own";
    if (most <= 48 && machine->config.cores() == 48 && below(8) == 0)
      point.generation = lab::Generation::rcce10;
    if (!point.backend->misfit(point).empty()) continue;
    points.push_back(point);
  }
  const auto results = lab::measure_all(points, 2);
  double closest = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    REQUIRE(results[i]);
    const lab::LimitTerm limit = points[i].backend->limit(points[i]).binding();
    closest = std::max(closest, limit.us / results[i]->max_us);
    if (limit.us > results[i]->max_us)
      FAIL_CHECK(fmt::format("{} takes {} us, and no algorithm less than {} ({})", points[i].key(),
                             results[i]->max_us, limit.us, limit.name));
  }
  CHECK(closest > 0.7);
  // Somebody comes near: the bounds say something.
  const Point near = point_of(machines.front(), "bcast/clusters", 2, 190'000);
  CHECK(near.backend->limit(near).binding().us > 0.9 * near.backend->run(near).max_us);
}

TEST_CASE("a time below the limit is not right") {
  const Point point = point_of(machine_of({}), "bcast/clusters", 48, 8192);
  const double least = point.backend->limit(point).binding().us;
  lab::Result result;
  result.max_us = least;
  CHECK(rccebench::is_right(point, result));
  CHECK(rccebench::check_text(point, result) == "ok");
  result.max_us = 0.999 * least;
  CHECK_FALSE(rccebench::is_right(point, result));
  CHECK(rccebench::check_text(point, result) == "below limit");
  CHECK(std::get<bool>(rccebench::correctness_of(point, result)) == false);
}

TEST_CASE("the terms of a cluster") {
  auto machine = std::make_shared<lab::Machine>(lab::open_machine("alc"));
  Point point{.machine = machine, .machine_name = "alc", .backend = lab::backend_of(*machine)};
  point.algorithm = "reduce/awake_tree";
  point.cores = 2;
  point.bytes = 8;
  point.type = "double";
  const auto limit = [&] {
    const auto terms = point.backend->limit(point).terms;
    REQUIRE(terms.size() == 1);
    CHECK(terms.front().name == "summation");
    return terms.front().us;
  };
  // Between neighbours a message passes 1 switch of 35 ns, where the wire's 0.33 us are those of 3; 8 B
  // follow.
  constexpr double flight = 0.33 - 2 * 0.035 + 8.0 / 400;
  // Entry, barrier, send, latency beside the wire, take.
  CHECK(std::abs(limit() - (3 + 4.7 + 0.5 + 3.98 - 0.33 + flight + 1.0)) < 1.0 / 64 + 0.001);
  point.cores = 64;
  const double took = point.backend->run(point).max_us;
  CHECK(took >= limit());
  CHECK(took < 1.05 * limit()); // some messages pass more switches
  point.options["in_flight"] = "4";
  CHECK(point.backend->limit(point).terms.empty());
  auto free = std::make_shared<lab::Machine>(lab::open_machine({"alc", {{"", "host.take", "0"}}}));
  Point taken{.machine = free, .machine_name = "alc", .backend = lab::backend_of(*free)};
  taken.algorithm = "reduce/binomial";
  taken.cores = 2;
  taken.bytes = 8;
  taken.type = "double";
  CHECK(taken.backend->run(taken).max_us == taken.backend->limit(taken).binding().us);
}

TEST_CASE("no run on a cluster beats its limit") {
  const std::size_t points = points_of(1500);
  double closest = 0;
  for (const char* const name : {"alc", "alc-fitted", "cluster-modern"}) {
    auto machine = std::make_shared<lab::Machine>(lab::open_machine(name));
    const auto backend = lab::backend_of(*machine);
    std::vector<std::string> rows;
    for (const lab::Row& row : backend->rows()) rows.push_back(row.name);
    for (std::uint64_t i = 0; i < points / 3; ++i) {
      lab::Random random(2, i, 0);
      const auto below = [&](std::size_t n) {
        return static_cast<std::size_t>(random.uniform() * static_cast<double>(n));
      };
      Point point{.machine = machine, .machine_name = name, .backend = backend};
      point.algorithm = rows[below(rows.size())];
      point.cores = 2 + static_cast<int>(below(below(4) == 0 ? 500 : 60));
      point.type = std::array{"int", "long", "float", "double"}[below(4)];
      point.op = std::array{"sum", "min", "max"}[below(3)];
      const std::int64_t element = point.type == "int" || point.type == "float" ? 4 : 8;
      point.bytes = element * static_cast<std::int64_t>(1 + below(below(2) == 0 ? 4 : 200));
      if (below(2) == 0) point.options["noise"] = "off";
      if (below(3) == 0) point.options["processes"] = "2";
      point.repetitions = 3;
      if (!point.backend->misfit(point).empty()) continue;
      const double took = point.backend->run(point).max_us, limit = point.backend->limit(point).binding().us;
      CAPTURE(name, point.algorithm, point.cores, point.bytes, point.type, point.op, point.options);
      REQUIRE(limit > 0);
      REQUIRE(took >= limit);
      closest = std::max(closest, limit / took);
    }
  }
  CHECK(closest > 0.9);
}

TEST_CASE("the terms in shared memory") {
  const auto machine = round_phi("hit.line=5");
  const auto terms = [&](const char* algorithm, int threads, std::int64_t bytes) {
    return terms_of(point_of(machine, algorithm, threads, bytes));
  };
  // A cycle takes a nanosecond; a store or atomic operation costs what that preset says, more than a load.
  check(terms("barrier/dissemination", 8, 0)["distance"], 0.18);
  // 16 lines: one is waited for, and each further one follows a quarter of that later, not by rounding.
  auto all = terms("bcast/flat", 8, 1024);
  check(all["distance"], 0.18);
  check(all["receiver"], 0.18 + 15 * (0.045 - 0.000001));
  // Each of 7 operands is brought to another core: 16 lines, by 8 threads.
  all = terms("reduce/linear", 8, 1024);
  check(all["work"], 16 * 7 * (0.045 - 0.000001) / 8);
  // Two threads of each of 60 cores: what is common, one of them fetches; 3 accesses of 5 cycles for each
  // line.
  all = terms("reduce/linear", 120, 1024);
  check(all["work"], 16 * 59 * (0.045 - 0.000001) / 120);
  machine->config.set("hit.line", "20");
  all = terms("reduce/linear", 120, 1024);
  check(all["work"], 16 * 119 * 0.06 / 120);
  CHECK(terms("bcast/flat", 1, 1024).empty());
}

TEST_CASE("the terms of exchanges in shared memory") {
  const auto machine = round_phi("hit.line=1");
  const auto terms = [&](const char* algorithm, int threads, std::int64_t bytes) {
    return terms_of(point_of(machine, algorithm, threads, bytes));
  };
  constexpr double transfer = 0.18, apart = 0.045 - 0.000001, apart_in_words = 0.036 - 0.000001;
  // Of every vector of 8 blocks of 1024 bytes 7 come from elsewhere: 112 lines, half of them by loads.
  check(terms("allgather/ring", 8, 8192)["distance"], transfer);
  check(terms("allgather/ring", 8, 8192)["work"], transfer + (112 / 2.0 - 1) * apart);
  check(terms("alltoall/bruck", 8, 8192)["work"], transfer + (112 / 2.0 - 1) * apart);
  // 7 blocks in all, by 8 threads.
  check(terms("gather/direct_put", 8, 8192)["work"], transfer + (7 * 16 / 16.0 - 1) * apart);
  check(terms("scatter/direct_put", 8, 8192)["work"], transfer + (7 * 16 / 16.0 - 1) * apart);
  // All operands of a line come together, and of an allreduce the result goes out again.
  check(terms("reduce_scatter/direct_get", 8, 8192)["work"], transfer + (7 * 128 / 16.0 - 1) * apart);
  check(terms("scan/slices", 8, 8192)["work"], transfer + (7 * 128 / 16.0 - 1) * apart);
  check(terms("allreduce/reduce_scatter", 8, 8192)["work"], transfer + (2 * 7 * 128 / 16.0 - 1) * apart);
  // Blocks of a line and less may be handed on in words, of which a scan has one more on its way.
  check(terms("allgather/ring", 8, 512)["work"], transfer + (7 / 2.0 - 1) * apart_in_words);
  CHECK(terms("allgather/ring", 8, 64).count("work") == 0);
  // Two threads of each of 60 cores: the other core's blocks come once for both of an allgather, and for each
  // of an alltoall.
  check(terms("allgather/ring", 120, 120 * 128)["work"], transfer + (60 * 118 * 2 / 240.0 - 1) * apart);
  check(terms("alltoall/bruck", 120, 120 * 128)["work"], transfer + (120 * 118 * 2 / 240.0 - 1) * apart);
  // Where own lines cost much, it is these that count: each is loaded and stored, and of a combination two
  // are loaded.
  machine->config.set("hit.line", "200");
  check(terms("allgather/ring", 8, 8192)["work"], 128 * 2 * 0.2);
  check(terms("gather/direct_put", 8, 8192)["work"], 128 * 2 * 0.2 / 8);
  check(terms("reduce_scatter/direct_get", 8, 8192)["work"], 7 * 128 * 3 * 0.2 / 8);
  check(terms("allreduce/reduce_scatter", 8, 8192)["work"], 7 * 128 * 5 * 0.2 / 8);
  // A block of one rank alone: somebody has to hear of it.
  for (const char* const algorithm : {"allgather/ring", "gather/binomial"}) {
    check(terms(algorithm, 8, 1)["distance"], transfer);
    check(terms(algorithm, 8, 1)["looks"], transfer); // at one line
  }
  CHECK(terms("gather/binomial", 1, 8192).empty());
}

TEST_CASE("how many threads one can have heard of, by looks at lines") {
  auto machine = std::make_shared<lab::Machine>(lab::open_machine("xeon-phi-5110p"));
  for (const char* const section : {"load", "store"})
    for (const char* const state : {"modified", "exclusive", "shared", "invalid"})
      if (std::string(section) != "store" || std::string(state) != "exclusive")
        machine->config.set(std::string(section) + "." + state, "1000");
  machine->config.set("cas.modified", "1000");
  machine->config.set("machine.clock", "1000");
  Point point{.machine = machine, .machine_name = "phi", .backend = lab::backend_of(*machine)};
  const auto looks = [&](int threads, double hold) {
    machine->config.set("queue.hold", fmt::format("{}", hold));
    point.algorithm = "barrier/dissemination";
    point.cores = threads;
    double us = 0;
    for (const lab::LimitTerm& term : point.backend->limit(point).terms)
      if (term.name == "looks") us = term.us;
    return us;
  };
  // A look takes a microsecond, 64 ticks, and is 63 ticks behind the one before; so old is what it brings.
  // Two threads write to a line at first: whoever has looked knows of 3 at tick 64. From tick 63 on a line
  // tells of 3, so that a look that ends at tick 126 brings these alone: 4. At tick 64 it tells of 3 + 3 + 1;
  // one thread has had looks that ended at ticks 64 and 127: 1 + 2 + 7.
  check(looks(2, 0), 1);
  check(looks(3, 0), 1);
  check(looks(4, 0), 126 / 64.0);
  check(looks(10, 0), 127 / 64.0);
  // Where the owner keeps a line for half a transfer, looks are 31 ticks apart, and as old.
  check(looks(3, 0.5), 1);
  CHECK(looks(30, 0.5) > 1.5);
  CHECK(looks(30, 0.5) < looks(60, 0.5));
  CHECK(looks(60, 0.5) < 2.5);
  // Two threads of a core look for each other.
  CHECK(looks(120, 0.5) < looks(60, 0.5));
  // A line that comes from near by brings what is new at once if it was put off for one from far away.
  machine->config.set("load.modified", "3000");
  CHECK(looks(60, 0.5) == 0);
}

TEST_CASE("no run in shared memory beats its limit") {
  const std::size_t wanted = points_of(4000);
  std::vector<std::string> names;
  for (const mesh::MachinePreset& preset : mesh::built_in_presets("coherent"))
    names.push_back(std::string(preset.name));
  REQUIRE(names.size() > 15);
  double closest = 0;
  std::size_t points = 0;
  for (std::uint64_t i = 0; points < wanted; ++i) {
    lab::Random random(3, i, 0);
    const auto below = [&](std::size_t n) {
      return static_cast<std::size_t>(random.uniform() * static_cast<double>(n));
    };
    const std::string name = names[below(names.size())];
    auto machine = std::make_shared<lab::Machine>(lab::open_machine(name));
    Point point{.machine = machine, .machine_name = name, .backend = lab::backend_of(*machine)};
    const lab::Row& row = point.backend->rows()[below(point.backend->rows().size())];
    point.algorithm = row.name;
    point.cores = 2 + static_cast<int>(below(static_cast<std::size_t>(machine->config.cores() - 1)));
    point.bytes = point.operation().has_message
        ? static_cast<std::int64_t>(std::pow(2.0, 3 + random.uniform() * 9)) / 8 * 8
        : 0;
    point.repetitions = 3;
    point.warm_up = static_cast<int>(below(2));
    if (!point.backend->misfit(point).empty()) continue;
    const double limit = point.backend->limit(point).binding().us;
    if (limit == 0) continue;
    ++points;
    const double took = point.backend->run(point).max_us;
    closest = std::max(closest, limit / took);
    CAPTURE(name, point.algorithm, point.cores, point.bytes);
    REQUIRE(took >= limit);
  }
  CHECK(closest > 0.5);
}
