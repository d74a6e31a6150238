// SPDX-License-Identifier: Apache-2.0
// What one run records of itself, beside the times of a table: the recordings of rccerun that have a help
// text for rccebench (rcce_emu/recordings.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "command_line/command_line.hpp"
#include "lab.hpp"
#include "rcce_emu/recordings.hpp"

namespace rccebench {

class RecordOptions {
 public:
  void add_to(Command& command);
  [[nodiscard]] bool any() const { return !asked().empty(); }
  /// As a run takes them.
  [[nodiscard]] rcce::Records asked() const;

 private:
  struct OptionRequest {
    bool given = false;
    std::string file;
  };
  std::map<std::string, OptionRequest> options_; ///< by name
};

/// "--matrix, --links and --trace": all that there are.
[[nodiscard]] std::string record_options();
/// Throws mesh::UserError unless there is one run to be recorded; `advice`: what to choose one of. Before the
/// work.
void check_records(const RecordOptions& options, std::size_t runs, std::string_view advice);
/// Throws mesh::UserError if the point's machine does not record all of it. Before the work.
void check_records(const RecordOptions& options, const Point& point);
/// Has the run made once more, by `run`, and writes what it has recorded. Throws mesh::UserError where a file
/// cannot be written.
void write_records(const RecordOptions& options, const std::function<Output(const rcce::Records&)>& run);

} // namespace rccebench
