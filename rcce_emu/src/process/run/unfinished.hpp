// SPDX-License-Identifier: Apache-2.0
// What a run that is over has left unfinished: cores that wait or compute, calls, messages. After the run.
#pragma once

#include <vector>

#include "rcce_emu/job_result.hpp"

namespace mesh {
struct Unfinished;
}

namespace rcce {
class Job;
}

namespace rcce::run {

/// In the order of ranks, for the observers; what the library above adds up itself is closed, too.
[[nodiscard]] std::vector<mesh::Unfinished> close_unfinished(Job& job, const JobResult& result);

[[nodiscard]] std::vector<UnfinishedUe> unfinished_ues(Job& job, Outcome outcome);
/// A message is named by its sender where that has begun, else by its receiver.
[[nodiscard]] std::vector<UnfinishedMessage> unfinished_messages(Job& job, const JobResult& result);
/// pair.unfinished, pair.bytes_unfinished: of messages whose senders have begun.
void report_unfinished(mesh::Statistics& to, const std::vector<UnfinishedMessage>& messages);

} // namespace rcce::run
