// SPDX-License-Identifier: Apache-2.0
// The check of an algorithm in shared memory, the same on a simulated machine and on this host's threads.
//
// Every call has buffers of its own. What a call leaves in them is kept when it returns, and looked at once
// all threads are done, together with what the buffers hold then: a result that comes late and a write into
// buffers that are somebody's own again are both found.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/in_memory/barrier/barriers.hpp"
#include "algorithms/in_memory/bcast/broadcasts.hpp"
#include "algorithms/in_memory/exchange/exchanges.hpp"
#include "algorithms/in_memory/join/fork.hpp"
#include "algorithms/in_memory/reduce/reductions.hpp"
#include "lab/check.hpp"
#include "lab/wanted.hpp"

namespace lab {

/// Options of the row that is checked, in the member that belongs to its operation.
struct InMemoryOptions {
  algorithms::in_memory::BarrierOptions barrier = {};
  algorithms::in_memory::ReduceOptions reduce = {};
  algorithms::in_memory::BroadcastOptions bcast = {};
  algorithms::in_memory::ExchangeOptions exchange = {};
};

template <class T, algorithms::memory::Memory M>
class InMemoryCheck {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  /// `wait` lets a thread come late. All that is handed over outlives this;
  /// `times` has a member for each call of the plan and thread.
  InMemoryCheck(M& memory, const Point& point, const CheckPlan& plan, const InMemoryOptions& options,
                std::span<lab_check_time> times, std::function<void(Thread&)> wait)
      : plan_(plan),
        times_(times),
        wait_(std::move(wait)),
        function_(point.op),
        operation_(operation_named(point.row().operation)),
        threads_(memory.threads()),
        multiplies_(point.operation().combines && point.op == "prod"),
        unites_(point.op == unites),
        destroys_operand_(point.algorithm.starts_with("reduce/") && options.reduce.in_place) {
    make_call(memory, point.algorithm, options);
    for (std::size_t call = 0; operation_ && point.operation().has_message && call < plan.calls.size();
         ++call)
      for (int thread = 0; thread < threads_; ++thread) {
        const algorithms::Shares shares = shares_of(call);
        const int root = plan.calls[call].root;
        const bool in_place = shares.what().in_place != 0;
        Buffers& buffers = buffers_.emplace_back();
        buffers.target = guarded(memory, in_place ? bytes_of(call) : shares.target(thread, root), thread);
        // Before anybody calls: all threads of a reduction are handed the one result.
        std::fill_n(buffers.target.outer.data, buffers.target.outer.bytes, poison);
        if (!in_place) buffers.source = guarded(memory, shares.source(thread, root), thread);
      }
  }
  InMemoryCheck(const InMemoryCheck&) = delete;
  InMemoryCheck& operator=(const InMemoryCheck&) = delete;

  /// The body of every thread.
  void body(Thread& thread) {
    const int self = thread.thread();
    for (std::size_t call = 0; call < plan_.calls.size(); ++call) {
      lab_check_time& time = times_[place(call, self)];
      Buffers* const mine = buffers_.empty() ? nullptr : &buffers_[place(call, self)];
      if (mine != nullptr) fill(call, self, *mine);
      time.bytes = static_cast<std::int64_t>(bytes_of(call));
      if (plan_.calls[call].late == self) wait_(thread);
      run_(thread, call, time);
      if (mine == nullptr) continue;
      // The buffers are the caller's own again. It uses them at once: nobody may still read them.
      if (complete_for_caller_) use_again(mine->target.inner, mine->seen);
      use_again(mine->source.inner, mine->handed_in);
    }
  }

