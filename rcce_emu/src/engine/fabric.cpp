// SPDX-License-Identifier: Apache-2.0
#include "engine/fabric.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/parts/host_copy.hpp"

namespace rcce {

Fabric::Fabric(int cores, std::byte* mpbs, std::size_t mpb_bytes)
    : mpbs_(mpbs),
      mpb_bytes_(mpb_bytes),
      registers_(std::make_unique<Register[]>(static_cast<std::size_t>(cores))),
      counters_(2 * static_cast<std::size_t>(cores)),
      wait_conditions_(static_cast<std::size_t>(cores)),
      waiting_(
          cores, [](void* self, int core) { return static_cast<Fabric*>(self)->met(core); }, this) {}

void Fabric::put_lines(int target, std::size_t offset, const void* source, std::size_t bytes) {
  mesh::copy_cached(mpb(target) + offset, static_cast<const std::byte*>(source), bytes);
  waiting_.written(target);
}

void Fabric::get_lines(void* target, int source, std::size_t offset, std::size_t bytes) {
  mesh::copy_cached(static_cast<std::byte*>(target), mpb(source) + offset, bytes);
}

void Fabric::regain(int core, std::size_t offset, std::size_t bytes) noexcept {
  constexpr std::size_t host_line = 64;
  const std::size_t end = std::min(offset + bytes, mpb_bytes_);
  // Compilers give the plain prefetch instead, unless told that every processor has this one.
  for (; offset < end; offset += host_line) asm volatile("prefetchw %0" : : "m"(mpb(core)[offset]));
}

void Fabric::update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) {
  atomic_line::update(mpb(target) + offset, mask, value);
  waiting_.written(target);
}

bool Fabric::met(int core) const noexcept {
  const WaitCondition& waits_for = wait_conditions_[static_cast<std::size_t>(core)];
  if (waits_for.met != nullptr) return *waits_for.met;
  if (waits_for.counter >= 0) return counter(waits_for.counter) == waits_for.value;
  if (waits_for.on_lock) return registers_[static_cast<std::size_t>(waits_for.target)].taken == 0;
  return first_met(waits_for.target, waits_for.looks) < waits_for.looks.size();
}

bool Fabric::sleep(int core, int place, const WaitCondition& waits_for) {
  for (;;) {
    wait_conditions_[static_cast<std::size_t>(core)] = waits_for;
    const bool on = waiting_.sleep(core, place);
    if (!waiting_.take_interrupt(core) || !on) return on;
    interrupt_(interrupt_context_, core); // may wait by itself, or leave by a jump
  }
}

bool Fabric::wait(int core, const std::atomic<bool>& met) {
  if (waiting_.look(core, [&] { return met.load(); })) return !waiting_.stopped();
  return sleep(core, core, {.target = core, .met = &met});
}

bool Fabric::lock(int core, int register_of) {
  const std::atomic<std::uint8_t>& taken = registers_[static_cast<std::size_t>(register_of)].taken;
  while (!lock_try(register_of)) {
    if (waiting_.look(core, [&] { return taken == 0; })) {
      if (waiting_.stopped()) return false;
    } else if (!sleep(core, register_of, {.target = register_of, .on_lock = true})) {
      return false;
    }
  }
  return true;
}

void Fabric::unlock(int register_of) {
  registers_[static_cast<std::size_t>(register_of)].taken = 0;
  waiting_.written(register_of);
}

bool Fabric::wait_counter(int core, int number, std::uint32_t value) {
  const std::atomic<std::uint32_t>& word = counter(number);
  if (waiting_.look(core, [&] { return word == value; })) return !waiting_.stopped();
  return sleep(core, place_of_counter(number), {.counter = number, .value = value});
}

const std::atomic<std::uint32_t>& Fabric::counter(int number) const {
  if (number < 0 || static_cast<std::size_t>(number) >= counters_.size())
    throw mesh::UserError(
        fmt::format("atomic counter {} is out of range 0..{}", number, counters_.size() - 1));
  return counters_[static_cast<std::size_t>(number)];
}

} // namespace rcce
