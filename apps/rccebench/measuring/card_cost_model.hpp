// SPDX-License-Identifier: Apache-2.0
// What a reduction on network cards takes by the publication's own formula.
#pragma once

#include "mesh_sim/machines/cluster/config.hpp"

namespace rccebench::cluster {

/// Bytes of the message in the published L.
inline constexpr int published_bytes = 8;

/// The published cost model, in microseconds (spec of f_nomial and f_nomial_split): `constant` is start, end,
/// extra and barrier, `latency` is wire, published_bytes on the link, and wake-up.
struct CostModel {
  double constant, latency, receive;
  explicit CostModel(const mesh::cluster::Config& machine);
  [[nodiscard]] double serial(int nodes, double combine) const;
  [[nodiscard]] double f_nomial(int nodes, int degree, double step) const;
  [[nodiscard]] static int phases(int nodes, int degree);
  [[nodiscard]] static int steps(int nodes, int degree);
};

} // namespace rccebench::cluster
