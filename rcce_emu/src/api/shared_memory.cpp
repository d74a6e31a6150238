#include "api/shared_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "api/call.hpp"

namespace rcce::api {
namespace {

MpbPointer address(Library& library, std::size_t offset) {
  return reinterpret_cast<MpbPointer>(library.shared_region + offset);
}

/// Every UE copies the same bytes to the same place, at the same time where UEs are threads: by atomic words,
/// for which that is no race. Blocks begin at lines.
void copy_at_once(std::byte* to, std::byte* from, std::size_t bytes) {
  using Word = std::uint64_t;
  const auto copy = [&]<class Part>(std::size_t at, Part) {
    const auto part = std::atomic_ref(*reinterpret_cast<Part*>(from + at)).load(std::memory_order_relaxed);
    std::atomic_ref(*reinterpret_cast<Part*>(to + at)).store(part, std::memory_order_relaxed);
  };
  std::size_t at = 0;
  for (; bytes - at >= sizeof(Word); at += sizeof(Word)) copy(at, Word{});
  for (; at < bytes; ++at) copy(at, std::uint8_t{});
}

} // namespace

MpbPointer shared_allocate(Library& library, std::size_t bytes) {
  const std::optional<std::size_t> offset = library.shared_blocks.allocate(bytes);
  return offset ? address(library, *offset) : nullptr;
}

MpbPointer shared_allocate_request(Library& library, std::size_t bytes, std::size_t* granted) {
  const std::optional<std::size_t> offset =
      allocate_request(bytes, mesh::line_bytes, *granted,
                       [&](std::size_t size) { return library.shared_blocks.allocate(size); });
  return offset ? address(library, *offset) : nullptr;
}

void shared_release(Library& library, MpbPointer block) {
  const auto* place = const_cast<const std::byte*>(reinterpret_cast<volatile std::byte*>(block));
  if (place != nullptr)
    library.shared_blocks.release(static_cast<std::size_t>(place - library.shared_region));
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
  library.core.touch(from, kept, false);
  library.core.touch(to, kept, true);
  shared_release(library, block);
  return larger;
}

void shared_manage(Library& library, MpbPointer start, std::size_t bytes) {
  library.shared_region = const_cast<std::byte*>(reinterpret_cast<volatile std::byte*>(start));
  library.shared_blocks.reset(bytes);
}

void shared_begin(Library& library) {
  library.shared_region = library.engine.shared_memory();
  library.shared_blocks.reset(
      std::min<std::size_t>(library.image.shared_memory_bytes, library.engine.shared_memory_bytes()));
}

} // namespace rcce::api
