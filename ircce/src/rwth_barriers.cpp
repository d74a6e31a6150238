// SPDX-License-Identifier: Apache-2.0
// Barriers of RWTH's RCCE. Those by flags use a communicator's two as RCCE_barrier does, so any kind may
// follow any other: every member turns its `gather` to the next value, and `release` turns to it once all
// have.
#include "blocking.hpp"
#include "counters.hpp"
#include "library/protocol/call.hpp"
#include "library/protocol/communication.hpp"
#include "library/protocol/flags.hpp"
#include "rwth.hpp"

namespace rcce::ircce::rwth {
namespace {

constexpr int outside = 0, inside = 1; ///< values of `label`

protocol::Communicator checked(State& state, void* comm) {
  if (comm == nullptr) protocol::misuse(state.library, "the communicator is null");
  const protocol::Communicator communicator(state.library.image, comm);
  if (communicator.initialized() != protocol::comm_magic)
    protocol::misuse(state.library, "the communicator has not been set up; set it up with RCCE_comm_split");
  return communicator;
}

int core_of(State& state, const protocol::Communicator& comm, int rank) {
  if (rank < 0 || rank >= comm.size())
    protocol::misuse(state.library,
                     "the tree has other ranks than the communicator; set it up with RCCE_tree_init");
  return state.library.core_of(comm.member(rank));
}

} // namespace

int counter_barrier(State& state, void* comm) {
  protocol::Library& library = state.library;
  if (state.barrier_counters[0] < 0 && comm == library.world().address()) {
    // The last two: iRCCE hands out counters from the first one on.
    state.counters_taken = 2 * library.size() - 2;
    for (int& counter : state.barrier_counters)
      if (!counter_alloc(state, counter)) protocol::misuse(library, "there is no atomic counter left");
    return protocol::barrier(library, library.world()); // nobody counts before all have set them to 0
  }
  return barrier(state, comm);
}

int tree_barrier(State& state, void* address, int parent, int children, const int* child) {
  protocol::Library& library = state.library;
  const protocol::Communicator comm = checked(state, address);
  library.ue.activity.group = address;
  library.charge(library.costs.barrier);
  const protocol::FlagWord gather = protocol::word_of(library, comm.gather());
  const protocol::FlagWord release = protocol::word_of(library, comm.release());
  const int value = 1 - protocol::read_flag(library, gather, library.core_id);
  for (int i = 0; i < children; ++i) {
    const int core = core_of(state, comm, child[i]);
    const protocol::WaitsFor waiting(library, "gather", comm.member(child[i]));
    protocol::wait_flag(library, gather, value, core);
  }
  protocol::toggle_own(library, gather);
  if (parent >= 0) {
    (void)core_of(state, comm, parent);
    const protocol::WaitsFor waiting(library, "release", comm.member(parent));
    protocol::wait_flag(library, release, value, library.core_id);
  }
  for (int i = 0; i < children; ++i)
    protocol::set_flag(library, release, value, core_of(state, comm, child[i]));
  library.ue.activity.group = nullptr;
  return success;
}

int step_barrier(State& state, void* address, int& step, int& label) {
  protocol::Library& library = state.library;
  const protocol::Communicator comm = checked(state, address);
  const protocol::FlagWord gather = protocol::word_of(library, comm.gather());
  const protocol::FlagWord release = protocol::word_of(library, comm.release());
  const int own = library.core_id;
  library.ue.activity.group = address;
  if (label == outside) {
    library.charge(library.costs.barrier);
    protocol::toggle_own(library, gather);
    step = 1;
    label = inside;
  }
  const int value = protocol::read_flag(library, gather, own);
  if (comm.member(0) == library.rank()) {
    for (; step < comm.size(); ++step)
      if (protocol::read_flag(library, gather, library.core_of(comm.member(step))) != value)
        return state.codes.pending;
    for (int i = 1; i < comm.size(); ++i)
      protocol::set_flag(library, release, value, library.core_of(comm.member(i)));
  } else if (protocol::read_flag(library, release, own) != value) {
    return state.codes.pending;
  }
  label = outside;
  return success;
}

} // namespace rcce::ircce::rwth
