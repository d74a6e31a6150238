// SPDX-License-Identifier: Apache-2.0
// Stores of the simulated SCC on their way: to MPBs, and to test-and-set registers that they free.
//
// Invariant: a store acts once, at the instant that it was posted for, in the kernel's order; what it has
// overtaken of copies under way it overwrites, and who waits for it is woken. Knows the kernel, the costs,
// the copies, the words of the registers and the waiters.
#pragma once

#include <vector>

#include "mesh_sim/machines/scc/waiters.hpp"

namespace mesh::scc {

class Deliveries {
 public:
  Deliveries(Kernel& kernel, SccCosts& costs, Copies& copies, RegisterWords& words, Waiters& waiters)
      : kernel_(kernel), costs_(costs), copies_(copies), words_(words), waiters_(waiters) {}
  Deliveries(const Deliveries&) = delete;
  Deliveries& operator=(const Deliveries&) = delete;

  // Stores of the running core.
  /// At most a line, within one.
  void post_bytes(int target, std::size_t offset, const void* data, std::size_t bytes, Picoseconds visible);
  /// The bits of `mask` in a byte become those of `value`.
  void post_bits(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value, Picoseconds visible);
  /// A register becomes free.
  void post_release(int core_of_lock, Picoseconds visible);

  /// The kernel's turn for one of them.
  void deliver(Picoseconds at, std::uint32_t token);

 private:
  struct Pending {
    enum class Kind : std::uint8_t { bytes, bits, lock };
    Kind kind;
    std::uint8_t mask; ///< for bits
    std::uint32_t bytes;
    int core; ///< whose store it is
    int target;
    std::size_t offset;
    std::byte data[line_bytes];
  };
  std::uint32_t slot();

  Kernel& kernel_;
  SccCosts& costs_;
  Copies& copies_;
  RegisterWords& words_;
  Waiters& waiters_;
  std::vector<Pending> pending_;
  std::vector<std::uint32_t> free_;
};

} // namespace mesh::scc
