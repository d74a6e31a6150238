// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "fork_join/claims.hpp"
#include "mesh_sim/machines/coherent/measure.hpp"
#include "xeon_phi/claims.hpp"
#include "xeon_phi/measure.hpp"

namespace rccebench::xeon_phi {

namespace {

using fork_join::order_claim;
using mesh::coherent::Operation;

constexpr const char* put_in = "a parameter of the machine: the publication's table is its input";

reproduce::Claim input(reproduce::Claim claim) {
  claim.evidence = false;
  claim.reason = put_in;
  return claim;
}

double read_ns(const Config& config, State state, int core) {
  return static_cast<double>(mesh::coherent::access_time(config, Operation::load, state, {0, core, 0})) /
      1000;
}

struct Row {
  const char* name;
  State state;
  double used, at_1, at_15, at_30; ///< XP-016 to XP-047
};
constexpr Row rows[] = {{"M", State::modified, 234.7, 241.2, 234.7, 240.1},
                        {"E", State::exclusive, 235.8, 227.4, 235.8, 237.4},
                        {"S", State::shared, 233.4, 232.0, 233.4, 233.4},
                        {"I", State::invalid, 277.7, 274.3, 278.8, 284.5}};

void add_reads(const Config& config, Claims& claims) {
  double least = 1e18, most = 0;
  for (const Row& row : rows) {
    const double ns = read_ns(config, row.state, 15);
    claims.push_back(input(reproduce::number_claim(
        fmt::format("1-{}", row.name), fmt::format("reading a line in state {}: parameter", row.name),
        row.used, ns, "ns", 1)));
    for (const auto& [core, printed] : {std::pair(1, row.at_1), {15, row.at_15}, {30, row.at_30}})
      claims.push_back(input(
          reproduce::number_claim(fmt::format("1-{}-{}", row.name, core),
                                  fmt::format("reading a line in state {} at distance {}", row.name, core),
                                  printed, read_ns(config, row.state, core), "ns", 5)));
    const auto [near, far] = std::minmax({read_ns(config, row.state, 1), ns, read_ns(config, row.state, 30)});
    claims.push_back(
        order_claim(fmt::format("2-{}", row.name),
                    fmt::format("state {}: largest over smallest of distances 1, 15, 30", row.name),
                    std::max({row.at_1, row.at_15, row.at_30}) / std::min({row.at_1, row.at_15, row.at_30}),
                    far / near, "", far / near < 1.05, "below 1.05", ""));
    if (row.state != State::invalid) least = std::min(least, ns), most = std::max(most, ns);
  }
  const double own = config.hit_load * 1000 / config.clock_mhz;
  claims.push_back(input(reproduce::number_claim("1-own", "reading a line of one's own", 8.6, own, "ns", 1)));
  claims.push_back(input(reproduce::number_claim("3-remote", "R_R / R_L", 27.4,
                                                 read_ns(config, State::exclusive, 15) / own, "", 5)));
  claims.push_back(input(reproduce::number_claim(
      "3-memory", "R_I / R_R", 1.178,
      read_ns(config, State::invalid, 15) / read_ns(config, State::exclusive, 15), "", 5)));
  claims.push_back(order_claim("4", "M, E and S from another core: largest over smallest", 1.0103,
                               most / least, "", most / least <= 1.02, "2 %", ""));
}

void add_ping_pong(const Config& config, Claims& claims) {
  const auto one = [&](State state) {
    return static_cast<double>(mesh::coherent::line_one_way(config, state, {0, 1, 0})) / 1000;
  };
  claims.push_back(reproduce::range_claim("5-E", "one-line ping-pong, sender has it exclusively", 497.1,
                                          one(State::exclusive), "ns", 465, 530));
  claims.push_back(reproduce::range_claim("5-I", "one-line ping-pong, sender's line in memory", 842.8,
                                          one(State::invalid), "ns", 720, 860));
  struct Fit {
    const char* name;
    State state;
    double o, q, p, percent;
  };
  for (const Fit& fit : {Fit{"E", State::exclusive, 76.0, 1521.0, 1096.0, 15},
                         Fit{"I", State::invalid, 94.9, 2750.0, 2017.5, 20}}) {
    double before = 1e18;
    bool falls = true;
    for (const int lines : {1, 2, 8, 32, 128}) {
      const double printed = fit.o * lines + fit.q - fit.p / lines,
                   ns = lines_one_way(config, lines, fit.state);
      if (lines > 1) falls = falls && ns / lines < before;
      before = ns / lines;
      if (lines == 2) continue; // the fit jumps there, as no sum of line costs does
      auto claim =
          reproduce::number_claim(fmt::format("6-{}-{}", fit.name, lines),
                                  fmt::format("{} lines, sender in {}: the printed fit", lines, fit.name),
                                  printed, ns, "ns", fit.percent);
      if (!claim.holds)
        claim.reason = fmt::format("the fit begins with {:.0f} ns beside its slope, which no cost of lines "
                                   "gives ({:.0f} ns here): start-up of a copy of several lines, "
                                   "from the second on, is in it (at 2 lines it jumps by {:.0f} ns)",
                                   fit.q - fit.p / lines, ns - fit.o * lines, fit.o + fit.p / 2);
      claims.push_back(claim);
    }
    claims.push_back(order_claim(
        fmt::format("6-{}-shape", fit.name), "time of a line falls with their number", fit.o, before,
        "ns a line at 128", falls, "falling", "the first line costs two transfers, each further one a slot"));
  }
}

/// So many cores copy a line that another one has into a line of their own.
double copied_by(const Config& config, int readers) {
  return static_cast<double>(mesh::coherent::read_by(config, readers)) / 1000 +
      config.hit_store * 1000 / config.clock_mhz;
}

void add_contention(const Config& config, Claims& claims) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (int k = 1; k < config.cores(); ++k) {
    const double ns = copied_by(config, k);
    n += 1, x += k, y += ns, xx += k * k, xy += k * ns, yy += ns * ns;
  }
  const double slope = (n * xy - x * y) / (n * xx - x * x),
               r2 = (n * xy - x * y) * (n * xy - x * y) / ((n * xx - x * x) * (n * yy - y * y));
  claims.push_back(order_claim("7-line", "readers of one line, 1 to 59: straight line, R squared", "linear",
                               r2, "", r2 > 0.99, "above 0.99", ""));
  claims.push_back(input(reproduce::range_claim("7-slope", "each further reader of one line", "47.6 to 59.9",
                                                slope, "ns", 45, 62)));
  claims.back().reason =
      "c is a parameter of the machine, from the interval in which all published optima come out";
  claims.push_back(
      reproduce::number_claim("7-one", "one reader of a line", 244.4, copied_by(config, 1), "ns", 2));
}

void add_pairs(const Config& config, Claims& claims) {
  for (const bool nested : {false, true}) {
    const double alone = pairs_round_trip(config, 1, nested);
    double most = 0;
    for (const int pairs : {2, 3, 8, 15, 16, 30})
      most = std::max(most, pairs_round_trip(config, pairs, nested) / alone);
    claims.push_back(order_claim(nested ? "8-nested" : "8-interleaved",
                                 "2 to 30 pairs on lines of their own: the slowest over one pair alone", 1.0,
                                 most, "", most <= 1.02, "2 %", ""));
  }
  Config ideal = config;
  ideal.hold = ideal.poll_gap = 0;
  ideal.reads = "serial";
  const double remote = 235.8, memory = 277.7;
  // Alike for all states of other caches, as the model has it.
  for (auto& row : ideal.latency[static_cast<std::size_t>(Operation::load)])
    row.assign(row.size(), remote * ideal.clock_mhz / 1000);
  ideal.latency[static_cast<std::size_t>(Operation::load)][static_cast<std::size_t>(State::invalid)].assign(
      1, memory * ideal.clock_mhz / 1000);
  struct Order {
    const char* events;
    int transfers;
    std::array<double, 3> start;
  };
  for (const Order& order :
       {Order{"both write, then it is polled", 2, {0, 1, 2}},
        Order{"one writes, poll, the other writes, poll", 3, {0, 2, 1}},
        Order{"poll, one writes, poll, the other writes, poll", 4, {1, memory + remote + 1, 0}}}) {
    const double printed = memory + order.transfers * remote;
    claims.push_back(reproduce::number_claim(fmt::format("9-{}", order.transfers),
                                             fmt::format("two writers and a poller: {}", order.events),
                                             printed, two_writers(ideal, order.start), "ns", 1));
  }
}

} // namespace

void add_point_claims(const Config& config, Claims& claims) {
  add_reads(config, claims);
  add_ping_pong(config, claims);
  add_contention(config, claims);
  add_pairs(config, claims);
}

} // namespace rccebench::xeon_phi
