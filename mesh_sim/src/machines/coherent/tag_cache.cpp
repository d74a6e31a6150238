// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/tag_cache.hpp"

#include <algorithm>
#include <bit>

#include "mesh_sim/machines/coherent/config.hpp"

namespace mesh::coherent {

TagCache::TagCache(std::size_t bytes, int ways) : ways_(static_cast<std::size_t>(ways)) {
  const std::size_t sets = std::bit_floor(std::max<std::size_t>(1, bytes / line_size / ways_));
  mask_ = static_cast<std::uint32_t>(sets - 1);
  tags_.assign(sets * ways_, none);
}

void TagCache::touch(std::uint32_t line) noexcept {
  std::uint32_t* const set = set_of(line);
  for (std::size_t way = 0; way < ways_; ++way)
    if (set[way] == line) {
      std::rotate(set, set + way, set + way + 1);
      return;
    }
}

} // namespace mesh::coherent
