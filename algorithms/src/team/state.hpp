// SPDX-License-Identifier: Apache-2.0
// A team's threads, what they wait on and what they reduce in.
#pragma once

#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "algorithms/in_memory/join/fork.hpp"
#include "choose.hpp"

namespace rockcreek::detail {

namespace memory = algorithms::memory;
namespace in_memory = algorithms::in_memory;

/// One reduction by one algorithm for elements of one size. Two results in turn: a thread may still be
/// copying the last one when another begins the next.
struct Reducer {
  const ReductionRow* row;
  in_memory::Reduction<Host> reduce;
  std::size_t capacity; ///< bytes
  Host::Block results[2];
  std::vector<memory::PerThread<std::uint64_t>> calls; ///< by thread
};

struct MemberState {
  MemberState(TeamState& of, int thread, int threads, bool crowded)
      : team(of), host(thread, threads, crowded) {}
  TeamState& team;
  Host::Thread host;
};

struct TeamState {
  explicit TeamState(const TeamOptions& options);
  ~TeamState();
  TeamState(const TeamState&) = delete;
  TeamState& operator=(const TeamState&) = delete;

  void run(const std::function<void(Member&)>& region);
  void meet(Host::Thread& thread);
  void reduce(Host::Thread& thread, const Combination& combination, std::byte* data, std::size_t bytes);

  TeamOptions options;
  const BarrierRow* barrier_row;
  const JoinRow* join_row;

 private:
  void serve(int thread);
  /// The region on one thread; what it throws is kept.
  void pass(MemberState& member);
  void fail(Host::Thread& thread);
  [[nodiscard]] std::uint64_t meetings_of(std::size_t thread) const;
  /// Counts a barrier or reduction that this thread begins. Ends the program if another has returned, and so
  /// will never come.
  void enter_meeting(std::size_t self);
  void check_others_end(Host::Thread& thread) const;
  [[noreturn]] static void end_by_early_return(std::size_t returned, std::size_t waiting);
  [[nodiscard]] Reducer& reducer(Host::Thread& thread, std::size_t element_bytes, std::size_t bytes);
  [[nodiscard]] Reducer make_reducer(const ReductionRow& row, std::size_t element_bytes, std::size_t bytes);

  /// A thread's progress through a region, as the others see it.
  struct Progress {
    std::atomic<std::uint64_t> meetings = 0; ///< barriers and reductions that it has entered, in all regions
    std::atomic<bool> ended = false;         ///< the region
    const Combination* combination = nullptr;
  };

  Host memory_;
  bool crowded_; ///< more threads than processors
  in_memory::Barrier<Host> barrier_;
  in_memory::Fork<Host> fork_;
  in_memory::Join<Host> join_;
  std::vector<memory::PerThread<Progress>> progress_;
  std::map<std::pair<std::size_t, const ReductionRow*>, Reducer>
      reducers_; ///< changed between two barriers only
  const std::function<void(Member&)>* region_ = nullptr;
  std::atomic<bool> in_region_ = false;
  std::atomic<int> ended_threads_ = 0; ///< that have returned from this region
  std::mutex guard_;
  std::exception_ptr failure_;
  MemberState master_;
  std::vector<std::jthread> crew_;
};

} // namespace rockcreek::detail
