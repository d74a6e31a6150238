#include "api/predictions.hpp"

#include <string_view>

namespace rcce::api {
namespace {

/// A program whose messages all differ in length must not fill the host's memory.
constexpr std::size_t most_kept = 4096;

template <class... Values>
std::string key_of(std::string_view names, const Values&... values) {
  std::string key(names);
  (key.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
  return key;
}

bool contains(std::string_view names, std::string_view name) {
  for (std::size_t at = names.find(name); at != std::string_view::npos; at = names.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || names[at - 1] == ' ') && end < names.size() && names[end] == ' ') return true;
  }
  return false;
}

} // namespace

void Predictions::answer(rockcreek_prediction& asked) {
  const std::string_view usable = asked.usable;
  const std::lock_guard lock(mutex_);
  if (choices_.size() >= most_kept) choices_.clear();
  const auto [entry, fresh] =
      choices_.try_emplace(key_of(usable, asked.barrier, asked.ues, asked.root, asked.fan_out, asked.stages,
                                  asked.bytes, asked.part_bytes, asked.pipe_bytes, asked.mpb_bytes,
                                  asked.rcce_10, asked.core_mhz, asked.mesh_mhz, asked.dram_mhz));
  algorithms::Choice& choice = entry->second;
  if (fresh)
    choice =
        algorithms::choose(asked.barrier != 0 ? algorithms::Operation::barrier : algorithms::Operation::bcast,
                           {.core_mhz = asked.core_mhz,
                            .mesh_mhz = asked.mesh_mhz,
                            .dram_mhz = asked.dram_mhz,
                            .mpb_bytes = asked.mpb_bytes,
                            .plain_copies = asked.rcce_10 != 0,
                            .rcce_10 = asked.rcce_10 != 0},
                           {.ues = asked.ues,
                            .root = asked.root,
                            .bytes = asked.bytes,
                            .part_bytes = asked.part_bytes,
                            .pipe_bytes = asked.pipe_bytes,
                            .fan_out = asked.fan_out,
                            .stages = asked.stages},
                           [usable](const algorithms::Algorithm& row) { return contains(usable, row.name); });
  asked.algorithm = choice.algorithm != nullptr ? choice.algorithm->name.data() : nullptr;
  asked.chosen_part_bytes = choice.call.part_bytes;
  asked.chosen_pipe_bytes = choice.call.pipe_bytes;
  asked.us = choice.predicted_us;
}

} // namespace rcce::api
