#include "automatic.hpp"

#include <map>
#include <string>
#include <tuple>

#include <RCCE.h>
#include <rcce_emu/image.h>
#include <RCCE_lib.h>
#include <rockcreek_predict.h>

namespace algorithms {
namespace {

using Key = std::tuple<Operation, std::size_t, int, std::size_t, std::size_t, int, int, double, double>;
std::map<Key, rockcreek_choice> choices; // one per UE, as every variable of a program

rockcreek_choice predicted(Operation operation, std::size_t bytes, int root, const rockcreek_options& options,
                           bool (*usable)(const Algorithm&)) {
  std::string names;
  for (const Algorithm& row : table())
    if (row.operation == operation && usable(row)) names.append(row.name) += ' ';
  const Platform standard;
  rockcreek_prediction asked{};
  asked.usable = names.c_str();
  asked.barrier = operation == Operation::barrier;
  asked.ues = RCCE_num_ues();
  asked.root = root;
  asked.fan_out = options.fan_out;
  asked.stages = options.stages;
  asked.bytes = bytes;
  asked.part_bytes = options.part_bytes;
  asked.pipe_bytes = options.pipe_bytes;
  asked.mpb_bytes = RCCE_BUFF_SIZE_MAX;
  asked.rcce_10 = ROCKCREEK_RCCE < 20;
  asked.core_mhz = RC_REFCLOCKGHZ * 1000;
  asked.mesh_mhz = options.mesh_mhz > 0 ? options.mesh_mhz : standard.mesh_mhz;
  asked.dram_mhz = options.dram_mhz > 0 ? options.dram_mhz : standard.dram_mhz;
  rockcreek_predict(rockcreek_image.ue, &asked);
  return {asked.algorithm, asked.chosen_part_bytes, asked.chosen_pipe_bytes, asked.us};
}

} // namespace

rockcreek_choice automatic(Operation operation, std::size_t bytes, int root, const rockcreek_options& options,
                           bool (*usable)(const Algorithm&)) {
  const Key key{operation,          bytes,           root,           options.part_bytes,
                options.pipe_bytes, options.fan_out, options.stages, options.mesh_mhz,
                options.dram_mhz};
  const auto [entry, fresh] = choices.try_emplace(key);
  if (fresh) entry->second = predicted(operation, bytes, root, options, usable);
  return entry->second;
}

void forget_choices() {
  choices.clear();
}

} // namespace algorithms
