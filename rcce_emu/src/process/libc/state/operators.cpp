// SPDX-License-Identifier: Apache-2.0
// Operator new of the process. Programs have their own over their UE's heap (process/image/part/heap.c); this
// is what the C++ library's compiled parts call, for std::string and streams above all: on behalf of a UE its
// heap gives the memory. The runtime itself, which is linked with --wrap, calls those named __wrap_*,
// whatever UE it acts for.
#include <cstdlib>
#include <malloc.h>
#include <new>

#include "process/libc/exports.hpp"
#include "process/libc/state/malloc.hpp"

namespace {

using namespace rcce;
using namespace rcce::libc;

void* allocate_once(heap::Heap* heap, std::size_t alignment, std::size_t bytes) noexcept {
  if (heap != nullptr) return allocate_in(*heap, alignment, bytes);
  return alignment == 0 ? std::malloc(bytes) : memalign(alignment, bytes);
}

/// As the standard wants it: asks the new-handler for memory; null where there is none.
void* allocate(heap::Heap* heap, std::size_t alignment, std::size_t bytes) {
  for (;;) {
    if (void* block = allocate_once(heap, alignment, bytes == 0 ? 1 : bytes)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) return nullptr;
    handler();
  }
}

void* allocate_or_throw(heap::Heap* heap, std::size_t alignment, std::size_t bytes) {
  if (void* block = allocate(heap, alignment, bytes)) return block;
  throw std::bad_alloc();
}

void* allocate_or_null(heap::Heap* heap, std::size_t alignment, std::size_t bytes) noexcept {
  try {
    return allocate(heap, alignment, bytes);
  } catch (const std::bad_alloc&) { // by the handler
    return nullptr;
  }
}

constexpr heap::Heap* outside = nullptr;

} // namespace

// Operator `symbol` of the process and of the runtime.
#define OPERATOR(symbol, name, function, alignment, ...)                                                   \
  extern "C" {                                                                                             \
  [[gnu::visibility("default")]] void* name(std::size_t bytes __VA_OPT__(, ) __VA_ARGS__) __asm__(symbol); \
  void* name(std::size_t bytes __VA_OPT__(, ) __VA_ARGS__) {                                               \
    return function(library_heap(), alignment, bytes);                                                     \
  }                                                                                                        \
  [[gnu::visibility("hidden")]] void* name##_inside(std::size_t bytes __VA_OPT__(, )                       \
                                                        __VA_ARGS__) __asm__("__wrap_" symbol);            \
  void* name##_inside(std::size_t bytes __VA_OPT__(, ) __VA_ARGS__) {                                      \
    return function(outside, alignment, bytes);                                                            \
  }                                                                                                        \
  }

OPERATOR("_Znwm", new_one, allocate_or_throw, 0)
OPERATOR("_Znam", new_many, allocate_or_throw, 0)
OPERATOR("_ZnwmSt11align_val_t", new_one_aligned, allocate_or_throw, alignment, std::size_t alignment)
OPERATOR("_ZnamSt11align_val_t", new_many_aligned, allocate_or_throw, alignment, std::size_t alignment)
OPERATOR("_ZnwmRKSt9nothrow_t", new_one_nothrow, allocate_or_null, 0, const void*)
OPERATOR("_ZnamRKSt9nothrow_t", new_many_nothrow, allocate_or_null, 0, const void*)
OPERATOR("_ZnwmSt11align_val_tRKSt9nothrow_t", new_one_aligned_nothrow, allocate_or_null, alignment,
         std::size_t alignment, const void*)
OPERATOR("_ZnamSt11align_val_tRKSt9nothrow_t", new_many_aligned_nothrow, allocate_or_null, alignment,
         std::size_t alignment, const void*)

// Operator delete of the runtime.
#define INSIDE_DELETE(symbol, name, ...)                                                         \
  extern "C" [[gnu::visibility("hidden")]] void name(void* block __VA_OPT__(, )                  \
                                                         __VA_ARGS__) __asm__("__wrap_" symbol); \
  void name(void* block __VA_OPT__(, ) __VA_ARGS__) {                                            \
    std::free(block);                                                                            \
  }

INSIDE_DELETE("_ZdlPv", delete_one)
INSIDE_DELETE("_ZdaPv", delete_many)
INSIDE_DELETE("_ZdlPvm", delete_one_sized, std::size_t)
INSIDE_DELETE("_ZdaPvm", delete_many_sized, std::size_t)
INSIDE_DELETE("_ZdlPvSt11align_val_t", delete_one_aligned, std::size_t)
INSIDE_DELETE("_ZdaPvSt11align_val_t", delete_many_aligned, std::size_t)
INSIDE_DELETE("_ZdlPvmSt11align_val_t", delete_one_sized_aligned, std::size_t, std::size_t)
INSIDE_DELETE("_ZdaPvmSt11align_val_t", delete_many_sized_aligned, std::size_t, std::size_t)
INSIDE_DELETE("_ZdlPvRKSt9nothrow_t", delete_one_nothrow, const void*)
INSIDE_DELETE("_ZdaPvRKSt9nothrow_t", delete_many_nothrow, const void*)
INSIDE_DELETE("_ZdlPvSt11align_val_tRKSt9nothrow_t", delete_one_aligned_nothrow, std::size_t, const void*)
INSIDE_DELETE("_ZdaPvSt11align_val_tRKSt9nothrow_t", delete_many_aligned_nothrow, std::size_t, const void*)