  /// All threads are done: wrong bytes go to the times.
  void compare_all() {
    for (std::size_t call = 0; !buffers_.empty() && call < plan_.calls.size(); ++call) {
      const auto of_call = [this, call](int thread, std::size_t i) { return value(call, thread, i); };
      Wanted<T, decltype(of_call)> wanted(shares_of(call), of_call, function_, plan_.calls[call].root);
      for (int thread = 0; thread < threads_; ++thread) {
        const std::vector<T>& right = wanted.next();
        Buffers& buffers = buffers_[place(call, thread)];
        lab_check_time& time = times_[place(call, thread)];
        if (time.state != LAB_DONE) continue;
        const auto bytes = std::as_bytes(std::span(right));
        if (complete_for_caller_) count(time, bytes, buffers.seen);
        if (time.wrong == 0 && complete_for_caller_) count_used(time, buffers.target.inner);
        if (time.wrong == 0 && !complete_for_caller_)
          count(time, bytes, std::span(buffers.target.inner.data, buffers.target.inner.bytes));
        if (time.wrong == 0) count_guards(time, buffers.target);
        if (time.wrong > 0 || buffers.source.inner.bytes == 0 || destroys_operand_) continue;
        std::vector<std::byte> handed_in(buffers.source.inner.bytes);
        write_source(call, thread, handed_in);
        count(time, handed_in, buffers.handed_in);
        if (time.wrong == 0) count_used(time, buffers.source.inner);
        count_guards(time, buffers.source);
        time.of_operand = time.wrong;
      }
    }
  }

 private:
  struct Guarded {
    Block outer = {}, inner = {};
  };
  struct Buffers {
    Guarded source = {}, target = {};
    std::vector<std::byte> seen = {}, handed_in = {}; ///< in target and source when the call returned
  };
  static constexpr std::size_t guard = algorithms::memory::line;
  static constexpr std::byte poison{0x5a}, used_again{0xa5};

  [[nodiscard]] std::size_t place(std::size_t call, int thread) const {
    return call * static_cast<std::size_t>(threads_) + static_cast<std::size_t>(thread);
  }
  /// Whole elements.
  [[nodiscard]] std::size_t bytes_of(std::size_t call) const {
    const auto size = static_cast<std::size_t>(plan_.sizes[static_cast<std::size_t>(plan_.calls[call].size)]);
    return (size + sizeof(T) - 1) / sizeof(T) * sizeof(T);
  }
  [[nodiscard]] algorithms::Shares shares_of(std::size_t call) const {
    return {*operation_, bytes_of(call), sizeof(T), threads_};
  }
  [[nodiscard]] T value(std::size_t call, int thread, std::size_t i) const {
    return unites_ ? set_of<T>(thread, i, call, threads_) : operand<T>(multiplies_, thread, i, call);
  }
  [[nodiscard]] static Guarded guarded(M& memory, std::size_t bytes, int thread) {
    const Block outer = memory.block(bytes + 2 * guard, thread);
    return {outer, outer.part(guard, bytes)};
  }

  void write_source(std::size_t call, int thread, std::span<std::byte> to) const {
    const std::size_t first = shares_of(call).first_in_source(thread) / sizeof(T);
    for (std::size_t i = 0; i < to.size() / sizeof(T); ++i) {
      const T one = value(call, thread, first + i);
      std::memcpy(to.data() + i * sizeof(T), &one, sizeof(T));
    }
  }
  void fill(std::size_t call, int self, Buffers& mine) const {
    if (mine.source.outer.bytes > 0) std::fill_n(mine.source.outer.data, mine.source.outer.bytes, poison);
    const bool in_place = shares_of(call).what().in_place != 0;
    if (in_place && self != plan_.calls[call].root) return;
    const Block& from = in_place ? mine.target.inner : mine.source.inner;
    write_source(call, self, std::span(from.data, from.bytes));
  }

  static void count(lab_check_time& time, std::span<const std::byte> right, std::span<const std::byte> got) {
    for (std::size_t i = 0; i < std::min(right.size(), got.size()); ++i)
      if (right[i] != got[i] && time.wrong++ == 0) time.first = static_cast<std::int64_t>(i);
  }
  static void use_again(const Block& block, std::vector<std::byte>& left) {
    left.assign(block.data, block.data + block.bytes);
    std::fill_n(block.data, block.bytes, used_again);
  }
  /// Nobody has written to a block since its owner used it again.
  static void count_used(lab_check_time& time, const Block& block) {
    count(time, std::vector(block.bytes, used_again), std::span(block.data, block.bytes));
  }
  static void count_guards(lab_check_time& time, const Guarded& block) {
    for (std::size_t i = 0; i < guard; ++i)
      for (const std::size_t at : {i, block.outer.bytes - guard + i})
        if (block.outer.data[at] != poison && time.wrong++ == 0)
          time.first = static_cast<std::int64_t>(at) - static_cast<std::int64_t>(guard);
  }

