// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/kernel/fiber.hpp"

#include <boost/context/detail/fcontext.hpp>
#include <cstdint>
#include <new>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "kernel/asan.hpp"
#include "kernel/valgrind.hpp"

namespace mesh {

namespace ctx = boost::context::detail;

namespace {

// Linux 6.13; the constant is missing from older headers. Guards of this kind cost no mapping, so that their
// number is not limited by vm.max_map_count, but a word of memory for each of their pages.
constexpr int madv_guard_install = 102;

// Strips of PROT_NONE split the reservation: two mappings a stack. Debian's default limit is 65,530 mappings,
// and the copies of a program for many cores take theirs.
constexpr std::size_t most_wide_guards = 1024;
constexpr std::size_t most_protected_stacks = 10'000;

constexpr std::size_t narrow_guard_bytes = std::size_t{64} * 1024;

std::size_t round_up(std::size_t n, std::size_t unit) {
  return (n + unit - 1) / unit * unit;
}

/// Null where the address space cannot be had.
std::byte* map_pages(std::size_t bytes, int protection) {
  void* memory =
      mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  // Huge pages would commit 2 MB for a stack that touches one page.
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  return static_cast<std::byte*>(memory);
}

/// The reservation of this thread's last wide pool: the next one of the same shape need not ask the host
/// twice for each stack. Its pages were given back, so a stack begins with zeros.
struct Spare {
  std::byte* base = nullptr;
  std::size_t total = 0, stride = 0;

  ~Spare() {
    if (base != nullptr) munmap(base, total);
  }
};
thread_local Spare spare;

} // namespace

StackPool::StackPool(std::size_t stacks, std::size_t bytes_each) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  bytes_ = round_up(bytes_each, page);
  if (stacks > most_wide_guards || !reserve_wide(stacks)) reserve_narrow(stacks);
  if (valgrind::runs())
    for (std::size_t i = 0; i < stacks; ++i) valgrind::announce_stack(stack(i));
}

/// False where the host refuses.
bool StackPool::reserve_wide(std::size_t stacks) {
  // Not twice the stack: in caches of the host, stacks a power of two apart would be in each other's way.
  guard_bytes_ = bytes_ + narrow_guard_bytes;
  stride_ = bytes_ + guard_bytes_;
  total_ = stride_ * stacks;
  guard_ = Guard::protect;
  if (spare.base != nullptr && spare.total == total_ && spare.stride == stride_) {
    base_ = std::exchange(spare.base, nullptr);
    return true;
  }
  base_ = map_pages(total_, PROT_NONE);
  if (base_ == nullptr) return false;
  for (std::size_t i = 0; i < stacks; ++i) {
    if (mprotect(stack(i).data(), bytes_, PROT_READ | PROT_WRITE) == 0) continue;
    munmap(base_, total_);
    return false;
  }
  return true;
}

void StackPool::reserve_narrow(std::size_t stacks) {
  guard_bytes_ = narrow_guard_bytes;
  stride_ = bytes_ + guard_bytes_;
  total_ = stride_ * stacks;
  base_ = map_pages(total_, PROT_READ | PROT_WRITE);
  if (base_ == nullptr) throw std::bad_alloc();
  // Valgrind reads memory that is mapped and knows nothing of guards without a mapping.
  guard_ = valgrind::runs() ? Guard::protect : Guard::madvise;
  for (std::size_t i = 0; i < stacks && guard_ != Guard::none; ++i) {
    std::byte* strip = base_ + i * stride_;
    if (guard_ == Guard::madvise && madvise(strip, guard_bytes_, madv_guard_install) != 0)
      guard_ = stacks < most_protected_stacks ? Guard::protect : Guard::none;
    if (guard_ == Guard::protect && mprotect(strip, guard_bytes_, PROT_NONE) != 0) guard_ = Guard::none;
  }
}

StackPool::~StackPool() {
  if (base_ == nullptr) return;
  asan::forget_stacks(base_, total_);
  const bool wide = guard_bytes_ > narrow_guard_bytes;
  if (wide && spare.base == nullptr && madvise(base_, total_, MADV_DONTNEED) == 0)
    spare.base = base_, spare.total = total_, spare.stride = stride_;
  else
    munmap(base_, total_);
}

FiberHandle make_fiber(std::span<std::byte> stack, void (*entry)(FiberJump)) noexcept {
  // FiberJump and boost's transfer_t are both two pointers passed in registers, in the same order.
  static_assert(sizeof(FiberJump) == sizeof(ctx::transfer_t));
  return ctx::make_fcontext(stack.data() + stack.size(), stack.size(),
                            reinterpret_cast<void (*)(ctx::transfer_t)>(reinterpret_cast<void*>(entry)));
}

namespace {

/// Six flags in the status word of the x87 say which exceptions there were. They belong to a context, but
/// jump_fcontext() keeps only the control word. Of SSE it keeps both.
constexpr std::uint16_t x87_exceptions = 0x3f;

/// The flags that are set. Clears them, for the context that comes next.
std::uint16_t take_x87_exceptions() noexcept {
  std::uint16_t status = 0;
  asm volatile("fnstsw %0" : "=a"(status));
  status &= x87_exceptions;
  if (status != 0) [[unlikely]] {
    asm volatile("fnclex");
  }
  return status;
}

void set_x87_exceptions(std::uint16_t flags) noexcept {
  struct {
    std::uint16_t control, unused_1, status, unused_2;
    std::uint32_t others[5];
  } environment;
  asm volatile("fnstenv %0" : "=m"(environment));
  environment.status |= flags;
  asm volatile("fldenv %0" : : "m"(environment));
}

} // namespace

FiberJump jump(FiberHandle to, void* data) noexcept {
  const std::uint16_t exceptions = take_x87_exceptions();
  const ctx::transfer_t back = ctx::jump_fcontext(to, data);
  if (exceptions != 0) [[unlikely]]
    set_x87_exceptions(exceptions);
  return {back.fctx, back.data};
}

} // namespace mesh
