// SPDX-License-Identifier: Apache-2.0
// Where UEs are, in words: what each is in the middle of and waits for, those in the same position in one
// line.
#pragma once

#include <cstddef>
#include <string>

#include "process/run/report.hpp"

namespace rcce::run {

/// Members of one thing that a line names; the rest is counted.
inline constexpr std::size_t named_in_line = 12;

/// The direction of the UE's transfer: by its call, or by the flag it waits for if the call does both.
[[nodiscard]] bool receives(const UeView& ue);
[[nodiscard]] bool sends(const UeView& ue);
/// Who writes the flag that a UE waits for, where that is known and not its peer; else -1.
[[nodiscard]] int writer_of_flag(const UeView& ue);

/// "RCCE_recv from rank 0, 8192 bytes, waiting for flag sent"; `peer` in the words of the group.
[[nodiscard]] std::string position_text(const UeView& ue, const std::string& peer);
/// A line for each position that UEs in this state have.
[[nodiscard]] std::string positions_text(const RunView& run, UeView::State state);

} // namespace rcce::run
