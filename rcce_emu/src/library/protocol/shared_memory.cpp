// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/shared_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "library/protocol/call.hpp"
#include "library/protocol/facts.hpp"
#include "process/heap/heap.hpp"
#include "process/process.hpp"

namespace rcce::protocol {
namespace {

MpbPointer address(Library& library, std::size_t offset) {
  return reinterpret_cast<MpbPointer>(library.shared_region + offset);
}

void tell_allocated(Library& library, std::optional<std::size_t> offset, std::size_t bytes) {
  if (!offset) return;
  const auto region = static_cast<std::size_t>(library.shared_region - library.engine.shared_memory());
  if (region >= library.engine.shared_memory_bytes()) return;
  tell_fact(library.ue, MemoryFact{MemoryFact::Kind::shared_allocated, region + *offset, bytes});
}

void check_one_memory(const Library& library) {
  if (!library.engine.shares_memory())
    misuse(library,
           "the UEs run on several hosts, which have no memory in common; run them on one host, or let them "
           "send "
           "messages");
}

/// Every UE copies the same bytes to the same place, at the same time where UEs are threads: by atomic words
/// where both places are aligned so, for which that is no race.
void copy_at_once(std::byte* to, std::byte* from, std::size_t bytes) {
  using Word = std::uint64_t;
  const auto copy = [&]<class Part>(std::size_t at, Part) {
    const auto part = std::atomic_ref(*reinterpret_cast<Part*>(from + at)).load(std::memory_order_relaxed);
    std::atomic_ref(*reinterpret_cast<Part*>(to + at)).store(part, std::memory_order_relaxed);
  };
  std::size_t at = 0;
  const auto places = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  for (; places % alignof(Word) == 0 && bytes - at >= sizeof(Word); at += sizeof(Word)) copy(at, Word{});
  for (; at < bytes; ++at) copy(at, std::uint8_t{});
}

} // namespace

MpbPointer shared_allocate(Library& library, std::size_t bytes) {
  check_one_memory(library);
  const std::optional<std::size_t> offset = library.shared_blocks.allocate(bytes);
  tell_allocated(library, offset, bytes);
  return offset ? address(library, *offset) : nullptr;
}

MpbPointer shared_allocate_request(Library& library, std::size_t bytes, std::size_t* granted) {
  check_one_memory(library);
  const std::optional<std::size_t> offset =
      allocate_request(bytes, mesh::line_bytes, *granted,
                       [&](std::size_t size) { return library.shared_blocks.allocate(size); });
  tell_allocated(library, offset, *granted);
  return offset ? address(library, *offset) : nullptr;
}

void shared_release(Library& library, MpbPointer block) {
  const auto* place = const_cast<const std::byte*>(reinterpret_cast<volatile std::byte*>(block));
  if (place == nullptr) return;
  const auto from_region = static_cast<std::size_t>(place - library.shared_region);
  const bool known = library.shared_blocks.bytes_at(from_region).has_value();
  if (!known && library.ue.process->heap->in_region(place))
    misuse(library,
           "the pointer leads to the UE's own heap, not to shared memory: free() frees what malloc() gives");
  library.shared_blocks.release(from_region);
  const auto offset = static_cast<std::size_t>(place - library.engine.shared_memory());
  if (offset < library.engine.shared_memory_bytes())
    tell_fact(library.ue, MemoryFact{MemoryFact::Kind::shared_released, offset});
  else if (!known) // RCCE_shmalloc_init may have been given other memory
    tell_fact(library.ue, MemoryFact{.kind = MemoryFact::Kind::elsewhere_released, .address = place});
}

MpbPointer shared_reallocate(Library& library, MpbPointer block, std::size_t bytes) {
  if (block == nullptr) return shared_allocate(library, bytes);
  auto* from = const_cast<std::byte*>(reinterpret_cast<volatile std::byte*>(block));
  const auto before = library.shared_blocks.bytes_at(static_cast<std::size_t>(from - library.shared_region));
  if (!before) misuse(library, "the pointer is none that RCCE_shmalloc has returned");
  if (bytes == 0) {
    shared_release(library, block);
    return nullptr;
  }
  const MpbPointer larger = shared_allocate(library, bytes);
  if (larger == nullptr) return nullptr;
  auto* to = const_cast<std::byte*>(reinterpret_cast<volatile std::byte*>(larger));
  const std::size_t kept = std::min(*before, bytes);
  copy_at_once(to, from, kept);
  tell_fact(library.ue, FlagFact{.kind = FlagFact::Kind::clear_begins}); // all do the same to the same bytes
  library.core.touch(from, kept, false);
  library.core.touch(to, kept, true);
  tell_fact(library.ue, FlagFact{.kind = FlagFact::Kind::clear_ends});
  shared_release(library, block);
  return larger;
}

void shared_manage(Library& library, MpbPointer start, std::size_t bytes) {
  library.shared_region = const_cast<std::byte*>(reinterpret_cast<volatile std::byte*>(start));
  library.shared_blocks.reset(bytes);
  tell_fact(library.ue, MemoryFact{MemoryFact::Kind::shared_managed});
}

void shared_begin(Library& library) {
  library.shared_region = library.engine.shared_memory();
  library.shared_blocks.reset(
      std::min<std::size_t>(library.image.shared_memory_bytes, library.engine.shared_memory_bytes()));
}

} // namespace rcce::protocol
