// SPDX-License-Identifier: Apache-2.0
// Communicators.
#include <cstdio>

#include "library/protocol/call.hpp"
#include "library/protocol/communication.hpp"
#include "library/protocol/diagnostics.hpp"
#include "library/protocol/flags.hpp"
#include "process/process.hpp"

namespace rcce::protocol {
namespace {

/// A copy of one of the library's own communicators, split again. The original lets it keep the flags of the
/// communicator it was copied from, whose barriers then break; it gets flags of its own here.
bool copy_of_own(Library& library, Communicator comm) {
  const ImageVariables& image = library.image;
  for (void* own : {image.comm_world, image.v_comm, image.f_comm}) {
    if (own == nullptr || own == comm.address()) continue;
    const Communicator theirs(image, own);
    if (theirs.initialized() != comm_magic) continue;
    const FlagWord a = word_of(library, theirs.gather()), b = word_of(library, comm.gather());
    if (a.offset == b.offset && a.mask == b.mask) return true;
  }
  return false;
}

/// A new communicator's flag, unset, in a line that holds no left-over payload where the simplified interface
/// takes its lines from the payload area. Done before the barrier that opens a split, so that no signal to it
/// can be overwritten.
int new_flag(Library& library, void* flag) {
  const bool fresh_line = next_flag_takes_line(library);
  if (const int error = flag_alloc(library, flag)) return error;
  if (fresh_line && !library.gory()) {
    clear_line_of(library, flag);
  } else {
    clear_own(library, flag);
  }
  return 0;
}

} // namespace

int comm_split(Library& library, int (*color)(int, void*), void* aux, Communicator comm) {
  const int print = *library.image.debug_comm;
  if (comm.address() == nullptr) return error_return(library, print, Error::comm_undefined);

  const bool world = comm.address() == library.image.comm_world;
  const bool known = comm.initialized() == comm_magic && !copy_of_own(library, comm);
  int error = 0;
  if (world) {
    // Before the first split nobody can have signalled to these two, and there is no barrier to clear them
    // behind.
    if (!known) {
      error = flag_alloc(library, comm.gather());
      if (error == 0) error = flag_alloc(library, comm.release());
    }
  } else {
    if (!known) {
      error = new_flag(library, comm.gather());
      if (error == 0) error = new_flag(library, comm.release());
    } else {
      // Members may come from communicators with different numbers of barriers behind them: all begin anew.
      clear_own(library, comm.gather());
      clear_own(library, comm.release());
    }
    barrier(library, library.world());
  }

  if (color == everybody) {
    comm.size() = library.size();
    comm.my_rank() = library.rank();
    process::write_table(library.ue, {&comm.member(0), static_cast<std::size_t>(library.size())},
                         [](std::size_t rank) { return static_cast<int>(rank); });
  } else {
    const int own_color = color(library.rank(), aux);
    int size = 0, my_rank = 0;
    for (int rank = 0; rank < library.size(); ++rank) {
      if (color(rank, aux) != own_color) continue;
      if (rank == library.rank()) my_rank = size;
      comm.member(size++) = rank;
    }
    comm.size() = size;
    comm.my_rank() = my_rank;
  }
  if (error != 0) return error_return(library, print, error);
  comm.initialized() = comm_magic;
  return 0;
}

int comm_free(Library& library, Communicator comm) {
  std::printf("DO NOT USE IN NON-GORY MODE UNTIL MALLOC_FREE HAS BEEN IMPLEMENTED\n");
  if (comm.address() == nullptr) misuse(library, "the communicator is null");
  if (comm.initialized() != comm_magic) {
    return error_return(library, *library.image.debug_comm, Error::comm_initialized);
  }
  flag_free(library, comm.gather());
  flag_free(library, comm.release());
  comm.initialized() = comm_freed_magic;
  return 0;
}

} // namespace rcce::protocol
