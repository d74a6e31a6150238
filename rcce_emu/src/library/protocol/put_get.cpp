// SPDX-License-Identifier: Apache-2.0
// Puts and gets between private memory and message-passing buffers: RCCE_put, RCCE_get.
#include <cstdint>
#include <string>

#include "library/protocol/call.hpp"
#include "library/protocol/diagnostics.hpp"
#include "library/protocol/mpb.hpp"

namespace rcce::protocol {
namespace {

using mesh::line_bytes;

bool on_line(const volatile void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % line_bytes == 0;
}

/// Checks of put (whose side in the MPB is the target) and get (the source) in the order of the original.
Error check_copy(Library& library, MpbPointer target, MpbPointer source, int bytes, int id, bool putting) {
  if (target == nullptr) return Error::target;
  if (source == nullptr) return Error::source;
  if (!library.valid_rank(id)) return Error::id;
  if (bytes < 0 || bytes % static_cast<int>(line_bytes) != 0) return Error::message_length;
  const MpbPointer mpb_side = putting ? target : source;
  if (!in_own_mpb(library, mpb_side, static_cast<std::size_t>(bytes)))
    return putting ? Error::target : Error::source;
  if (!on_line(mpb_side)) return Error::alignment;
  const MpbPointer other = putting ? source : target;
  if (in_own_mpb(library, other, 0) && !on_line(other)) return Error::alignment;
  return Error::none;
}

Error check_char(Library& library, MpbPointer target, MpbPointer source, int id, bool putting) {
  if (target == nullptr) return Error::target;
  if (source == nullptr) return Error::source;
  if (!library.valid_rank(id)) return Error::id;
  const MpbPointer mpb_side = putting ? target : source;
  if (!in_own_mpb(library, mpb_side, 1)) return putting ? Error::target : Error::source;
  if (in_own_mpb(library, putting ? source : target, 1) && target == source && id == library.rank()) {
    return Error::data_overlap;
  }
  return Error::none;
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_length(const Library& library, int bytes) {
  misuse(library, "negative length " + std::to_string(bytes));
}

std::size_t wild_length(Library& library, int bytes) {
  if (bytes < 0) refuse_length(library, bytes);
  return static_cast<std::size_t>(bytes);
}

} // namespace

int put(Library& library, MpbPointer target, MpbPointer source, int bytes, int id) {
  if (library.gory()) {
    const Error error = check_copy(library, target, source, bytes, id, true);
    if (error != Error::none) return error_return(library, *library.image.debug_comm, error);
  }
  const std::size_t length = wild_length(library, bytes);
  copy_to_mpb(library, library.core_of(id), own_offset(library, target, length),
              const_cast<unsigned char*>(source), length);
  return 0;
}

int get(Library& library, MpbPointer target, MpbPointer source, int bytes, int id) {
  if (library.gory()) {
    const Error error = check_copy(library, target, source, bytes, id, false);
    if (error != Error::none) return error_return(library, *library.image.debug_comm, error);
  }
  const std::size_t length = wild_length(library, bytes);
  copy_from_mpb(library, const_cast<unsigned char*>(target), library.core_of(id),
                own_offset(library, source, length), length);
  return 0;
}

int put_char(Library& library, MpbPointer target, MpbPointer source, int id) {
  if (library.gory()) {
    const Error error = check_char(library, target, source, id, true);
    if (error != Error::none) return error_return(library, *library.image.debug_comm, error);
  }
  const unsigned char value = *source;
  library.charge(library.costs.flag_write);
  library.core.store(library.core_of(id), own_offset(library, target, 1), &value, 1);
  write_dummy_line(library);
  return 0;
}

int get_char(Library& library, MpbPointer target, MpbPointer source, int id) {
  if (library.gory()) {
    const Error error = check_char(library, target, source, id, false);
    if (error != Error::none) return error_return(library, *library.image.debug_comm, error);
  }
  unsigned char value = 0;
  library.charge(library.costs.flag_read);
  library.core.load(library.core_of(id), own_offset(library, source, 1), &value, 1);
  if (in_own_mpb(library, target, 1)) {
    library.core.store(library.core_id, own_offset(library, target, 1), &value, 1);
  } else {
    *target = value;
  }
  return 0;
}

} // namespace rcce::protocol
