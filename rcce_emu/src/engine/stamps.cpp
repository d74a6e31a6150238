// SPDX-License-Identifier: Apache-2.0
#include "engine/stamps.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

namespace rcce {
namespace {

using mesh::line_bytes;
using mesh::Picoseconds;

std::atomic_ref<Picoseconds> at(const mesh::Reservation& memory, std::size_t index) noexcept {
  return std::atomic_ref(reinterpret_cast<Picoseconds*>(memory.data())[index]);
}

std::uint8_t present(const std::byte* place) noexcept {
  auto* byte = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(place));
  return std::atomic_ref(*byte).load(std::memory_order_relaxed);
}

} // namespace

Stamps::Stamps(const std::byte* mpbs, int cores, std::size_t mpb_bytes)
    : mpbs_(mpbs),
      mpb_bytes_(mpb_bytes),
      bits_(static_cast<std::size_t>(cores) * mpb_bytes * 8 * sizeof(Picoseconds)),
      lines_(static_cast<std::size_t>(cores) * mpb_bytes / line_bytes * sizeof(Picoseconds)) {}

void Stamps::stamp_bits(std::size_t byte, std::uint8_t bits, Picoseconds time) noexcept {
  for (unsigned left = bits; left != 0; left &= left - 1)
    at(bits_, byte * 8 + static_cast<unsigned>(std::countr_zero(left)))
        .store(time, std::memory_order_relaxed);
}

void Stamps::store(int target, std::size_t offset, const void* data, std::size_t bytes,
                   Picoseconds time) noexcept {
  const std::size_t start = place(target, offset);
  const auto* next = static_cast<const std::uint8_t*>(data);
  for (std::size_t i = 0; i < bytes; ++i) stamp_bits(start + i, present(mpbs_ + start + i) ^ next[i], time);
}

void Stamps::update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value,
                    Picoseconds time) noexcept {
  const std::size_t byte = place(target, offset);
  stamp_bits(byte, (present(mpbs_ + byte) ^ value) & mask, time);
}

void Stamps::put(int target, std::size_t offset, std::size_t bytes, Picoseconds time) noexcept {
  const std::size_t start = place(target, offset);
  for (std::size_t line = start / line_bytes; line <= (start + bytes - 1) / line_bytes; ++line)
    at(lines_, line).store(time, std::memory_order_relaxed);
}

Picoseconds Stamps::bit(std::size_t byte, unsigned number) const noexcept {
  return at(bits_, byte * 8 + number).load(std::memory_order_relaxed);
}

Picoseconds Stamps::line_of(std::size_t byte) const noexcept {
  return at(lines_, byte / line_bytes).load(std::memory_order_relaxed);
}

Picoseconds Stamps::latest(int source, std::size_t offset, std::size_t bytes) const noexcept {
  const std::size_t start = place(source, offset);
  Picoseconds latest = latest_line(source, offset, bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    for (unsigned number = 0; number < 8; ++number) latest = std::max(latest, bit(start + i, number));
  return latest;
}

Picoseconds Stamps::latest_line(int source, std::size_t offset, std::size_t bytes) const noexcept {
  const std::size_t start = place(source, offset);
  Picoseconds latest = 0;
  for (std::size_t line = start / line_bytes; line <= (start + bytes - 1) / line_bytes; ++line)
    latest = std::max(latest, at(lines_, line).load(std::memory_order_relaxed));
  return latest;
}

Picoseconds Stamps::held_since(int source, std::size_t offset,
                               const mesh::Condition& condition) const noexcept {
  const std::size_t start = place(source, offset);
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < condition.bytes; ++i)
    word |= std::uint32_t{present(mpbs_ + start + i)} << (8 * i);
  // Equal since the last of its bits has been right; different since the first has been wrong.
  std::uint32_t counted = condition.mask;
  if (condition.unequal) counted &= word ^ condition.value;
  Picoseconds since = condition.unequal && counted != 0 ? INT64_MAX : 0;
  for (std::uint32_t left = counted; left != 0; left &= left - 1) {
    const auto number = static_cast<unsigned>(std::countr_zero(left));
    const Picoseconds one = std::max(bit(start + number / 8, number % 8), line_of(start + number / 8));
    since = condition.unequal ? std::min(since, one) : std::max(since, one);
  }
  return since;
}

} // namespace rcce
