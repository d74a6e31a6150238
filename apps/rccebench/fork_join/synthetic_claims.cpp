// SPDX-License-Identifier: Apache-2.0
// Tables I and II: empty regions, and regions of the same work on every thread.
#include <algorithm>

#include <fmt/format.h>

#include "fork_join/claims.hpp"
#include "mesh_sim/machines/coherent/machine.hpp"

namespace rccebench::fork_join {

namespace {

constexpr double sync_only_regions = 1e7, array_regions = 1e5;

/// Mean nanoseconds in which the machine's own point-to-point rows serve one poller of the start word: the
/// master's changed line, fetched by each other core.
double service_ns(const Machine& machine) {
  const auto config = mesh::coherent::load_machine(machine.name);
  const mesh::coherent::Costs costs(config);
  double sum = 0;
  for (int core = 1; core < machine.cores; ++core)
    sum += static_cast<double>(costs.latency(mesh::coherent::Operation::load, mesh::coherent::State::modified,
                                             costs.place(costs.node(core), 0))) *
        1e-3;
  return sum / (machine.cores - 1);
}

/// Why a worker's turn at the lock takes another time.
std::string turns(const char* what, double simulated_us, double published_us) {
  return fmt::format(
      "a worker's turn at the lock, {}, takes {:.2f} us, published {:.2f}: {}; a wake-up costs "
      "2700 + 7000 cycles (from memory, of another processor), and calls of several threads do "
      "not wait for each other in the operating system here, of which no number is known",
      what, simulated_us, published_us,
      simulated_us < published_us
          ? "simulated waiters mostly get the lock before they sleep, real ones less so"
          : "more simulated waiters sleep than real ones");
}

std::string too_fast(const Results& results, const Machine& machine, const std::string& variant) {
  const double published = results.published.seconds("sync-only", variant, machine.name);
  const double workers = machine.cores - 1;
  if (variant == "mutex-add") {
    const auto each = [&](const auto& from) {
      return (from.seconds("sync-only", variant, std::string(machine.name)) -
              from.seconds("sync-only", std::string("atomic-add"), std::string(machine.name))) /
          sync_only_regions / workers * 1e6;
    };
    return turns("(mutex - atomic) / (n - 1)", each(results.simulated), each(results.published));
  }
  std::string reason =
      fmt::format("the start word goes to {} pollers one after another, {:.0f} ns each by the machine's own "
                  "rows between two cores; the published region leaves {:.0f} ns for each",
                  machine.cores - 1, service_ns(machine), published / sync_only_regions / workers * 1e9);
  if (machine.cores > 8)
    reason += fmt::format("; at {:.0f} ns each it would take {:.1f} s", published_service_ns(machine),
                          results.simulated.what_if(variant, machine.name));
  return reason;
}

void add_absolute(const Results& r, Claims& claims) {
  for (std::size_t v = 0; v < 6; ++v)
    for (const Machine& machine : machines) {
      const std::string& variant = variants()[v].name;
      claims.push_back(factor_claim(
          fmt::format("T1-{}-{}", variant, machine.printed),
          fmt::format("10,000,000 empty regions, {}, {} threads", variant, machine.cores),
          r.published.seconds("sync-only", variant, machine.name),
          r.simulated.seconds("sync-only", variant, machine.name), "s", 2.5, too_fast(r, machine, variant)));
    }
}

void add_mutex(const Results& r, Claims& claims) {
  for (const Machine& machine : machines) {
    const auto simulated = [&](const std::string& variant) {
      return r.simulated.seconds("sync-only", variant, machine.name);
    };
    double slowest = 0;
    for (std::size_t v = 0; v < 5; ++v) slowest = std::max(slowest, simulated(variants()[v].name));
    const double published = r.published.seconds("sync-only", "mutex-add", machine.name) /
        r.published.seconds("sync-only", "flat", machine.name);
    const double ratio = simulated("mutex-add") / simulated("flat");
    const auto config = mesh::coherent::load_machine(machine.name);
    // One of the two locked operations is on the way to the master.
    const double missing = (slowest - simulated("mutex-add")) / sync_only_regions * 1e6 * config.clock_mhz;
    const mesh::coherent::Costs costs(config);
    const double store = static_cast<double>(costs.latency(mesh::coherent::Operation::store,
                                                           mesh::coherent::State::shared, 0)) *
        config.clock_mhz * 1e-6;
    claims.push_back(order_claim(
        fmt::format("C1-order-{}", machine.printed), "mutex-add is the slowest with empty regions", "slowest",
        simulated("mutex-add") / slowest, "of the next", simulated("mutex-add") > slowest, "above 1",
        fmt::format(
            "with one worker nobody else wants the lock: a locked operation of {} cycles in the own cache (a "
            "guess) and a store are less than one addition to a line that the master polls; from {:.0f} "
            "cycles on they would not be, nor where the store took {:.0f} instead of {:.0f} cycles: it has "
            "half of "
            "what a store and a load behind it were measured to take together (a guess), the addition what a "
            "compare-and-swap was",
            config.hit_atomic, config.hit_atomic + missing, store + missing, store)));
    claims.push_back(factor_claim(fmt::format("C1-{}", machine.printed), "mutex-add over flat, empty regions",
                                  published, ratio, "", 1.5,
                                  too_fast(r, machine, "mutex-add") +
                                      (ratio > published ? "; flat, the divisor, is too fast (T1)" : "")));
  }
  for (std::size_t v = 0; v < 6; ++v) {
    const std::string& variant = variants()[v].name;
    const auto ratio = [&](const auto& from) {
      return from.seconds("sync-only", variant, std::string("x4600")) /
          from.seconds("sync-only", variant, std::string("core2d"));
    };
    reproduce::Claim claim = reproduce::number_claim(
        fmt::format("C2-{}", variant), fmt::format("{}: 32 threads of x4600 over 2 of core2d", variant),
        ratio(r.published), ratio(r.simulated), "", 30);
    if (!claim.holds)
      claim.reason =
          "core2d is met within 5 % (but mutex-add), x4600 is too fast: " + too_fast(r, machines[6], variant);
    claims.push_back(claim);
  }
}

void add_padding(const Results& r, Claims& claims) {
  for (const std::string variant : {"flat", "tree"})
    for (const Machine& machine : multi_socket) {
      const auto ratio = [&](const auto& from) {
        return from.seconds("sync-only", variant + "-padded", machine.name) /
            from.seconds("sync-only", variant, machine.name);
      };
      const double published = ratio(r.published), simulated = ratio(r.simulated);
      claims.push_back(order_claim(fmt::format("C3-{}-{}-sign", variant, machine.printed),
                                   fmt::format("padding makes {} faster with several sockets", variant),
                                   published, simulated, "of unpadded", simulated < 1, "below 1",
                                   "the padded scan costs more misses than neighbours' writes do"));
      claims.push_back(order_claim(
          fmt::format("C3-{}-{}", variant, machine.printed),
          fmt::format("by how much padding makes {} faster", variant), published, simulated, "of unpadded",
          std::abs(simulated - published) <= 0.1, "10 points",
          simulated < published
              ? "a write to a line that others wait for takes a transfer in the queue of the line, and a "
                "waiting node's copy is lost each time; the rest of the region, which padding leaves alone, "
                "is too fast"
              : "the padded scan fetches a line for each worker, which costs nearly what neighbours' writes "
                "to "
                "one line do"));
    }
}

void add_winners(const Results& r, Claims& claims) {
  for (const Machine& machine : multi_socket) {
    const auto s = [&](const char* variant) {
      return r.simulated.seconds("sync-only", variant, machine.name);
    };
    const auto p = [&](const char* variant) {
      return r.published.seconds("sync-only", variant, machine.name);
    };
    std::string best = "flat";
    for (std::size_t v = 0; v < 6; ++v)
      if (s(variants()[v].name.c_str()) < s(best.c_str())) best = variants()[v].name;
    const std::string id = machine.printed;
    reproduce::Claim first{"C4-first-" + id,
                           "flat-padded is the fastest with several sockets",
                           Cell("flat-padded"),
                           Cell(best),
                           "",
                           "exact",
                           best == "flat-padded",
                           true,
                           {}};
    const std::string one_by_one = fmt::format(
        "pollers of the start word are served too fast (T1); in {:.0f} ns each, flat, flat-padded, "
        "tree-padded and atomic-add would take {:.2f}, {:.2f}, {:.2f}, {:.2f} s",
        published_service_ns(machine), r.simulated.what_if("flat", machine.name),
        r.simulated.what_if("flat-padded", machine.name), r.simulated.what_if("tree-padded", machine.name),
        r.simulated.what_if("atomic-add", machine.name));
    if (!first.holds)
      first.reason = fmt::format("{} is ahead by {:.1f} %: {}", best,
                                 (s("flat-padded") / s(best.c_str()) - 1) * 100, one_by_one);
    claims.push_back(first);
    claims.push_back(order_claim("C4-order-" + id, "flat-padded before atomic-add before flat",
                                 "in this order", s("atomic-add") / s("flat"), "atomic-add of flat",
                                 s("flat-padded") < s("atomic-add") && s("atomic-add") < s("flat"), "order",
                                 one_by_one));
    claims.push_back(
        order_claim("C4-atomic-" + id, "atomic-add over flat-padded", p("atomic-add") / p("flat-padded"),
                    s("atomic-add") / s("flat-padded"), "",
                    std::abs(s("atomic-add") / s("flat-padded") - p("atomic-add") / p("flat-padded")) <= 0.03,
                    "3 points", one_by_one));
    claims.push_back(order_claim("C5-" + id, "tree-padded behind flat-padded",
                                 p("tree-padded") / p("flat-padded"), s("tree-padded") / s("flat-padded"), "",
                                 s("tree-padded") > s("flat-padded"), "above 1", one_by_one));
  }
  double least = 1e9, most = 0;
  for (std::size_t v = 0; v < 5; ++v) {
    const double seconds = r.simulated.seconds("sync-only", variants()[v].name, "core2d");
    least = std::min(least, seconds);
    most = std::max(most, seconds);
  }
  claims.push_back(order_claim("C6", "core2d: slowest over fastest, without mutex-add", 1.028, most / least,
                               "", most / least <= 1.03, "at most 1.03",
                               "atomic-add: a locked addition fetches the line as a store does, and the core "
                               "waits for it; a posted store "
                               "goes on, and what follows it overlaps"));
}

void add_array(const Results& r, Claims& claims) {
  for (const std::string variant : {"tree", "mutex-add"})
    for (const Machine& machine : machines) {
      if (machine.cores == 2) continue;
      const auto extra = [&](const auto& from) {
        return from.seconds("array", variant, machine.name) -
            from.seconds("array", std::string("flat"), std::string(machine.name));
      };
      reproduce::Claim claim =
          reproduce::number_claim(fmt::format("C8-{}-{}", variant, machine.printed),
                                  fmt::format("array: {} over flat in 100,000 regions", variant),
                                  extra(r.published), extra(r.simulated), "s", 30);
      if (!claim.holds)
        claim.reason = variant == "tree"
            ? "arrivals after equal work are as staggered as the start; the "
              "published extra is under 1 % of its run on "
              "machines of one socket, and within their spread"
            : turns("(mutex - flat) / (n - 1) in a region of the array",
                    extra(r.simulated) / array_regions / (machine.cores - 1) * 1e6,
                    extra(r.published) / array_regions / (machine.cores - 1) * 1e6);
      if (!claim.holds && variant == "tree" && machine.cores > 4)
        claim.reason = "as table I: unpadded flags of a tree cost more here (C3-tree)";
      claims.push_back(claim);
    }
  double highest = 0;
  std::string where;
  for (const Machine& machine : machines)
    for (std::size_t v = 0; v < 6; ++v)
      if (const double seconds = r.simulated.seconds("array", variants()[v].name, machine.name);
          seconds > highest) {
        highest = seconds;
        where = fmt::format("{}, {}", variants()[v].name, machine.printed);
      }
  reproduce::Claim claim{"C9",
                         "the highest time of the array workload",
                         Cell("mutex-add, x4600"),
                         Cell(where),
                         "",
                         "exact",
                         where == "mutex-add, x4600",
                         true,
                         {}};
  if (!claim.holds)
    claim.reason = "one number of cycles an element stands for all AMD machines (input), which puts the "
                   "lowest clock first; "
                   "mutex-add's own part is too small: C1-x4600";
  claims.push_back(claim);
}

void add_placement(const Results& r, Claims& claims) {
  const double one_die = r.simulated.placed("core2q one die"),
               two_dies = r.simulated.placed("core2q two dies");
  claims.push_back(order_claim("C10", "core2q, 2 threads, flat-padded: two dies over one", 2.4,
                               two_dies / one_die, "", two_dies / one_die > 1.8, "above 1.8", ""));
  const double sockets = r.simulated.seconds("sync-only", "flat-padded", "nehalem"),
               siblings = r.simulated.placed("nehalem siblings");
  claims.push_back(order_claim("C11",
                               "nehalem, 8 threads, flat-padded: one socket with siblings over two sockets",
                               r.published.seconds("PIN-4") / r.published.seconds("PIN-3"),
                               siblings / sockets, "", siblings / sockets < 0.85, "below 0.85", ""));
  const double apart = r.simulated.placed("i5-750 apart") / r.simulated.placed("i5-750 neighbours");
  claims.push_back(order_claim("PIN-5", "i5: where two threads are placed", "no effect", apart, "",
                               std::abs(apart - 1) <= 0.02, "2 %", ""));
}

} // namespace

reproduce::Claim order_claim(std::string id, std::string statement, Cell published, double simulated,
                             std::string unit, bool holds, std::string tolerance, std::string reason) {
  return {std::move(id),
          std::move(statement),
          std::move(published),
          simulated,
          std::move(unit),
          std::move(tolerance),
          holds,
          true,
          holds ? std::string() : std::move(reason)};
}

reproduce::Claim factor_claim(std::string id, std::string statement, double published, double simulated,
                              std::string unit, double factor, std::string reason) {
  const bool holds = simulated <= published * factor && published <= simulated * factor;
  return order_claim(std::move(id), std::move(statement), published, simulated, std::move(unit), holds,
                     fmt::format("factor {}", factor), std::move(reason));
}

void add_synthetic_claims(const Results& results, Claims& claims) {
  add_mutex(results, claims);
  add_padding(results, claims);
  add_winners(results, claims);
  add_array(results, claims);
  add_placement(results, claims);
  add_absolute(results, claims);
}

} // namespace rccebench::fork_join
