// SPDX-License-Identifier: Apache-2.0
// One algorithm in shared memory, run on a simulated machine under given arrivals: when each thread entered
// and left, and what came out. What commands and publications' reproductions measure with.
#pragma once

#include <algorithm>
#include <functional>
#include <span>

#include "algorithms/in_memory/simulated.hpp"

namespace algorithms::in_memory {

using mesh::Picoseconds;
using Simulated = memory::Simulated;

struct Trial {
  std::string algorithm = {}; ///< "reduce/linear", "bcast/flat", "barrier/dissemination", "join/flat",
                              ///< "allgather/ring"
  int threads = 2;
  std::size_t elements = 1;          ///< elements of the vector
  int repetitions = 1;               ///< that are measured
  int warm_up = 1;                   ///< before them, without delays
  std::string placement = "compact"; ///< or "scatter": mesh::coherent::placement
  /// The state of inputs at their owners before each repetition: modified, as the owner has filled them, or
  /// another.
  mesh::coherent::State inputs = mesh::coherent::State::modified;
  /// After the instant from which on all could enter, by repetition and thread, in picoseconds. Fewer
  /// repetitions are taken in turn; empty: all enter at once.
  std::vector<std::vector<Picoseconds>> delays = {};
  /// The like of warm-ups: so that every thread comes to use the blocks that it uses where others are late.
  std::vector<std::vector<Picoseconds>> warm_up_delays = {};
  bool cold_structures =
      false; ///< the algorithm's own words and blocks are in no cache before each repetition
  double cycles_per_element = 0.5; ///< cost of one addition of one element in a reduction
  BarrierOptions barrier = {};
  ReduceOptions reduce = {};
  BroadcastOptions bcast = {};
  ExchangeOptions exchange = {};
  /// Hear of the run, and of each thread's measured repetitions as calls named after the algorithm, behind
  /// the end of a call `release`; the inputs are told of as written by their owners before them. Null:
  /// nobody.
  mesh::Observers* observers = nullptr;
  static constexpr std::string_view release = "release";
};

/// One repetition; picoseconds after the instant from which on all could enter.
struct Repetition {
  std::vector<Picoseconds> entered, left; ///< by thread
  /// When the last element of the result was in its place; of barriers and broadcasts: when the last thread
  /// left.
  Picoseconds complete = 0;

