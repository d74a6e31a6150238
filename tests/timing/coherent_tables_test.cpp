// SPDX-License-Identifier: Apache-2.0
// Does the coherent machine show the published tables on an idle machine, exactly, and what follows from
// them?
#include <string>
#include <vector>

#include "catch.hpp"
#include "coherent_support.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/coherent/measure.hpp"
#include "mesh_sim/parameters.hpp"

using namespace mesh::coherent;
using mesh::Picoseconds;

TEST_CASE("an idle machine shows every row of its table") {
  for (const auto& preset : mesh::built_in_presets("coherent")) {
    const Config config = load_machine(preset.name);
    for (int place = 0; place < config.places(); ++place) {
      const int other = core_at(config, place);
      if (other < 0) continue;
      for (std::size_t operation = 0; operation < operations; ++operation)
        for (std::size_t row = 0; row < states; ++row) {
          const auto state = static_cast<State>(row);
          if (state == State::owned && !config.owned) continue;
          // The home is where no detour is paid: with the owner, or where that has its price, with the
          // requester.
          const bool at_owner = state == State::invalid || config.home_penalty == 0;
          const Pair pair{0, other, at_owner ? other / static_cast<int>(config.cores_per_node) : 0};
          INFO(preset.name << " " << name(static_cast<Operation>(operation)) << " " << name(state)
                           << " place " << place);
          CHECK(access_time(config, static_cast<Operation>(operation), state, pair) ==
                table(config, static_cast<Operation>(operation), state, place));
        }
    }
  }
}

TEST_CASE("half a compare-and-swap ping-pong is the latency of one") {
  for (const auto& preset : mesh::built_in_presets("coherent")) {
    const Config config = load_machine(preset.name);
    for (int place = 0; place < config.places(); ++place) {
      const int other = core_at(config, place);
      if (other < 0) continue;
      // The side that is not at the flag's home pays the penalty.
      const double penalty = place > 0 ? config.home_penalty * 1e6 / config.clock_mhz / 2 : 0;
      INFO(preset.name << " place " << place);
      CHECK(cas_half_round_trip(config, {0, other, 0}) ==
            Approx(static_cast<double>(table(config, Operation::cas, State::modified, place)) + penalty)
                .epsilon(0.07));
    }
  }
}

TEST_CASE("on the EPYC the socket away from the home is dear by itself") {
  const Config config = load_machine("epyc-7r13");
  const auto nanoseconds = [&](const Pair& pair) { return cas_half_round_trip(config, pair) / 1000; };
  CHECK(nanoseconds({0, 1, 0}) == Approx(22.7).epsilon(0.07));
  CHECK(nanoseconds({0, 8, 0}) == Approx(107.6).epsilon(0.07));
  CHECK(nanoseconds({48, 56, 0}) == Approx(200.5).epsilon(0.07));
  CHECK(nanoseconds({0, 48, 0}) == Approx(197.2).epsilon(0.07));
  CHECK(nanoseconds({48, 56, 6}) == Approx(107.6).epsilon(0.07));
}

TEST_CASE("where the home asks all, lines whose home is elsewhere pay for the way to it, on a die too") {
  const Config config = load_machine("x4600");
  const auto nanoseconds = [&](Operation operation, State state, const Pair& pair) {
    return static_cast<double>(access_time(config, operation, state, pair)) * 1e-3;
  };
  // Messages of 8 x 4 Barcelona at 2 GHz were received in 332 cycles on a die, 417 between sockets.
  const double leg = config.leg * 1e3 / config.clock_mhz;
  CHECK(nanoseconds(Operation::load, State::modified, {0, 1, 0}) == Approx(166 - 2 * leg).epsilon(0.001));
  CHECK(nanoseconds(Operation::load, State::modified, {0, 1, 3}) == Approx(166).epsilon(0.001));
  for (const int home : {0, 1})
    CHECK(nanoseconds(Operation::load, State::modified, {0, 4, home}) == Approx(208.5 - leg).epsilon(0.001));
  CHECK(nanoseconds(Operation::load, State::modified, {0, 4, 5}) == Approx(208.5).epsilon(0.001));
  // A write to copies waits for the answers of all nodes, wherever the home is.
  for (const int home : {0, 1, 5})
    CHECK(nanoseconds(Operation::store, State::shared, {0, 4, home}) == Approx(169.5).epsilon(0.001));
}

TEST_CASE("a transfer to a reader away from the home pays the penalty, to one at home does not") {
  const Config config = load_machine("nehalem");
  const Picoseconds row = table(config, Operation::load, State::modified, 1);
  CHECK(access_time(config, Operation::load, State::modified, {0, 4, 0}) == row);
  CHECK(access_time(config, Operation::load, State::modified, {0, 4, 1}) ==
        row + std::llround(config.home_penalty * 1e6 / config.clock_mhz));
}

TEST_CASE("k readers of one line take L + c (k - 1)") {
  const Config config = load_machine("xeon-phi-5110p");
  const Costs costs(config);
  for (const int readers : {1, 2, 3, 7, 24, 59}) {
    INFO(readers << " readers");
    // The first finds the line exclusive, the others shared.
    const Picoseconds first = costs.latency(Operation::load, State::exclusive, 0);
    const Picoseconds later =
        costs.latency(Operation::load, State::shared, 0) + costs.read_occupancy * (readers - 1);
    CHECK(read_by(config, readers) == std::max(first, readers > 1 ? later : 0));
  }
}

