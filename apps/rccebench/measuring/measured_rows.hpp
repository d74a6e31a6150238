// SPDX-License-Identifier: Apache-2.0
// Measurements of a user's, or of a paper, and what a simulated machine gives in their place. A file is CSV
// in one of three forms, told apart by their columns (rccebench(1), Measurements):
//   - points of the laboratory, on every kind of machine: `algorithm`
//   - single lines, locks, streams of a machine with coherent caches, as in data/coherent.csv: `core_a`
//   - messages, registers, barriers of the chip, as in data/published.csv: `hops`
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lab.hpp"

namespace rccebench {

struct MeasuredRow {
  std::string group, id;
  std::string point; ///< what was measured, for people
  double value = 0;
  std::string unit;
};

class MeasuredRows {
 public:
  /// Throws mesh::UserError "FILE line N: ..." for what cannot be read, and for rows that are not of that
  /// kind of machine. Rows of data/coherent.csv that are of another machine are left out.
  MeasuredRows(const std::filesystem::path& file, rcce::MachineChoice machine);

  /// From now on model() is the median over these values of a parameter: "dram.frame_seed=1-20:1". Throws
  /// mesh::UserError for what is no such list of numbers.
  void take_median_over(const std::string& values);

  [[nodiscard]] const std::vector<MeasuredRow>& all() const { return rows_; }
  /// What the machine gives with these settings over its own, in the unit of each row: of the rows at
  /// `places`, or of all where that is empty.
  [[nodiscard]] std::vector<double> model(const std::vector<rcce::MachineChoice::Setting>& settings,
                                          const std::vector<std::size_t>& places = {}) const;

 private:
  using Model =
      std::function<std::vector<double>(const rcce::MachineChoice&, const std::vector<std::size_t>&)>;

  [[nodiscard]] Model read_points(const std::filesystem::path& file);
  [[nodiscard]] Model read_coherent(const std::filesystem::path& file);
  [[nodiscard]] Model read_chip(const std::filesystem::path& file);

  rcce::MachineChoice machine_;
  std::vector<rcce::MachineChoice::Setting> over_; ///< median of these, one at a time; empty: as it is
  std::vector<MeasuredRow> rows_;
  Model model_;
};

/// Of absolute sizes; 0 of none.
[[nodiscard]] double median_size(std::vector<double> numbers);

} // namespace rccebench
