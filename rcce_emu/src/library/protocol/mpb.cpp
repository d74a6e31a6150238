// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/mpb.hpp"

#include <atomic>
#include <cstdint>

#include "library/protocol/call.hpp"
#include "library/protocol/facts.hpp"

namespace rcce::protocol {
namespace {
using mesh::line_bytes;
} // namespace

std::optional<MpbPlace> mpb_place(const Library& library, const void* address) {
  const Engine& engine = library.engine;
  // The MPBs lie one behind the other.
  const auto first = reinterpret_cast<std::uintptr_t>(library.engine.mpb(0));
  const auto offset = reinterpret_cast<std::uintptr_t>(address) - first;
  const std::size_t bytes = engine.mpb_bytes(), core = offset / bytes;
  if (core >= static_cast<std::size_t>(engine.cores())) return {};
  return MpbPlace{static_cast<int>(core), offset % bytes};
}

void copy_to_mpb(Library& library, int core, std::size_t offset, const void* source, std::size_t bytes) {
  charge_copy(library, library.costs.put);
  if (bytes == 0) return;
  mesh::MessageBuffers& buffers = library.core.buffers();
  buffers.put(core, offset, source, bytes, library.copy);
}

void copy_from_mpb(Library& library, void* target, int core, std::size_t offset, std::size_t bytes) {
  charge_copy(library, library.costs.get);
  if (bytes == 0) return;
  mesh::MessageBuffers& buffers = library.core.buffers();
  buffers.get(target, core, offset, bytes, library.copy);
}

void line_to_mpb(Library& library, int core, std::size_t offset, const Line& line) {
  charge_copy(library, library.costs.put);
  library.core.store(core, offset, line.data(), line_bytes);
}

void line_from_mpb(Library& library, Line& line, int core, std::size_t offset) {
  charge_copy(library, library.costs.get);
  library.core.load(core, offset, line.data(), line_bytes);
}

void refuse_address(const Library& library, const volatile void* address) {
  if (address == nullptr)
    misuse(library,
           "a null address where one in the caller's own MPB is needed; a flag of iRCCE_flag_alloc or "
           "iRCCE_flag_alloc_tagged has a flag_addr, and no line_address; one that was never allocated has "
           "neither");
  misuse(library,
         "an address is not in the caller's own MPB; name a place in another rank's MPB by the address of "
         "that place in the caller's own MPB, and by the rank");
}

bool in_own_mpb(Library& library, const volatile void* address, std::size_t bytes) {
  const auto start = reinterpret_cast<std::uintptr_t>(library.own_mpb) + library.mpb_start;
  const auto offset = reinterpret_cast<std::uintptr_t>(address) - start;
  const auto size = static_cast<std::size_t>(library.mpb_bytes());
  return offset <= size && bytes <= size - offset;
}

MpbPointer own_address(Library& library, std::size_t offset) {
  return reinterpret_cast<MpbPointer>(library.own_mpb + offset);
}

void write_dummy_line(Library& library) {
  // Its cost is part of the flag write's. Nothing waits for it and everybody writes the same value, so it
  // need not go through the machine, and need not be written twice: flags that others write share its line of
  // the host.
  const std::atomic_ref word(*reinterpret_cast<int*>(library.own_mpb));
  if (word.load(std::memory_order_relaxed) != 1) word.store(1, std::memory_order_relaxed);
}

void tell_payload(Library& library, MpbPointer taken, std::size_t bytes) {
  if (library.substitutes) library.substitutes->follow(library);
  if (library.ue.facts == nullptr) return;
  using Kind = MemoryFact::Kind;
  tell_fact(library.ue,
            MemoryFact{Kind::payload, own_offset(library, *library.image.buff_ptr, 0), *library.image.chunk});
  if (taken != nullptr)
    tell_fact(library.ue, MemoryFact{Kind::line_allocated, own_offset(library, taken, bytes), bytes});
}

MpbPointer allocate(Library& library, std::size_t bytes) {
  if (bytes == 0 || bytes % line_bytes != 0) return nullptr;
  if (library.gory()) {
    const std::optional<std::size_t> offset = library.mpb_blocks.allocate(bytes);
    if (!offset) return nullptr;
    const std::size_t place = library.mpb_region + *offset;
    tell_fact(library.ue, MemoryFact{MemoryFact::Kind::allocated, place, bytes});
    return own_address(library, place);
  }
  const ImageVariables& image = library.image;
  if (bytes != line_bytes || *image.chunk <= line_bytes) return nullptr;
  const MpbPointer line = *image.flags_start;
  *image.flags_start += line_bytes;
  *image.buff_ptr += line_bytes;
  *image.chunk -= line_bytes;
  tell_payload(library, line, bytes);
  return line;
}

MpbPointer allocate_request(Library& library, std::size_t bytes, std::size_t* granted) {
  std::size_t size = 0;
  MpbPointer block = nullptr;
  const auto attempt = [&](std::size_t lines) -> std::optional<std::size_t> {
    block = allocate(library, lines);
    return block != nullptr ? std::optional<std::size_t>(0) : std::nullopt;
  };
  (void)allocate_request(bytes, line_bytes, size, attempt);
  *granted = size;
  return block;
}

void release(Library& library, MpbPointer block) {
  if (!library.gory() || block == nullptr) return;
  if (!in_own_mpb(library, block, 1))
    return tell_fact(library.ue,
                     MemoryFact{.kind = MemoryFact::Kind::elsewhere_released,
                                .address = const_cast<const unsigned char*>(block)});
  const std::size_t offset = own_offset(library, block, 1);
  library.mpb_blocks.release(offset - library.mpb_region);
  tell_fact(library.ue, MemoryFact{MemoryFact::Kind::released, offset});
}

void manage_region(Library& library, MpbPointer start, std::size_t bytes) {
  const ImageVariables& image = library.image;
  library.mpb_region = own_offset(library, start, bytes);
  library.mpb_blocks.reset(bytes);
  tell_fact(library.ue, MemoryFact{MemoryFact::Kind::managed, library.mpb_region, bytes});
  if (library.gory()) return;
  *image.flags_start = *image.buff_ptr = start;
  *image.chunk = bytes;
  tell_payload(library, nullptr, 0);
}

} // namespace rcce::protocol
