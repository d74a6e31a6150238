// SPDX-License-Identifier: Apache-2.0
// What the HTML report of a run says, as JSON: schema rockcreek-report (rcce_emu/report/README.md).
#pragma once

#include <string>

#include "mesh_sim/observe/statistics.hpp"
#include "rcce_emu/job_options.hpp"
#include "rcce_emu/job_result.hpp"

namespace rcce::record {

struct ReportData {
  const JobOptions& job;
  const JobResult& result;
  const mesh::Statistics &messages, &links; ///< pair.*; link.*, mpb_port.*, controller.*
  const std::string& figures;               ///< as run_figures() makes them
};

/// "PROGRAM on N cores".
[[nodiscard]] std::string report_title(const JobOptions& job);
[[nodiscard]] std::string report_document(const ReportData& data);

} // namespace rcce::record
