// SPDX-License-Identifier: Apache-2.0
#include "engine/timestamps.hpp"

#include <algorithm>

namespace rcce {

Timestamps::Timestamps(ThreadMachine& machine)
    : machine_(machine),
      stamps_(static_cast<std::size_t>(machine.costs.topology().cores()) *
              Stamps::count(machine.costs.mpb_bytes()) * sizeof(Picoseconds)),
      registers_(static_cast<std::size_t>(machine.costs.topology().cores())),
      counters_(static_cast<std::size_t>(machine.costs.counters())) {}

Stamps Timestamps::stamps(int core) noexcept {
  const std::size_t mpb_bytes = machine_.costs.mpb_bytes();
  auto* const all = reinterpret_cast<Picoseconds*>(stamps_.data());
  return {machine_.fabric.mpb(core), mpb_bytes,
          all + static_cast<std::size_t>(core) * Stamps::count(mpb_bytes)};
}

void Timestamps::put(int target, std::size_t offset, const void* source, std::size_t bytes,
                     Picoseconds visible) {
  stamps(target).put(offset, bytes, visible);
  machine_.fabric.put(target, offset, source, bytes);
}

void Timestamps::store(int target, std::size_t offset, const void* data, std::size_t bytes,
                       Picoseconds visible) {
  stamps(target).store(offset, data, bytes, visible);
  machine_.fabric.store(target, offset, data, bytes);
}

void Timestamps::update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value,
                        Picoseconds visible) {
  stamps(target).update(offset, mask, value, visible);
  machine_.fabric.update(target, offset, mask, value);
}

Picoseconds Timestamps::get(void* target, int source, std::size_t offset, std::size_t bytes) {
  machine_.fabric.get(target, source, offset, bytes);
  return stamps(source).latest_line(offset, bytes);
}

Picoseconds Timestamps::load(int source, std::size_t offset, void* data, std::size_t bytes) {
  machine_.fabric.load(source, offset, data, bytes);
  return stamps(source).latest(offset, bytes);
}

Picoseconds Timestamps::held_since(int source, const PollTarget& look) {
  if (machine_.fabric.first_met(source, {&look, 1}) != 0) return never;
  return stamps(source).held_since(look.offset, look.condition);
}

StampedFabric::CounterSeen Timestamps::access_counter(int number, CounterAccess how, std::uint32_t operand,
                                                      Picoseconds acts) {
  const auto& word = machine_.fabric.counter(number);
  Counter& counter = counters_[static_cast<std::size_t>(number)];
  const std::lock_guard guard(counter.mutex);
  const Picoseconds at = std::max(counter.changed, acts);
  if (how == CounterAccess::read) return {word, at};
  counter.changed = at;
  const std::uint32_t before = machine_.fabric.change_counter(number, [&](auto& changed) {
    return how == CounterAccess::add ? changed.fetch_add(operand) : changed.exchange(operand);
  });
  return {before, at};
}

bool Timestamps::wait_counter(int core, int number, std::uint32_t value, Picoseconds& changed) {
  if (!machine_.fabric.wait_counter(core, number, value)) return false;
  Counter& counter = counters_[static_cast<std::size_t>(number)];
  const std::lock_guard guard(counter.mutex);
  changed = counter.changed;
  return true;
}

} // namespace rcce
