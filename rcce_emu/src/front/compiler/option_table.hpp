// SPDX-License-Identifier: Apache-2.0
// The wrapper's own options, a row each: what --help shows, and what others explain or complete.
#pragma once

#include <span>
#include <string_view>

namespace rcce::compiler {

struct OptionRow {
  std::string_view name;  ///< "--cc"
  std::string_view value; ///< placeholder; empty: takes none
  std::string_view help;
};

[[nodiscard]] std::span<const OptionRow> option_table() noexcept;

} // namespace rcce::compiler
