// SPDX-License-Identifier: Apache-2.0
// What the joins share: how far apart their flags are, and what makes a flag empty again.
#pragma once

#include "algorithms/memory/concept.hpp"

namespace algorithms::in_memory {

enum class Padding { none, line };

/// Bytes between flags: unpadded they are bytes.
[[nodiscard]] constexpr std::size_t stride(Padding padding) noexcept {
  return padding == Padding::line ? memory::line : 1;
}

enum class Reset {
  by_master,   ///< whoever has waited for a flag sets it back, before the next region
  alternating, ///< the value that means "full" changes with every region
};

/// For each thread, what a full flag holds in its present region.
class FullValues {
 public:
  FullValues(std::size_t threads, Reset reset) : own_(threads), reset_(reset) {}

  /// The value in the thread's next region. To be called once a region.
  [[nodiscard]] std::uint64_t next(std::size_t thread) {
    if (by_master()) return 1;
    return own_[thread].value = 1 - own_[thread].value;
  }
  [[nodiscard]] bool by_master() const noexcept { return reset_ == Reset::by_master; }

 private:
  std::vector<memory::PerThread<std::uint64_t>> own_;
  Reset reset_;
};

} // namespace algorithms::in_memory
