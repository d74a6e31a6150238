// What `auto` takes: the row with the smallest prediction.
#include <algorithm>
#include <array>
#include <span>

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

/// Up to here a prediction is computed as it is; beyond, it goes on as it went in the second half.
constexpr std::size_t computed_to = 16 << 20;

double predicted_us(const Algorithm& row, const Platform& platform, Call call) {
  const std::size_t bytes = call.bytes;
  call.bytes = std::min(bytes, computed_to);
  const double all = row.predict_us(platform, call);
  if (bytes <= computed_to) return all;
  call.bytes = computed_to / 2;
  return all +
      (all - row.predict_us(platform, call)) * (static_cast<double>(bytes - computed_to) / (computed_to / 2));
}

/// The best among the row's sensible part sizes. No prediction has to be right that is above
/// `call.at_most_us`.
Choice best_of(const Algorithm& row, const Platform& platform, Call call) {
  Choice best;
  const auto consider = [&] {
    const double us = row.predict_us(platform, call);
    if (best.algorithm == nullptr || us < best.predicted_us) best = {&row, call, us};
  };
  if (row.part_bytes == 0 || call.part_bytes != 0) {
    consider();
    return best;
  }
  // Around each row's own part size, where the curves are flat.
  for (const std::size_t part : std::array{row.part_bytes / 2, row.part_bytes, 2 * row.part_bytes}) {
    call.part_bytes = part;
    consider();
    if (call.bytes <= part) break;
  }
  return best;
}

} // namespace

Choice choose(Operation operation, const Platform& platform, const Call& call,
              const std::function<bool(const Algorithm&)>& usable) {
  Call compared = call;
  compared.bytes = std::min(call.bytes, proportional_from);
  compared.fan_out = std::min(call.fan_out, call.ues); // more are everybody
  Choice best;
  // From the last row on: those take a step for each round, the first ones one for each message, and need not
  // go on once they are behind. The first of equals is taken.
  const std::span<const Algorithm> rows = table();
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (row->operation != operation || row->predict_us == nullptr || !serves(*row, call)) continue;
    if (usable && !usable(*row)) continue;
    const Choice choice = best_of(*row, platform, compared);
    if (best.algorithm != nullptr && choice.predicted_us > best.predicted_us) continue;
    best = choice;
    compared.at_most_us = best.predicted_us;
  }
  best.call.at_most_us = call.at_most_us;
  if (best.algorithm == nullptr || best.call.bytes == call.bytes) return best;
  best.call.bytes = call.bytes;
  best.predicted_us = predicted_us(*best.algorithm, platform, best.call);
  return best;
}

} // namespace algorithms
