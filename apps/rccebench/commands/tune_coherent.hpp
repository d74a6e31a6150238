// SPDX-License-Identifier: Apache-2.0
// rccebench tune --machine NAME for machines with coherent caches: the best trees and radices by the
// machine's parameters, beside what the simulation says of them.
#pragma once

#include <string>
#include <vector>

#include "lab.hpp"
#include "mesh_sim/machines/coherent/config.hpp"
#include "present/report.hpp"

namespace rccebench {

/// `operations` are bcast, reduce, barrier; the lines' title says which machine. Throws mesh::UserError where
/// a number of threads is more than the machine has.
[[nodiscard]] Report tune_coherent(const mesh::coherent::Config& config, const Machine& opened,
                                   const std::vector<std::string>& operations,
                                   const std::vector<std::int64_t>& thread_counts, unsigned jobs);

/// 2, 4, 8, ... and all hardware cores.
[[nodiscard]] std::vector<std::int64_t> usual_threads(const mesh::coherent::Config& machine);

} // namespace rccebench