  /// The operation between two looks at the clock.
  template <class Body>
  static void timed(Thread& thread, lab_check_time& time, const Body& body) {
    time.entered = thread.now();
    time.state = LAB_IN_CALL;
    body();
    time.left = thread.now();
    time.state = LAB_DONE;
  }

  void make_call(M& memory, const std::string& name, const InMemoryOptions& options) {
    namespace in_memory = algorithms::in_memory;
    std::size_t most = 0;
    for (std::size_t call = 0; call < plan_.calls.size(); ++call) most = std::max(most, bytes_of(call));
    const auto combine = in_memory::operation<M, T>(function_);
    const auto inner = [this](std::size_t call, int thread) -> std::pair<Block, Block> {
      const Buffers& mine = buffers_[place(call, thread)];
      return {mine.source.inner, mine.target.inner};
    };
    if (const auto* const join = algorithms::find_row(in_memory::joins<M>(), name)) {
      run_ = [fork = std::make_shared<in_memory::Fork<M>>(memory),
              made = join->make(memory, options.barrier)](Thread& thread, std::size_t, lab_check_time& time) {
        if (thread.thread() == 0) {
          timed(thread, time, [&] {
            fork->start(thread);
            made.join(thread);
          });
        } else {
          (void)fork->await(thread);
          timed(thread, time, [&] { made.arrive(thread); });
        }
      };
    } else if (const auto* const barrier = algorithms::find_row(in_memory::barriers<M>(), name)) {
      run_ = [made = barrier->make(memory, options.barrier)](Thread& thread, std::size_t,
                                                             lab_check_time& time) {
        timed(thread, time, [&] { made(thread); });
      };
    } else if (const auto* const reduction = algorithms::find_row(in_memory::reductions<M>(), name)) {
      complete_for_caller_ = reduction->result_for_all;
      run_ = [this, inner, made = reduction->make(memory, combine, most, options.reduce)](
                 Thread& thread, std::size_t call, lab_check_time& time) {
        timed(thread, time, [&] { made(thread, inner(call, thread.thread()).first, inner(call, 0).second); });
      };
    } else if (const auto* const bcast = algorithms::find_row(in_memory::broadcasts<M>(), name)) {
      run_ = [this, inner, made = bcast->make(memory, options.bcast)](Thread& thread, std::size_t call,
                                                                      lab_check_time& time) {
        timed(thread, time,
              [&] { made(thread, inner(call, thread.thread()).second, plan_.calls[call].root); });
      };
    } else {
      const auto& exchange = algorithms::row_of(in_memory::exchanges<M>(), name);
      std::vector<in_memory::Exchange<M>> made; // by size
      for (std::size_t size = 0; size < plan_.sizes.size(); ++size)
        made.push_back(exchange.make(memory, combine, bytes_of(size), options.exchange)); // its first call
      run_ = [this, inner, made = std::move(made)](Thread& thread, std::size_t call, lab_check_time& time) {
        const auto [source, target] = inner(call, thread.thread());
        const lab_check_call& one = plan_.calls[call];
        timed(thread, time,
              [&] { made[static_cast<std::size_t>(one.size)](thread, source, target, one.root); });
      };
    }
  }

  const CheckPlan& plan_;
  std::span<lab_check_time> times_;
  std::function<void(Thread&)> wait_;
  Operator<T> function_;
  std::optional<rockcreek_operation> operation_; ///< none of a join
  int threads_;
  bool multiplies_, unites_, destroys_operand_;
  /// Else a result is there once all threads are done: whoever comes last makes it.
  bool complete_for_caller_ = true;
  std::vector<Buffers> buffers_; ///< by call and thread; none without a message
  std::function<void(Thread&, std::size_t call, lab_check_time&)> run_;
};

} // namespace lab
