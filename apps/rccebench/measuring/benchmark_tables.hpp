// SPDX-License-Identifier: Apache-2.0
// Tables that the OSU micro-benchmarks, IMB-MPI1 and nccl-tests print, as rows of a user's measurements.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command_line/command_line.hpp"

namespace rccebench {

/// Answers of the command line to questions that a table leaves open.
struct UnsaidByTable {
  bool machine_given = false;
  int cores = 0;         ///< ranks; 0: not given
  std::string operation; ///< of tables that do not name theirs; empty: not given
  std::string algorithm; ///< names with commas, with or without "bcast/"; empty: auto

  void add_to(Command& command);
  /// Throws mesh::UserError where one of them is given, beside what says all of itself.
  void refuse_beside(const std::string& rows) const;
};

/// CSV in the forms of measured_rows.hpp. Each row stands on the line that it has in the file.
struct BenchmarkTables {
  std::string points, messages;        ///< collective operations, and messages between two; empty: none
  std::vector<std::string> translated; ///< for each benchmark, what its sizes and times are here
};

/// Nothing where no line of the text is the head of such a table. Throws mesh::UserError "'FILE' line N: ..."
/// for a wrong row and for what the command line has to say. Rows whose sizes are no multiple of `word_bytes`
/// are left out.
[[nodiscard]] std::optional<BenchmarkTables> read_benchmark_tables(const std::string& file,
                                                                   std::string_view text,
                                                                   const UnsaidByTable& unsaid,
                                                                   int word_bytes);

/// The heads that are known, for messages.
[[nodiscard]] std::string known_heads();

} // namespace rccebench
