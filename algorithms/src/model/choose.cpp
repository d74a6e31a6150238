// What `auto` takes: the row with the smallest prediction.
#include <array>

#include "algorithms/core_mesh.hpp"
#include "algorithms/table.hpp"

namespace algorithms {
namespace {

/// Is the call one that the row can serve?
bool serves(const Algorithm& row, const Call& call) {
  return !row.whole_mesh || core_mesh(call.ues).nodes() == call.ues;
}

} // namespace

Choice choose(Operation operation, const Platform& platform, const Call& call) {
  Choice best;
  const auto consider = [&](const Algorithm& row, const Call& candidate) {
    const double us = row.predict_us(platform, candidate);
    if (best.algorithm == nullptr || us < best.predicted_us) best = {&row, candidate, us};
  };
  for (const Algorithm& row : table()) {
    if (row.operation != operation || row.predict_us == nullptr || !serves(row, call)) continue;
    Call candidate = call;
    if (row.part_bytes == 0 || call.part_bytes != 0) {
      consider(row, candidate);
      continue;
    }
    // Around each row's own part size, where the curves are flat.
    for (const std::size_t part : std::array{row.part_bytes / 2, row.part_bytes, 2 * row.part_bytes}) {
      candidate.part_bytes = part;
      consider(row, candidate);
      if (call.bytes <= part) break;
    }
  }
  return best;
}

} // namespace algorithms
