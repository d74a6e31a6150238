// SPDX-License-Identifier: Apache-2.0
// The heap's C surface: what the image's static part calls (rockcreek_heap_malloc, ...), and the C library's
// names that may meet a block of a UE's heap from elsewhere: libstdc++ frees what the program allocated, libc
// grows its buffers.
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <functional>

#include <dlfcn.h>
#include <malloc.h>
#include <sys/mman.h>

#include <fmt/format.h>

#include "process/heap_check.hpp"
#include "process/libc/exports.hpp"
#include "process/libc/state/malloc.hpp"

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void __libc_free(void* block);
void* __libc_realloc(void* block, std::size_t bytes);
}

namespace {

using namespace rcce;
using namespace rcce::libc;

heap::Heap* heap_of(void* ue) {
  return ue == nullptr ? nullptr : static_cast<Ue*>(ue)->process->heap;
}

void* or_no_memory(void* block) {
  if (block == nullptr) errno = ENOMEM;
  return block;
}

/// The C library's functions, or those of a checker or of another allocator that stands before this library.
struct Outside {
  void* (*malloc)(std::size_t) = __libc_malloc;
  void* (*calloc)(std::size_t, std::size_t) = __libc_calloc;
  void (*free)(void*) = __libc_free;
  void* (*realloc)(void*, std::size_t) = __libc_realloc;
  std::size_t (*usable_size)(void*) = nullptr;
};

template <class Function>
Function outside_function(const char* name, Function own) {
  auto found = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
  if (found == own || found == nullptr) found = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  return found;
}

/// Looked up when the library is loaded and never from within free(): dlsym() frees memory itself. Until then
/// the C library's own entries serve.
constinit Outside outside;

/// Ahead of this library's other initialisers: of the functions that they have called at exit the C library
/// keeps a list, whose blocks another allocator could not free.
[[gnu::constructor(101)]] void find_outside() {
  Outside found;
  if (auto* function = outside_function("malloc", &malloc)) found.malloc = function;
  if (auto* function = outside_function("calloc", &calloc)) found.calloc = function;
  if (auto* function = outside_function("free", &free)) found.free = function;
  if (auto* function = outside_function("realloc", &realloc)) found.realloc = function;
  found.usable_size = outside_function("malloc_usable_size", &malloc_usable_size);
  outside = found;
}

bool lies_in(const void* place, const std::byte* begin, std::size_t bytes) {
  const std::less<> less;
  return !less(place, begin) && less(place, begin + bytes);
}

/// The program gives back what is in no heap of a UE: a library may have allocated it, but not what is the
/// program's or the chip's memory by its place.
void refuse_own_memory(const Ue* ue, const void* block, const char* call) {
  if (ue == nullptr || !ue->process) return;
  const std::byte* const stack = ue->process->stack_low;
  Engine& engine = *ue->engine;
  const char* where = nullptr;
  if (lies_in(block, stack, static_cast<std::size_t>(ue->process->stack_high - stack)))
    where = "which lies on the stack and in no block";
  else if (process::place_of(*ue, block).file != nullptr)
    where = "which is a variable or constant of the program and in no block";
  else if (lies_in(block, engine.shared_memory(), engine.shared_memory_bytes()))
    where =
        "which lies in shared memory and in no block of the heap: RCCE_shfree frees what RCCE_shmalloc gives";
  else if (lies_in(block, engine.mpb(0), static_cast<std::size_t>(engine.cores()) * engine.mpb_bytes()))
    where = "which lies in a message-passing buffer and in no block of the heap: RCCE_free frees what "
            "RCCE_malloc gives";
  if (where != nullptr) heap::end_by_heap_fault(fmt::format("{} of address {}, {}", call, block, where));
}

/// A block that grows moves within its heap, or stays with the C library.
void* realloc_in(heap::Heap& heap, void* block, std::size_t bytes) {
  if (bytes == 0) {
    free_in(heap, block);
    return nullptr;
  }
  return or_no_memory(reallocate_in(heap, block, bytes));
}

/// The heap of the UE that a library acts for at the moment. What the heap itself then allocates is the
/// runtime's again.
class ActedFor {
 public:
  ActedFor() noexcept {
    const Ue* ue = current_ue();
    if (ue == nullptr || !ue->process || !ue->process->c.allocates) return;
    process_ = ue->process.get();
    process_->c.allocates = false;
  }
  ~ActedFor() {
    if (process_ != nullptr) process_->c.allocates = true;
  }
  ActedFor(const ActedFor&) = delete;
  ActedFor& operator=(const ActedFor&) = delete;

  /// Null for the library's or the runtime's own sake.
  [[nodiscard]] heap::Heap* heap() const noexcept {
    return process_ == nullptr ? nullptr : &process_->heap->other();
  }

 private:
  Process* process_ = nullptr;
};

} // namespace

