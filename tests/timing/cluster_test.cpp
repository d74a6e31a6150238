// SPDX-License-Identifier: Apache-2.0
// Are the rules of the cluster right? Event times against the published cost model, and each rule on both
// sides of its edge.
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../shape/csv.hpp"
#include "algorithms/on_cards/reductions.hpp"
#include "catch.hpp"
#include "mesh_sim/machines/cluster/machine.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "mesh_sim/parameters.hpp"

using namespace mesh::cluster;
using algorithms::on_cards::ReduceOptions;
using mesh::microseconds;
using mesh::Picoseconds;

namespace {

const algorithms::on_cards::ReduceRow& row(std::string_view name) {
  for (const auto& one : algorithms::on_cards::reductions)
    if (one.name == name) return one;
  throw std::runtime_error("no such row");
}

/// Preset alc as the published formulas see it: L between any two cards, for messages of any length.
Config flat() {
  Config config = load_machine("alc");
  config.wire = 2.1 - config.wake;
  config.bandwidth_mbs = {1e9};
  config.distance = config.links = false;
  return config;
}
/// With nothing of L at the receiver.
Config ideal() {
  Config config = flat();
  config.wire = 2.1;
  config.wake = 0;
  return config;
}

Picoseconds time_of(const Config& config, std::string_view name, int nodes, std::uint32_t elements,
                    Vector what, const ReduceOptions& options = {}, int processes = 1) {
  const Program program = row(name).program(nodes, elements, what, config, options);
  return Machine(config, nodes, processes, 1).repeat(program, what, {}).total;
}

Vector vector_of(const std::string& text) {
  Vector what;
  what.type = text.starts_with("int32") ? Type::int32 : Type::float64;
  what.operation = text.ends_with("max") ? Operation::max : Operation::sum;
  return what;
}

Picoseconds from_us(const std::string& text) {
  return std::llround(std::stod(text) * 1e6);
}

/// T_fnomial of the published model.
double formula(const Config& config, int nodes, int degree, double step) {
  int floor_log = 0, phases = 0;
  long full = 1;
  for (; full * degree <= nodes; full *= degree) ++floor_log;
  for (long stride = 1; stride < nodes; stride *= degree) ++phases;
  const double steps = (degree - 1) * floor_log + static_cast<double>((nodes + full - 1) / full) - 1;
  return config.barrier + config.start + config.end + phases * (config.wire + config.wake) + steps * step;
}

} // namespace

TEST_CASE("only alc-fitted has values that were fitted") {
  const auto presets = mesh::built_in_presets("cluster");
  CHECK(presets.size() >= 3);
  for (const auto& preset : presets)
    CHECK(mesh::ParameterFile(preset.text, preset.name).marked("fitted").empty() ==
          (preset.name != "alc-fitted"));
}

TEST_CASE("event times equal those of the published model to the picosecond") {
  const Config config = ideal();
  ReduceOptions options;
  options.order = Order::list;
  int rows = 0;
  for (const auto& one : csv::Table("fnomial-model.csv")) {
    if (one.text("T_event_us").empty()) continue; // the formula alone
    const int nodes = one.number("P");
    options.degrees = {one.number("f")};
    CAPTURE(nodes, one.text("op"), one.number("elements"), one.number("f"));
    CHECK(time_of(config, "reduce/f_nomial", nodes, static_cast<std::uint32_t>(one.number("elements")),
                  vector_of(one.text("op")), options) == from_us(one.text("T_event_us")));
    ++rows;
  }
  CHECK(rows == 336);
}

TEST_CASE("with a wake-up in each phase the formula is exact where it says so, and too high by L at most") {
  const Config config = flat();
  const double step = 0.42 + 1.5;
  for (const int degree : {2, 3, 4, 5, 8, 64})
    for (int nodes = 2; nodes <= 300; nodes += nodes < 70 ? 1 : 23) {
      CAPTURE(degree, nodes);
      ReduceOptions options;
      options.degrees = {degree};
      const double us = microseconds(time_of(config, "reduce/f_nomial", nodes, 1, {}, options));
      const double high = formula(config, nodes, degree, step);
      long full = 1;
      while (full * degree <= nodes) full *= degree;
      CHECK(us <= high + 1e-6);
      CHECK(us >= high - 2.1 - 1e-6);
      if (full == nodes || nodes >= 2 * full) CHECK(std::abs(us - high) < 1e-6);
    }
}

