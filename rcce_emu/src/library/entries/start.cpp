// SPDX-License-Identifier: Apache-2.0
// Entries: start, end, time; diagnostics.
#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <utility>

#include "engine/ue/job_state.hpp"
#include "library/protocol/communication.hpp"
#include "library/protocol/diagnostics.hpp"
#include "library/protocol/entry.hpp"
#include "library/protocol/power.hpp"
#include "mesh_sim/kernel/poll.hpp"
#include "mesh_sim/parts/own_accesses.hpp"
#include "process/libc/signals/alarm.hpp"
#include "process/libc/waits/time.hpp"
#include "process/process.hpp"

using namespace rcce;
using namespace rcce::protocol;

namespace {

/// Half of what the clocks can tell, so that what comes on top does not make them negative.
constexpr Picoseconds end_of_time = INT64_MAX / 2;
/// So many at a time do not get there while anybody waits.
constexpr Cycles few_cycles = 1'000'000;

void check_end_of_time(const Library& library, Cycles cycles) {
  if (!library.charged) return;
  const double cycle = library.engine.cycle_of(library.core_id);
  const double left = static_cast<double>(end_of_time - library.core.now());
  if (static_cast<double>(cycles) * cycle <= left) return;
  misuse(library,
         fmt::format("{} cycles of {} ps: simulated time ends at {} ps, after 53 days, and {} ps of it are "
                     "over",
                     cycles, std::llround(cycle), end_of_time, library.core.now()));
}

/// Lets those run whose clocks are earlier, at this place of the program's own code.
void give_way(Ue& ue, const void* place) {
  ue.computes_at.store(place, std::memory_order_relaxed);
  if (ue.core->now() > end_of_time) misuse(library_of(ue), "simulated time ends here, after 53 days");
  ue.core->schedule();
  ue.computes_at.store(nullptr, std::memory_order_relaxed);
}

/// A UE has computed for long without a call, or until its alarm, as far as here; or somebody wants to know
/// of each part.
void computed(Ue& ue, const void* place) {
  // It may come here before the UE is ready, and behind a store point whose cycles are charged already.
  if (ue.own_cycles == nullptr || static_cast<long>(*ue.own_cycles) < 0) return;
  const std::uint64_t cycles = ue.since_schedule + *ue.own_cycles;
  // Whoever watches must not change when the clock goes on, by which the caches' memory is shared out.
  if (cycles <= ROCKCREEK_MOST_CYCLES && ue.process->c.alarm == nullptr) return tell_own_code(ue);
  charge_own_code(ue);
  ue.since_schedule = cycles;
  if (ue.activity.call != nullptr) return; // within a call the call does
  if (cycles > ROCKCREEK_MOST_CYCLES) {
    ue.since_schedule = 0;
    // A mutex may be one of the C++ library's, for which the others would wait in the host. A loop that holds
    // one for a thousand times as long may wait for what others store.
    if (ue.own_code_counts && (ue.mutexes == 0 || ++ue.kept_way % 1024 == 0)) give_way(ue, place);
  }
  if (ue.process->c.alarm != nullptr) [[unlikely]]
    libc::ring_alarm(ue);
}

/// The program is about to store to memory that others may read.
void stores(Ue& ue, const void* place) {
  if (ue.own_cycles == nullptr || ue.engine->wall_clock()) return;
  if (static_cast<long>(*ue.own_cycles) > 0) charge_own_code(ue);
  ue.job->note_host_order(Job::HostOrder::stores);
  // Who orders accesses lets others run where it is told of this one, directly before the store.
  if (ue.job->interference() != nullptr && ue.job->observed()) return;
  if (ue.activity.call == nullptr) give_way(ue, place);
}

/// ROCKCREEK_BUFFERS.
void buffers(Ue& ue, const void* address, const void* step, const void* rounds, const void* how) {
  const auto number = [](const void* word) { return reinterpret_cast<std::uintptr_t>(word); };
  if (address == nullptr) {
    *static_cast<unsigned long*>(const_cast<void*>(step)) = number(ue.engine->mpb(0));
    *static_cast<unsigned long*>(const_cast<void*>(rounds)) =
        static_cast<std::size_t>(ue.engine->cores()) * ue.engine->mpb_bytes();
    return;
  }
  if (ue.own_cycles == nullptr || ue.engine->wall_clock()) return;
  if (static_cast<long>(*ue.own_cycles) > 0) charge_own_code(ue);
  const bool store = (number(how) & 1) != 0;
  if (!store) ue.job->note_host_order(Job::HostOrder::polls);
  const bool copies = rounds == nullptr;
  const std::size_t bytes = number(how) >> 1;
  access_buffers(ue,
                 {static_cast<const std::byte*>(address),
                  static_cast<std::int64_t>(copies ? 0 : number(step)), static_cast<std::uint32_t>(bytes),
                  store ? 1u : 0u},
                 copies ? 1 : number(rounds));
  // What the caches know of its other side is charged with the program's other accesses.
  if (copies && ue.known_lines == nullptr) ue.core->buffers().own_side(step, bytes, !store);
}

/// ROCKCREEK_POLLS.
void polls(Ue& ue, unsigned what, const std::array<const void*, mesh::most_polled_words>& addresses) {
  std::array<mesh::PolledWord, mesh::most_polled_words> words;
  std::size_t count = 0;
  for (; count < words.size() && (what >> ROCKCREEK_WORD_BYTES(count) & 0xfu) != 0; ++count)
    words[count] = {addresses[count], what >> ROCKCREEK_WORD_BYTES(count) & 0xfu};
  ue.library->polls_memory({words.data(), count}, what & 0xffu);
}

} // namespace

// --- start, end, time --------------------------------------------------------------------------------------

