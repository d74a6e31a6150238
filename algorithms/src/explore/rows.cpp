// SPDX-License-Identifier: Apache-2.0
#include "algorithms/explore/rows.hpp"

#include <algorithm>

#include "algorithms/explore/scenarios.hpp"
#include "explore/mistakes.hpp"

namespace algorithms::explore {

namespace {

/// Lines of a block: the threads of a pair have one each.
constexpr int pieces = 2;
constexpr int two_parts = 2;

template <class Table>
void add_barriers(std::vector<Row>& rows, const Table& table) {
  for (const auto& row : table)
    rows.push_back({std::string(row.name), "full barrier", [&row](int episodes) {
                      return barrier_scenario([&row](Memory& memory) { return row.make(memory, {}); },
                                              episodes);
                    }});
}

void add_two_partners(std::vector<Row>& rows) {
  const auto& dissemination = in_memory::barriers<Memory>()[1];
  rows.push_back({"barrier/dissemination/m2", "with two partners a round", [&](int episodes) {
                    return barrier_scenario(
                        [&](Memory& memory) { return dissemination.make(memory, {.partners = 2}); },
                        episodes);
                  }});
}

template <class Table>
void add_joins(std::vector<Row>& rows, const Table& table) {
  for (const auto reset : {in_memory::Reset::alternating, in_memory::Reset::by_master})
    for (const auto& row : table) {
      const bool sets_back = reset == in_memory::Reset::by_master;
      rows.push_back(
          {std::string(row.name) + (sets_back ? "/reset" : ""),
           sets_back ? "join, flags set back" : "join, alternating flags", [&row, reset](int regions) {
             return join_scenario(
                 [&row, reset](Memory& memory) { return row.make(memory, {.reset = reset}); }, regions);
           }});
    }
}

template <class Table>
void add_broadcasts(std::vector<Row>& rows, const Table& table) {
  for (const auto& row : table)
    rows.push_back({std::string(row.name), std::string(row.summary), [&row](int operations) {
                      return broadcast_scenario(
                          [&row](Memory& memory) {
                            return row.make(memory, {.fan_outs = {2, 2}});
                          },
                          pieces, operations);
                    }});
}

/// Vectors in so many parts; 0: in parts of the default length, so that they have one.
void add_exchange(std::vector<Row>& rows, const in_memory::ExchangeRow<Memory>& row, int parts,
                  const char* behind_name = "") {
  rows.push_back(
      {std::string(row.name) + behind_name, std::string(row.summary), [&row, parts](int operations) {
         return exchange_scenario(
             row.operation,
             [&row, parts](Memory& memory, const auto& operation, std::size_t bytes) {
               in_memory::ExchangeOptions options;
               options.reduce.fan_outs = options.bcast.fan_outs = {2, 2};
               if (parts > 0) options.part_bytes = static_cast<int>(bytes) / parts;
               return row.make(memory, operation, bytes, options);
             },
             operations);
       }});
}

void add_locks(std::vector<Row>& rows) {
  for (const auto& row : in_memory::locks<Memory>())
    rows.push_back({std::string(row.name), "lock", [&row](int operations) {
                      return lock_scenario([&row](Memory& memory) { return row.make(memory, 0); },
                                           operations);
                    }});
}

template <class Table>
void add_reductions(std::vector<Row>& rows, const Table& table) {
  for (const auto& row : table)
    rows.push_back({std::string(row.name), std::string(row.summary),
                    [&row](int operations) {
                      return reduce_scenario(
                          [&row](Memory& memory, const auto& operation, std::size_t bytes) {
                            return row.make(memory, operation, bytes, {.fan_outs = {2, 2}});
                          },
                          pieces, operations, row.result_for_all);
                    },
                    // By order of arrival; the others are built on numbers.
                    row.order == in_memory::Order::arrival});
}

/// A mistake, and with how many threads and operations it is found.
Row mistake(Row row, int threads, int operations) {
  row.mistake = true;
  row.fails_threads = threads;
  row.fails_operations = operations;
  return row;
}

Row wrong_flags(int flags, int threads, int operations) {
  return mistake(
      {fmt::format("mistake/dynamic_pair_{}_flag{}", flags, flags > 1 ? "s" : ""),
       fmt::format("{} words for {} threads that may leave early: two operations get mixed", flags, threads),
       [flags](int count) {
         return reduce_scenario(
             [flags](Memory& memory, const auto& operation, std::size_t bytes) {
               return in_memory::make_reduction<Memory, in_memory::DynamicPair<Memory>>(
                   memory, operation, bytes, in_memory::ReduceOptions{.flags = flags});
             },
             pieces, count);
       }},
      threads, operations);
}

template <in_memory::GroupRules rules>
Row group(std::string name, std::string summary) {
  return {std::move(name), std::move(summary), [](int count) {
            return reduce_scenario(
                [](Memory& memory, const auto& operation, std::size_t bytes) {
                  return in_memory::make_reduction<Memory, in_memory::DynamicGroup<Memory, rules>>(
                      memory, operation, bytes, in_memory::ReduceOptions{});
                },
                pieces, count);
          }};
}

template <class Wrong>
Row wrong_join(std::string name, std::string summary, int threads, int regions) {
  return mistake({std::move(name), std::move(summary),
                  [](int operations) {
                    return join_scenario(
                        [](Memory& memory) { return in_memory::make_join<Memory, Wrong>(memory); },
                        operations);
                  }},
                 threads, regions);
}

} // namespace

const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> rows;
    add_barriers(rows, in_memory::barriers<Memory>());
    add_two_partners(rows);
    add_joins(rows, in_memory::joins<Memory>());
    add_reductions(rows, in_memory::reductions<Memory>());
    rows.push_back(group<in_memory::GroupRules{.job_for_nobody = true}>(
        "reduce/dynamic_group/job_always", "with a job written also where nobody is there to do it"));
    rows.back().symmetric = true;
    add_broadcasts(rows, in_memory::broadcasts<Memory>());
    for (const auto& row : in_memory::exchanges<Memory>()) add_exchange(rows, row, two_parts);
    add_locks(rows);
    rows.push_back(wrong_join<FlatWithoutReset<Memory>>(
        "mistake/flat_without_reset", "flags are never set back: the second join falls through", 2, 2));
    rows.push_back(wrong_join<CounterResetLate<Memory>>(
        "mistake/counter_reset_late", "the counter is set back behind the start: arrivals are lost", 2, 1));
    rows.push_back(wrong_flags(1, 3, 2));
    rows.push_back(wrong_flags(2, 4, 3));
    rows.push_back(mistake(group<in_memory::GroupRules{.job_before_waking = false, .job_for_nobody = true}>(
                               "mistake/dynamic_group_job_late",
                               "a worker says that it has woken up, then copies the job: it may be the next"),
                           3, 2));
    rows.push_back(mistake(
        group<in_memory::GroupRules{.dismissal_of_all = false}>(
            "mistake/dynamic_group_early_dismissal", "who has not joined the workforce yet is never woken"),
        2, 1));
    rows.push_back(mistake(
        group<in_memory::GroupRules{.locked_until_woken = false, .job_for_nobody = true}>(
            "mistake/dynamic_group_unlocked", "the next alert overwrites a job that not all have copied"),
        3, 2));
    return rows;
  }();
  return all;
}

std::vector<Row> own_rows() {
  std::vector<Row> rows;
  add_barriers(rows, algorithms::own_rows<in_memory::BarrierRow<Memory>>);
  add_joins(rows, algorithms::own_rows<in_memory::JoinRow<Memory>>);
  add_reductions(rows, algorithms::own_rows<in_memory::ReductionRow<Memory>>);
  add_broadcasts(rows, algorithms::own_rows<in_memory::BroadcastRow<Memory>>);
  for (const auto& row : algorithms::own_rows<in_memory::ExchangeRow<Memory>>) {
    add_exchange(rows, row, 0);
    if (std::ranges::find(row.parameters, "part", &Parameter<in_memory::ExchangeOptions>::name) !=
        row.parameters.end())
      add_exchange(rows, row, two_parts, "/two_parts");
  }
  // Whoever combines by arrival may still calculate with the threads' numbers: nobody has proved the
  // contrary. Nor that nobody keeps what it has read in one operation until the next.
  for (Row& row : rows) row.symmetric = row.forgets = false;
  return rows;
}

} // namespace algorithms::explore
