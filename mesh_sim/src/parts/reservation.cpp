// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/reservation.hpp"

#include <new>
#include <sys/mman.h>

namespace mesh {

Reservation::Reservation(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  constexpr int protection = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* memory = MAP_FAILED;
#ifdef MAP_32BIT
  memory = mmap(nullptr, bytes, protection, flags | MAP_32BIT, -1, 0);
#endif
  if (memory == MAP_FAILED) memory = mmap(nullptr, bytes, protection, flags, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(memory);
}

Reservation::~Reservation() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

} // namespace mesh
