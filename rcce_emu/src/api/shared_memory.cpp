#include "api/shared_memory.hpp"

#include <algorithm>

namespace rcce::api {
namespace {

MpbPointer address(Library& library, std::size_t offset) {
  return reinterpret_cast<MpbPointer>(library.shared_region + offset);
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