ROCKCREEK_ENTRY(int) rockcreek_init(void* ue, int* argc, char*** argv) noexcept {
  const Call call(ue, "RCCE_init", any_time);
  return init(call.library(), argc, argv);
}

ROCKCREEK_ENTRY(int) rockcreek_finalize(void* ue) noexcept {
  const Call call(ue, {"RCCE_finalize", mesh::CallTraits::collective | mesh::CallTraits::ends});
  if (!call.library().left) tell_collective(call.library(), call.library().world(), "RCCE_finalize");
  return finalize(call.library());
}

ROCKCREEK_ENTRY(double) rockcreek_wtime(void* ue) noexcept {
  const Call call(ue, "RCCE_wtime", any_time);
  call.library().ue.asked_time = true;
  libc::lead_on_clock_polls(call.library().ue, static_cast<double>(libc::picoseconds_per_second));
  return static_cast<double>(call.library().core.now()) * mesh::seconds_per_picosecond;
}

ROCKCREEK_ENTRY(long long) rockcreek_cycles(void* ue) noexcept {
  const Call call(ue, "rcce_cycles", any_time);
  call.library().ue.asked_time = true;
  libc::lead_on_clock_polls(call.library().ue, 1e6 / clock_mhz(call.library()));
  return nominal_cycles(call.library());
}

ROCKCREEK_ENTRY(void) rockcreek_compute(void* ue, long long cycles) noexcept {
  const Call call(ue, {"rcce_compute", computes}, any_time);
  if (cycles < 0) misuse(call.library(), "negative number of cycles " + std::to_string(cycles));
  if (cycles > few_cycles) check_end_of_time(call.library(), cycles);
  const Picoseconds before = call.library().core.now();
  call.library().charge(cycles);
  call.library().ue.own_time += call.library().core.now() - before; // stands for code of the program's own
  passed(call.library().ue);
}

ROCKCREEK_ENTRY(long long) rockcreek_picoseconds(void* ue) noexcept {
  const Call call(ue, "rcce_picoseconds", any_time);
  call.library().ue.asked_time = true;
  libc::lead_on_clock_polls(call.library().ue, 1);
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

ROCKCREEK_ENTRY(void*) rockcreek_job_data(void* ue) noexcept {
  return ue == nullptr ? nullptr : static_cast<Ue*>(ue)->job->data();
}

ROCKCREEK_ENTRY(double) rockcreek_core_mhz(void* ue) noexcept {
  return ue == nullptr ? 0 : static_cast<Ue*>(ue)->job->core_mhz();
}

ROCKCREEK_ENTRY(long long) rockcreek_flags_taken(void* ue) noexcept {
  return ue == nullptr ? 0 : library_of(*static_cast<Ue*>(ue)).flags.taken();
}

ROCKCREEK_ENTRY(void)
rockcreek_collective(void* ue, const char* name, int root, unsigned long bytes) noexcept {
  auto* const caller = static_cast<Ue*>(ue);
  if (caller == nullptr || caller->facts == nullptr || name == nullptr) return;
  const std::string where = root < 0 ? "" : ", root " + std::to_string(root);
  const Activity before = std::exchange(caller->activity, Activity{name});
  caller->activity.since = caller->core->now();
  caller->activity.traits = collective;
  Library& library = library_of(*caller);
  tell_collective(library, library.world(), name, where + ", " + std::to_string(bytes) + " bytes");
  caller->activity = before;
}

ROCKCREEK_ENTRY(void)
rockcreek_spin_rounds(void* ue, unsigned rounds, const void* first, const void* second, const void* third,
                      const void* fourth) noexcept {
  // No call of the program's: it may run before the UE is ready, and says nothing about what the UE does.
  if (ue == nullptr) return;
  Ue& caller = *static_cast<Ue*>(ue);
  const void* const place = static_cast<const char*>(__builtin_return_address(0)) - 1;
  if (rounds == 0) return computed(caller, place);
  if (rounds == ROCKCREEK_STORES) return stores(caller, place);
  if (rounds == ROCKCREEK_BUFFERS) return buffers(caller, first, second, third, fourth);
  charge_own_code(caller);
  if ((rounds & ROCKCREEK_POLLS) != 0) {
    if (caller.library != nullptr) polls(caller, rounds, {first, second, third, fourth});
  } else {
    caller.count_call();
    if (caller.library == nullptr) return caller.core->spin(rounds);
    caller.library->looked_at_memory(rounds);
  }
  if (caller.activity.call == nullptr && caller.process->c.alarm != nullptr) [[unlikely]]
    libc::ring_alarm(caller);
}

static_assert(sizeof(rockcreek_stream) == sizeof(mesh::AccessStream));
static_assert(ROCKCREEK_LINES == mesh::KnownLines::sets);

ROCKCREEK_ENTRY(void)
rockcreek_accessed(void* ue, const void* address, unsigned long bytes, unsigned how,
                   unsigned long* lines) noexcept {
  if (bytes == 0) return;
  const rockcreek_stream one{address, 0, static_cast<unsigned>(bytes), how};
  rockcreek_accessed_in_loop(ue, 0, &one, 1, lines);
}

ROCKCREEK_ENTRY(void)
rockcreek_accessed_in_loop(void* ue, unsigned long rounds, const struct rockcreek_stream* streams,
                           unsigned long count, unsigned long* lines) noexcept {
  auto* const caller = static_cast<Ue*>(ue);
  if (caller == nullptr || caller->known_lines == nullptr) return;
  mesh::KnownLines& known = *caller->known_lines;
  known.keep_in(lines);
  caller->memory_time +=
      caller->core->access(rounds, {reinterpret_cast<const mesh::AccessStream*>(streams), count}, known);
  caller->l2_time += known.l2_time();
}

// --- diagnostics -------------------------------------------------------------------------------------------

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
