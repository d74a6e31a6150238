// SPDX-License-Identifier: Apache-2.0
// The table of recordings: a row each.
#pragma once

#include <memory>

#include "watch/record/recording.hpp"

namespace rcce::record {

/// The table, in the order in which recordings write, which is that of the help texts: NAME.cpp defines
/// NAME_row.
#define ROCKCREEK_RECORDINGS(row)                                                                 \
  row(statistics) row(machine_statistics) row(matrix) row(links) row(trace) row(why) row(profile) \
      row(report) row(digest) row(check)

#define ROCKCREEK_DECLARE_ROW(name) extern const RecordingRow name##_row;
ROCKCREEK_RECORDINGS(ROCKCREEK_DECLARE_ROW)
#undef ROCKCREEK_DECLARE_ROW

/// RecordingRow::make of a class.
template <class One>
std::unique_ptr<Recording> make(const JobOptions& job) {
  return std::make_unique<One>(job);
}

} // namespace rcce::record
