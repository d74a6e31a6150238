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
#include "algorithms/in_memory/rows.hpp"

namespace algorithms::in_memory {

struct BarrierOptions {
  int partners = 1;                 ///< of dissemination: m
  Reset reset = Reset::alternating; ///< of joins
};

/// A barrier as what each thread calls; it belongs to one memory and one set of threads.
template <memory::Memory M>
using Barrier = std::function<void(typename M::Thread&)>;

template <memory::Memory M>
struct BarrierRow {
  std::string_view name;
  Barrier<M> (*make)(M& memory, const BarrierOptions& options);
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
       [](M& memory, const BarrierOptions&) { return make_barrier<M, CentralSense<M>>(memory); }},
      {"barrier/dissemination",
       [](M& memory, const BarrierOptions& options) {
         return make_barrier<M, Dissemination<M>>(memory, options.partners);
       }},
      {"barrier/mcs_tree",
       [](M& memory, const BarrierOptions&) { return make_barrier<M, McsTree<M>>(memory); }},
  };
  return rows;
}

/// The joins.
template <memory::Memory M>
std::span<const JoinRow<M>> joins() noexcept {
  static constexpr JoinRow<M> rows[] = {
      {"join/flat",
       [](M& memory, const BarrierOptions& options) {
         return make_join<M, Flat<M>>(memory, Padding::none, options.reset);
       }},
      {"join/flat_padded",
       [](M& memory, const BarrierOptions& options) {
         return make_join<M, Flat<M>>(memory, Padding::line, options.reset);
       }},
      {"join/tree",
       [](M& memory, const BarrierOptions& options) {
         return make_join<M, Tree<M>>(memory, Padding::none, options.reset);
       }},
      {"join/tree_padded",
       [](M& memory, const BarrierOptions& options) {
         return make_join<M, Tree<M>>(memory, Padding::line, options.reset);
       }},
      {"join/atomic_add",
       [](M& memory, const BarrierOptions& options) {
         return make_join<M, AtomicAdd<M>>(memory, options.reset);
       }},
      {"join/mutex_add",
       [](M& memory, const BarrierOptions& options) {
         return make_join<M, MutexAdd<M>>(memory, options.reset);
       }},
  };
  return rows;
}

} // namespace algorithms::in_memory
