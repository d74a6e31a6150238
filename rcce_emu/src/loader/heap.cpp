// The allocator is Boost.Interprocess's best fit with a red-black tree, made for raw regions: it keeps
// offsets, not addresses, so the same calls give the same layout wherever the region lies.
#include "loader/heap.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <system_error>

#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>
#include <sys/mman.h>

#include "mesh_sim/errors.hpp"

namespace rcce::loader {

namespace {

namespace bip = boost::interprocess;
using Algorithm = bip::rbtree_best_fit<bip::null_mutex_family>;

constexpr std::size_t page_bytes = 4096;
/// Managed at first: one page, because at thousands of UEs most heaps never hold more.
constexpr std::size_t first_bytes = page_bytes;
/// A heap at least doubles when it grows, up to this step, so that growing stays rare.
constexpr std::size_t largest_step = std::size_t{1} << 20;
/// What the allocator may need beside the block itself: headers, the smallest block before and after it.
constexpr std::size_t block_overhead = 256;
/// Above this many UEs a huge page at the start of each heap would cost more memory than it saves time.
constexpr std::size_t most_heaps_with_huge_pages = 64;

Algorithm* algorithm(std::byte* base) {
  return std::launder(reinterpret_cast<Algorithm*>(base));
}

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

} // namespace

bool Heap::grow(std::size_t bytes) noexcept {
  if (built_ == 0) {
    if (bytes_ < first_bytes) return false;
    new (base_) Algorithm(first_bytes, 0);
    built_ = first_bytes;
    return true;
  }
  const std::size_t room = bytes_ - built_;
  const std::size_t wanted =
      round_up(std::max(bytes + block_overhead, std::min(built_, largest_step)), page_bytes);
  if (room == 0 || bytes + block_overhead > room) return false;
  const std::size_t step = std::min(wanted, room);
  algorithm(base_)->grow(step);
  built_ += step;
  return true;
}

void* Heap::allocate(std::size_t bytes) noexcept {
  if (bytes >= bytes_) return nullptr;
  do {
    if (built_ == 0) continue;
    if (void* block = algorithm(base_)->allocate(bytes)) return block;
  } while (grow(bytes));
  return nullptr;
}

void* Heap::allocate_zeroed(std::size_t count, std::size_t bytes) noexcept {
  std::size_t total = 0;
  if (__builtin_mul_overflow(count, bytes, &total)) return nullptr;
  void* block = allocate(total);
  if (block != nullptr) std::memset(block, 0, total);
  return block;
}

void* Heap::allocate_aligned(std::size_t alignment, std::size_t bytes) noexcept {
  if (bytes >= bytes_ || alignment >= bytes_) return nullptr;
  alignment = std::max(alignment, alignof(std::max_align_t));
  do {
    if (built_ == 0) continue;
    if (void* block = algorithm(base_)->allocate_aligned(bytes, alignment)) return block;
  } while (grow(bytes + alignment));
  return nullptr;
}

void* Heap::reallocate(void* block, std::size_t bytes) noexcept {
  const std::size_t before = usable_bytes(block);
  if (bytes >= bytes_) return nullptr;
  std::size_t received = bytes;
  char* reuse = static_cast<char*>(block);
  const auto command = (bytes <= before ? bip::shrink_in_place : bip::expand_fwd) | bip::nothrow_allocation;
  if (algorithm(base_)->allocation_command<char>(command, bytes, received, reuse) != nullptr) return block;
  if (bytes <= before) return block;
  void* moved = allocate(bytes);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, block, before);
  free(block);
  return moved;
}

void Heap::free(void* block) noexcept {
  algorithm(base_)->deallocate(block);
}

std::size_t Heap::usable_bytes(const void* block) const noexcept {
  return algorithm(base_)->size(block);
}

namespace {

/// One living arena. `begin` is written last and read first.
struct Slot {
  std::atomic<std::byte*> begin{nullptr};
  std::size_t bytes = 0;
  std::size_t stride = 0;
  Heap* heaps = nullptr;
  bool taken = false;
};

std::array<Slot, 256> slots;
std::atomic<std::size_t> slots_used{0}; ///< one past the highest slot ever taken
std::mutex slots_mutex;

} // namespace

HeapArena::HeapArena(std::size_t heaps, std::size_t bytes)
    : stride_(round_up(bytes, page_bytes)), count_(heaps) {
  void* base = mmap(nullptr, count_ * stride_, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    throw mesh::UserError("heaps: cannot reserve " + std::to_string(stride_ >> 20) +
                          " MB of address space for each of " + std::to_string(count_) + " UEs: " +
                          std::system_category().message(errno) + "; choose a smaller --heap-size");
  base_ = static_cast<std::byte*>(base);
  if (count_ > most_heaps_with_huge_pages) madvise(base, count_ * stride_, MADV_NOHUGEPAGE);
  heaps_.reserve(count_);
  for (std::size_t i = 0; i < count_; ++i) heaps_.emplace_back(base_ + i * stride_, stride_);

  const std::lock_guard lock(slots_mutex);
  const auto free_slot =
      std::find_if(slots.begin(), slots.end(), [](const Slot& slot) { return !slot.taken; });
  if (free_slot == slots.end()) {
    munmap(base_, count_ * stride_);
    throw mesh::UserError("heaps: " + std::to_string(slots.size()) + " jobs run in this process already");
  }
  slot_ = static_cast<std::size_t>(free_slot - slots.begin());
  free_slot->taken = true;
  free_slot->bytes = count_ * stride_;
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
  munmap(base_, count_ * stride_);
}

Heap* HeapArena::owner(const void* block) noexcept {
  const std::size_t used = slots_used.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < used; ++i) {
    const Slot& slot = slots[i];
    const std::byte* begin = slot.begin.load(std::memory_order_acquire);
    if (begin == nullptr) continue;
    const auto offset = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(block) -
                                                 reinterpret_cast<std::uintptr_t>(begin));
    if (offset < slot.bytes) return &slot.heaps[offset / slot.stride];
  }
  return nullptr;
}

} // namespace rcce::loader
