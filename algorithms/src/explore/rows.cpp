#include "algorithms/explore/rows.hpp"

#include "algorithms/explore/scenarios.hpp"
#include "explore/mistakes.hpp"

namespace algorithms::explore {

namespace {

using in_memory::BarrierOptions;

void add_barriers(std::vector<Row>& rows) {
  for (const auto& row : in_memory::barriers<Memory>)
    rows.push_back({std::string(row.name), "full barrier", 2, false, 0, 0, [&row](int episodes) {
                      return barrier_scenario([&row](Memory& memory) { return row.make(memory, {}); },
                                              episodes);
                    }});
  const auto& dissemination = in_memory::barriers<Memory>[1];
  rows.push_back({"barrier/dissemination/m2", "with two partners a round", 2, false, 0, 0, [&](int episodes) {
                    return barrier_scenario(
                        [&](Memory& memory) { return dissemination.make(memory, {.partners = 2}); },
                        episodes);
                  }});
}

void add_joins(std::vector<Row>& rows) {
  for (const auto reset : {in_memory::Reset::alternating, in_memory::Reset::by_master})
    for (const auto& row : in_memory::joins<Memory>) {
      const bool sets_back = reset == in_memory::Reset::by_master;
      rows.push_back({std::string(row.name) + (sets_back ? "/reset" : ""),
                      sets_back ? "join, flags set back" : "join, alternating flags", 2, false, 0, 0,
                      [&row, reset](int regions) {
                        return join_scenario(
                            [&row, reset](Memory& memory) { return row.make(memory, {.reset = reset}); },
                            regions);
                      }});
    }
}

template <class Wrong>
Row wrong_join(std::string name, std::string summary, int threads, int regions) {
  return {std::move(name), std::move(summary), 2, true, threads, regions, [](int operations) {
            return join_scenario([](Memory& memory) { return in_memory::make_join<Memory, Wrong>(memory); },
                                 operations);
          }};
}

} // namespace

const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> rows;
    add_barriers(rows);
    add_joins(rows);
    rows.push_back(wrong_join<FlatWithoutReset<Memory>>(
        "mistake/flat_without_reset", "flags are never set back: the second join falls through", 2, 2));
    rows.push_back(wrong_join<CounterResetLate<Memory>>(
        "mistake/counter_reset_late", "the counter is set back behind the start: arrivals are lost", 2, 1));
    return rows;
  }();
  return all;
}

} // namespace algorithms::explore
