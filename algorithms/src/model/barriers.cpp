// Predictions of the barriers.
#include <algorithm>
#include <vector>

#include "algorithms/barrier/dissemination.hpp"
#include "algorithms/barrier/tree.hpp"
#include "model/costs.hpp"
#include "model/predictions.hpp"

namespace algorithms::model {
namespace {

// Core cycles; mesh_sim/src/machines/scc/config.cpp and rcce_emu/src/api/costs.cpp.
constexpr double lock_acquire_cycles = 38, lock_release_cycles = 75, flag_read_cycles = 70;

/// Clocks of ranks that report up barrier/tree's tree, or wait for its release.
class Tree {
 public:
  Tree(const Costs& costs, const Call& call)
      : costs_(costs),
        ranks_(call.ues),
        fan_out_(call.fan_out > 0 ? call.fan_out : tree::default_fan_out),
        clock_(static_cast<std::size_t>(call.ues), 0.0) {}

  void report() {
    for (int rank = ranks_ - 1; rank >= 0; --rank) {
      for_children(rank, [&](int child) { wait(rank, clock(child) + costs_.notice(child, rank)); });
      if (rank > 0) clock(rank) += costs_.call + costs_.flag_write;
    }
  }
  void release() {
    for (int rank = 0; rank < ranks_; ++rank) {
      double now = clock(rank);
      for_children(rank, [&](int child) {
        now += costs_.call + costs_.flag_write;
        wait(child, now + costs_.notice(rank, child));
      });
      clock(rank) = now;
    }
  }

  [[nodiscard]] double& clock(int rank) { return clock_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] double last() const { return *std::max_element(clock_.begin(), clock_.end()); }

 private:
  void wait(int rank, double seen) { clock(rank) = std::max(clock(rank) + costs_.call + costs_.poll, seen); }
  template <class Act>
  void for_children(int rank, Act&& act) const {
    for (int slot = 0; slot < fan_out_ && tree::child(rank, slot, fan_out_) < ranks_; ++slot)
      act(tree::child(rank, slot, fan_out_));
  }

  const Costs& costs_;
  int ranks_, fan_out_;
  std::vector<double> clock_;
};

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
  Tree run(costs, call);
  run.report();
  run.release();
  return run.last();
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
  // All come at once, so that the farthest from the counters is the last.
  const double access = costs.counter_access(call.ues - 1);
  Tree run(costs, call);
  for (int rank = 1; rank < call.ues; ++rank) run.clock(rank) = costs.call + access;
  run.clock(0) = 2 * costs.call + access + costs.flag_write + costs.notice(call.ues - 1, 0);
  run.release();
  return run.last();
}

} // namespace algorithms::model
