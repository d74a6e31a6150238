// SPDX-License-Identifier: Apache-2.0
// The rows of a program: the library's own in the order of CMakeLists.txt, then those of the program's files
// in the order in which these are linked.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "algorithms/algorithm.h"

/// The rows of rows.cpp, which CMake writes from its list of files; the last one is null.
extern "C" const rockcreek_algorithm* const rockcreek_own_rows[];

namespace algorithms {

inline constexpr std::size_t most_rows = 128;

/// Rows that can be used, found once.
[[nodiscard]] std::span<const rockcreek_algorithm* const> rows();
/// Null for an unknown name.
[[nodiscard]] const rockcreek_algorithm* find(std::string_view name);
[[nodiscard]] std::span<const rockcreek_parameter> parameters_of(const rockcreek_algorithm& row);
/// Is the row one of a program's own file?
[[nodiscard]] bool is_foreign(const rockcreek_algorithm& row);

/// A row of one of the program's files that cannot be used, and why.
struct Faulty {
  const rockcreek_algorithm* row;
  const char* fault;
  /// With the name of the parameter whose fault it is.
  [[nodiscard]] std::string text() const;
};
[[nodiscard]] std::span<const Faulty> faulty_rows();

class Nearest {
 public:
  explicit Nearest(std::string_view word) : word_(word) {}
  void offer(std::string_view name);
  /// ", did you mean 'bcast/cube'? There are ", or "; there are " where no name is near.
  [[nodiscard]] std::string before(std::string next) const;

 private:
  std::string_view word_;
  std::string best_;
  std::size_t distance_ = 0;
};

} // namespace algorithms
