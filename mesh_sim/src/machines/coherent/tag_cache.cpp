// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/tag_cache.hpp"

#include <algorithm>

#include "mesh_sim/machines/coherent/config.hpp"

namespace mesh::coherent {

TagCache::TagCache(std::size_t bytes, int ways)
    : ways_(static_cast<std::size_t>(ways)),
      sets_(std::max<std::uint32_t>(1, static_cast<std::uint32_t>(bytes / line_size / ways_))),
      tags_(sets_ * ways_, none) {}

void TagCache::touch(std::uint32_t line) noexcept {
  std::uint32_t* const set = set_of(line);
  for (std::size_t way = 0; way < ways_; ++way)
    if (set[way] == line) {
      std::rotate(set, set + way, set + way + 1);
      return;
    }
}

} // namespace mesh::coherent