TEST_CASE("the best degree of full trees is that of the published equation") {
  int rows = 0;
  for (const auto& one : csv::Table("fnomial-optimum.csv")) {
    const double c = std::stod(one.text("c_us"));
    // Time by log of the nodes: what a tree of that degree takes for many nodes.
    double least = std::numeric_limits<double>::infinity();
    int best = 0;
    for (int degree = 2; degree <= 16; ++degree) {
      const double time = (2.1 + (degree - 1) * (0.42 + c)) / std::log(degree);
      if (time < least) least = time, best = degree;
    }
    CAPTURE(c);
    CHECK(best == one.number("f_best_integer_full_tree"));
    ++rows;
  }
  CHECK(rows == 17);
}

TEST_CASE("a serial reduction is a line in the nodes") {
  const Config config = flat();
  for (int nodes = 2; nodes <= 13; ++nodes)
    for (const std::uint32_t elements : {1U, 2U})
      CHECK(time_of(config, "reduce/serial", nodes, elements, {}) ==
            picoseconds(9.2 + 2.1) + (nodes - 1) * picoseconds(0.42 + (elements == 1 ? 1.5 : 2.95)));
}

TEST_CASE("splits cost what the extended model says where nothing blocks") {
  const Config config = flat();
  ReduceOptions options;
  for (int splits = 0; splits <= 3; ++splits) {
    options.splits = splits;
    const double segment[] = {11.56, 5.8, 2.95, 1.5};
    double us = 9.2;
    for (int k = 1; k <= splits; ++k) us += 2.1 + 0.42 + segment[k];
    us += formula(config, 512 >> splits, 4, 0.42 + segment[splits]) - 9.2;
    if (splits > 0) us += 2.1 + ((1 << splits) - 1) * 0.42;
    CAPTURE(splits);
    CHECK(microseconds(time_of(config, "reduce/f_nomial_split", 512, 8, {}, options)) == Approx(us));
  }
}

TEST_CASE("a broadcast takes a message of hosts for each level of its tree") {
  Config config = load_machine("alc");
  config.distance = config.links = false;
  const auto us = [&](const char* name, int nodes, std::uint32_t words) {
    const Vector what{Type::int32, Operation::sum};
    const auto& one = algorithms::row_of(algorithms::on_cards::broadcasts, name);
    const Program program = one.program(nodes, words, what, config, {});
    return microseconds(Machine(config, nodes, 1, 1).repeat(program, what, {}).total);
  };
  const auto hop = [&](std::uint32_t words) {
    return config.send + config.latency + 4.0 * words / 400 + config.take + config.element * (words - 1);
  };
  const double call = config.entry + config.barrier;
  for (const std::uint32_t words : {1U, 100U}) {
    CHECK(us("bcast/binomial", 2, words) == Approx(call + hop(words)));
    CHECK(us("bcast/binomial", 16, words) == Approx(call + 4 * hop(words)));
    // The last of three children has waited for the sends to the others.
    CHECK(us("bcast/binomial", 5, words) ==
          Approx(call + std::max(hop(words) + config.send * 2, hop(words) * 2 + config.send)));
  }
  // Half of it down, the other half behind it, and the first half back, as the ring has it.
  CHECK(us("bcast/scatter_allgather", 2, 100) ==
        Approx(call + hop(50) + config.take + config.element * 49 + hop(50)));
}

TEST_CASE("orders of combining differ where children come apart") {
  const Config config = flat();
  ReduceOptions options;
  const auto us = [&](Order order) {
    options.order = order;
    return microseconds(time_of(config, "reduce/f_nomial", 31, 1, {}, options));
  };
  CHECK(us(Order::all) == Approx(28.94));
  CHECK(us(Order::list) == Approx(28.94));
  CHECK(us(Order::arrival) == Approx(28.59));
}

