// SPDX-License-Identifier: Apache-2.0
// RCCE_barrier.
#include <bit>
#include <cstdint>
#include <cstdio>

#include "library/protocol/call.hpp"
#include "library/protocol/communication.hpp"
#include "library/protocol/diagnostics.hpp"
#include "library/protocol/flags.hpp"

namespace rcce::protocol {

int barrier(Library& library, Communicator comm) {
  const int print = *library.image.debug_synch;
  if (comm.address() == nullptr) misuse(library, "the communicator is null");
  if (comm.initialized() == 0) {
    error_return(library, print, Error::comm_undefined);
    misuse(library, "the communicator has not been set up; set it up with RCCE_comm_split");
  }
  const int me = library.rank();
  if (print != 0) std::printf("UE %d has checked into barrier\n", me);
  const FlagWord gather = word_of(library, comm.gather()), release = word_of(library, comm.release());
  if (library.free_barriers) {
    const auto first = static_cast<std::uint64_t>(library.core_of(comm.member(0)));
    const auto bit = static_cast<std::uint64_t>(std::countr_zero(gather.mask)); // flags may share a word
    library.core.meet(first << 32 | gather.offset << 8 | bit, comm.size());
    return 0;
  }
  library.charge(library.costs.barrier);
  const int value = toggle_own(library, gather);
  library.ue.activity.group = comm.address();
  if (comm.member(0) == me) {
    for (int i = 1; i < comm.size(); ++i) {
      const WaitsFor waiting(library, "gather", comm.member(i));
      wait_flag(library, gather, value, library.core_of(comm.member(i)));
    }
    for (int i = 1; i < comm.size(); ++i) set_flag(library, release, value, library.core_of(comm.member(i)));
  } else {
    const WaitsFor waiting(library, "release", comm.member(0));
    wait_flag(library, release, value, library.core_id);
  }
  library.ue.activity.group = nullptr;
  if (print != 0) std::printf("UE %d has cleared barrier\n", me);
  return 0;
}

} // namespace rcce::protocol
