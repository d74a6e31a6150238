// SPDX-License-Identifier: Apache-2.0
// reduce/dynamic_group
//
// Idea: pairs as in reduce/dynamic_pair, but threads whose contribution has been merged stay: they join a
// workforce, and a pair that forms hands a share of its elements to each thread of it. The last pair has
// everybody's help.
//
// n = 5, threads come in the order 3 1 0 4 2 (a+b: a pair; in brackets, who helps):
//
//     3 waits   1+3   1 waits   0+1 (3)   0 waits   4+0 (3 1)   4 waits   2+4 (3 1 0)
//
// Cost: merges become shorter, the last one by n; each costs a lock, a wake-up of the whole workforce and a
// decrement by each of its threads, one after another: the overhead grows with n^2.
//
// Restrictions: commutative operations, up to 65535 threads. Order of operands: that of arrival.
//
// Blocks and words: a block for each thread, or none where merges are in place; one word for partners, since
// nobody leaves before the result is complete; for the workforce a lock that is a binary semaphore, as who
// releases it need not have acquired it, three words and a job, on lines of their own near thread 0; three
// words for each thread, near it.
//
// The lock stays held from an alert until the last worker has woken up, who releases it: the next alert would
// overwrite the job. A worker copies the job before it says that it has woken up. The dismissal waits until
// everybody has joined the workforce: who had not would never be woken.
//
// Source: P. Falkman: Efficient reduction over threads (2011), dynamic group reduction: a lock that the last
// worker to wake up releases. That it is a binary semaphore follows from it; that a worker copies the job
// first and that the dismissal waits for all is ours, where the source says nothing.
#pragma once

#include "algorithms/in_memory/lock/ttas.hpp"
#include "algorithms/in_memory/reduce/merge.hpp"
#include "algorithms/in_memory/reduce/neighbour.hpp"
#include "algorithms/memory/mailbox.hpp"

namespace algorithms::in_memory {

/// The rules that make the algorithm right. Other values are for the explorer, which must find the fault that
/// they cause.
struct GroupRules {
  bool locked_until_woken = true; ///< from an alert until the last worker has woken up
  bool job_before_waking = true;  ///< a worker copies the job before it says that it has woken up
  bool dismissal_of_all = true;   ///< waits until everybody has joined the workforce
  bool job_for_nobody =
      false; ///< it is written also where nobody is there to do it: right, if the others are so
};

template <memory::Memory M, GroupRules rules = GroupRules{}>
class DynamicGroup {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;
  using Word = typename M::Word;

  /// `bytes` is the longest block.
  DynamicGroup(M& memory, Operation<M> operation, std::size_t bytes, const ReduceOptions& options)
      : operation_(std::move(operation)),
        neighbours_(memory, 1, options.log),
        lock_(memory),
        workforce_(memory.words(3, memory::line, 0)),
        job_(memory, 0),
        accumulators_(memory::mailboxes<M, Block>(memory)),
        own_(accumulators_.size()),
        accumulation_(memory, bytes, options) {
    for (int thread = 0; thread < memory.threads(); ++thread) {
      const auto begin = memory.words(2, sizeof(std::uint64_t), thread);
      begin_.push_back(begin[0]);
      pairs_.emplace_back(memory, begin[1]);
      remaining_.push_back(memory.words(1, memory::line, thread)[0]);
    }
  }

  void operator()(Thread& thread, Block input, Block result) {
    const int all = thread.threads();
    const auto self = static_cast<std::size_t>(thread.thread());
    const std::uint64_t episode = ++own_[self].value;
    if (all == 1) return thread.copy(result, input);
    Block mine = input;
    for (int operands = 1; operands < all;) {
      accumulators_[self].put(thread, mine);
      const dynamic_pair::Word found = neighbours_.find(thread, operands, episode);
      if (found == dynamic_pair::empty) return follow(thread, episode);
      const int follower = dynamic_pair::rank_of(found);
      operands += dynamic_pair::operands_of(found);
      const Block target = operands == all ? result : accumulation_.target(thread, mine);
      lead(thread, follower,
           {thread.thread(), 0, mine, accumulators_[static_cast<std::size_t>(follower)].get(thread), target},
           episode);
      mine = target;
    }
    dismiss(thread);
  }

