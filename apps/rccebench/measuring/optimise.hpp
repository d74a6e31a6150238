// SPDX-License-Identifier: Apache-2.0
// Lengths of all branches of a tree, one after another, by Newton's method, in fork-join regions: the
// workload whose regions last from some to some hundred microseconds.
//
// One pass goes through the tree depth first from tip 0. For each branch one region computes the view of its
// upper end, prepares and sums the derivatives; the master takes Newton's step, which another region repeats
// where the likelihood curves upwards. On the way back a region at each inner node restores its view. So
// a pass over n organisms has 2 n - 3 regions with sums, and repeats, and n - 2 without.
//
// Source: Berger, Stamatakis: Assessment of Barrier Implementations for Fine-Grain Parallel Regions on
// Current Multi-core Architectures, section V; passes, limits and steps are those of RAxML's branch length
// optimisation (A. Stamatakis, 2006).
#pragma once

#include <algorithm>

#include "lab.hpp"
#include "lab/random.hpp"
#include "likelihood/kernel.hpp"
#include "measuring/team.hpp"

namespace rccebench::likelihood {

enum class Region : std::uint8_t {
  evaluation, ///< all views, ln L
  derivative, ///< a view, where there is one, and the derivatives of a branch
  repeat,     ///< the derivatives at another length
  view,       ///< a view
};
inline constexpr std::size_t region_kinds = 4;

struct Counts {
  std::array<std::int64_t, region_kinds> regions{};
  [[nodiscard]] std::int64_t of(Region kind) const { return regions[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] std::int64_t all() const { return of(Region::evaluation) + summed() + of(Region::view); }
  [[nodiscard]] std::int64_t summed() const { return of(Region::derivative) + of(Region::repeat); }
};

inline constexpr int full_passes = 32; ///< RAxML's "smoothings"

/// Operations of one thread in a region that computes so many views, with so many patterns of its own.
[[nodiscard]] constexpr double region_operations(Region kind, double patterns, int views) {
  double operations = 0;
  const auto add = [&](const Operations& part, int times) {
    operations += times * (part.a_pattern * patterns + part.once);
  };
  add(newview_operations, views);
  add(evaluate_operations, kind == Region::evaluation ? 1 : 0);
  add(prepare_operations, kind == Region::derivative ? 1 : 0);
  add(derivative_operations, kind == Region::derivative || kind == Region::repeat ? 1 : 0);
  return operations;
}

template <measuring::memory::Memory M>
class Optimiser {
 public:
  using Thread = typename M::Thread;
  /// Called after a region has been joined, with the region and its start.
  using Observer = std::function<void(Thread&, Region, std::int64_t started)>;

  /// `timed_patterns`: how many patterns a simulated thread is charged for in all, 0: those of the kernel.
  Optimiser(Kernel& kernel, measuring::Team<M>& team, double timed_patterns = 0)
      : kernel_(kernel),
        team_(team),
        timed_patterns_(timed_patterns > 0 ? timed_patterns : static_cast<double>(kernel.patterns())) {}

  [[nodiscard]] const Counts& counts() const { return counts_; }
  void observe(Observer observer) { observer_ = std::move(observer); }

  /// By the master. Returns ln L.
  double evaluate(Thread& master) {
    return region(master, Region::evaluation, true, kernel_.tree().tips - 2,
                  [this](Thread& thread) -> measuring::Sums {
                    kernel_.newview_all(thread.thread(), thread.threads());
                    return {kernel_.evaluate(top(), thread.thread(), thread.threads()), 0};
                  })[0];
  }
  /// By the master: so many passes from lengths of z = 0.9; returns ln L at the end. Stops after
  /// `most_regions` regions, 0: never.
  double optimise(Thread& master, int passes, std::int64_t most_regions = 0) {
    most_regions_ = most_regions;
    for (int node = 1; node < kernel_.tree().nodes(); ++node)
      kernel_.set_length(node, -natural_logarithm(start_z));
    (void)evaluate(master);
    for (int pass = 0; pass < passes && !enough(); ++pass) smooth(master, top());
    return evaluate(master);
  }

 private:
  // Lengths are handled as z = exp(-length).
  static constexpr double start_z = 0.9, least_z = 1e-15, most_z = 1 - 1e-6;

  [[nodiscard]] int top() const { return kernel_.tree().children[0][0]; }
  [[nodiscard]] bool enough() const { return most_regions_ > 0 && counts_.all() >= most_regions_; }

  template <class Work>
  measuring::Sums region(Thread& master, Region kind, bool sums, int views, Work work) {
    const auto started = static_cast<std::int64_t>(master.now());
    ++counts_.regions[static_cast<std::size_t>(kind)];
    const typename measuring::Team<M>::Work timed = [&](Thread& thread) {
      thread.compute(region_operations(kind, share(thread), views));
      return work(thread);
    };
    measuring::Sums result{};
    if (sums)
      result = team_.summed_region(master, timed);
    else
      team_.region(master, timed);
    if (observer_) observer_(master, kind, started);
    return result;
  }
  /// Patterns of a thread, of those that are charged for.
  [[nodiscard]] double share(const Thread& thread) const {
    const auto all = static_cast<std::int64_t>(timed_patterns_), threads = std::int64_t{thread.threads()};
    return static_cast<double>(all / threads + (thread.thread() < all % threads ? 1 : 0));
  }

  void smooth(Thread& master, int node) {
    if (enough()) return;
    improve(master, node);
    if (kernel_.tree().is_tip(node)) return;
    for (const int child : kernel_.tree().children[static_cast<std::size_t>(node)]) smooth(master, child);
    const View view{node, kernel_.tree().parent[static_cast<std::size_t>(node)]};
    (void)region(master, Region::view, false, 1, [this, view](Thread& thread) -> measuring::Sums {
      kernel_.newview(view, thread.thread(), thread.threads());
      return {};
    });
  }

  /// One step of Newton's method for the branch from the node to its parent.
  void improve(Thread& master, int node) {
    const int parent = kernel_.tree().parent[static_cast<std::size_t>(node)];
    const bool with_view = !kernel_.tree().is_tip(parent);
    const double old = std::clamp(exponential(-kernel_.length(node)), least_z, most_z);
    double z = old;
    for (bool first = true;; first = false) {
      const double length = -natural_logarithm(z);
      const auto sums = region(master, first ? Region::derivative : Region::repeat, true,
                               first && with_view ? 1 : 0, [&, first, length](Thread& thread) {
                                 const int self = thread.thread(), threads = thread.threads();
                                 if (first) {
                                   if (with_view) kernel_.newview({parent, node}, self, threads);
                                   kernel_.prepare_derivatives(node, self, threads);
                                 }
                                 return kernel_.derivatives(length, self, threads);
                               });
      if (sums[1] >= 0 && z < most_z && !enough()) {
        z = std::min(most_z, 0.37 * z + 0.63);
        continue;
      }
      const double step = sums[1] < 0 ? sums[0] / sums[1] : 0;
      const double moved = exponential(std::clamp(-(length - step), -600.0, 600.0));
      z = std::clamp(std::min(moved, 0.25 * z + 0.75), least_z, most_z);
      break;
    }
    kernel_.set_length(node, -natural_logarithm(z));
  }

  Kernel& kernel_;
  measuring::Team<M>& team_;
  double timed_patterns_;
  Counts counts_;
  Observer observer_;
  std::int64_t most_regions_ = 0;
};

} // namespace rccebench::likelihood
