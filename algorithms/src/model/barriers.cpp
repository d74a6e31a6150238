// Predictions of the barriers.
#include <algorithm>
#include <vector>

#include "algorithms/barrier/dissemination.hpp"
#include "algorithms/barrier/tree.hpp"
#include "model/costs.hpp"
#include "model/predictions.hpp"

namespace algorithms::model {
namespace {

// Core cycles; mesh_sim/src/machine_config.cpp and rcce_emu/src/api/costs.cpp.
constexpr double lock_acquire_cycles = 38, lock_release_cycles = 75, counter_cycles = 200,
                 flag_read_cycles = 70, backoff_cycles = 1024;

} // namespace

double predict_barrier_linear(const Platform& platform, const Call& call) {
  const Costs costs(platform);
  if (call.ues == 1) return 0;
  const double read = flag_read_cycles / platform.core_mhz;
  double time = costs.call + read + costs.poll + costs.flag_write; // everybody turns its own flag over
  for (int rank = 1; rank < call.ues; ++rank) time += read + costs.remote_look(0, rank);
  return time + (call.ues - 1) * costs.flag_write + costs.notice(0, call.ues - 1);
}

double predict_barrier_dissemination(const Platform& platform, const Call& call) {
  const Costs costs(platform);
  const dissemination::Shape shape(call.ues, std::max(1, call.fan_out));
  double time = 0;
  for (int round = 0; round < shape.rounds(); ++round) {
    int partners = 0, farthest = 0;
    for (int index = 0; index < shape.partners(); ++index)
      if (const int distance = shape.distance(round, index); distance > 0) {
        ++partners;
        for (int rank = 0; rank < call.ues; ++rank)
          farthest = std::max(farthest, costs.hops(rank, shape.notifies(rank, distance)));
      }
    time += partners * (costs.call + costs.flag_write) + farthest * costs.hop + costs.call +
        1.5 * costs.poll + (partners - 1) * (costs.call + costs.poll);
  }
  return time;
}

double predict_barrier_tree(const Platform& platform, const Call& call) {
  const Costs costs(platform);
  const int fan_out = call.fan_out > 0 ? call.fan_out : tree::default_fan_out;
  const auto size = static_cast<std::size_t>(call.ues);
  std::vector<double> clock(size, 0);
  const auto at = [&](int rank) -> double& { return clock[static_cast<std::size_t>(rank)]; };
  const auto for_children = [&](int rank, auto&& act) {
    for (int slot = 0; slot < fan_out && tree::child(rank, slot, fan_out) < call.ues; ++slot)
      act(tree::child(rank, slot, fan_out));
  };
  for (int rank = call.ues - 1; rank >= 0; --rank) {
    for_children(rank, [&](int child) {
      at(rank) = std::max(at(rank) + costs.call + costs.poll, at(child) + costs.notice(child, rank));
    });
    if (rank > 0) at(rank) += costs.call + costs.flag_write;
  }
  std::vector<double> released = clock;
  for (int rank = 0; rank < call.ues; ++rank) {
    at(rank) = std::max(at(rank), released[static_cast<std::size_t>(rank)]);
    for_children(rank, [&](int child) {
      at(rank) += costs.call + costs.flag_write;
      released[static_cast<std::size_t>(child)] = at(rank) + costs.notice(rank, child);
    });
  }
  return *std::max_element(clock.begin(), clock.end());
}

double predict_barrier_test_and_set(const Platform& platform, const Call& call) {
  const Costs costs(platform);
  // A token's step: its release, the way (every second one crosses no link), and half a round of the loop
  // that waits.
  const double step =
      costs.call + (lock_release_cycles + 0.5 * lock_acquire_cycles) / platform.core_mhz + 0.5 * costs.hop;
  return 2 * (call.ues - 1) * step;
}

double predict_barrier_atomic_counter(const Platform& platform, const Call& call) {
  const Costs costs(platform);
  if (call.ues == 1) return 0;
  // Two accesses of the last one, then the others see it at the end of their pause.
  const double access = counter_cycles / platform.core_mhz + (platform.columns + platform.rows) * costs.hop;
  return costs.call + 3 * access + backoff_cycles / 2 / platform.core_mhz;
}

} // namespace algorithms::model
