// SPDX-License-Identifier: Apache-2.0
// An order that somebody wants of two accesses; holds.hpp keeps it.
#pragma once

#include <cstdint>

namespace mesh {

/// A wanted order: access `access` of `core`, counted from 0 in the order of its program, waits for access
/// `other_access` of `other`.
struct Hold {
  int core = -1;
  std::uint64_t access = 0;
  int other = -1;
  std::uint64_t other_access = 0;
  bool operator==(const Hold&) const = default;
};

} // namespace mesh
