// SPDX-License-Identifier: Apache-2.0
// The options of a call: text to values.
#pragma once

#include <array>
#include <cstring>
#include <string>

#include "algorithms/algorithm.h"

namespace algorithms {

/// The word of `words` at the place `value`, or the file that a value below 0 stands for; it stays valid.
/// Null: it is neither.
[[nodiscard]] const char* text_of(const rockcreek_parameter& parameter, long long value);

/// The values of an algorithm's parameters. Kept per algorithm, so that a text is parsed when it differs from
/// the one before it; on no heap, as all that a call needs.
class Options {
 public:
  /// Takes over `text`; null and "" are the defaults. Returns what is wrong with it, or nothing. Parameters
  /// that are fixed have the value that they had when fix() was called, where the text does not name them.
  [[nodiscard]] std::string read(const rockcreek_algorithm& row, const char* text);
  /// True if the values are those of this text.
  [[nodiscard]] bool are_of(const char* text) const {
    return known_ && std::strcmp(last_.data(), text == nullptr ? "" : text) == 0;
  }
  /// The fixed parameters keep their present values.
  void fix(const rockcreek_algorithm& row);
  [[nodiscard]] const long long* values() const { return values_.data(); }

 private:
  using Values = std::array<long long, ROCKCREEK_MOST_PARAMETERS>;
  [[nodiscard]] std::string parse(const rockcreek_algorithm& row, std::string_view text);

  Values values_{}, defaults_{};
  std::array<char, 128> last_{}; ///< the text that values_ are of, where it fits
  bool known_ = false, fixed_ = false;
};

} // namespace algorithms
