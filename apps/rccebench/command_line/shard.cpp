// SPDX-License-Identifier: Apache-2.0
#include "command_line/shard.hpp"

#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"

namespace rccebench {
namespace {

constexpr std::string_view place_of_number = "{shard}";

/// Variables by which launchers tell a process its number, from 0 on, and how many there are. Slurm sets
/// SLURM_PROCID and SLURM_NTASKS in a batch script too, which runs once: only srun sets the number of tasks
/// of a step.
struct Launcher {
  const char *rank, *size;
};
constexpr Launcher launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                  {"PMI_RANK", "PMI_SIZE"},
                                  {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};

std::optional<std::int64_t> variable(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  return whole_number(text, fmt::format("--shard auto: {}", name));
}

Shard shard_of(std::int64_t number, std::int64_t of, const std::string& what) {
  if (of < 1 || number < 1 || number > of)
    throw mesh::UserError(
        fmt::format("{}: there is no shard {} of {}; write I/N, with I from 1 to N", what, number, of));
  return {static_cast<std::size_t>(number), static_cast<std::size_t>(of)};
}

std::optional<Shard> of_launcher() {
  for (const Launcher& one : launchers)
    if (const auto rank = variable(one.rank), size = variable(one.size); rank && size)
      return shard_of(*rank + 1, *size, fmt::format("--shard auto: {}", one.rank));
  return std::nullopt;
}

/// The tasks of an array may begin with any number and leave others out.
std::optional<Shard> of_array() {
  const auto id = variable("SLURM_ARRAY_TASK_ID"), count = variable("SLURM_ARRAY_TASK_COUNT");
  if (!id || !count) return std::nullopt;
  const std::int64_t first = variable("SLURM_ARRAY_TASK_MIN").value_or(1),
                     step = std::max<std::int64_t>(variable("SLURM_ARRAY_TASK_STEP").value_or(1), 1);
  return shard_of((*id - first) / step + 1, *count, "--shard auto: SLURM_ARRAY_TASK_ID");
}

Shard automatic() {
  const auto process = of_launcher(), task = of_array();
  if (!process && !task)
    throw mesh::UserError("--shard auto: neither mpirun nor srun nor a Slurm array has started this; start "
                          "it by one of them, or write --shard I/N");
  const Shard inner = process.value_or(Shard{}), outer = task.value_or(Shard{});
  return {(outer.number - 1) * inner.of + inner.number, outer.of * inner.of};
}

} // namespace

Shard read_shard(const std::string& text, const std::string& file) {
  if (text == "auto") {
    const Shard shard = automatic();
    if (shard.of > 1 && file.find(place_of_number) == std::string::npos)
      throw mesh::UserError(fmt::format("--shard auto: {} processes would write '{}'; put {} into its name, "
                                        "which becomes the number of each",
                                        shard.of, file, place_of_number));
    return shard;
  }
  const std::string what = fmt::format("--shard '{}'", text);
  const auto numbers = cut(text, '/');
  if (numbers.size() != 2)
    throw mesh::UserError(fmt::format("{}: write I/N, as 3/8 for the third of eight, or auto", what));
  return shard_of(whole_number(numbers[0], what), whole_number(numbers[1], what), what);
}

std::string named_by_shard(std::string file, const Shard& shard) {
  if (const auto at = file.find(place_of_number); at != std::string::npos)
    file.replace(at, place_of_number.size(), fmt::format("{}", shard.number));
  return file;
}

} // namespace rccebench
