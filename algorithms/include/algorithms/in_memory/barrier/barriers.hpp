// SPDX-License-Identifier: Apache-2.0
// The barriers and joins in shared memory by name: what commands, tests and plots walk.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "algorithms/in_memory/barrier/central_sense.hpp"
#include "algorithms/in_memory/barrier/dissemination.hpp"
#include "algorithms/in_memory/barrier/mcs_tree.hpp"
#include "algorithms/in_memory/join/atomic_add.hpp"
#include "algorithms/in_memory/join/flat.hpp"
#include "algorithms/in_memory/join/fork.hpp"
#include "algorithms/in_memory/join/mutex_add.hpp"
#include "algorithms/in_memory/join/tree.hpp"
#include "algorithms/rows.hpp"

namespace algorithms::in_memory {

struct BarrierOptions {
  int partners = 1;                 ///< the m of dissemination
  Reset reset = Reset::alternating; ///< reset of joins' flags
};

inline constexpr Parameter<BarrierOptions> dissemination_parameters[] = {
    {.name = "partners",
     .help = "threads that each tells in a round",
     .least = 1,
     .most = 64,
     .default_value = 1,
     .tried = "1-8:1",
     .set = [](BarrierOptions& options, std::string_view text) {
       options.partners = numbers_in(text).front();
     }}};

/// A barrier as what each thread calls; it belongs to one memory and one set of threads.
template <memory::Memory M>
using Barrier = std::function<void(typename M::Thread&)>;

template <memory::Memory M>
struct BarrierRow {
  std::string_view name;
  std::string_view cost; ///< in one line; n threads
  Barrier<M> (*make)(M& memory, const BarrierOptions& options);
  std::span<const Parameter<BarrierOptions>> parameters = {};
};

/// A join, of which the start is a Fork.
template <memory::Memory M>
struct Join {
  std::function<void(typename M::Thread&)> arrive; ///< by a worker, its work done
  std::function<void(typename M::Thread&)> join;   ///< by the master: returns when all workers have arrived
};

template <memory::Memory M>
struct JoinRow {
  std::string_view name;
  std::string_view cost; ///< in one line; n threads
  Join<M> (*make)(M& memory, const BarrierOptions& options);
};

template <memory::Memory M, class B, class... Arguments>
[[nodiscard]] Barrier<M> make_barrier(M& memory, Arguments... arguments) {
  return [barrier = std::make_shared<B>(memory, arguments...)](typename M::Thread& thread) {
    (*barrier)(thread);
  };
}

template <memory::Memory M, class J, class... Arguments>
[[nodiscard]] Join<M> make_join(M& memory, Arguments... arguments) {
  const auto join = std::make_shared<J>(memory, arguments...);
  return {[join](typename M::Thread& thread) { join->arrive(thread); },
          [join](typename M::Thread& thread) { join->join(thread); }};
}

/// The barriers.
template <memory::Memory M>
std::span<const BarrierRow<M>> barriers() noexcept {
  static constexpr BarrierRow<M> rows[] = {
      {"barrier/central_sense",
       "n atomic additions of one word and n-1 reads of another, each served one at a time",
       [](M& memory, const BarrierOptions&) { return make_barrier<M, CentralSense<M>>(memory); }},
      {"barrier/dissemination",
       "ceil(log_(m+1) n) rounds of m stores to others and m reads of an own line, all threads at once",
       [](M& memory, const BarrierOptions& options) {
         return make_barrier<M, Dissemination<M>>(memory, options.partners);
       },
       dissemination_parameters},
      {"barrier/mcs_tree",
       "ceil(log4 n) levels of up to four stores to one line, then ceil(log2 n) of two stores each",
       [](M& memory, const BarrierOptions&) { return make_barrier<M, McsTree<M>>(memory); }},
  };
  return rows;
}

/// The joins.
template <memory::Memory M>
std::span<const JoinRow<M>> joins() noexcept {
  static constexpr JoinRow<M> rows[] = {
      {"join/flat",
       "n-1 stores and n-1 reads by one thread, whose misses overlap; flags share lines, which go from "
       "writer "
       "to writer",
       [](M& memory, const BarrierOptions& options) {
         return make_join<M, Flat<M>>(memory, Padding::none, options.reset);
       }},
      {"join/flat_padded", "n-1 stores and n-1 reads by one thread, whose misses overlap",
       [](M& memory, const BarrierOptions& options) {
         return make_join<M, Flat<M>>(memory, Padding::line, options.reset);
       }},
      {"join/tree", "n-1 stores and as many reads, ceil(log2 n) of each one after another; flags share lines",
       [](M& memory, const BarrierOptions& options) {
         return make_join<M, Tree<M>>(memory, Padding::none, options.reset);
       }},
      {"join/tree_padded",
       "n-1 stores and as many reads, ceil(log2 n) of each one after another on the longest path",
       [](M& memory, const BarrierOptions& options) {
         return make_join<M, Tree<M>>(memory, Padding::line, options.reset);
       }},
      {"join/atomic_add",
       "n-1 atomic additions of one word, served one at a time, and a read by the master after each",
       [](M& memory, const BarrierOptions& options) {
         return make_join<M, AtomicAdd<M>>(memory, options.reset);
       }},
      {"join/mutex_add",
       "n-1 critical sections one after another; a sleep and a wake-up for most where they meet",
       [](M& memory, const BarrierOptions& options) {
         return make_join<M, MutexAdd<M>>(memory, options.reset);
       }},
  };
  return rows;
}

} // namespace algorithms::in_memory
