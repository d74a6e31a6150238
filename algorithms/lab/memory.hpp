// SPDX-License-Identifier: Apache-2.0
// Algorithms in shared memory on a simulated machine with coherent caches.
#pragma once

#include <memory>
#include <string>

#include "algorithms/in_memory/trial.hpp"
#include "lab/backend.hpp"

namespace lab {

class Memory final : public Backend {
 public:
  Memory();

  [[nodiscard]] std::string_view name() const override { return "shared memory"; }
  [[nodiscard]] std::vector<std::int64_t> usual_ranks(const Machine& machine) const override;
  [[nodiscard]] std::string misfit(const Point& point) const override;
  [[nodiscard]] std::map<std::string, std::string> settled(const Point& point) const override;
  [[nodiscard]] int least_repetitions(const Point& point) const override {
    return point.spread.is_none() ? 3 : 10;
  }
  [[nodiscard]] double weight(const Point& point) const override;
  [[nodiscard]] Result run(const Point& point) const override { return run(point, nullptr); }
  /// With those who hear of it, as algorithms::in_memory::Trial has it; null: nobody.
  [[nodiscard]] Result run(const Point& point, mesh::Observers* observers) const;
  [[nodiscard]] std::map<std::int64_t, Choice>
  automatic(const Point& like, const std::vector<std::int64_t>& sizes) const override;

  /// The point's values, and for those that are not asked for what is best by the machine's parameters: of
  /// reduce/linear the barrier that is fastest everywhere.
  [[nodiscard]] static algorithms::in_memory::Trial trial_of(const Point& point,
                                                             const mesh::coherent::Config& machine);
};

/// "ring folded" as two words.
[[nodiscard]] std::vector<std::string> words_of(std::string_view text);

/// Rows of a table in shared memory, with what they tell of themselves.
template <class Table>
void add_rows(std::vector<Row>& to, const Table& table) {
  for (const auto& one : table) {
    Row& row = to.emplace_back();
    row.name = one.name;
    row.operation = row.name.substr(0, row.name.find('/'));
    row.cost = one.cost;
    row.for_auto = true;
    if constexpr (requires { one.summary; }) row.summary = one.summary;
    if constexpr (requires { one.parameters; })
      for (const auto& known : one.parameters) {
        Parameter& parameter = row.parameters.emplace_back();
        parameter.name = known.name;
        parameter.help = known.help;
        parameter.tried = known.tried;
        parameter.least = known.least;
        parameter.most = known.most;
        parameter.standard = known.standard;
        parameter.list = known.list;
        parameter.words = words_of(known.words);
      }
  }
}

} // namespace lab
