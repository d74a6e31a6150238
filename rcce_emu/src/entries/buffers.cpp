// SPDX-License-Identifier: Apache-2.0
// Entries: memory and flags in message-passing buffers; shared memory.
#include <algorithm>
#include <atomic>
#include <cstdint>

#include "entries/observation.hpp"
#include "protocol/entry.hpp"
#include "protocol/facts.hpp"
#include "protocol/flags.hpp"
#include "protocol/mpb.hpp"
#include "protocol/polling.hpp"
#include "protocol/shared_memory.hpp"

using namespace rcce;
using namespace rcce::protocol;

namespace {

/// The program drops cached lines to look at memory by itself: what it sees may have come past the library.
void tell_looked(Library& library) {
  tell_fact(library.ue, ProgramFact{.kind = ProgramFact::Kind::drops_lines});
  tell_fact(library.ue, ProgramFact{.kind = ProgramFact::Kind::loops});
}

} // namespace

// --- MPB memory, flags -------------------------------------------------------------------------------------

ROCKCREEK_ENTRY(rockcreek_mpb) rockcreek_malloc(void* ue, size_t size) noexcept {
  const Call call(ue, "RCCE_malloc");
  tell_handed_out(call.library().ue);
  return allocate(call.library(), size);
}

ROCKCREEK_ENTRY(rockcreek_mpb) rockcreek_malloc_request(void* ue, size_t size, size_t* chunk) noexcept {
  const Call call(ue, "RCCE_malloc_request");
  tell_handed_out(call.library().ue);
  return allocate_request(call.library(), size, chunk);
}

ROCKCREEK_ENTRY(void) rockcreek_free(void* ue, rockcreek_mpb block) noexcept {
  const Call call(ue, "RCCE_free");
  release(call.library(), block);
}

ROCKCREEK_ENTRY(void) rockcreek_malloc_init(void* ue, rockcreek_mpb start, size_t size) noexcept {
  const Call call(ue, "RCCE_malloc_init");
  manage_region(call.library(), start, size);
}

ROCKCREEK_FLAT_ENTRY(int)
rockcreek_put(void* ue, rockcreek_mpb target, rockcreek_mpb source, int bytes, int id) noexcept {
  Call call(ue, "RCCE_put");
  call.message(id, static_cast<std::size_t>(std::max(bytes, 0)));
  return put(call.library(), target, source, bytes, id);
}

ROCKCREEK_FLAT_ENTRY(int)
rockcreek_get(void* ue, rockcreek_mpb target, rockcreek_mpb source, int bytes, int id) noexcept {
  Call call(ue, {"RCCE_get", copies_from});
  call.message(id, static_cast<std::size_t>(std::max(bytes, 0)));
  const int result = get(call.library(), target, source, bytes, id);
  looked(call.library(), {.what = "the buffer", .owner = id, .asks = false});
  return result;
}

ROCKCREEK_ENTRY(int)
rockcreek_put_char(void* ue, rockcreek_mpb target, rockcreek_mpb source, int id) noexcept {
  Call call(ue, "RCCE_put_char");
  call.message(id, 1);
  return put_char(call.library(), target, source, id);
}

ROCKCREEK_ENTRY(int)
rockcreek_get_char(void* ue, rockcreek_mpb target, rockcreek_mpb source, int id) noexcept {
  Call call(ue, {"RCCE_get_char", copies_from});
  call.message(id, 1);
  const int result = get_char(call.library(), target, source, id);
  looked(call.library(), {.what = "the buffer", .owner = id, .asks = false});
  return result;
}

ROCKCREEK_ENTRY(int) rockcreek_flag_alloc(void* ue, void* flag) noexcept {
  const Call call(ue, "RCCE_flag_alloc");
  return flag_alloc(call.library(), flag);
}

ROCKCREEK_ENTRY(int) rockcreek_flag_free(void* ue, void* flag) noexcept {
  const Call call(ue, "RCCE_flag_free");
  return flag_free(call.library(), flag);
}

ROCKCREEK_FLAT_ENTRY(int) rockcreek_flag_write(void* ue, void* flag, int value, int id) noexcept {
  Call call(ue, "RCCE_flag_write");
  call.message(id, 0);
  return flag_write(call.library(), flag, value, id);
}

