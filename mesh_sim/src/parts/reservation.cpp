// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/reservation.hpp"

#include <atomic>
#include <cstdint>
#include <new>
#include <sys/mman.h>

namespace mesh {
namespace {

constexpr int protection = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

/// At the next of a row of low addresses: the same in every process that reserves the same in the same order,
/// so pointers into memory that processes share mean the same to all. A step or more behind each stays free,
/// where accesses that go too far are noticed. MAP_FAILED where something lies there.
void* reserve_in_turn(std::size_t bytes) noexcept {
  constexpr std::uintptr_t first = 0x1000'0000, border = 0x7fff'0000, step = 0x10'0000;
  static std::atomic<std::uintptr_t> next{first};
  if (bytes > border - first) return MAP_FAILED;
  const std::uintptr_t place = next.fetch_add((bytes + 2 * step - 1) / step * step);
  if (place > border - bytes) {
    next = border;
    return MAP_FAILED;
  }
  void* const wanted = reinterpret_cast<void*>(place);
  void* const memory = mmap(wanted, bytes, protection, flags | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED || memory == wanted) return memory;
  munmap(memory, bytes); // a kernel that does not know the flag
  return MAP_FAILED;
}

} // namespace

Reservation::Reservation(std::size_t bytes, For whom) : bytes_(bytes) {
  if (bytes == 0) return;
  void* memory = MAP_FAILED;
  if (whom == For::programs) memory = reserve_in_turn(bytes);
#ifdef MAP_32BIT
  if (memory == MAP_FAILED && whom == For::programs)
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
