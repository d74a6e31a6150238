// The C surface: what the static part of a program image calls (image/part/entries.h). Each entry opens the
// call and hands over; no exception leaves it.
#include "image/part/entries.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <utility>

#include "api/call.hpp"
#include "api/combine.hpp"
#include "api/communication.hpp"
#include "api/diagnostics.hpp"
#include "api/flags.hpp"
#include "api/messages.hpp"
#include "api/mpb.hpp"
#include "api/observation.hpp"
#include "api/polling.hpp"
#include "api/power.hpp"
#include "api/registers.hpp"
#include "api/shared_memory.hpp"
#include "api/sorting.hpp"
#include "check/checker.hpp"
#include "job_state.hpp"

using namespace rcce;
using namespace rcce::api;

namespace {

constexpr auto any_time = Call::Needs::nothing;

Communicator view(const Library& library, void* comm) {
  return {library.image, comm};
}

/// Half of what the clocks can tell, so that what comes on top does not make them negative.
constexpr Picoseconds end_of_time = INT64_MAX / 2;
/// So many at a time do not get there while anybody waits.
constexpr Cycles few_cycles = 1'000'000;

void check_end_of_time(const Library& library, Cycles cycles) {
  if (!library.charged) return;
  const double cycle = 1e6 * library.engine.tile_divider(library.engine.tile_of(library.core_id)) /
      library.engine.global_clock_mhz();
  const double left = static_cast<double>(end_of_time - library.core.now());
  if (static_cast<double>(cycles) * cycle <= left) return;
  misuse(library,
         fmt::format("{} cycles of {} ps: simulated time ends at {} ps, after 53 days, and {} ps of it are "
                     "over",
                     cycles, std::llround(cycle), end_of_time, library.core.now()));
}

/// The program drops cached lines to look at memory by itself: what it sees may have come past the library.
void tell_looked(Library& library) {
  check::Checker* const checker = library.ue.checker;
  if (checker == nullptr) return;
  checker->drops_lines(library.ue);
  checker->spun(library.ue);
}

} // namespace

#define ROCKCREEK_ENTRY(type) extern "C" __attribute__((visibility("default"))) type

/// The same with all that it calls compiled into it: a sixth of the time of a short message was calls and
/// frames.
#define ROCKCREEK_FLAT_ENTRY(type) extern "C" __attribute__((visibility("default"), flatten)) type

// --- start, end, time
// -------------------------------------------------------------------------------------------

ROCKCREEK_ENTRY(int) rockcreek_init(void* ue, int* argc, char*** argv) noexcept {
  const Call call(ue, "RCCE_init", any_time);
  return init(call.library(), argc, argv);
}

ROCKCREEK_ENTRY(int) rockcreek_finalize(void* ue) noexcept {
  const Call call(ue, {"RCCE_finalize", {.collective = true, .ends = true}});
  if (!call.library().left) tell_collective(call.library(), call.library().world(), "RCCE_finalize");
  return finalize(call.library());
}

ROCKCREEK_ENTRY(double) rockcreek_wtime(void* ue) noexcept {
  const Call call(ue, "RCCE_wtime", any_time);
  call.library().ue.asked_time = true;
  return static_cast<double>(call.library().core.now()) * mesh::seconds_per_picosecond;
}

ROCKCREEK_ENTRY(long long) rockcreek_cycles(void* ue) noexcept {
  const Call call(ue, "rcce_cycles", any_time);
  call.library().ue.asked_time = true;
  return nominal_cycles(call.library());
}

ROCKCREEK_ENTRY(void) rockcreek_compute(void* ue, long long cycles) noexcept {
  const Call call(ue, "rcce_compute", any_time);
  if (cycles < 0) misuse(call.library(), "negative number of cycles " + std::to_string(cycles));
  if (cycles > few_cycles) check_end_of_time(call.library(), cycles);
  call.library().charge(cycles);
  passed(call.library().ue);
}

ROCKCREEK_ENTRY(long long) rockcreek_picoseconds(void* ue) noexcept {
  const Call call(ue, "rcce_picoseconds", any_time);
  call.library().ue.asked_time = true;
  return call.library().core.now();
}

