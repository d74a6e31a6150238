// SPDX-License-Identifier: Apache-2.0
// Off-chip shared memory: one region for all UEs, an allocator of its own in each. UEs that make the same
// requests in the same order share what they get.
#pragma once

#include <cstddef>

#include "library/protocol/library.hpp"

namespace rcce::protocol {

MpbPointer shared_allocate(Library& library, std::size_t bytes);
MpbPointer shared_allocate_request(Library& library, std::size_t bytes, std::size_t* granted);
void shared_release(Library& library, MpbPointer block);
/// RCCE_shrealloc of RWTH's RCCE: null where there is no room, and then the block stays.
MpbPointer shared_reallocate(Library& library, MpbPointer block, std::size_t bytes);
/// RCCE_shmalloc_init: manages that region anew.
void shared_manage(Library& library, MpbPointer start, std::size_t bytes);
/// RCCE_init: manages what the program's header says, as far as the machine has it.
void shared_begin(Library& library);

} // namespace rcce::protocol
