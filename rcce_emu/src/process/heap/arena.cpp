// SPDX-License-Identifier: Apache-2.0
// The regions of all heaps of a job, and the way from an address to its heap.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include <cstring>
#include <sys/mman.h>

#include "mesh_sim/errors.hpp"
#include "process/heap/heap.hpp"

namespace rcce::heap {
namespace {

constexpr std::size_t page_bytes = 4096, huge_page_bytes = std::size_t{2} << 20;
/// Above this many UEs a huge page at the start of each heap would cost more memory than it saves time.
constexpr std::size_t most_heaps_with_huge_pages = 64;

/// One living arena. `begin` is written last, read first, and read again: a slot that has changed hands in
/// between is that of another job, whose blocks nobody asks for here.
struct Slot {
  std::atomic<std::byte*> begin{nullptr};
  std::atomic<std::size_t> bytes{0};
  std::atomic<std::size_t> stride{0};
  std::atomic<Heap*> heaps{nullptr};
  bool taken = false;
};

std::array<Slot, 256> slots;
std::atomic<std::size_t> slots_used{0}; ///< one past the highest slot ever taken
std::mutex slots_mutex;

std::size_t whole_pages(std::size_t bytes) noexcept {
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

/// From one heap to the next: a power of two apart they would be in each other's way in the host's tables of
/// addresses.
std::size_t stride_of(std::size_t heap_bytes) noexcept {
  return heap_bytes % (2 * huge_page_bytes) == 0 ? heap_bytes + huge_page_bytes : heap_bytes;
}

/// Room for a power of two of heaps: sweeps change their number.
std::size_t room_for(std::size_t heaps) noexcept {
  constexpr std::size_t least = 64;
  return std::bit_ceil(std::max(heaps, least));
}

/// The regions of a job that has ended, for the next one with as much room.
struct Spare {
  std::byte* base;
  std::size_t reserved;
  std::vector<std::span<std::byte>> touched; ///< the rest is as the host has given it: zero
};
/// Clearing a page takes the host a fifth of the time that it takes to give a new one (0.45 and 2.25 us were
/// measured). More than these bytes are not kept.
constexpr std::size_t most_spare_bytes = std::size_t{256} << 20;
std::vector<Spare> spares;
std::size_t spare_bytes = 0;
std::mutex spares_mutex;

std::size_t bytes_of(const Spare& spare) {
  std::size_t bytes = 0;
  for (const auto& stretch : spare.touched) bytes += stretch.size();
  return bytes;
}

/// All zero; null where there is none.
std::byte* take_spare(std::size_t reserved) {
  Spare spare;
  {
    const std::lock_guard lock(spares_mutex);
    const auto found = std::ranges::find(spares, reserved, &Spare::reserved);
    if (found == spares.end()) return nullptr;
    spare = std::move(*found);
    spares.erase(found);
    spare_bytes -= bytes_of(spare);
  }
  for (const auto& stretch : spare.touched) std::memset(stretch.data(), 0, stretch.size());
  return spare.base;
}

/// Frees the regions where they are too many to be kept.
void keep(Spare spare) {
  // What lies between is given back: nobody has noted whether a program has written there by mistake.
  std::byte* end = spare.base;
  const auto give_back = [&end](std::byte* until) {
    if (end < until) madvise(end, static_cast<std::size_t>(until - end), MADV_DONTNEED);
  };
  for (const auto& stretch : spare.touched) {
    give_back(stretch.data());
    end = stretch.data() + stretch.size();
  }
  give_back(spare.base + spare.reserved);
  const std::size_t bytes = bytes_of(spare);
  const std::lock_guard lock(spares_mutex);
  if (spare_bytes + bytes > most_spare_bytes) {
    munmap(spare.base, spare.reserved);
    return;
  }
  spare_bytes += bytes;
  spares.push_back(std::move(spare));
}

} // namespace

HeapArena::HeapArena(std::size_t heaps, std::size_t bytes, Pages pages)
    : bytes_(whole_pages(bytes)),
      stride_(stride_of(bytes_)),
      count_(heaps),
      room_(pages == Pages::kept ? room_for(heaps) : heaps),
      reserved_(room_ * (stride_ + Heap::tag_bytes(bytes_))),
      pages_(pages) {
  void* base = pages_ == Pages::kept ? take_spare(reserved_) : nullptr;
  if (base == nullptr)
    base =
        mmap(nullptr, reserved_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    throw mesh::HostLimit("cannot reserve " + std::to_string(bytes_ >> 20) +
                              " MB of address space for the heap of each of " + std::to_string(count_) +
                              " UEs: " + std::system_category().message(errno),
                          "choose a smaller --heap-size");
  base_ = static_cast<std::byte*>(base);
  const std::size_t all = room_ * stride_;
  if (room_ > most_heaps_with_huge_pages) madvise(base, reserved_, MADV_NOHUGEPAGE);
  auto* const tags = reinterpret_cast<std::uint64_t*>(base_ + all);
  heaps_.reserve(2 * count_);
  for (const Heap::From from : {Heap::From::lower_end, Heap::From::upper_end})
    for (std::size_t i = 0; i < count_; ++i)
      heaps_.emplace_back(base_ + i * stride_, bytes_, from,
                          tags + i * Heap::tag_bytes(bytes_) / sizeof *tags);
  for (std::size_t i = 0; i < count_; ++i) {
    heaps_[i].share_with(heaps_[count_ + i]);
    heaps_[count_ + i].share_with(heaps_[i]);
  }
  if (room_ <= most_heaps_with_huge_pages)
    for (Heap& heap : heaps_) heap.want_huge_pages();

  const std::lock_guard lock(slots_mutex);
  const auto free_slot =
      std::find_if(slots.begin(), slots.end(), [](const Slot& slot) { return !slot.taken; });
  if (free_slot == slots.end()) {
    munmap(base_, reserved_);
    throw mesh::UserError(std::to_string(slots.size()) + " jobs run in this process already");
  }
  slot_ = static_cast<std::size_t>(free_slot - slots.begin());
  free_slot->taken = true;
  free_slot->bytes = all;
  free_slot->stride = stride_;
  free_slot->heaps = heaps_.data();
  free_slot->begin.store(base_, std::memory_order_release);
  slots_used.store(std::max(slots_used.load(), slot_ + 1));
}

HeapArena::~HeapArena() {
  {
    const std::lock_guard lock(slots_mutex);
    slots[slot_].begin.store(nullptr);
    slots[slot_].taken = false;
  }
  if (pages_ == Pages::fresh) {
    munmap(base_, reserved_);
    return;
  }
  Spare spare{base_, reserved_, {}};
  const auto touched = [&spare](std::byte* begin, std::size_t bytes) {
    if (bytes != 0) spare.touched.emplace_back(begin, bytes);
  };
  // Each end of a region, and then of its tags.
  const auto both_ends = [&](std::byte* base, std::size_t bytes, std::size_t lower, std::size_t upper) {
    touched(base, whole_pages(lower));
    touched(base + bytes - whole_pages(upper), whole_pages(upper));
  };
  for (std::size_t i = 0; i < count_; ++i)
    both_ends(base_ + i * stride_, bytes_, heaps_[i].taken(), heaps_[count_ + i].taken());
  const std::size_t tags = Heap::tag_bytes(bytes_);
  if (tags % page_bytes == 0) // else all of them are given back
    for (std::size_t i = 0; i < count_; ++i)
      both_ends(base_ + room_ * stride_ + i * tags, tags, Heap::tag_bytes(heaps_[i].taken()),
                Heap::tag_bytes(heaps_[count_ + i].taken()));
  keep(std::move(spare));
}

Heap* HeapArena::owner(const void* block) noexcept {
  const std::size_t used = slots_used.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < used; ++i) {
    const Slot& slot = slots[i];
    const std::byte* begin = slot.begin.load(std::memory_order_acquire);
    if (begin == nullptr) continue;
    const std::size_t bytes = slot.bytes.load(std::memory_order_acquire);
    const auto offset = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(block) -
                                                 reinterpret_cast<std::uintptr_t>(begin));
    if (offset >= bytes) continue;
    const std::size_t stride = slot.stride.load(std::memory_order_acquire);
    Heap* const heaps = slot.heaps.load(std::memory_order_acquire);
    if (slot.begin.load(std::memory_order_acquire) == begin) return &heaps[offset / stride].of(block);
  }
  return nullptr;
}

} // namespace rcce::heap