namespace rcce::libc {

heap::Heap* library_heap() noexcept {
  const Ue* ue = current_ue(); // not counted as a call: what it does shows in the heap
  return ue == nullptr || !ue->process || ue->process->c.output == nullptr ? nullptr
                                                                           : &ue->process->heap->other();
}

// What the watcher notes is the runtime's memory, whomever a library acts for.

void* allocate_in(heap::Heap& heap, std::size_t alignment, std::size_t bytes) noexcept {
  const ActedFor ue;
  if (heap.watcher() != nullptr) return heap.watcher()->allocate(heap, alignment, bytes);
  return alignment == 0 ? heap.allocate(bytes) : heap.allocate_aligned(alignment, bytes);
}

void free_in(heap::Heap& heap, void* block) noexcept {
  const ActedFor ue;
  if (heap.watcher() != nullptr)
    heap.watcher()->free(heap, block);
  else
    heap.free(block);
}

void* reallocate_in(heap::Heap& heap, void* block, std::size_t bytes) noexcept {
  const ActedFor ue;
  return heap.watcher() != nullptr ? heap.watcher()->reallocate(heap, block, bytes)
                                   : heap.reallocate(block, bytes);
}

std::size_t usable_in(const heap::Heap& heap, const void* block) noexcept {
  return heap.watcher() != nullptr ? heap.watcher()->bytes(block) : heap.usable_bytes(block);
}

} // namespace rcce::libc

extern "C" {

void* rockcreek_heap_malloc(void* ue, std::size_t bytes) {
  heap::Heap* heap = heap_of(ue);
  return heap == nullptr ? std::malloc(bytes) : or_no_memory(allocate_in(*heap, 0, bytes));
}

void* rockcreek_heap_calloc(void* ue, std::size_t count, std::size_t bytes) {
  heap::Heap* heap = heap_of(ue);
  if (heap == nullptr) return std::calloc(count, bytes);
  std::size_t total = 0;
  if (__builtin_mul_overflow(count, bytes, &total)) return or_no_memory(nullptr);
  void* block = or_no_memory(allocate_in(*heap, 0, total));
  if (block != nullptr) std::memset(block, 0, total);
  return block;
}

void* rockcreek_heap_aligned(void* ue, std::size_t alignment, std::size_t bytes) {
  heap::Heap* heap = heap_of(ue);
  return heap == nullptr ? memalign(alignment, bytes) : or_no_memory(allocate_in(*heap, alignment, bytes));
}

void rockcreek_heap_free(void* ue, void* block) {
  heap::Heap* heap = heap_of(ue);
  if (heap != nullptr && heap->in_region(block)) {
    free_in(heap->of(block), block);
  } else {
    refuse_own_memory(static_cast<Ue*>(ue), block, "free() or delete");
    free(block);
  }
}

void* rockcreek_heap_realloc(void* ue, void* block, std::size_t bytes) {
  if (block == nullptr) return rockcreek_heap_malloc(ue, bytes);
  heap::Heap* heap = heap_of(ue);
  if (heap != nullptr && heap->in_region(block)) return realloc_in(heap->of(block), block, bytes);
  refuse_own_memory(static_cast<Ue*>(ue), block, "realloc()");
  return realloc(block, bytes);
}

std::size_t rockcreek_heap_usable_size(void* block) {
  return malloc_usable_size(block);
}

void* malloc(std::size_t bytes) noexcept {
  const ActedFor ue;
  return ue.heap() == nullptr ? outside.malloc(bytes) : or_no_memory(allocate_in(*ue.heap(), 0, bytes));
}

void* calloc(std::size_t count, std::size_t bytes) noexcept {
  const ActedFor ue;
  if (ue.heap() == nullptr) return outside.calloc(count, bytes);
  std::size_t total = 0;
  if (__builtin_mul_overflow(count, bytes, &total)) return or_no_memory(nullptr);
  void* block = or_no_memory(allocate_in(*ue.heap(), 0, total));
  return block == nullptr ? nullptr : std::memset(block, 0, total);
}

void free(void* block) noexcept {
  if (block == nullptr) return;
  if (heap::Heap* heap = heap::HeapArena::owner(block)) {
    free_in(*heap, block);
    return;
  }
  outside.free(block);
}

void* realloc(void* block, std::size_t bytes) noexcept {
  if (block != nullptr)
    if (heap::Heap* heap = heap::HeapArena::owner(block)) return realloc_in(*heap, block, bytes);
  if (block == nullptr) return malloc(bytes);
  return outside.realloc(block, bytes);
}

void* reallocarray(void* block, std::size_t count, std::size_t bytes) noexcept {
  std::size_t total = 0;
  if (__builtin_mul_overflow(count, bytes, &total)) return or_no_memory(nullptr);
  return realloc(block, total);
}

std::size_t malloc_usable_size(void* block) noexcept {
  if (block == nullptr) return 0;
  if (const heap::Heap* heap = heap::HeapArena::owner(block)) return usable_in(*heap, block);
  return outside.usable_size == nullptr ? 0 : outside.usable_size(block);
}

} // extern "C"
