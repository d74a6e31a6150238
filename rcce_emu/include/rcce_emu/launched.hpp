// SPDX-License-Identifier: Apache-2.0
// Whether a launcher of MPI jobs has started this process: the variables in which Open MPI, MPICH and Slurm
// say so.
#pragma once

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "rcce_emu/environment.hpp"

namespace rcce {

struct Launched {
  int rank = -1;     ///< from 0 on; -1: by none
  int processes = 0; ///< processes of the job; 0: started by no launcher
  [[nodiscard]] bool by_launcher() const noexcept { return rank >= 0; }
};

/// By the first launcher whose two variables are set to numbers that fit each other.
[[nodiscard]] inline Launched launched() {
  using namespace environment;
  constexpr const Variable* launchers[][2] = {
      {&open_mpi_rank, &open_mpi_size}, {&pmi_rank, &pmi_size}, {&slurm_rank, &slurm_size}};
  const auto number = [](const Variable& variable) {
    const char* const value = std::getenv(variable.name);
    const std::string_view text = value == nullptr ? "" : value;
    int read = -1;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), read).ptr;
    return end == text.data() + text.size() ? read : -1;
  };
  for (const auto& [rank_variable, size_variable] : launchers) {
    const Launched found{number(*rank_variable), number(*size_variable)};
    if (found.rank >= 0 && found.rank < found.processes) return found;
  }
  return {};
}

} // namespace rcce
