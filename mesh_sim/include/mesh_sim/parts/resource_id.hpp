// SPDX-License-Identifier: Apache-2.0
// Names of what packets queue for.
#pragma once

#include <cstdint>

namespace mesh {

struct ResourceId {
  enum class Kind : std::uint8_t { link, mpb_port, controller };
  Kind kind = Kind::link;
  int number = 0; ///< number of the link, of the port's tile, of the controller
  bool operator==(const ResourceId&) const = default;
};

} // namespace mesh
