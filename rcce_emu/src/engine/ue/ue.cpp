// SPDX-License-Identifier: Apache-2.0
// The record of which UE a thread is executing.
#include "engine/ue/ue.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/ue/job_state.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "mesh_sim/parts/own_accesses.hpp"

namespace rcce {

namespace {

// Initial-exec: the C library's names ask for them at every call, and the runtime is always loaded at start.
[[gnu::tls_model("initial-exec")]] thread_local Job* running_job = nullptr;
[[gnu::tls_model("initial-exec")]] thread_local Ue* running_ue = nullptr;

/// Cut down to whole picoseconds, without overflow for as many cycles as there can be.
Picoseconds average_memory_time(Picoseconds per_million, Picoseconds cycles) {
  constexpr Picoseconds million = 1'000'000;
  return cycles / million * per_million + cycles % million * per_million / million;
}

void notify_ran(const Ue& ue, Picoseconds time) {
  if (time > 0 && ue.observers != nullptr && ue.observers->want(mesh::EventMask::code)) [[unlikely]]
    ue.observers->notify_alone(&mesh::Observer::ran, mesh::EventMask::code, ue.core->id(), time);
}

} // namespace

Ue* current_ue() noexcept {
  return running_ue;
}
Job* current_job() noexcept {
  return running_job;
}

void forget_known_lines(const Ue& ue) {
  ue.known_lines->forget();
}

void charge_counted_cycles(Ue& ue) {
  // A loop that would go on until the end of simulated time (53 days) ends there in check_end_of_time().
  constexpr unsigned long most = std::numeric_limits<Cycles>::max() / 1'000'000;
  // Below 0 where it has ended behind a store point, whose cycles are charged already.
  const auto counted = static_cast<long>(std::exchange(*ue.own_cycles, 0));
  const unsigned long cycles = counted < 0 ? 0 : std::min(static_cast<unsigned long>(counted), most);
  ue.since_schedule = 0;
  if (!ue.own_code_counts) return;
  const Picoseconds before = ue.core->now();
  ue.core->compute(static_cast<Cycles>(cycles));
  ue.counted_cycles += cycles;
  if (ue.memory_per_million_cycles > 0)
    ue.memory_time = average_memory_time(ue.memory_per_million_cycles, static_cast<Picoseconds>(cycles));
  if (ue.memory_time > 0) {
    const Picoseconds computed = ue.core->now();
    ue.core->spend_on_memory(computed - before, std::exchange(ue.memory_time, 0));
    ue.memory_spent += ue.core->now() - computed;
    ue.l2_spent += std::exchange(ue.l2_time, 0);
  }
  const Picoseconds time = ue.core->now() - before;
  ue.own_time += time;
  notify_ran(ue, time - std::exchange(ue.told_time, 0));
}

void tell_own_code(Ue& ue) {
  if (!ue.own_code_counts) return;
  const Picoseconds time =
      static_cast<Picoseconds>(static_cast<double>(*ue.own_cycles) * ue.engine->cycle_of(ue.core->id())) +
      ue.memory_time;
  notify_ran(ue, time - std::exchange(ue.told_time, time));
}

void set_current(Job* job, Ue* ue) noexcept {
  running_job = job;
  running_ue = ue;
}

} // namespace rcce
