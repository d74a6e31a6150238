// SPDX-License-Identifier: Apache-2.0
// Message-passing buffers: memory in them, and copies between them and private memory. Pointers into MPBs are
// addresses in the caller's own MPB; with a rank they mean the same place in that rank's MPB.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "library/protocol/library.hpp"

namespace rcce::protocol {

using Line = std::array<std::byte, mesh::line_bytes>;

[[noreturn, gnu::cold, gnu::noinline]] void refuse_address(const Library& library,
                                                           const volatile void* address);

/// RCCE_put and RCCE_get. Checked in the low-level interface only; elsewhere what the original would access
/// wildly ends the UE.
int put(Library& library, MpbPointer target, MpbPointer source, int bytes, int id);
int get(Library& library, MpbPointer target, MpbPointer source, int bytes, int id);
int put_char(Library& library, MpbPointer target, MpbPointer source, int id);
int get_char(Library& library, MpbPointer target, MpbPointer source, int id);

/// Charges one call to copy; `cycles` are its cost as put or get.
inline void charge_copy(Library& library, Cycles cycles) {
  library.charge(cycles + (library.copy == Copy::plain ? library.costs.plain_call : 0));
}

/// The copies themselves, by offset in the MPB of a physical core.
void copy_to_mpb(Library& library, int core, std::size_t offset, const void* source, std::size_t bytes);
void copy_from_mpb(Library& library, void* target, int core, std::size_t offset, std::size_t bytes);

/// Put and get of a line of the library's own. It is always in the first-level cache, wherever the compiler
/// has put it on this host, so its private side is part of the software cost and takes no place in the
/// simulated memory.
void line_to_mpb(Library& library, int core, std::size_t offset, const Line& line);
void line_from_mpb(Library& library, Line& line, int core, std::size_t offset);

/// Offset of an address in the own MPB. One outside it ends the UE.
[[nodiscard]] inline std::size_t own_offset(Library& library, const volatile void* address,
                                            std::size_t bytes) {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(library.own_mpb);
  if (offset > library.own_mpb_bytes || bytes > library.own_mpb_bytes - offset)
    refuse_address(library, address);
  return offset;
}
[[nodiscard]] bool in_own_mpb(Library& library, const volatile void* address, std::size_t bytes);
[[nodiscard]] MpbPointer own_address(Library& library, std::size_t offset);

/// A place in any core's MPB.
struct MpbPlace {
  int core;
  std::size_t offset;
};
/// The place of an address; nothing if it lies in no MPB.
[[nodiscard]] std::optional<MpbPlace> mpb_place(const Library& library, const void* address);

/// Leaves the word in the dummy line that 2.0 writes to push its last store out of the write-combine buffer.
void write_dummy_line(Library& library);

/// RCCE_malloc: by the block list in the low-level interface; elsewhere one line at a time at the cost of the
/// message chunk.
MpbPointer allocate(Library& library, std::size_t bytes);
MpbPointer allocate_request(Library& library, std::size_t bytes, std::size_t* granted);
/// Tells the observers who want to hear of it, and an image with substitutes, where the payload area of the
/// simplified interface is now, and what has been taken from it.
void tell_payload(Library& library, MpbPointer taken, std::size_t bytes);
void release(Library& library, MpbPointer block);
/// RCCE_malloc_init: manages that region of the own MPB anew.
void manage_region(Library& library, MpbPointer start, std::size_t bytes);

} // namespace rcce::protocol
