// SPDX-License-Identifier: Apache-2.0
// Entries: memory and flags in message-passing buffers; shared memory.
#include <algorithm>
#include <atomic>
#include <cstdint>

#include "engine/ue/job_state.hpp"
#include "library/entries/observation.hpp"
#include "library/protocol/entry.hpp"
#include "library/protocol/flags.hpp"
#include "library/protocol/mpb.hpp"
#include "library/protocol/polling.hpp"
#include "library/protocol/shared_memory.hpp"

using namespace rcce;
using namespace rcce::protocol;

namespace {

/// Notes an allocation of RCCE_malloc and returns it; null is not noted.
MpbPointer noted(Library& library, MpbPointer block, std::size_t bytes) {
  if (block != nullptr) note_allocation(library, own_offset(library, block, bytes), 0, bytes);
  return block;
}

bool others_differ(const Library& library, int id) {
  return library.all_allocations != nullptr && library.valid_rank(id) &&
      library.all_allocations->differ.load(std::memory_order_relaxed);
}
/// Is the place of a block in another's buffer that block there?
void meets(Library& library, MpbPointer block, int id) {
  if (others_differ(library, id) && id != library.rank() && in_own_mpb(library, block, 1)) [[unlikely]]
    compare_allocations(library, own_offset(library, block, 1), 0, id);
}
void meets_flag(Library& library, const void* flag, int id) {
  if (others_differ(library, id)) [[unlikely]]
    if (const auto word = word_in_own_mpb(library, flag))
      compare_allocations(library, word->offset, word->mask, id);
}

/// The program gets a pointer to off-chip shared memory.
void shares_memory(const Ue& ue) {
  tell_handed_out(ue);
  if (ue.job->stores_are_unseen()) ue.job->note_host_order(Job::HostOrder::unseen_stores);
}

} // namespace

// --- MPB memory, flags -------------------------------------------------------------------------------------

ROCKCREEK_ENTRY(rockcreek_mpb) rockcreek_malloc(void* ue, size_t size) noexcept {
  const Call call(ue, "RCCE_malloc");
  tell_handed_out(call.library().ue);
  return noted(call.library(), allocate(call.library(), size), size);
}

ROCKCREEK_ENTRY(rockcreek_mpb) rockcreek_malloc_request(void* ue, size_t size, size_t* chunk) noexcept {
  const Call call(ue, "RCCE_malloc_request");
  tell_handed_out(call.library().ue);
  const MpbPointer block = allocate_request(call.library(), size, chunk);
  return noted(call.library(), block, *chunk);
}

ROCKCREEK_ENTRY(void) rockcreek_free(void* ue, rockcreek_mpb block) noexcept {
  const Call call(ue, "RCCE_free");
  Library& library = call.library();
  if (in_own_mpb(library, block, 1))
    note_release(library, own_offset(library, block, 1), 0, Allocation::Kind::memory);
  release(library, block);
}

ROCKCREEK_ENTRY(void) rockcreek_malloc_init(void* ue, rockcreek_mpb start, size_t size) noexcept {
  const Call call(ue, "RCCE_malloc_init");
  note_managed(call.library());
  manage_region(call.library(), start, size);
}

ROCKCREEK_FLAT_ENTRY(int)
rockcreek_put(void* ue, rockcreek_mpb target, rockcreek_mpb source, int bytes, int id) noexcept {
  Call call(ue, "RCCE_put");
  call.message(id, static_cast<std::size_t>(std::max(bytes, 0)));
  meets(call.library(), target, id);
  return put(call.library(), target, source, bytes, id);
}

ROCKCREEK_FLAT_ENTRY(int)
rockcreek_get(void* ue, rockcreek_mpb target, rockcreek_mpb source, int bytes, int id) noexcept {
  Call call(ue, {"RCCE_get", copies_from});
  call.message(id, static_cast<std::size_t>(std::max(bytes, 0)));
  meets(call.library(), source, id);
  const int result = get(call.library(), target, source, bytes, id);
  looked(call.library(), {.what = "the buffer", .owner = id, .asks = false});
  return result;
}

