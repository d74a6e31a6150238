// SPDX-License-Identifier: Apache-2.0
// Finds unwind tables of clones: the unwinder asks _dl_find_object() which object an address lies in, and the
// dynamic linker does not know clones.
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <system_error>

#include "mesh_sim/errors.hpp"
#include "process/image/clone.hpp"

namespace rcce::image {

namespace {

struct Slot {
  std::atomic<std::uint64_t> begin{0}; ///< written last; 0: nothing here
  std::size_t bytes = 0;               ///< bytes of the whole reservation
  std::size_t stride = 0;
  std::uint64_t unwind_header = 0; ///< relative to a clone's base
  void* link_map = nullptr;        ///< link map of the template
  bool taken = false;
};

std::array<Slot, 256> slots;
std::atomic<std::size_t> slots_used{0};
std::mutex slots_mutex;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

} // namespace

CloneArena::CloneArena(std::size_t clones, std::size_t bytes, std::uint64_t unwind_header, void* link_map) {
  constexpr std::size_t page_bytes = 4096;
  stride_ = round_up(bytes, page_bytes);
  bytes_ = clones * stride_;
  void* base = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    throw mesh::UserError("cannot reserve " + std::to_string(bytes_ >> 20) + " MB of address space for " +
                          std::to_string(clones) +
                          " copies of the program: " + std::system_category().message(errno));
  base_ = static_cast<std::byte*>(base);

  const std::lock_guard lock(slots_mutex);
  while (slot_ < slots.size() && slots[slot_].taken) ++slot_;
  if (slot_ == slots.size()) {
    munmap(base_, bytes_);
    throw mesh::UserError("clones: " + std::to_string(slots.size()) + " jobs run in this process already");
  }
  Slot& slot = slots[slot_];
  slot.taken = true;
  slot.bytes = bytes_;
  slot.stride = stride_;
  slot.unwind_header = unwind_header;
  slot.link_map = link_map;
  slot.begin.store(reinterpret_cast<std::uint64_t>(base_), std::memory_order_release);
  if (slots_used.load() <= slot_) slots_used.store(slot_ + 1);
}

CloneArena::~CloneArena() {
  {
    const std::lock_guard lock(slots_mutex);
    slots[slot_].begin.store(0);
    slots[slot_].taken = false;
  }
  munmap(base_, bytes_);
}

} // namespace rcce::image

#ifdef DLFO_STRUCT_HAS_EH_DBASE // the C library has _dl_find_object (glibc 2.35)

extern "C" int _dl_find_object(void* address, dl_find_object* result) noexcept {
  using namespace rcce::image;
  const auto at = reinterpret_cast<std::uint64_t>(address);
  const std::size_t used = slots_used.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < used; ++i) {
    const Slot& slot = slots[i];
    const std::uint64_t begin = slot.begin.load(std::memory_order_acquire);
    if (begin == 0 || at - begin >= slot.bytes) continue;
    const std::uint64_t base = begin + (at - begin) / slot.stride * slot.stride;
    *result = {};
    result->dlfo_map_start = reinterpret_cast<void*>(base);
    result->dlfo_map_end = reinterpret_cast<void*>(base + slot.stride);
    result->dlfo_link_map = static_cast<struct link_map*>(slot.link_map);
    result->dlfo_eh_frame = reinterpret_cast<void*>(base + slot.unwind_header);
    return slot.unwind_header == 0 ? -1 : 0;
  }
  static const auto others =
      reinterpret_cast<int (*)(void*, dl_find_object*)>(dlsym(RTLD_NEXT, "_dl_find_object"));
  return others(address, result);
}

#endif
