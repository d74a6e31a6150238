// SPDX-License-Identifier: Apache-2.0
// Is a copy whose lines are simulated together as long as line by line, also where buffers, links or memory
// are so slow that lines wait for their own predecessors? On random points of random slow machines.
#include <array>
#include <cmath>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "catch.hpp"
#include "lab/backend.hpp"
#include "lab/random.hpp"

namespace {

using lab::Point;

struct Case {
  std::string algorithm, copies, parameter, value;
  int cores;
  std::int64_t bytes;
};

Case case_of(std::uint64_t number) {
  lab::Random random(number, 47, 0);
  const auto one_of = [&random](const auto& all) {
    return all[static_cast<std::size_t>(random.uniform() * static_cast<double>(all.size()))];
  };
  Case one;
  one.algorithm = one_of(std::array{"bcast/linear", "bcast/binomial", "bcast/cube", "bcast/scatter_allgather",
                                    "bcast/mcast", "bcast/oc_tree", "reduce/linear", "reduce/f_nomial",
                                    "gather/linear", "gather/binomial", "allgather/ring", "allgather/bruck"});
  one.copies = one_of(std::array{"plain", "prefetching"});
  one.parameter = one_of(std::array{"dram.controller_bandwidth", "tile.mpb_port_cycles", "mesh.link_bytes"});
  one.value = one.parameter == "dram.controller_bandwidth"
      ? fmt::format("{:.3g}", std::exp2(6.6 * random.uniform() - 6.6))
      : one.parameter == "tile.mpb_port_cycles" ? one_of(std::array{"3", "10", "60", "200"})
                                                : one_of(std::array{"1", "2", "4"});
  one.cores = one_of(std::array{2, 3, 4, 5, 8, 12, 24});
  one.bytes = 8 * std::max<std::int64_t>(1, static_cast<std::int64_t>(std::exp2(2 + 12 * random.uniform())));
  return one;
}

double us(const Case& one, const char* granularity) {
  auto machine = std::make_shared<lab::Machine>(lab::open_machine("scc"));
  machine->config.set(one.parameter, one.value);
  machine->config.set("mesh.granularity", granularity);
  Point point{.machine = machine, .machine_name = "scc", .backend = lab::backend_of(*machine)};
  point.algorithm = one.algorithm;
  point.copies = one.copies;
  point.cores = one.cores;
  point.bytes = one.bytes;
  point.checks = point.moves_payload = false;
  point.warm_up = point.backend->usual_warm_up(point);
  return point.backend->run(point).max_us;
}

} // namespace

TEST_CASE("lines that are simulated together take what they take one by one, on slow machines too") {
  constexpr std::uint64_t cases = 500;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Case one = case_of(i);
    INFO(one.algorithm << " on " << one.cores << " cores, " << one.bytes << " bytes, " << one.copies << ", "
                       << one.parameter << " = " << one.value);
    CHECK(us(one, "exact") == us(one, "lines"));
  }
}
