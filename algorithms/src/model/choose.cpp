// What `auto` takes: the row with the smallest prediction.
#include <algorithm>
#include <array>

#include "algorithms/core_mesh.hpp"
#include "algorithms/table.hpp"

namespace algorithms {
namespace {

/// Is the call one that the row can serve, at no price to the program beside time and MPB lines?
bool serves(const Algorithm& row, const Call& call) {
  return !row.uses_registers && (!row.whole_mesh || core_mesh(call.ues).nodes() == call.ues);
}

/// Every prediction grows in proportion from here on: longer messages are compared at this length, which
/// takes less of the host's time.
constexpr std::size_t proportional_from = 1 << 20;

} // namespace

Choice choose(Operation operation, const Platform& platform, const Call& call,
              bool (*usable)(const Algorithm&)) {
  Choice best;
  Call compared = call;
  compared.bytes = std::min(call.bytes, proportional_from);
  const auto consider = [&](const Algorithm& row, const Call& candidate) {
    const double us = row.predict_us(platform, candidate);
    if (best.algorithm == nullptr || us < best.predicted_us) best = {&row, candidate, us};
  };
  for (const Algorithm& row : table()) {
    if (row.operation != operation || row.predict_us == nullptr || !serves(row, call)) continue;
    if (usable != nullptr && !usable(row)) continue;
    Call candidate = compared;
    if (row.part_bytes == 0 || call.part_bytes != 0) {
      consider(row, candidate);
      continue;
    }
    // Around each row's own part size, where the curves are flat.
    for (const std::size_t part : std::array{row.part_bytes / 2, row.part_bytes, 2 * row.part_bytes}) {
      candidate.part_bytes = part;
      consider(row, candidate);
      if (compared.bytes <= part) break;
    }
  }
  if (best.algorithm != nullptr && best.call.bytes != call.bytes) {
    best.call.bytes = call.bytes;
    best.predicted_us = best.algorithm->predict_us(platform, best.call);
  }
  return best;
}

} // namespace algorithms
