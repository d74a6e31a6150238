// SPDX-License-Identifier: Apache-2.0
// What one operation of program `operations`, or one run of any program, costs this host beside the simulated
// time it stands for.
#pragma once

#include <cstdint>
#include <string>

#include "lab.hpp"

namespace rccebench {

struct CostedOperation {
  std::string word;           ///< pingpong, barrier or bcast
  std::string algorithm = {}; ///< algorithm of a bcast, as "bcast/cube"; empty: RCCE_bcast
  int cores = 48;
  std::int64_t bytes = 0;
};

/// The cost of one repetition, or of one run.
struct OperationCost {
  double host_us = 0;      ///< processor time
  double simulated_us = 0; ///< communication: code between library calls takes none
  std::int64_t lines = 0;  ///< put into message-passing buffers and got out of them, by all cores
};

/// Repeats so often that a long run takes a quarter of a second more than one with a single repetition, and a
/// quarter of what that takes; gives the difference per repetition, of the host's time the median over
/// `runs`. Bytes are compared at the end of every run.
[[nodiscard]] OperationCost cost_of(const Machine& machine, const CostedOperation& what, int runs);

/// Whole runs of a program of the user's: start, its own computation and communication.
[[nodiscard]] OperationCost cost_of_program(const Machine& machine, const std::string& file,
                                            const std::vector<std::string>& arguments, int cores, int runs);

/// The machine itself where it has the cores and they are not more than the chip's; otherwise a mesh of its
/// two-core tiles for them, with buffers of `large_buffer_bytes`.
[[nodiscard]] Machine machine_for(int cores, const Machine& machine);

/// How program `operations` is started for that many repetitions.
[[nodiscard]] Run run_of(const Machine& machine, const CostedOperation& what, int repetitions);

/// A mesh of two-core tiles for `cores` cores, about twice as wide as high: 34 x 15 for 1000, 100 x 50 for
/// 10000.
[[nodiscard]] Machine mesh_of(int cores, Machine machine);

[[nodiscard]] double median(std::vector<double> values);

} // namespace rccebench
