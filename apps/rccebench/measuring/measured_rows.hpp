// SPDX-License-Identifier: Apache-2.0
// Measurements of a user's, or of a paper, and what a simulated machine gives in their place. Each column of
// a row counts, or the row is refused. A file is CSV in one of three forms, told apart by their columns
// (rccebench(1), Measurements), or a table that another benchmark has printed (benchmark_tables.hpp). CSV:
//   - points of the laboratory, on every kind of machine: `algorithm`
//   - single lines, locks, streams of a machine with coherent caches, as in data/coherent.csv: `core_a`
//   - messages, registers, barriers of the chip, as in data/published.csv: `hops`
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab.hpp"
#include "measuring/benchmark_tables.hpp"
#include "present/csv_rows.hpp"
#include "present/report.hpp"

namespace rccebench {

struct MeasuredRow {
  std::string group, id;
  std::string point; ///< the measured point, for readers
  double value = 0;
  std::string unit;                ///< unit of value and model; another unit of the file is converted
  std::optional<double> tolerance; ///< percent; none: reported only
  std::string use, source;         ///< for people
};

class MeasuredRows {
 public:
  /// Rows that name another machine are left out. Throws mesh::UserError "'FILE' line N: column 'NAME': ..."
  /// for what cannot be read, does not apply to what is measured, or is not so on that machine.
  MeasuredRows(const std::filesystem::path& file, rcce::MachineChoice machine,
               const UnsaidByTable& unsaid = {});

  /// From now on model() is the median over these values of a parameter: "dram.frame_seed=1-20:1". Throws
  /// mesh::UserError for what is no such list of numbers.
  void take_median_over(const std::string& values);

  [[nodiscard]] const std::vector<MeasuredRow>& all() const { return rows_; }
  /// True if another benchmark has printed them; else they are CSV.
  [[nodiscard]] bool are_printed() const { return !translated_.empty(); }
  /// For the head of a report: what was translated of tables that another benchmark has printed, which rows
  /// are left out, and what was taken for what rows do not say.
  void tell_translated(Report& report) const;
  /// The machine's results with these settings over its own, in the unit of each row: for the rows at
  /// `places`, or for all if that is empty.
  [[nodiscard]] std::vector<double> model(const std::vector<rcce::MachineChoice::Setting>& settings,
                                          const std::vector<std::size_t>& places = {}) const;

 private:
  using Model =
      std::function<std::vector<double>(const rcce::MachineChoice&, const std::vector<std::size_t>&)>;

  /// Adds the rows of a table, by the form that its columns tell.
  void read(const CsvTable& table, const std::string& file);
  [[nodiscard]] std::vector<double> evaluate(const rcce::MachineChoice& machine,
                                             const std::vector<std::size_t>& places) const;
  [[nodiscard]] Model read_points(const CsvTable& table);
  [[nodiscard]] Model read_coherent(const CsvTable& table);
  [[nodiscard]] Model read_chip(const CsvTable& table);
  /// True if the row is for the machine. Throws mesh::UserError if its clocks are others.
  [[nodiscard]] bool is_meant(const Fields& field);
  /// Remembers what a point has that its row does not say, for the head.
  void note_taken(const nlohmann::json& said, const lab::Point& point);
  void add(const Fields& field, MeasuredRow row);
  /// As rows name it: of a machine file the preset that it begins with, for its path says nothing to others.
  [[nodiscard]] std::string_view preset_of_machine() const;

  rcce::MachineChoice machine_;
  Machine opened_;                  ///< that one, without further settings
  std::vector<std::string> others_; ///< machines whose rows are left out
  std::vector<std::string> taken_;  ///< "bytes=8192": what rows do not say
  bool of_whole_ = false; ///< rows are of means, and the machine tells the time of a whole operation alone
  std::vector<rcce::MachineChoice::Setting> over_; ///< median of these, one at a time; empty: as it is
  std::vector<MeasuredRow> rows_;
  std::vector<std::string> translated_;
  /// Of parts of the rows, one behind the other: where each begins, and what gives it.
  std::vector<std::pair<std::size_t, Model>> models_;
};

/// The median of absolute sizes; 0 for no numbers.
[[nodiscard]] double median_size(std::vector<double> numbers);

} // namespace rccebench