TEST_CASE("a second packet begins with the 65th byte") {
  Config config = ideal();
  config.bandwidth_mbs = {400};
  const Vector what{Type::int32, Operation::sum};
  const Picoseconds sixteen = time_of(config, "reduce/serial", 2, 16, what);
  const Picoseconds seventeen = time_of(config, "reduce/serial", 2, 17, what);
  const Picoseconds on_link = 10'000; // 4 B at 400 MB/s
  CHECK(seventeen - sixteen ==
        config.combining(what.operation, what.type, 17) - config.combining(what.operation, what.type, 16) +
            picoseconds(config.further) + on_link);
}

TEST_CASE("combining is linear between the published points and beyond them") {
  const Config config = load_machine("alc");
  const auto us = [&](std::int64_t elements) {
    return microseconds(config.combining(Operation::sum, Type::float64, elements));
  };
  CHECK(us(0) == 0);
  CHECK(us(1) == Approx(1.5));
  CHECK(us(3) == Approx((2.95 + 5.80) / 2));
  CHECK(us(8) == Approx(11.56));
  CHECK(us(16) == Approx(11.56 + 8 * (11.56 - 5.80) / 4));
  CHECK(config.combining(Operation::min, Type::float64, 4) ==
        config.combining(Operation::max, Type::float64, 4));
}

