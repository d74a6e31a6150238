// SPDX-License-Identifier: Apache-2.0
// `auto`: what was measured to be fastest, out of the stored table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/algorithm.h"
#include "algorithms/collectives.h"

namespace algorithms {

/// An entry of algorithms/tuned, for this generation. Rows of one place (core clock, operation, cores, size)
/// follow each other, the fastest first; places of one number of cores follow by size, from 0 on. Texts are
/// numbers: pointers would have to be relocated, and so every page of the table copied, for each UE.
struct Tuned {
  std::uint32_t from_bytes; ///< the least size
  std::uint16_t core_mhz, cores;
  std::uint8_t operation; ///< rockcreek_operation
  std::uint8_t algorithm; ///< number of its name
  std::uint16_t options;  ///< number of their text
};

/// The first row of the nearest place that the program can use for the root, 0 where there is none: nearest
/// by the ratio of clocks, then of numbers of cores, of which the smaller counts where two are as near. Local
/// and the same on every UE. Both members null where there is none.
[[nodiscard]] rockcreek_choice automatic(rockcreek_operation operation, std::size_t bytes, int root);

/// Calls `use` with each choice that automatic() may come to on this number of UEs, once per size, and twice
/// where it depends on the root; stops at the first error, and returns it.
int for_each_choice(rockcreek_operation operation, int (*use)(const rockcreek_choice&));

} // namespace algorithms
