// SPDX-License-Identifier: Apache-2.0
// What one run records of itself, beside the times of a table: who sends to whom, load of links, timeline,
// critical path, profile, the die as text. The same options and formats as rccerun's.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "command_line.hpp"
#include "lab.hpp"

namespace rccebench {

struct RecordOptions {
  std::string matrix_file, links_file, trace_file, why_file, profile_file;
  bool why = false, profile = false; ///< without a file to standard error
  bool die = false;                  ///< to standard error

  void add_to(Command& command);
  [[nodiscard]] bool any() const {
    return why || profile || die || !matrix_file.empty() || !links_file.empty() || !trace_file.empty();
  }
};

/// Throws mesh::UserError unless there is one run to be recorded; `advice`: what to choose one of. Before the
/// work.
void check_records(const RecordOptions& options, std::size_t runs, std::string_view advice);
/// Has the run on the machine made once more, by `run`, and writes what it has recorded. Throws
/// mesh::UserError where a file cannot be written.
void write_records(const RecordOptions& options, const Machine& machine,
                   const std::function<Output(const Recorded&)>& run);

} // namespace rccebench