 private:
  enum Which : std::size_t { available, to_wake, generation };
  static constexpr int nobody = -1;
  /// A pair's request to others: share k of `shares` of the merge of two blocks. Without a leader: leave.
  struct Job {
    int leader = nobody, shares = 0;
    Block leaders, followers, target;
    [[nodiscard]] friend bool operator==(const Job&, const Job&) = default;
  };

  void lead(Thread& thread, int follower, Job job, std::uint64_t episode) {
    const Word remaining = remaining_[static_cast<std::size_t>(job.leader)];
    lock_.acquire(thread);
    const std::uint64_t workers = thread.load(workforce_[available], std::memory_order_relaxed);
    thread.store(workforce_[available], 0, std::memory_order_relaxed);
    job.shares = 2 + static_cast<int>(workers);
    thread.store(remaining, workers + 1, std::memory_order_relaxed);
    alert(thread, job, workers);
    pairs_[static_cast<std::size_t>(follower)].put(thread, job);
    thread.store(begin_[static_cast<std::size_t>(follower)], episode, std::memory_order_release);
    combine(thread, job, 0);
    thread.wait(
        remaining, [](std::uint64_t value) { return value == 0; }, std::memory_order_acquire);
  }
  void follow(Thread& thread, std::uint64_t episode) {
    const auto self = static_cast<std::size_t>(thread.thread());
    thread.wait(
        begin_[self], [episode](std::uint64_t value) { return memory::reached(value, episode); },
        std::memory_order_acquire);
    Job job = pairs_[self].get(thread);
    int share = 1;
    while (job.leader != nobody) {
      combine(thread, job, share);
      thread.fetch_add(remaining_[static_cast<std::size_t>(job.leader)], minus_one,
                       std::memory_order_acq_rel);
      share = 2 + await_job(thread, job);
    }
  }
  void dismiss(Thread& thread) {
    auto others = static_cast<std::uint64_t>(thread.threads() - 1);
    if (rules.dismissal_of_all)
      thread.wait(
          workforce_[available], [others](std::uint64_t value) { return value == others; },
          std::memory_order_acquire);
    lock_.acquire(thread);
    if (!rules.dismissal_of_all) others = thread.load(workforce_[available], std::memory_order_relaxed);
    thread.store(workforce_[available], 0, std::memory_order_relaxed);
    alert(thread, Job{}, others);
  }

  /// Under the lock, which the last worker to wake up releases.
  void alert(Thread& thread, const Job& job, std::uint64_t workers) {
    if (rules.job_for_nobody || workers > 0) job_.put(thread, job);
    if (workers == 0) return lock_.release(thread);
    thread.store(workforce_[to_wake], workers, std::memory_order_relaxed);
    thread.fetch_add(workforce_[generation], 1, std::memory_order_release);
    if (!rules.locked_until_woken) lock_.release(thread);
  }
  /// Joins the workforce; returns with a job and the number of those who will still wake up for it.
  int await_job(Thread& thread, Job& job) {
    lock_.acquire(thread);
    const std::uint64_t before = thread.load(workforce_[generation], std::memory_order_relaxed);
    thread.store(workforce_[available], thread.load(workforce_[available], std::memory_order_relaxed) + 1,
                 std::memory_order_release);
    lock_.release(thread);
    thread.wait(
        workforce_[generation], [before](std::uint64_t value) { return value != before; },
        std::memory_order_acquire);
    if (rules.job_before_waking) job = job_.get(thread);
    const auto rest = thread.fetch_add(workforce_[to_wake], minus_one, std::memory_order_acq_rel) - 1;
    if (rest == 0 && rules.locked_until_woken) lock_.release(thread);
    if (!rules.job_before_waking) job = job_.get(thread);
    return static_cast<int>(rest);
  }
  void combine(Thread& thread, const Job& job, int share) {
    operation_.combine_share(thread, job.target, job.leaders, job.followers, share, job.shares);
  }

  static constexpr std::uint64_t minus_one = UINT64_MAX;

  Operation<M> operation_;
  Neighbours<M> neighbours_;
  TtasLock<M> lock_;
  std::vector<Word> workforce_;
  memory::Mailbox<M, Job> job_;
  std::vector<memory::Mailbox<M, Job>> pairs_; ///< by follower
  std::vector<memory::Mailbox<M, Block>> accumulators_;
  std::vector<memory::PerThread<std::uint64_t>> own_; ///< episodes
  std::vector<Word> begin_, remaining_;               ///< by follower, by leader
  Accumulation<M> accumulation_;
};

} // namespace algorithms::in_memory