ROCKCREEK_FLAT_ENTRY(int) rockcreek_flag_read(void* ue, void* flag, int* value, int id) noexcept {
  Call call(ue, "RCCE_flag_read");
  call.message(id, 0);
  const int result = flag_read(call.library(), flag, value, id);
  looked(call.library(), {"the flag", id});
  return result;
}

ROCKCREEK_FLAT_ENTRY(int) rockcreek_wait_until(void* ue, void* flag, int value) noexcept {
  const Call call(ue, "RCCE_wait_until");
  return wait_until(call.library(), flag, value);
}

ROCKCREEK_ENTRY(int) rockcreek_probe(void* ue, void* flag) noexcept {
  const Call call(ue, "RCCE_probe");
  const int result = probe(call.library(), flag);
  looked(call.library(), {"the flag", call.library().rank()});
  return result;
}

ROCKCREEK_ENTRY(int) rockcreek_own_byte(void* ue, rockcreek_mpb address) noexcept {
  const Call call(ue, "RCCE_byte_value");
  Library& library = call.library();
  unsigned char value = 0;
  library.core.load(library.core_id, own_offset(library, address, 1), &value, 1);
  looked(library, {.what = "the buffer", .owner = library.rank(), .asks = false});
  return value;
}

ROCKCREEK_ENTRY(void) rockcreek_set_own_byte(void* ue, rockcreek_mpb address, int mask, int value) noexcept {
  const Call call(ue, "RCCE_write_byte_value");
  Library& library = call.library();
  library.core.update(library.core_id, own_offset(library, address, 1), static_cast<std::uint8_t>(mask),
                      static_cast<std::uint8_t>(value));
}

ROCKCREEK_ENTRY(rockcreek_mpb) rockcreek_mpb_start(void* ue, int id) noexcept {
  const Call call(ue, "RC_COMM_BUFFER_START");
  tell_handed_out(call.library().ue);
  return reinterpret_cast<rockcreek_mpb>(call.library().engine.mpb(call.library().core_of(id)));
}

ROCKCREEK_ENTRY(void) rockcreek_cache_invalidate(void* ue) noexcept {
  // Every access to an MPB through the library drops cached lines first; plain loads of the program are
  // always fresh.
  const Call call(ue, "RC_cache_invalidate", any_time);
  tell_looked(call.library());
  passed(call.library().ue);
}

// --- off-chip shared memory --------------------------------------------------------------------------------

ROCKCREEK_ENTRY(rockcreek_mpb) rockcreek_shmalloc(void* ue, size_t size) noexcept {
  const Call call(ue, "RCCE_shmalloc");
  tell_handed_out(call.library().ue);
  return shared_allocate(call.library(), size);
}

ROCKCREEK_ENTRY(rockcreek_mpb) rockcreek_shmalloc_request(void* ue, size_t size, size_t* chunk) noexcept {
  const Call call(ue, "RCCE_shmalloc_request");
  tell_handed_out(call.library().ue);
  return shared_allocate_request(call.library(), size, chunk);
}

ROCKCREEK_ENTRY(rockcreek_mpb) rockcreek_shrealloc(void* ue, rockcreek_mpb block, size_t size) noexcept {
  const Call call(ue, "RCCE_shrealloc");
  tell_handed_out(call.library().ue);
  return shared_reallocate(call.library(), block, size);
}

ROCKCREEK_ENTRY(void) rockcreek_shfree(void* ue, rockcreek_mpb block) noexcept {
  const Call call(ue, "RCCE_shfree");
  shared_release(call.library(), block);
}

ROCKCREEK_ENTRY(void) rockcreek_shmalloc_init(void* ue, rockcreek_mpb start, size_t size) noexcept {
  const Call call(ue, "RCCE_shmalloc_init");
  shared_manage(call.library(), start, size);
}

ROCKCREEK_ENTRY(void) rockcreek_shflush(void* ue) noexcept {
  const Call call(ue, "RCCE_shflush", any_time);
  tell_looked(call.library());
  passed(call.library().ue);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

ROCKCREEK_ENTRY(rockcreek_mpb) rockcreek_shared_memory(void* ue) noexcept {
  const Call call(ue, "RC_SHM_BUFFER_START", any_time);
  tell_handed_out(call.library().ue);
  return reinterpret_cast<rockcreek_mpb>(call.library().engine.shared_memory());
}
