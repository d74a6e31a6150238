// SPDX-License-Identifier: Apache-2.0
#include "measuring/card_cost_model.hpp"

namespace rccebench::cluster {

CostModel::CostModel(const mesh::cluster::Config& machine)
    : constant(machine.start + machine.end + machine.extra + machine.barrier),
      latency(machine.flight(published_bytes) + machine.wake),
      receive(machine.receive) {}

double CostModel::serial(int nodes, double combine) const {
  return constant + latency + (nodes - 1) * (receive + combine);
}

int CostModel::phases(int nodes, int degree) {
  int phases = 0;
  for (long stride = 1; stride < nodes; stride *= degree) ++phases;
  return phases;
}

int CostModel::steps(int nodes, int degree) {
  int full_phases = 0;
  long full = 1;
  for (; full * degree <= nodes; full *= degree) ++full_phases;
  return (degree - 1) * full_phases + static_cast<int>((nodes + full - 1) / full) - 1;
}

double CostModel::f_nomial(int nodes, int degree, double step) const {
  return constant + latency * phases(nodes, degree) + step * steps(nodes, degree);
}

} // namespace rccebench::cluster