ROCKCREEK_ENTRY(int)
rockcreek_put_char(void* ue, rockcreek_mpb target, rockcreek_mpb source, int id) noexcept {
  Call call(ue, "RCCE_put_char");
  call.message(id, 1);
  meets(call.library(), target, id);
  return put_char(call.library(), target, source, id);
}

ROCKCREEK_ENTRY(int)
rockcreek_get_char(void* ue, rockcreek_mpb target, rockcreek_mpb source, int id) noexcept {
  Call call(ue, {"RCCE_get_char", copies_from});
  call.message(id, 1);
  meets(call.library(), source, id);
  const int result = get_char(call.library(), target, source, id);
  looked(call.library(), {.what = "the buffer", .owner = id, .asks = false});
  return result;
}

ROCKCREEK_ENTRY(int) rockcreek_flag_alloc(void* ue, void* flag) noexcept {
  const Call call(ue, "RCCE_flag_alloc");
  Library& library = call.library();
  const int error = flag_alloc(library, flag);
  if (error == 0) {
    const FlagWord word = word_of(library, flag);
    note_allocation(library, word.offset, word.mask, 0);
  }
  return error;
}

ROCKCREEK_ENTRY(int) rockcreek_flag_free(void* ue, void* flag) noexcept {
  const Call call(ue, "RCCE_flag_free");
  Library& library = call.library();
  if (const auto word = word_in_own_mpb(library, flag))
    note_release(library, word->offset, word->mask, Allocation::Kind::flag);
  return flag_free(library, flag);
}

ROCKCREEK_FLAT_ENTRY(int) rockcreek_flag_write(void* ue, void* flag, int value, int id) noexcept {
  Call call(ue, {"RCCE_flag_write", uses_flag});
  call.message(id, 0);
  meets_flag(call.library(), flag, id);
  return flag_write(call.library(), flag, value, id);
}

ROCKCREEK_FLAT_ENTRY(int) rockcreek_flag_read(void* ue, void* flag, int* value, int id) noexcept {
  Call call(ue, {"RCCE_flag_read", copies_from | uses_flag});
  call.message(id, 0);
  meets_flag(call.library(), flag, id);
  const int result = flag_read(call.library(), flag, value, id);
  looked(call.library(), {"the flag", id});
  return result;
}

ROCKCREEK_FLAT_ENTRY(int) rockcreek_wait_until(void* ue, void* flag, int value) noexcept {
  const Call call(ue, {"RCCE_wait_until", uses_flag});
  Library& library = call.library();
  meets_flag(library, flag, library.rank());
  library.awaited_flag = word_in_own_mpb(library, flag);
  const int error = wait_until(library, flag, value);
  library.awaited_flag = {};
  return error;
}

ROCKCREEK_ENTRY(int) rockcreek_probe(void* ue, void* flag) noexcept {
  const Call call(ue, {"RCCE_probe", uses_flag});
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
  call.library().drops_lines();
  passed(call.library().ue);
}

// --- off-chip shared memory --------------------------------------------------------------------------------

ROCKCREEK_ENTRY(rockcreek_mpb) rockcreek_shmalloc(void* ue, size_t size) noexcept {
  const Call call(ue, "RCCE_shmalloc");
  shares_memory(call.library().ue);
  return shared_allocate(call.library(), size);
}

ROCKCREEK_ENTRY(rockcreek_mpb) rockcreek_shmalloc_request(void* ue, size_t size, size_t* chunk) noexcept {
  const Call call(ue, "RCCE_shmalloc_request");
  shares_memory(call.library().ue);
  return shared_allocate_request(call.library(), size, chunk);
}

ROCKCREEK_ENTRY(rockcreek_mpb) rockcreek_shrealloc(void* ue, rockcreek_mpb block, size_t size) noexcept {
  const Call call(ue, "RCCE_shrealloc");
  shares_memory(call.library().ue);
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
  call.library().drops_lines();
  passed(call.library().ue);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

ROCKCREEK_ENTRY(rockcreek_mpb) rockcreek_shared_memory(void* ue) noexcept {
  const Call call(ue, "RC_SHM_BUFFER_START", any_time);
  shares_memory(call.library().ue);
  return reinterpret_cast<rockcreek_mpb>(call.library().engine.shared_memory());
}
