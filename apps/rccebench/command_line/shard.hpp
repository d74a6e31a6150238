// SPDX-License-Identifier: Apache-2.0
// Which part of a sweep a process computes, as --shard says it.
#pragma once

#include <string>

#include "lab.hpp"

namespace rccebench {

/// The shard "I/N", or "auto": the number of this process among those that mpirun (Open MPI, MPICH) or srun
/// have started, times those of a Slurm array. Throws mesh::UserError for other words, if nothing says what
/// `auto` is, and if all processes would write the same `file`.
[[nodiscard]] Shard read_shard(const std::string& text, const std::string& file);

/// The name with the shard's number in place of "{shard}".
[[nodiscard]] std::string named_by_shard(std::string file, const Shard& shard);

} // namespace rccebench
