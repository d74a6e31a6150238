// SPDX-License-Identifier: Apache-2.0
// Barriers of RWTH's RCCE. Those by flags use a communicator's two as RCCE_barrier does, so any kind may
// follow any other: every member turns its `gather` to the next value, and `release` turns to it once all
// have.
#include "api/call.hpp"
#include "api/communication.hpp"
#include "api/flags.hpp"
#include "blocking.hpp"
#include "counters.hpp"
#include "rwth.hpp"

namespace rcce::ircce::rwth {
namespace {

constexpr int outside = 0, inside = 1; ///< what `label` says

api::Communicator checked(State& state, void* comm) {
  if (comm == nullptr) api::misuse(state.library, "the communicator is null");
  const api::Communicator communicator(state.library.image, comm);
  if (communicator.initialized() != api::comm_magic)
    api::misuse(state.library, "the communicator has not been set up; set it up with RCCE_comm_split");
  return communicator;
}

int core_of(State& state, const api::Communicator& comm, int rank) {
  if (rank < 0 || rank >= comm.size())
    api::misuse(state.library,
                "the tree has other ranks than the communicator; set it up with RCCE_tree_init");
  return state.library.core_of(comm.member(rank));
}

} // namespace

int counter_barrier(State& state, void* comm) {
  api::Library& library = state.library;
  if (state.barrier_counters[0] < 0 && comm == library.world().address()) {
    // The last two: iRCCE hands out counters from the first one on.
    state.counters_taken = 2 * library.size() - 2;
    for (int& counter : state.barrier_counters)
      if (!counter_alloc(state, counter)) api::misuse(library, "there is no atomic counter left");
    return api::barrier(library, library.world()); // nobody counts before all have set them to 0
  }
  return barrier(state, comm);
}

int tree_barrier(State& state, void* address, int parent, int children, const int* child) {
  api::Library& library = state.library;
  const api::Communicator comm = checked(state, address);
  library.ue.activity.group = address;
  library.charge(library.costs.barrier);
  const api::FlagWord gather = api::word_of(library, comm.gather());
  const api::FlagWord release = api::word_of(library, comm.release());
  const int value = 1 - api::read_flag(library, gather, library.core_id);
  for (int i = 0; i < children; ++i) {
    const int core = core_of(state, comm, child[i]);
    const api::WaitsFor waiting(library, "gather", comm.member(child[i]));
    api::wait_flag(library, gather, value, core);
  }
  api::toggle_own(library, gather);
  if (parent >= 0) {
    (void)core_of(state, comm, parent);
    const api::WaitsFor waiting(library, "release", comm.member(parent));
    api::wait_flag(library, release, value, library.core_id);
  }
  for (int i = 0; i < children; ++i) api::set_flag(library, release, value, core_of(state, comm, child[i]));
  library.ue.activity.group = nullptr;
  return success;
}

int step_barrier(State& state, void* address, int& step, int& label) {
  api::Library& library = state.library;
  const api::Communicator comm = checked(state, address);
  const api::FlagWord gather = api::word_of(library, comm.gather());
  const api::FlagWord release = api::word_of(library, comm.release());
  const int own = library.core_id;
  library.ue.activity.group = address;
  if (label == outside) {
    library.charge(library.costs.barrier);
    api::toggle_own(library, gather);
    step = 1;
    label = inside;
  }
  const int value = api::read_flag(library, gather, own);
  if (comm.member(0) == library.rank()) {
    for (; step < comm.size(); ++step)
      if (api::read_flag(library, gather, library.core_of(comm.member(step))) != value)
        return state.codes.pending;
    for (int i = 1; i < comm.size(); ++i)
      api::set_flag(library, release, value, library.core_of(comm.member(i)));
  } else if (api::read_flag(library, release, own) != value) {
    return state.codes.pending;
  }
  label = outside;
  return success;
}

} // namespace rcce::ircce::rwth