TEST_CASE("a link carries one message at a time") {
  Config config = load_machine("alc");
  FatTree tree(config, 906);
  CHECK(tree.levels() == 5);
  const Picoseconds alone = tree.send(1, 0, 8, 0);
  CHECK(alone == picoseconds(0.35) - 2 * 35'000);
  constexpr Picoseconds on_link = 20'000;                    // 8 B at 400 MB/s
  CHECK(tree.send(2, 0, 8, 0) == alone + on_link);           // the link down to card 0
  CHECK(tree.send(3, 0, 8, on_link) == alone + 2 * on_link); // still occupied
  CHECK(tree.send(1, 0, 8, 100 * on_link) == alone + 100 * on_link);
  CHECK(tree.send(9, 8, 8, 0) == alone);
  CHECK(tree.switches(0, 3) == 1);
  CHECK(tree.switches(0, 4) == 3);
  CHECK(tree.switches(0, 255) == 7);
  CHECK(tree.switches(0, 256) == 9);
  config.radix = 6; // no power of two
  FatTree other(config, 30);
  CHECK(other.levels() == 4);
  CHECK(other.switches(0, 2) == 1);
  CHECK(other.switches(0, 3) == 3);
  CHECK(other.switches(2, 27) == 7);
}

namespace {

/// Preset alc with 100 MB/s, 4 us over three switches of 1 us each, and the levels of Zahavi's figure 1(b):
/// 16 nodes, four below each of four switches, which have two cables to each of two switches.
Config with_levels() {
  Config config = load_machine("alc");
  config.nodes = 16;
  config.wire = config.latency = 4;
  config.switch_ns = 1000;
  config.bandwidth_mbs = {100};
  config.down = {4, 4};
  config.up = {1, 2};
  config.parallel = {1, 2};
  return config;
}

/// When messages of 1,000 bytes from nodes 0 to 3 to nodes 4 to 7, sent at once, have arrived, in us.
std::vector<double> arrivals(const Config& config) {
  FatTree tree(config, 16);
  std::vector<double> us;
  for (int node = 0; node < 4; ++node) us.push_back(microseconds(tree.send(node, node + 4, 1000, 0)));
  return us;
}

} // namespace

TEST_CASE("levels that say what a radix says give the same routes and times") {
  for (const int radix : {4, 6, 8}) {
    Config config = load_machine("alc");
    config.radix = radix;
    Config levels = config;
    for (double carried = 1; carried < 906; carried *= radix / 2) {
      levels.up.push_back(levels.down.empty() ? 1 : radix / 2);
      levels.down.push_back(radix / 2);
    }
    levels.parallel.assign(levels.down.size(), 1);
    levels.bandwidth_mbs.assign(levels.down.size(), 400);
    levels.cable_ns.assign(levels.down.size(), 0);
    FatTree one(config, 906), other(levels, 906);
    REQUIRE(one.links() == other.links());
    int different = 0;
    for (int i = 0; i < 20'000; ++i) {
      const int from = i * 7919 % 906, to = i * i % 901;
      different += one.send(from, to, i % 100, i * 10) != other.send(from, to, i % 100, i * 10);
      different += i % 50 == 0 && one.route(from, to) != other.route(from, to);
    }
    CAPTURE(radix);
    CHECK(different == 0);
    CHECK(time_of(config, "reduce/binomial", 906, 100, {}) ==
          time_of(levels, "reduce/binomial", 906, 100, {}));
  }
}

TEST_CASE("messages that share cables wait for each other, and slow cables take their time") {
  Config config = with_levels();
  CHECK(arrivals(config) == std::vector<double>{14, 14, 14, 14}); // four cables: 4 us, 10 us on each link
  config.parallel = {1, 1};
  CHECK(arrivals(config) == std::vector<double>{14, 14, 24, 24}); // two cables
  config.up = {1, 1};
  CHECK(arrivals(config) == std::vector<double>{14, 24, 34, 44}); // one cable
  config.bandwidth_mbs = {100, 400};
  CHECK(arrivals(config) == std::vector<double>{14, 16.5, 19, 21.5}); // one that is busy for 2.5 us with each
  config.bandwidth_mbs = {100, 50};
  CHECK(arrivals(config) == std::vector<double>{24, 44, 64, 84});
  config.parallel = {1, 4};
  CHECK(arrivals(config) == std::vector<double>{24, 24, 24, 24});
  config.links = false;
  config.parallel = {1, 1};
  CHECK(arrivals(config) == std::vector<double>{24, 24, 24, 24});
  // The card's own cables: two of them, two switches of the first level.
  config = with_levels();
  config.up = {2, 1};
  config.parallel = {1, 1};
  CHECK(arrivals(config) == std::vector<double>{14, 14, 24, 24});
  // Levels without a choice pass messages on.
  config.down = {1, 4, 4};
  config.up = {1, 1, 1};
  config.parallel.clear();
  FatTree tree(config, 16);
  CHECK(tree.switches(0, 1) == 3);
  CHECK(tree.switches(0, 4) == 5);
  CHECK(tree.send(0, 4, 1000, 0) == picoseconds(16));
}

TEST_CASE("rounds of a reduction that leave the first switch take as long as the cables above it") {
  Config config = load_machine("alc");
  config.down = {4, 4, 4, 4, 4};
  config.up = {1, 4, 4, 4, 4};
  const auto us = [&](double above) {
    config.bandwidth_mbs = {400, above, above, above, above};
    return microseconds(time_of(config, "reduce/recursive_doubling", 64, 4096, {}));
  };
  // 32,768 bytes are 81.92 us at 400 MB/s; four of six rounds are between nodes 4 to 32 apart.
  CHECK(us(100) - us(400) == Approx(4 * 3 * 81.92));
  CHECK(us(800) == us(400)); // the first switch's cables are the slowest
}

TEST_CASE("cables of the first two levels are a part of wire, those of others come on top") {
  Config config = with_levels();
  config.down = {4, 2, 2};
  config.up = config.parallel = {};
  config.cable_ns = {200, 300, 5000};
  for (const bool contended : {true, false}) {
    config.links = contended;
    FatTree tree(config, 16);
    CHECK(tree.send(0, 1, 0, 0) == picoseconds(4 - 2 * 1 - 2 * 0.3));
    CHECK(tree.send(0, 4, 0, 0) == picoseconds(4));
    CHECK(tree.send(0, 8, 0, 0) == picoseconds(4 + 2 * 1 + 2 * 5));
  }
  config.distance = false;
  CHECK(FatTree(config, 16).send(0, 8, 0, 0) == picoseconds(4));
}

TEST_CASE("every message passes the backbone") {
  Config config = with_levels();
  config.backbone_mbs = 200;
  CHECK(arrivals(config) == std::vector<double>{14, 19, 24, 29}); // 5 us on it
  FatTree tree(config, 16);
  CHECK(tree.send(8, 9, 1000, 0) == picoseconds(12));
  CHECK(tree.send(10, 11, 1000, 0) == picoseconds(17));
  CHECK(tree.link_name(tree.route(0, 1).at(1)) == "backbone");
  config.backbone_mbs = 50;
  CHECK(config.flight(1000) == Approx(24));
  config.links = false;
  CHECK(arrivals(config) == std::vector<double>{24, 24, 24, 24});
}

TEST_CASE("routes go from switch to switch, and no shift makes two messages wait where none has to") {
  Config config = with_levels();
  const int shape = GENERATE(0, 1, 2);
  const int nodes = shape == 0 ? 64 : 60;
  config.nodes = nodes;
  config.down = {4, 4, 4};
  config.up = {1, 2, 4};
  config.parallel = {1, 2, 2}; // as many cables up as nodes below
  if (shape == 1) config.down = {3, 5, 4}, config.up = {2, 3, 1}, config.parallel = {1, 1, 4};
  if (shape == 2) config.down = {4, 15}, config.up = {1, 4}, config.parallel = {1, 1};
  const auto levels = config.levels(nodes);
  FatTree tree(config, nodes);
  for (int from = 0; from < nodes; ++from)
    for (int to = 0; to < nodes; ++to) {
      const std::vector<int> route = tree.route(from, to);
      if (from == to) continue;
      const std::size_t turn = route.size() / 2;
      CAPTURE(shape, from, to);
      REQUIRE(static_cast<int>(route.size()) == tree.hops(from, to));
      // Number of a cable: its subtree's cables in a row, by the switch below, the switch above and which.
      int subtree = from, other = to, copies = 1, above = 0, above_other = 0;
      for (std::size_t at = 0; at < turn; ++at) {
        const int up = static_cast<int>(levels[at].up), parallel = static_cast<int>(levels[at].parallel);
        const std::string name = tree.link_name(route[at]),
                          down = tree.link_name(route[route.size() - 1 - at]);
        const auto begins = fmt::format("up-link {}.", at), ends = fmt::format("down-link {}.", at);
        REQUIRE(name.starts_with(begins));
        REQUIRE(down.starts_with(ends));
        const int number = std::stoi(name.substr(begins.size())), last = std::stoi(down.substr(ends.size()));
        const int cables = copies * up * parallel;
        CHECK(number / cables == subtree);
        CHECK(last / cables == other);
        CHECK(number % copies == above); // it leaves the switch that the one before came to
        CHECK(last % copies == above_other);
        above = number % (copies * up);
        above_other = last % (copies * up);
        CHECK(number % cables == to % cables); // D-mod-k
        CHECK(last % cables == to % cables);
        copies *= up;
        subtree /= static_cast<int>(levels[at].down);
        other /= static_cast<int>(levels[at].down);
      }
      CHECK(above == above_other); // one switch
      CHECK(subtree == other);
    }
  if (shape == 1) return; // three nodes by two cables
  for (int shift = 1; shift < nodes; ++shift) {
    FatTree busy(config, nodes);
    for (int from = 0; from < nodes; ++from) {
      const int to = (from + shift) % nodes;
      CAPTURE(shape, shift, from);
      CHECK(busy.send(from, to, 1000, 0) == FatTree(config, nodes).send(from, to, 1000, 0));
    }
  }
}

TEST_CASE("every byte of a message takes its time on the link, those of the first packet too") {
  for (const double bandwidth : {1.0, 400.0, 50000.0}) {
    Config config = load_machine("alc");
    config.bandwidth_mbs = {bandwidth};
    for (const bool contended : {false, true})
      for (const std::int64_t bytes : {0, 1, 8, 63, 64, 65, 4096}) {
        config.links = contended;
        FatTree tree(config, 906);
        const Picoseconds head = tree.send(4, 0, 0, 0); // three switches
        CHECK(head == picoseconds(config.wire));
        CHECK(tree.send(4, 0, bytes, 1'000'000) - 1'000'000 ==
              head + std::llround(static_cast<double>(bytes) * 1e6 / bandwidth));
        CHECK(tree.send(5, 1, bytes, 0) == picoseconds(config.flight(bytes)));
      }
  }
}

TEST_CASE("long messages of hosts wait until the receiver asks") {
  Config config = load_machine("alc");
  config.links = config.distance = false;
  config.eager_bytes = 800;
  const auto us = [&](std::uint32_t elements) {
    return microseconds(time_of(config, "reduce/binomial", 2, elements, {}));
  };
  const double eager = us(100), rendezvous = us(101);
  // One element more on the link and at the receiver; the offer there, the word back.
  CHECK(rendezvous - eager == Approx(8.0 / 400 + config.element + 2 * config.latency));
}

TEST_CASE("the second process of a node costs its step in shared memory and no more") {
  for (const int nodes : {2, 47, 906}) {
    Config config = load_machine("alc-fitted");
    config.daemons = config.late_chance = 0;
    for (const char* name : {"reduce/f_nomial", "reduce/4_ary_broadcast"})
      CHECK(time_of(config, name, nodes, 1, {}, {}, 2) - time_of(config, name, nodes, 1, {}, {}, 1) ==
            picoseconds(config.shared_memory));
  }
}

TEST_CASE("observers hear what every host and card does without a gap, and change nothing") {
  class Keeper final : public mesh::Observer {
   public:
    [[nodiscard]] mesh::EventMask wants() const override {
      return mesh::EventMask::calls | mesh::EventMask::messages | mesh::EventMask::waits |
          mesh::EventMask::resources;
    }
    void call_begins(const mesh::Call& call) override {
      if (depth[call.core]++ == 0) starts(call.core, call.at);
      if (depth[call.core] == 2) inner(call.core, call.at);
    }
    void call_ends(const mesh::Call& call) override {
      --depth[call.core];
      until[call.core] = last[call.core] = call.at;
    }
    void wait_begins(const mesh::Wait& wait) override { inner(wait.core, wait.begin); }
    void wait_ends(const mesh::Wait& wait) override { last[wait.core] = wait.end; }
    void message(const mesh::Message& message) override { ++(message.received ? received : sent); }
    void served(const mesh::Service& service) override { busy += service.busy; }

    std::map<int, int> depth;
    std::map<int, Picoseconds> until, last; ///< by core: the end of the last call; of what is within it, too
    int sent = 0, received = 0, gaps = 0;
    Picoseconds busy = 0;

   private:
    /// A card begins when its host has started it; all else follows what was before.
    void starts(int core, Picoseconds at) {
      if (until.contains(core) && until[core] != at) ++gaps;
      last[core] = at;
    }
    void inner(int core, Picoseconds at) {
      if (last[core] != at) ++gaps;
    }
  };
  Config config = load_machine("alc");
  const Vector what{Type::float64, Operation::sum};
  constexpr int nodes = 21;
  for (const std::string name : {"reduce/f_nomial", "reduce/binomial", "reduce/f_nomial_split"}) {
    const std::uint32_t elements = name == "reduce/binomial" ? 3000 : 6;
    const Program program = row(name).program(nodes, elements, what, config, {});
    Machine plain(config, nodes, 1, 1);
    const Series wanted = plain.repeat(program, what, {});
    mesh::Observers observers;
    Keeper keeper;
    observers.add(keeper);
    Machine machine(config, nodes, 1, 1);
    machine.set_observers(&observers);
    const Series series = machine.repeat(program, what, {});
    INFO(name);
    CHECK(series.digest == wanted.digest);
    CHECK(series.total == wanted.total);
    CHECK(keeper.gaps == 0);
    const auto messages = static_cast<int>(program.messages().size());
    CHECK(keeper.sent == messages);
    CHECK(keeper.received == messages);
    Picoseconds end = 0;
    for (const auto& [core, at] : keeper.until) end = std::max(end, at);
    CHECK(end == series.total);
    for (const auto& [core, open] : keeper.depth) CHECK(open == 0);
    // Each link on a way is busy for a message's bytes.
    Picoseconds busy = 0;
    const FatTree network(config, nodes);
    for (const Program::Message& one : program.messages())
      busy += static_cast<Picoseconds>(network.route(one.from, one.to).size()) *
          std::llround(8.0 * one.elements.size() * 1e6 / config.bandwidth_mbs.front());
    CHECK(keeper.busy == busy);
  }
}
