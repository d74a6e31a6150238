// SPDX-License-Identifier: Apache-2.0
#include "algorithms/in_memory/trial.hpp"

#include "mesh_sim/observe/call_traits.hpp"
#include "mesh_sim/observe/observers.hpp"

namespace algorithms::in_memory {

namespace detail {

namespace {

/// Tells observers where a thread's measured repetition begins and ends.
void tell_call(const Trial& trial, mesh::coherent::Core& core,
               void (mesh::Observer::*event)(const mesh::Call&)) {
  if (trial.observers == nullptr) return;
  trial.observers->notify(event, mesh::EventMask::calls,
                          mesh::Call{.core = core.thread(),
                                     .kind = trial.observers->call_kind(trial.algorithm),
                                     .traits = mesh::CallTraits::collective,
                                     .at = core.now()});
}

/// Tells them of the instant from which on all could enter.
void tell_release(const Trial& trial, mesh::coherent::Core& core) {
  if (trial.observers == nullptr) return;
  trial.observers->notify(&mesh::Observer::call_ends, mesh::EventMask::calls,
                          mesh::Call{.core = core.thread(),
                                     .kind = trial.observers->call_kind(Trial::release),
                                     .at = core.now()});
}

} // namespace

void tell_input(const Trial& trial, mesh::coherent::Core& core, mesh::coherent::Block block) {
  if (trial.observers == nullptr) return;
  trial.observers->notify(&mesh::Observer::acted, mesh::EventMask::acts,
                          mesh::Access{.kind = mesh::Access::Kind::put,
                                       .write = true,
                                       .core = core.thread(),
                                       .target = mesh::shared_memory,
                                       .offset = block.address,
                                       .bytes = block.bytes,
                                       .at = core.now() - 1}); // ahead of all that may begin now
}

void pass(const Trial& trial, std::vector<Repetition>& by_repetition, mesh::coherent::Core& core,
          const std::function<void(mesh::coherent::Core&)>& prepare, const TrialCall& call,
          const std::function<void(mesh::coherent::Core&, int repetition)>& look) {
  const auto self = static_cast<std::size_t>(core.thread());
  for (int repetition = -trial.warm_up; repetition < trial.repetitions; ++repetition) {
    prepare(core);
    core.meet();
    const Picoseconds begin = core.now();
    const bool measured = repetition >= 0;
    if (measured) tell_release(trial, core);
    const auto& delays = measured ? trial.delays : trial.warm_up_delays;
    if (!delays.empty())
      core.advance(
          delays[static_cast<std::size_t>(repetition + (measured ? 0 : trial.warm_up)) % delays.size()].at(
              self));
    if (measured) tell_call(trial, core, &mesh::Observer::call_begins);
    const Picoseconds entered = core.now(), complete = call(core);
    core.fence();
    if (measured) {
      tell_call(trial, core, &mesh::Observer::call_ends);
      Repetition& one = by_repetition[static_cast<std::size_t>(repetition)];
      one.entered[self] = entered - begin;
      one.left[self] = core.now() - begin;
      one.complete = std::max(one.complete, complete - begin);
    }
    core.meet();
    look(core, repetition);
  }
}

TrialCall barrier_call(Simulated& memory, const Trial& trial) {
  if (trial.algorithm.starts_with("join/")) {
    const auto fork = std::make_shared<Fork<Simulated>>(memory);
    return
        [fork, join = row_of(joins<Simulated>(), trial.algorithm).make(memory, trial.barrier)](auto& core) {
          if (core.thread() > 0) {
            (void)fork->await(core);
            join.arrive(core);
          } else {
            fork->start(core);
            join.join(core);
          }
          return core.now();
        };
  }
  return [barrier = row_of(barriers<Simulated>(), trial.algorithm).make(memory, trial.barrier)](auto& core) {
    barrier(core);
    return core.now();
  };
}

} // namespace detail

} // namespace algorithms::in_memory
