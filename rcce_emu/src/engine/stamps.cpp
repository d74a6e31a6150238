// SPDX-License-Identifier: Apache-2.0
#include "engine/stamps.hpp"

#include <algorithm>
#include <atomic>

namespace rcce {
namespace {

using mesh::Picoseconds;

std::atomic_ref<Picoseconds> at(Picoseconds* stamps, std::size_t number) noexcept {
  return std::atomic_ref(stamps[number]);
}

} // namespace

std::uint8_t Stamps::present(std::size_t byte) const noexcept {
  auto* place = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(mpb_ + byte));
  return std::atomic_ref(*place).load(std::memory_order_relaxed);
}

void Stamps::store(std::size_t offset, const void* data, std::size_t bytes, Picoseconds time) noexcept {
  changed_by_store(offset, data, bytes,
                   [&](std::size_t bit) { at(stamps_, bit).store(time, std::memory_order_relaxed); });
}

void Stamps::update(std::size_t offset, std::uint8_t mask, std::uint8_t value, Picoseconds time) noexcept {
  changed_by_update(offset, mask, value,
                    [&](std::size_t bit) { at(stamps_, bit).store(time, std::memory_order_relaxed); });
}

void Stamps::put(std::size_t offset, std::size_t bytes, Picoseconds time) noexcept {
  const auto [first, count] = lines(mpb_bytes_, offset, bytes);
  for (std::size_t i = 0; i < count; ++i) at(stamps_, first + i).store(time, std::memory_order_relaxed);
}

Picoseconds Stamps::latest_of(Range range) const noexcept {
  Picoseconds latest = 0;
  for (std::size_t i = 0; i < range.count; ++i)
    latest = std::max(latest, at(stamps_, range.first + i).load(std::memory_order_relaxed));
  return latest;
}

Picoseconds Stamps::latest(std::size_t offset, std::size_t bytes) const noexcept {
  return std::max(latest_line(offset, bytes), latest_of(bits(offset, bytes)));
}

Picoseconds Stamps::latest_line(std::size_t offset, std::size_t bytes) const noexcept {
  return latest_of(lines(mpb_bytes_, offset, bytes));
}

Picoseconds Stamps::held_since(std::size_t offset, const mesh::Condition& condition) const noexcept {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < condition.bytes; ++i) word |= std::uint32_t{present(offset + i)} << (8 * i);
  // Equal since the last of its bits has been right; different since the first has been wrong.
  std::uint32_t counted = condition.mask;
  if (condition.unequal) counted &= word ^ condition.value;
  Picoseconds since = condition.unequal && counted != 0 ? INT64_MAX : 0;
  for (std::uint32_t left = counted; left != 0; left &= left - 1) {
    const auto number = static_cast<unsigned>(std::countr_zero(left));
    const Picoseconds bit = at(stamps_, offset * 8 + number).load(std::memory_order_relaxed);
    const Picoseconds one = std::max(bit, latest_line(offset + number / 8, 1));
    since = condition.unequal ? std::min(since, one) : std::max(since, one);
  }
  return since;
}

} // namespace rcce