  [[nodiscard]] Picoseconds last_arrival() const { return *std::max_element(entered.begin(), entered.end()); }
  [[nodiscard]] Picoseconds last_leave() const { return *std::max_element(left.begin(), left.end()); }
  /// From the last arrival to the result.
  [[nodiscard]] Picoseconds behind_last() const { return complete - last_arrival(); }
  /// Inside the operation, all threads together.
  [[nodiscard]] Picoseconds summed() const {
    Picoseconds sum = 0;
    for (std::size_t thread = 0; thread < left.size(); ++thread) sum += left[thread] - entered[thread];
    return sum;
  }
};

template <class T>
struct Outcome {
  std::vector<Repetition> by_repetition; ///< by repetition
  /// Results of the last repetition: the sum; of a broadcast every thread's block; of an exchange every
  /// thread's target.
  std::vector<std::vector<T>> results;
  std::uint64_t line_events = 0, digest = 0;
};

namespace detail {

/// A thread's call in one repetition; returns the time at which the result was complete as far as the thread
/// knows.
using TrialCall = std::function<Picoseconds(mesh::coherent::Core&)>;

/// Tells observers of an input as written by its owner.
void tell_input(const Trial& trial, mesh::coherent::Core& core, mesh::coherent::Block block);
/// The meetings, delays and clocks around the calls of one thread. `prepare` and `look`, which comes behind
/// every call, are off the clock.
void pass(const Trial& trial, std::vector<Repetition>& by_repetition, mesh::coherent::Core& core,
          const std::function<void(mesh::coherent::Core&)>& prepare, const TrialCall& call,
          const std::function<void(mesh::coherent::Core&, int repetition)>& look);
/// A barrier, or a join with its start.
[[nodiscard]] TrialCall barrier_call(Simulated& memory, const Trial& trial);

} // namespace detail

/// Hears of what each thread has behind every call, of which warm-ups have numbers below 0. Of a reduction
/// thread 0 has the result.
template <class T>
using Seen = std::function<void(int repetition, int thread, std::span<const T> result)>;

/// Runs the trial. `value(thread, i)` is an input, element i of the vector; the root is thread 0. Throws
/// mesh::UserError where the machine has too few threads, std::invalid_argument for an algorithm that there
/// is not.
template <class T, class Function = std::plus<T>>
[[nodiscard]] Outcome<T> run(const mesh::coherent::Config& config, const Trial& trial,
                             const std::function<T(int thread, std::size_t index)>& value,
                             Function function = {}, const Seen<T>& seen = {}) {
  using mesh::coherent::Block, mesh::coherent::Core;
  mesh::coherent::Machine machine(config, mesh::coherent::placement(config, trial.placement, trial.threads));
  machine.set_observers(trial.observers);
  Simulated memory(machine);
  const auto threads = static_cast<std::size_t>(trial.threads);
  Outcome<T> outcome;
  outcome.by_repetition.assign(static_cast<std::size_t>(trial.repetitions),
                               {std::vector<Picoseconds>(threads), std::vector<Picoseconds>(threads)});
  const bool reduces = trial.algorithm.starts_with("reduce/"), sends = trial.algorithm.starts_with("bcast/");
  const auto* const exchange = find_row(exchanges<Simulated>(), trial.algorithm);
  const std::size_t length = trial.elements * sizeof(T), bytes = reduces || sends ? length : 0;
  const Shares shares(exchange != nullptr ? exchange->operation : ROCKCREEK_BARRIER, length, sizeof(T),
                      trial.threads);
  std::vector<Block> blocks, targets;
  for (int thread = 0; thread < trial.threads; ++thread) {
    const std::size_t first = shares.first_in_source(thread) / sizeof(T);
    blocks.push_back(memory.block(exchange != nullptr ? shares.source(thread, 0) : bytes, thread));
    const auto values = blocks.back().template values<T>();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(thread, first + i);
    if (exchange != nullptr) targets.push_back(memory.block(shares.target(thread, 0), thread));
  }
  const Block result = memory.block(bytes, 0);
  std::vector<std::vector<std::byte>> inputs; // of blocks that the operation destroys
  for (const Block& block : blocks)
    if (reduces && trial.reduce.in_place) inputs.emplace_back(block.data, block.data + bytes);
  const auto structures = memory.words(1, memory::line, 0)[0].address;
  std::vector<Picoseconds> combined(threads);
  detail::TrialCall call;
  if (reduces) {
    auto combine = operation<Simulated, T>(function, trial.cycles_per_element);
    combine.combine = [&combined, inner = combine.combine](Core& core, Block target,
                                                           std::span<const Block> sources) {
      inner(core, target, sources);
      combined[static_cast<std::size_t>(core.thread())] = core.now();
    };
    call = [&,
            reduction =
                row_of(reductions<Simulated>(), trial.algorithm).make(memory, combine, bytes, trial.reduce)](
               Core& core) {
      const auto self = static_cast<std::size_t>(core.thread());
      reduction(core, blocks[self], result);
      return threads == 1 || bytes == 0 ? core.now() : combined[self];
    };
  } else if (sends) {
    call = [&, broadcast = row_of(broadcasts<Simulated>(), trial.algorithm).make(memory, trial.bcast)](
               Core& core) {
      broadcast(core, blocks[static_cast<std::size_t>(core.thread())], 0);
      return core.now();
    };
  } else if (exchange != nullptr) {
    call = [&,
            run = exchange->make(memory, operation<Simulated, T>(function, trial.cycles_per_element), length,
                                 trial.exchange)](Core& core) {
      const auto self = static_cast<std::size_t>(core.thread());
      run(core, blocks[self], targets[self], 0);
      return core.now();
    };
  } else {
    call = detail::barrier_call(memory, trial);
  }
  const auto structures_end = memory.words(1, memory::line, 0)[0].address;
  const auto prepare = [&](Core& core) {
    const auto self = static_cast<std::size_t>(core.thread());
    if (trial.cold_structures && self == 0)
      machine.set_state(structures, structures_end - structures, mesh::coherent::State::invalid);
    if (exchange != nullptr) {
      // A target has been used by its owner before, as a source has.
      std::fill_n(targets[self].data, targets[self].bytes, std::byte{0x5a});
      const auto own = [&](const Block& block, mesh::coherent::State state) {
        if (block.bytes > 0) machine.set_state(block.address, block.bytes, state, core.thread());
      };
      own(blocks[self], trial.inputs);
      own(targets[self], mesh::coherent::State::modified);
      if (blocks[self].bytes > 0) detail::tell_input(trial, core, blocks[self]);
    }
    if (bytes == 0) return;
    if (!inputs.empty()) std::ranges::copy(inputs[self], blocks[self].data);
    machine.set_state(blocks[self].address, bytes, trial.inputs, core.thread());
    if (reduces || self == 0) detail::tell_input(trial, core, blocks[self]);
    if (sends && self > 0) std::fill_n(blocks[self].data, bytes, std::byte{0x5a});
    if (reduces && self == 0) std::fill_n(result.data, bytes, std::byte{0x5a});
  };
  const auto look = [&](Core& core, int repetition) {
    const auto self = static_cast<std::size_t>(core.thread());
    const bool has_result = exchange != nullptr || sends || (reduces && self == 0);
    if (!seen || !has_result) return;
    const Block& block = exchange != nullptr ? targets[self] : sends ? blocks[self] : result;
    seen(repetition, core.thread(), block.template values<T>());
  };
  memory.run([&](Core& core) { detail::pass(trial, outcome.by_repetition, core, prepare, call, look); });
  const auto kept = [&](const Block& block) {
    const auto values = block.template values<T>();
    outcome.results.emplace_back(values.begin(), values.end());
  };
  if (reduces) kept(result);
  if (sends) std::for_each(blocks.begin(), blocks.end(), kept);
  std::for_each(targets.begin(), targets.end(), kept);
  outcome.line_events = machine.line_events();
  outcome.digest = machine.digest();
  return outcome;
}

} // namespace algorithms::in_memory
