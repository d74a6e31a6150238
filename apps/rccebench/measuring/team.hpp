// SPDX-License-Identifier: Apache-2.0
// Threads that work in fork-join regions: a master starts a region, everybody works, the join is its end, and
// sums of the threads' results may be added up there. A template over a memory: the host's threads or a
// simulated machine.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "algorithms/in_memory/barrier/barriers.hpp"

namespace rccebench::measuring {

namespace in_memory = algorithms::in_memory;
namespace memory = algorithms::memory;

using Sums = std::array<double, 2>;

/// How the threads' sums are added up.
enum class Reduction {
  sequential, ///< by the master behind the join, one quantity after another
  vector,     ///< by the master behind the join, all quantities of a thread at once
  tree,       ///< along the tree of the join, which is join/tree_padded
};

struct Variant {
  std::string name;               ///< for people
  std::string join = "join/flat"; ///< in_memory::joins
  in_memory::Reset reset = in_memory::Reset::alternating;
  Reduction reduction = Reduction::sequential;
};

template <memory::Memory M>
class Team {
 public:
  using Thread = typename M::Thread;
  /// A thread's work in a region; returns its part of the sums.
  using Work = std::function<Sums(Thread&)>;

  /// Throws std::invalid_argument for a join that there is not.
  Team(M& memory, const Variant& variant)
      : fork_(memory),
        reduction_(variant.reduction),
        tree_(memory, in_memory::Padding::line, variant.reset),
        join_(
            algorithms::row_of(in_memory::joins<M>(), variant.join).make(memory, {.reset = variant.reset})) {
    for (int thread = 0; thread < memory.threads(); ++thread) {
      slots_.push_back(memory.block(sizeof(Sums), thread));
      own_.push_back(memory.block(sizeof(Sums), thread));
    }
    total_ = memory.block(sizeof(Sums), 0);
  }

  /// By the master: a region without sums.
  void region(Thread& master, const Work& work) {
    begin(master, work, false);
    (void)work(master);
    join_.join(master);
  }
  /// By the master: a region with sums, in the order of threads, or of the tree.
  Sums summed_region(Thread& master, const Work& work) {
    begin(master, work, true);
    const Sums mine = work(master);
    put(0, mine);
    if (reduction_ == Reduction::tree) {
      gather(master);
      return get(slots_[0]);
    }
    join_.join(master);
    if (slots_.size() == 1) return mine;
    const std::size_t step = reduction_ == Reduction::vector ? sizeof(Sums) : sizeof(double);
    for (std::size_t from = 0; from < sizeof(Sums); from += step) {
      std::vector<typename M::Block> blocks{own_[0].part(from, step)};
      for (std::size_t worker = 1; worker < slots_.size(); ++worker)
        blocks.push_back(slots_[worker].part(from, step));
      combine(master, total_.part(from, step), blocks);
    }
    return get(total_);
  }
  /// By the master, behind the last region.
  void stop(Thread& master) { fork_.stop(master); }
  /// By a worker: works until the master stops.
  void serve(Thread& worker) {
    const auto self = static_cast<std::size_t>(worker.thread());
    while (fork_.await(worker)) {
      const bool sums = sums_;
      const Sums mine = (*work_)(worker);
      if (!sums) {
        join_.arrive(worker);
        continue;
      }
      put(self, mine);
      if (reduction_ == Reduction::tree) {
        gather(worker);
        continue;
      }
      worker.copy(slots_[self], own_[self]);
      join_.arrive(worker);
    }
  }

 private:
  void begin(Thread& master, const Work& work, bool sums) {
    work_ = &work;
    sums_ = sums;
    fork_.start(master);
  }
  void put(std::size_t thread, const Sums& sums) {
    std::copy(sums.begin(), sums.end(), own_[thread].template values<double>().begin());
  }
  [[nodiscard]] static Sums get(const typename M::Block& block) {
    return {block.template values<double>()[0], block.template values<double>()[1]};
  }
  static void combine(Thread& thread, typename M::Block target, std::span<const typename M::Block> sources) {
    thread.template combine<double>(target, sources, std::plus<double>(), 0.5);
  }
  void gather(Thread& thread) {
    const auto self = static_cast<std::size_t>(thread.thread());
    thread.copy(slots_[self], own_[self]);
    const std::uint64_t full = tree_.gather(thread, [&](int child) {
      const typename M::Block sources[] = {slots_[self], slots_[static_cast<std::size_t>(child)]};
      combine(thread, slots_[self], sources);
    });
    if (self > 0) tree_.report(thread, full);
  }

  in_memory::Fork<M> fork_;
  Reduction reduction_;
  in_memory::Tree<M> tree_;
  in_memory::Join<M> join_;
  /// Sums that others read, each on a line of its own, near its thread.
  std::vector<typename M::Block> slots_;
  std::vector<typename M::Block> own_; ///< sums that nobody else reads
  typename M::Block total_;
  const Work* work_ = nullptr; ///< published by the start
  bool sums_ = false;
};

} // namespace rccebench::measuring
