// What one run records of itself, beside the times of a table: who sends to whom, load of links, timeline,
// critical path, profile, the die as text. The same options and formats as rccerun's.
#pragma once

#include <string>
#include <vector>

#include "collective.hpp"
#include "command_line.hpp"

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

/// Throws mesh::UserError unless there is one point to be recorded. Before the work.
void check_records(const RecordOptions& options, const std::vector<Collective>& points);
/// Makes the point's run once more and writes what it has recorded. Throws mesh::UserError where a file
/// cannot be written.
void write_records(const RecordOptions& options, const Collective& point);

} // namespace rccebench
