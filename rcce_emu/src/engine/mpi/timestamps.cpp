// SPDX-License-Identifier: Apache-2.0
#include "engine/mpi/timestamps.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <type_traits>

namespace rcce::mpi {

static_assert(std::is_trivially_copyable_v<RegisterTimes> &&
              sizeof(RegisterTimes) % sizeof(Picoseconds) == 0);

Timestamps::PerCore Timestamps::per_core(const mesh::SccCosts& costs) {
  const std::size_t stamps = Stamps::count(costs.mpb_bytes());
  return {stamps, stamps * sizeof(Picoseconds) + sizeof(RegisterTimes)};
}

std::size_t Timestamps::bytes(const mesh::SccCosts& costs, std::size_t processes) {
  return processes * per_core(costs).bytes +
      (static_cast<std::size_t>(costs.counters()) + 1) * sizeof(LockedTime) +
      static_cast<std::size_t>(costs.topology().tiles()) * sizeof(std::int32_t);
}

Timestamps::Timestamps(Fabric& fabric, Watch& watch, const mesh::SccCosts& costs)
    : fabric_(fabric),
      watch_(watch),
      per_core_(per_core(costs)),
      counters_(costs.counters()),
      locked_at_(stamps_at(fabric.processes())) {
  if (!fabric.one_host()) {
    mpb_.resize(costs.mpb_bytes());
    stamps_.resize(per_core_.stamps);
  }
  for (int tile = 0; tile < costs.topology().tiles(); ++tile) {
    const auto divider = static_cast<std::int32_t>(costs.config().tile_divider);
    fabric_.write(fabric_.rank(), divider_at(tile), &divider, sizeof divider);
  }
}

/// A program that calls again and again without ever waiting looks for something that others have to do.
bool Timestamps::goes_on() {
  constexpr unsigned patience = 64;
  if (++calls_ % patience == 0) fabric_.give_way();
  return !watch_.stopped();
}

int Timestamps::divider(int tile) const noexcept {
  auto* const divider = reinterpret_cast<std::int32_t*>(fabric_.here(fabric_.rank(), divider_at(tile)));
  return std::atomic_ref(*divider).load(std::memory_order_relaxed);
}

void Timestamps::set_divider(int tile, int divider) {
  const auto value = static_cast<std::int32_t>(divider);
  for (int rank = 0; rank < fabric_.processes(); ++rank)
    fabric_.write(rank, divider_at(tile), &value, sizeof value);
}

Stamps Timestamps::stamps_here(int core, int rank) const noexcept {
  return {fabric_.mpb(core), fabric_.mpb_bytes(),
          reinterpret_cast<Picoseconds*>(fabric_.here(rank, stamps_at(rank)))};
}

void Timestamps::bring(int rank, Stamps::Range range) {
  fabric_.read(rank, stamps_at(rank) + range.first * sizeof(Picoseconds), stamps_.data() + range.first,
               range.count * sizeof(Picoseconds));
}

template <class Changed>
void Timestamps::stamp_there(int rank, Picoseconds visible, Changed&& changed) {
  std::array<std::size_t, mesh::line_bytes * 8> places;
  std::size_t count = 0;
  changed([&](std::size_t stamp) { places[count++] = stamps_at(rank) + stamp * sizeof(Picoseconds); });
  if (count > 0) fabric_.write_each(rank, {places.data(), count}, &visible, sizeof visible);
}

void Timestamps::put(int target, std::size_t offset, const void* source, std::size_t bytes,
                     Picoseconds visible) {
  const int rank = fabric_.rank_with(target);
  if (fabric_.is_here(rank)) {
    stamps_here(target, rank).put(offset, bytes, visible);
  } else {
    const auto [first, count] = Stamps::lines(mpb_.size(), offset, bytes);
    stamps_of_copy().put(offset, bytes, visible);
    fabric_.write(rank, stamps_at(rank) + first * sizeof(Picoseconds), stamps_.data() + first,
                  count * sizeof(Picoseconds));
  }
  fabric_.put(target, offset, source, bytes);
}

void Timestamps::store(int target, std::size_t offset, const void* data, std::size_t bytes,
                       Picoseconds visible) {
  const int rank = fabric_.rank_with(target);
  if (fabric_.is_here(rank)) {
    stamps_here(target, rank).store(offset, data, bytes, visible);
  } else {
    fabric_.load(target, offset, mpb_.data() + offset, bytes);
    stamp_there(rank, visible,
                [&](auto&& visit) { stamps_of_copy().changed_by_store(offset, data, bytes, visit); });
  }
  fabric_.store(target, offset, data, bytes);
}

void Timestamps::update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value,
                        Picoseconds visible) {
  const int rank = fabric_.rank_with(target);
  if (fabric_.is_here(rank)) {
    stamps_here(target, rank).update(offset, mask, value, visible);
  } else {
    fabric_.load(target, offset, mpb_.data() + offset, 1);
    stamp_there(rank, visible,
                [&](auto&& visit) { stamps_of_copy().changed_by_update(offset, mask, value, visit); });
  }
  fabric_.update(target, offset, mask, value);
}

