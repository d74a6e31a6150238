// SPDX-License-Identifier: Apache-2.0
// The rows of the table in recordings.cpp, each defined in the file of its name.
#pragma once

#include <memory>

#include "record/recording.hpp"

namespace rcce::record {

extern const RecordingRow statistics_row, machine_statistics_row, profile_row, why_row, matrix_row, links_row,
    trace_row, report_row, digest_row, check_row;

/// RecordingRow::make of a class.
template <class One>
std::unique_ptr<Recording> make(const JobOptions& job) {
  return std::make_unique<One>(job);
}

} // namespace rcce::record