ROCKCREEK_ENTRY(void) rockcreek_sleep_until(void* ue, long long picoseconds) noexcept {
  const Call call(ue, "rcce_sleep_until", any_time);
  if (picoseconds > end_of_time)
    misuse(
        call.library(),
        fmt::format("instant {} ps: simulated time ends at {} ps, after 53 days", picoseconds, end_of_time));
  call.library().core.sleep_until(picoseconds);
  passed(call.library().ue);
}

ROCKCREEK_ENTRY(void)
rockcreek_touch(void* ue, const void* memory, unsigned long bytes, int write) noexcept {
  // Not a call of the protocol: it says what the program has done meanwhile, and takes no time.
  if (ue != nullptr) static_cast<Ue*>(ue)->core->touch(memory, bytes, write != 0);
}

ROCKCREEK_ENTRY(void)
rockcreek_collective(void* ue, const char* name, int root, unsigned long bytes) noexcept {
  auto* const caller = static_cast<Ue*>(ue);
  if (caller == nullptr || caller->checker == nullptr || name == nullptr) return;
  const std::string where = root < 0 ? "" : ", root " + std::to_string(root);
  const Activity before = std::exchange(caller->activity, Activity{name});
  caller->activity.since = caller->core->now();
  caller->activity.traits = collective;
  Library& library = library_of(*caller);
  tell_collective(library, library.world(), name, where + ", " + std::to_string(bytes) + " bytes");
  caller->activity = before;
}

ROCKCREEK_ENTRY(void) rockcreek_spin_rounds(void* ue, unsigned rounds) noexcept {
  // No call of the program's: it may run before the UE is ready, and says nothing about what the UE does.
  if (ue == nullptr) return;
  Ue& caller = *static_cast<Ue*>(ue);
  caller.count_call();
  if (caller.library != nullptr)
    caller.library->looked_at_memory(rounds);
  else
    caller.core->spin(rounds);
}

// --- diagnostics
// --------------------------------------------------------------------------------------------------

ROCKCREEK_ENTRY(int) rockcreek_debug_switch(void* ue, const char* name, int flag, int on) noexcept {
  const Call call(ue, name, any_time);
  return debug_switch(call.library(), flag, on != 0);
}

ROCKCREEK_ENTRY(int) rockcreek_error_string(void* ue, int code, char* text, int* length) noexcept {
  const Call call(ue, "RCCE_error_string", any_time);
  return error_string(call.library(), code, text, length);
}

ROCKCREEK_ENTRY(int) rockcreek_error_return(void* ue, int debug, int code) noexcept {
  const Call call(ue, "RCCE_error_return", any_time);
  return error_return(call.library(), debug, code);
}

// --- messages
// -----------------------------------------------------------------------------------------------------

ROCKCREEK_FLAT_ENTRY(int) rockcreek_send(void* ue, char* buffer, size_t size, int dest) noexcept {
  Call call(ue, {"RCCE_send", sends});
  call.message(dest, size);
  const int result = send(call.library(), buffer, size, dest);
  call.sent();
  return result;
}

ROCKCREEK_FLAT_ENTRY(int) rockcreek_recv(void* ue, char* buffer, size_t size, int source) noexcept {
  Call call(ue, {"RCCE_recv", receives});
  call.message(source, size);
  const int result = receive(call.library(), buffer, size, source);
  call.received();
  return result;
}

ROCKCREEK_ENTRY(int)
rockcreek_recv_test(void* ue, char* buffer, size_t size, int source, int* test) noexcept {
  Call call(ue, {"RCCE_recv_test", receives});
  call.message(source, size);
  Library& library = call.library();
  if (!library.valid_rank(source)) return error_return(library, *library.image.debug_comm, Error::id);
  *test =
      size == 0 || receive_if_sent(library, channel(library, source, library.rank()), buffer, size, source);
  if (*test == 0) looked(library, {"flag sent", library.rank(), source});
  return 0;
}

ROCKCREEK_ENTRY(int)
rockcreek_send_gory(void* ue, char* buffer, rockcreek_mpb combuf, size_t chunk, void* ready, void* sent,
                    size_t size, int dest) noexcept {
  Call call(ue, {"RCCE_send", sends});
  call.message(dest, size);
  if (size > 0) send_pieces(call.library(), {combuf, chunk, ready, sent}, buffer, size, dest);
  call.sent();
  return 0;
}