Picoseconds Timestamps::get(void* target, int source, std::size_t offset, std::size_t bytes) {
  const int rank = fabric_.rank_with(source);
  fabric_.get(target, source, offset, bytes);
  if (fabric_.is_here(rank)) return stamps_here(source, rank).latest_line(offset, bytes);
  bring(rank, Stamps::lines(mpb_.size(), offset, bytes));
  return stamps_of_copy().latest_line(offset, bytes);
}

Picoseconds Timestamps::load(int source, std::size_t offset, void* data, std::size_t bytes) {
  const int rank = fabric_.rank_with(source);
  fabric_.load(source, offset, data, bytes);
  if (fabric_.is_here(rank)) return stamps_here(source, rank).latest(offset, bytes);
  bring(rank, Stamps::bits(offset, bytes));
  bring(rank, Stamps::lines(mpb_.size(), offset, bytes));
  return stamps_of_copy().latest(offset, bytes);
}

Picoseconds Timestamps::held_since(int source, const PollTarget& look) {
  if (fabric_.first_met(source, {&look, 1}) != 0) return never;
  const int rank = fabric_.rank_with(source);
  if (fabric_.is_here(rank)) return stamps_here(source, rank).held_since(look.offset, look.condition);
  fabric_.load(source, look.offset, mpb_.data() + look.offset, look.condition.bytes);
  bring(rank, Stamps::bits(look.offset, look.condition.bytes));
  bring(rank, Stamps::lines(mpb_.size(), look.offset, look.condition.bytes));
  return stamps_of_copy().held_since(look.offset, look.condition);
}

RegisterTimes Timestamps::register_times(int register_of) {
  const int rank = fabric_.rank_with(register_of);
  RegisterTimes times;
  fabric_.read(rank, register_at(rank), &times, sizeof times);
  return times;
}

void Timestamps::set_register_times(int register_of, const RegisterTimes& times) {
  const int rank = fabric_.rank_with(register_of);
  fabric_.write(rank, register_at(rank), &times, sizeof times);
}

template <class Act>
void Timestamps::locked(int number, Act&& act) {
  const int home = home_of(number);
  const std::size_t at = locked_at(number), time_at = at + offsetof(LockedTime, time);
  // Whoever has it may have come to its end where the run is being stopped.
  while (fabric_.compare_and_swap(home, at, 0, 1) != 0 && !watch_.stopped()) fabric_.give_way();
  Picoseconds time = 0;
  fabric_.read(home, time_at, &time, sizeof time);
  const Picoseconds before = time;
  act(time);
  if (time != before) fabric_.write(home, time_at, &time, sizeof time);
  fabric_.exchange(home, at, 0);
}

StampedFabric::CounterSeen Timestamps::access_counter(int number, CounterAccess how, std::uint32_t operand,
                                                      Picoseconds acts) {
  CounterSeen seen{fabric_.counter(number), acts}; // which knows what numbers there are
  locked(number, [&](Picoseconds& changed) {
    seen.at = std::max(changed, acts);
    if (how == CounterAccess::read) {
      seen.word = fabric_.counter(number);
      return;
    }
    changed = seen.at;
    seen.word = how == CounterAccess::add ? fabric_.counter_add(number, operand)
                                          : fabric_.counter_exchange(number, operand);
  });
  return seen;
}

bool Timestamps::wait_counter(int core, int number, std::uint32_t value, Picoseconds& changed) {
  if (!watch_.wait_counter(core, number, value)) return false;
  locked(number, [&](const Picoseconds& time) { changed = time; });
  return true;
}

Picoseconds Timestamps::take_regulator(Picoseconds now, Picoseconds duration) {
  Picoseconds done = 0;
  locked(counters_, [&](Picoseconds& free) { done = free = std::max(free, now) + duration; });
  return done;
}

} // namespace rcce::mpi
