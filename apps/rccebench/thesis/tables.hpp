// SPDX-License-Identifier: Apache-2.0
// The tables of sections 5.5 and 6.3, simulated under every variant beside the published cells.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "report.hpp"
#include "thesis/plan.hpp"
#include "thesis/published.hpp"
#include "thesis/variant.hpp"

namespace rccebench::thesis {

/// One message size of one table: which piece size is fastest, published and simulated.
struct BestSize {
  Which table;
  std::int64_t message_bytes;
  std::int64_t published_best, simulated_best;
  int steps; ///< doublings between the two
};

/// How one variant compares with all cells it has reached.
struct Comparison {
  std::size_t cells = 0;
  double median_percent = 0, worst_percent = 0; ///< of the absolute errors
  std::string worst_cell;
  double cube_median_percent = 0, dopl_median_percent = 0;
  double bias_percent = 0; ///< median of the signed errors
  std::vector<BestSize> columns;
  /// Time of the cube over time of DOPL, both with the thesis' default sizes, by message size: published and
  /// found.
  std::map<std::int64_t, std::pair<double, double>> cube_to_dopl;

  [[nodiscard]] bool best_sizes_within(int steps) const;
};

class Tables {
 public:
  /// Adds all cells under all `variants` to the plan; `never_read` adds the first variant with buffers that
  /// nobody reads.
  Tables(std::vector<PublishedCell> cells, std::span<const Variant> variants, bool never_read, Plan& plan);

  [[nodiscard]] std::size_t variants() const { return variants_.size(); }
  [[nodiscard]] Comparison compare(const Plan& plan, std::size_t variant,
                                   bool without_misprint = false) const;
  /// Legend with the errors of each variant, then one table per message size with all variants side by side.
  [[nodiscard]] std::vector<Table> views(const Plan& plan) const;
  /// The cells of one variant, for JSON.
  [[nodiscard]] nlohmann::ordered_json cells_of(const Plan& plan, std::size_t variant) const;
  [[nodiscard]] std::string variant_name(std::size_t variant) const;

 private:
  struct Entry {
    Variant variant;
    bool reads;
    std::vector<std::size_t> points; ///< place in the plan, by cell
  };
  [[nodiscard]] std::optional<double> error_percent(const Plan& plan, const Entry& entry,
                                                    std::size_t cell) const;

  std::vector<PublishedCell> cells_;
  std::vector<Entry> variants_;
};

} // namespace rccebench::thesis
