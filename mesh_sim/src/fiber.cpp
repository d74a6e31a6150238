#include "mesh_sim/fiber.hpp"

#include <boost/context/detail/fcontext.hpp>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

#include "asan.hpp"
#include "valgrind.hpp"

namespace mesh {

namespace ctx = boost::context::detail;

namespace {

// Linux 6.13; the constant is missing from older headers. Guards of this kind cost no mapping, so that their
// number is not limited by vm.max_map_count.
constexpr int madv_guard_install = 102;

// Strips of PROT_NONE split the reservation: two mappings a stack. Debian's default limit is 65,530 mappings.
constexpr std::size_t most_protected_stacks = 10'000;

std::size_t round_up(std::size_t n, std::size_t unit) {
  return (n + unit - 1) / unit * unit;
}

} // namespace

StackPool::StackPool(std::size_t stacks, std::size_t bytes_each) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  bytes_ = round_up(bytes_each, page);
  stride_ = bytes_ + guard_bytes;
  total_ = stride_ * stacks;
  void* memory = mmap(nullptr, total_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<std::byte*>(memory);
  // Huge pages would commit 2 MB for a stack that touches one page.
  madvise(memory, total_, MADV_NOHUGEPAGE);

  // Valgrind reads memory that is mapped and knows nothing of guards without a mapping.
  const bool valgrind_runs = valgrind::runs();
  guard_ = valgrind_runs ? Guard::protect : Guard::madvise;
  for (std::size_t i = 0; i < stacks; ++i) {
    std::byte* strip = base_ + i * stride_;
    if (guard_ == Guard::madvise && madvise(strip, guard_bytes, madv_guard_install) != 0)
      guard_ = stacks < most_protected_stacks ? Guard::protect : Guard::none;
    if (guard_ == Guard::protect && mprotect(strip, guard_bytes, PROT_NONE) != 0) guard_ = Guard::none;
    if (valgrind_runs) valgrind::announce_stack(stack(i));
    if (guard_ == Guard::none) break;
  }
}

StackPool::~StackPool() {
  if (base_ == nullptr) return;
  asan::forget_stacks(base_, total_);
  munmap(base_, total_);
}

FiberHandle make_fiber(std::span<std::byte> stack, void (*entry)(FiberJump)) noexcept {
  // FiberJump and boost's transfer_t are both two pointers passed in registers, in the same order.
  static_assert(sizeof(FiberJump) == sizeof(ctx::transfer_t));
  return ctx::make_fcontext(stack.data() + stack.size(), stack.size(),
                            reinterpret_cast<void (*)(ctx::transfer_t)>(reinterpret_cast<void*>(entry)));
}

FiberJump jump(FiberHandle to, void* data) noexcept {
  const ctx::transfer_t back = ctx::jump_fcontext(to, data);
  return {back.fctx, back.data};
}

} // namespace mesh
