#include "automatic.hpp"

#include <map>
#include <tuple>

#include <RCCE.h>
#include <RCCE_lib.h>

namespace algorithms {
namespace {

Platform platform_of(const rockcreek_options& options) {
  Platform platform;
  platform.core_mhz = RC_REFCLOCKGHZ * 1000;
  if (options.mesh_mhz > 0) platform.mesh_mhz = options.mesh_mhz;
  if (options.dram_mhz > 0) platform.dram_mhz = options.dram_mhz;
  platform.mpb_bytes = RCCE_BUFF_SIZE_MAX;
  platform.rcce_10 = platform.plain_copies = ROCKCREEK_RCCE < 20;
  return platform;
}

using Key = std::tuple<Operation, std::size_t, int, std::size_t, std::size_t, int, int, double, double>;
std::map<Key, Choice> choices; // one per UE, as every variable of a program

} // namespace

Choice automatic(Operation operation, std::size_t bytes, int root, const rockcreek_options& options,
                 bool (*usable)(const Algorithm&)) {
  const Key key{operation,          bytes,           root,           options.part_bytes,
                options.pipe_bytes, options.fan_out, options.stages, options.mesh_mhz,
                options.dram_mhz};
  const auto [entry, fresh] = choices.try_emplace(key);
  if (fresh)
    entry->second = choose(operation, platform_of(options),
                           {.ues = RCCE_num_ues(),
                            .root = root,
                            .bytes = bytes,
                            .part_bytes = options.part_bytes,
                            .pipe_bytes = options.pipe_bytes,
                            .fan_out = options.fan_out,
                            .stages = options.stages},
                           usable);
  return entry->second;
}

void forget_choices() {
  choices.clear();
}

} // namespace algorithms
