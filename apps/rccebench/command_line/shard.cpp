// SPDX-License-Identifier: Apache-2.0
#include "command_line/shard.hpp"

#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "rcce_emu/launched.hpp"

namespace rccebench {
namespace {

constexpr std::string_view place_of_number = "{shard}";

std::optional<std::int64_t> number_in(const rcce::environment::Variable& variable) {
  const char* const text = std::getenv(variable.name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  return whole_number(text, fmt::format("--shard auto: {}", variable.name));
}

Shard shard_of(std::int64_t number, std::int64_t of, const std::string& what) {
  if (of < 1 || number < 1 || number > of)
    throw mesh::UserError(
        fmt::format("{}: there is no shard {} of {}; write I/N, with I from 1 to N", what, number, of));
  return {static_cast<std::size_t>(number), static_cast<std::size_t>(of)};
}

/// The tasks of an array may begin with any number and leave others out.
std::optional<Shard> of_array() {
  namespace variable = rcce::environment;
  const auto id = number_in(variable::array_task), count = number_in(variable::array_tasks);
  if (!id || !count) return std::nullopt;
  const std::int64_t first = number_in(variable::array_first).value_or(1),
                     step = std::max<std::int64_t>(number_in(variable::array_step).value_or(1), 1);
  return shard_of((*id - first) / step + 1, *count,
                  fmt::format("--shard auto: {}", variable::array_task.name));
}

Shard automatic() {
  const rcce::Launched process = rcce::launched();
  const auto task = of_array();
  if (!process.by_launcher() && !task)
    throw mesh::UserError("--shard auto: neither mpirun nor srun nor a Slurm array has started this; start "
                          "it by one of them, or write --shard I/N");
  const Shard inner = process.by_launcher()
      ? Shard{static_cast<std::size_t>(process.rank) + 1, static_cast<std::size_t>(process.processes)}
      : Shard{};
  const Shard outer = task.value_or(Shard{});
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
  const std::string number = fmt::format("{}", shard.number);
  for (auto at = file.find(place_of_number); at != std::string::npos; at = file.find(place_of_number, at))
    file.replace(at, place_of_number.size(), number);
  return file;
}

} // namespace rccebench
