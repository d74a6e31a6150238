// SPDX-License-Identifier: Apache-2.0
// When the ranks of a collective arrive: spread over some time, as in a program whose work is not balanced.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lab {

/// How much later than the common release each rank enters. Pseudo-random, the same on every host: drawn with
/// whole numbers and with operations that IEEE 754 fixes to the last bit, and rounded to nanoseconds.
class Spread {
 public:
  Spread() = default;
  /// `text` is "none", "uniform:MAX", "beta:MAX,MEAN,SD" in microseconds, or a file with the delays of all
  /// ranks in microseconds on each line, used line by line and again from the first. Throws mesh::UserError.
  Spread(const std::string& text, std::uint64_t seed);

  [[nodiscard]] bool is_none() const { return kind_ == Kind::none; }
  /// Nanoseconds of ranks 0 .. cores-1. A rank's do not depend on the number of cores. Throws mesh::UserError
  /// where the file has fewer.
  [[nodiscard]] std::vector<std::int64_t> delays(int cores, int repetition) const;
  /// "uniform:100 us, seed 1"
  [[nodiscard]] std::string description() const;
  /// The description, and of a file what it holds: the same where all delays are.
  [[nodiscard]] std::string identity() const;

 private:
  enum class Kind : std::uint8_t { none, uniform, beta, file };

  void read_file();

  Kind kind_ = Kind::none;
  std::string text_;
  std::uint64_t seed_ = 0;
  double most_ns_ = 0;
  double a_ = 0, b_ = 0;                         ///< parameters of the beta distribution over 0 .. 1
  std::vector<std::vector<std::int64_t>> lines_; ///< lines of the file, in nanoseconds
};

} // namespace lab