ROCKCREEK_ENTRY(int)
rockcreek_recv_gory(void* ue, char* buffer, rockcreek_mpb combuf, size_t chunk, void* ready, void* sent,
                    size_t size, int source, int* test) noexcept {
  Call call(ue, {test != nullptr ? "RCCE_recv_test" : "RCCE_recv", receives});
  call.message(source, size);
  const Channel channel{combuf, chunk, ready, sent};
  if (test != nullptr) {
    *test = size == 0 || receive_if_sent(call.library(), channel, buffer, size, source);
    if (*test == 0) looked(call.library(), {"flag sent", call.library().rank(), source});
  } else if (size > 0) {
    receive_pieces(call.library(), channel, buffer, size, source);
    call.received();
  }
  return 0;
}

ROCKCREEK_ENTRY(int) rockcreek_comm_bcast(void* ue, char* buffer, size_t num, int root, void* comm) noexcept {
  const Call call(ue, {"RCCE_bcast", collective});
  return broadcast(call.library(), buffer, num, root, view(call.library(), comm));
}

ROCKCREEK_ENTRY(int)
rockcreek_comm_reduce(void* ue, char* in, char* out, int num, int type, int op, int root, void* comm) noexcept {
  const Call call(ue, {"RCCE_reduce", collective});
  return reduce(call.library(), in, out, num, type, op, root, view(call.library(), comm));
}

ROCKCREEK_ENTRY(int)
rockcreek_comm_allreduce(void* ue, char* in, char* out, int num, int type, int op, void* comm) noexcept {
  const Call call(ue, {"RCCE_allreduce", collective});
  return allreduce(call.library(), in, out, num, type, op, view(call.library(), comm));
}

ROCKCREEK_ENTRY(int)
rockcreek_combine(void* ue, int op, int type, void* target, const void* source, int count) noexcept {
  const Call call(ue, "rcce_combine");
  Library& library = call.library();
  if (const Error error = check_combination(op, type); error != Error::none)
    return error_return(library, *library.image.debug_comm, error);
  combine(library, op, type, static_cast<char*>(target), static_cast<const char*>(source),
          elements_of(library, count));
  return code(Error::none);
}

ROCKCREEK_ENTRY(void)
rockcreek_combines(void* ue, void* target, int count, size_t element_bytes) noexcept {
  const Call call(ue, "rcce_combine_with");
  charge_combining(call.library(), target, elements_of(call.library(), count), element_bytes);
}

// --- communicators, barrier, locks
// ---------------------------------------------------------------------------------

ROCKCREEK_ENTRY(int)
rockcreek_comm_split(void* ue, int (*color)(int, void*), void* aux, void* comm) {
  const Call call(ue, {"RCCE_comm_split", collective});
  if (comm != call.library().image.comm_world)
    tell_collective(call.library(), call.library().world(), "RCCE_comm_split");
  return comm_split(call.library(), color, aux, view(call.library(), comm));
}

ROCKCREEK_ENTRY(int) rockcreek_comm_free(void* ue, void* comm) noexcept {
  const Call call(ue, "RCCE_comm_free");
  return comm_free(call.library(), view(call.library(), comm));
}

ROCKCREEK_ENTRY(int) rockcreek_comm_size(void* ue, void* comm, int* size) noexcept {
  const Call call(ue, "RCCE_comm_size", any_time);
  const Communicator of = view(call.library(), comm);
  if (of.initialized() != comm_magic) {
    return error_return(call.library(), *call.library().image.debug_comm, Error::comm_initialized);
  }
  *size = of.size();
  return 0;
}

ROCKCREEK_ENTRY(int) rockcreek_comm_rank(void* ue, void* comm, int* rank) noexcept {
  const Call call(ue, "RCCE_comm_rank", any_time);
  const Communicator of = view(call.library(), comm);
  if (of.initialized() != comm_magic) {
    return error_return(call.library(), *call.library().image.debug_comm, Error::comm_initialized);
  }
  *rank = of.my_rank();
  return 0;
}

ROCKCREEK_ENTRY(int) rockcreek_comm_barrier(void* ue, void* comm) noexcept {
  const Call call(ue, {"RCCE_barrier", collective});
  tell_collective(call.library(), view(call.library(), comm), "RCCE_barrier");
  return barrier(call.library(), view(call.library(), comm));
}

