// SPDX-License-Identifier: Apache-2.0
#include "watch/explore/recording.hpp"

#include <cinttypes>
#include <cstdio>
#include <fmt/format.h>

#include "mesh_sim/errors.hpp"

namespace rcce::explore {

std::string recording_text(const ExploredRun& recording) {
  return fmt::format("{} {} {} {}", recording.fd, recording.accesses ? 1 : 0, recording.most_accesses,
                     recording.most_idle);
}

ExploredRun parse_recording(std::string_view text) {
  ExploredRun recording;
  int accesses = 0;
  if (std::sscanf(std::string(text).c_str(), "%d %d %" SCNu64 " %" SCNd64, &recording.fd, &accesses,
                  &recording.most_accesses, &recording.most_idle) != 4)
    throw mesh::UserError(fmt::format(
        "{}='{}': only rccerun --explore sets this variable, for the runs that it starts; unset it",
        recording_variable, text));
  recording.accesses = accesses != 0;
  return recording;
}

} // namespace rcce::explore
