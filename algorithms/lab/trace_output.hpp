// SPDX-License-Identifier: Apache-2.0
// The file of --trace, for runs of machines without RCCE.
#pragma once

#include <string>

#include "mesh_sim/observe/trace.hpp"
#include "mesh_sim/observe/trace_file.hpp"

namespace lab {

class TraceOutput {
 public:
  /// Opens the file. Throws mesh::UserError. `told_by` tells the trace.
  TraceOutput(const std::string& file, const mesh::Observers& told_by);
  ~TraceOutput();
  TraceOutput(const TraceOutput&) = delete;
  TraceOutput& operator=(const TraceOutput&) = delete;

  [[nodiscard]] mesh::Trace& trace() noexcept { return trace_; }
  /// After the run. Throws mesh::UserError where not all could be written.
  void finish();

 private:
  std::string name_;
  int fd_;
  mesh::TraceFile file_;
  mesh::Trace trace_;
};

} // namespace lab