TEST_CASE("where reads are serial, k of them take k L") {
  const Config config = load_machine("opteron-6172");
  const Picoseconds exclusive = table(config, Operation::load, State::exclusive, 0),
                    shared = table(config, Operation::load, State::shared, 0);
  CHECK(read_by(config, 1) == exclusive);
  CHECK(read_by(config, 5) == exclusive + 4 * shared);
}

namespace {

/// The complaint about a machine file.
std::string complaint(std::string_view text) {
  try {
    Config config;
    config.name = "m";
    mesh::ParameterFile(text, config.name).apply(config.parameters());
    config.complete();
  } catch (const mesh::UserError& error) {
    return error.what();
  }
  return "none";
}

} // namespace

TEST_CASE("machine files: what does not fit together, and what is guessed") {
  CHECK(complaint("[machine]\nnodes = 2\n[load]\nmodified = 1 2 3\n") ==
        "machine 'm': [load] modified has 3 values; the machine has 2 places, and each row one value for "
        "each (or one "
        "for all)");
  CHECK(complaint("[load]\nmodified = 1 x\n") ==
        "m line 2: modified = '1 x' is not a list of numbers (cycles) with blanks between them");
  CHECK(complaint("[cas]\nshared = 5 0\n") == "m line 2: shared = 5 0 is out of range 1..1000000 cycles");
  CHECK(complaint("[machine]\nnodes = 2\n[distance]\nnode0 = 0\n") ==
        "machine 'm': [distance] node0 has 1 places; each of the 2 nodes needs 2");
  CHECK(complaint("[machine]\nnodes = 2\n[distance]\nnode0 = 0 0.5\n") ==
        "machine 'm': [distance] node0 has 0.5; places are whole numbers");
  CHECK(complaint("[machine]\nnodes = 2\n[distance]\nnode1 = 1 1\n") ==
        "machine 'm': [distance] node1 has 1 for itself; that is 0");
  CHECK(complaint("[machine]\nnodes = 64\ncores_per_node = 1\nlayout = mesh\n") ==
        "machine 'm': a mesh of 64 nodes in 1 columns has 63 places; at most 16 can be simulated: make it "
        "squarer");
  CHECK(complaint("[machine]\nnodes = 20\ncores_per_node = 8\n") ==
        "machine 'm': 20 nodes of 8 cores make 160 cores; at most 128 can be simulated");
  CHECK(complaint("[machine]\nnodes = 3\nnodes_per_socket = 2\n") ==
        "machine 'm': 3 nodes do not divide into sockets of 2; set [machine] nodes_per_socket to a divisor");
  CHECK(complaint("[cache]\nprivate_kb = 0.25\n[load]\nmodified = 50\ninvalid = 90\n") ==
        "machine 'm': [cache] private_kb = 0.25 with private_ways = 8: it has not room for one line in each "
        "way; give it 0.5 or more");
  CHECK(complaint("[cache]\nprivate_kb = 1\nshared_kb = 1\nshared_ways = 64\n[load]\nmodified = 50\ninvalid "
                  "= 90\n") ==
        "machine 'm': [cache] shared_kb = 1 with shared_ways = 64: it has not room for one line in each way; "
        "give it 4 or more");
  CHECK(complaint("[cache]\nshared_kb = 1\n[load]\nmodified = 50\ninvalid = 90\n") ==
        "machine 'm': [cache] shared_kb = 1 with private_kb = 0, which is unlimited: nothing is evicted into "
        "the "
        "shared cache; set private_kb, or shared_kb = 0");
  CHECK(complaint("[machine]\nnodes = 3\n[distance]\nnode0 = 0 1 2\nnode1 = 1 0 1\nnode2 = 1 1 0\n") ==
        "machine 'm': [distance] node2 is 1 from node0, but 2 back; a line's way is as long there and back");
  CHECK(complaint("[machine]\nnodes = 2\n[distance]\nnode0 = 0 2\nnode1 = 1 0\n") ==
        "machine 'm': [distance] node1 is 1 from node0, but 2 back; a line's way is as long there and back");
  CHECK(complaint("[cache]\nprivate_kb = 0.5\n[load]\nmodified = 50\ninvalid = 90\n") == "none");
  const mesh::ParameterFile file(
      "[hit]\nload = 3 # guess: so\n# guess = 1\nstore = 1  # read\n[queue]\nread = 4 # a guess\n", "m");
  CHECK(file.marked("guess") == std::vector<std::string>{"hit.load", "queue.read"});
}

TEST_CASE("an unknown machine is told the nearest, and more threads than it has are refused") {
  std::string text;
  try {
    (void)load_machine("opteron-6127");
  } catch (const mesh::UserError& error) {
    text = error.what();
  }
  CHECK(text.ends_with("did you mean 'opteron-6172'?"));
  CHECK_THROWS_WITH(Machine(load_machine("core2d"), 3),
                    "3 threads on machine 'core2d': it runs 1 to 2, one on each hardware thread");
}