ROCKCREEK_ENTRY(void) rockcreek_fence(void* ue) noexcept {
  const Call call(ue, "RCCE_fence", any_time);
  passed(call.library().ue);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

ROCKCREEK_ENTRY(int) rockcreek_acquire_lock(void* ue, int id) noexcept {
  const Call call(ue, "RCCE_acquire_lock");
  Library& library = call.library();
  const int core = library.core_of(id);
  const WaitsFor waiting(library, "lock", id);
  library.core.lock_acquire(core);
  library.note_lock(core, true);
  return 0;
}

ROCKCREEK_ENTRY(int) rockcreek_release_lock(void* ue, int id) noexcept {
  const Call call(ue, "RCCE_release_lock");
  Library& library = call.library();
  const int core = library.core_of(id);
  library.note_lock(core, false);
  library.core.lock_release(core);
  return 0;
}

// --- MPB memory, flags
// ------------------------------------------------------------------------------------------------

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

// --- off-chip shared memory
// --------------------------------------------------------------------------------------------

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

// --- power
// -------------------------------------------------------------------------------------------------------------------

ROCKCREEK_ENTRY(int) rockcreek_power_domain(void* ue) noexcept {
  const Call call(ue, "RCCE_power_domain");
  return power_domain(call.library());
}

ROCKCREEK_ENTRY(int) rockcreek_power_domain_master(void* ue) noexcept {
  const Call call(ue, "RCCE_power_domain_master");
  return power_domain_master(call.library());
}

ROCKCREEK_ENTRY(int) rockcreek_power_domain_size(void* ue) noexcept {
  const Call call(ue, "RCCE_power_domain_size");
  return power_domain_size(call.library());
}

ROCKCREEK_ENTRY(int)
rockcreek_iset_power(void* ue, int divider, void* request, int* new_divider, int* new_level) noexcept {
  const Call call(ue, "RCCE_iset_power");
  return iset_power(call.library(), divider, *static_cast<PowerRequest*>(request), *new_divider, *new_level);
}

ROCKCREEK_ENTRY(int) rockcreek_wait_power(void* ue, void* request) noexcept {
  const Call call(ue, "RCCE_wait_power");
  return wait_power(call.library(), *static_cast<PowerRequest*>(request));
}

ROCKCREEK_ENTRY(int) rockcreek_set_frequency_divider(void* ue, int divider, int* new_divider) noexcept {
  const Call call(ue, "RCCE_set_frequency_divider");
  return set_frequency_divider(call.library(), divider, *new_divider);
}

ROCKCREEK_ENTRY(int) rockcreek_get_divider(void* ue, int tile) noexcept {
  const Call call(ue, "get_divider");
  const Engine& engine = call.library().engine;
  return tile >= 0 && tile < engine.tiles() ? engine.tile_divider(tile) : -1;
}

ROCKCREEK_ENTRY(void) rockcreek_print_dividers(void* ue) noexcept {
  const Call call(ue, "print_dividers");
  print_dividers(call.library());
}

// --- registers and addresses of the chip
// ------------------------------------------------------------------------------------------

ROCKCREEK_ENTRY(int) rockcreek_read_register(void* ue, unsigned address) noexcept {
  const Call call(ue, "ReadConfigReg", any_time);
  return static_cast<int>(read_register(call.library(), address));
}

ROCKCREEK_ENTRY(void) rockcreek_write_register(void* ue, unsigned address, int value) noexcept {
  const Call call(ue, "SetConfigReg", any_time);
  write_register(call.library(), address, static_cast<std::uint32_t>(value));
}

ROCKCREEK_ENTRY(rockcreek_mpb) rockcreek_mpb_of_tile(void* ue, int x, int y, int core) noexcept {
  const Call call(ue, "MPBalloc", any_time);
  tell_handed_out(call.library().ue);
  Engine& engine = call.library().engine;
  const mesh::Topology& topology = engine.topology();
  if (!topology.contains(x, y) || core < 0 || core >= topology.cores_per_tile()) return nullptr;
  const int tile = index(topology.tile_at(x, y));
  return reinterpret_cast<rockcreek_mpb>(engine.mpb(tile * topology.cores_per_tile() + core));
}

ROCKCREEK_ENTRY(void)
rockcreek_sort(char* base, size_t count, size_t bytes, int (*compare)(const void*, const void*)) {
  sort_elements(base, count, bytes, compare);
}
