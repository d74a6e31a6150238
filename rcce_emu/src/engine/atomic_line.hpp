// SPDX-License-Identifier: Apache-2.0
// Flags and single lines of message-passing buffers as threads share them: in words, so that a flag of 1.0,
// a word in a line that is written as a whole, is the same atomic object for writer and reader. Inline: one
// such access takes less time than a call does.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "mesh_sim/units.hpp"

namespace rcce::atomic_line {

using Byte = std::atomic_ref<std::uint8_t>;
using Word = std::atomic_ref<std::uint32_t>;
inline constexpr std::size_t word_bytes = 4;

[[nodiscard]] inline std::uint8_t& byte_at(std::byte* place) noexcept {
  return *reinterpret_cast<std::uint8_t*>(place);
}
[[nodiscard]] inline std::uint32_t& word_at(std::byte* place) noexcept {
  return *reinterpret_cast<std::uint32_t*>(place);
}

[[nodiscard]] inline bool in_words(const std::byte* place, std::size_t bytes) noexcept {
  return (reinterpret_cast<std::uintptr_t>(place) | bytes) % word_bytes == 0;
}

inline void store_word(std::byte* place, const std::byte* from, std::size_t at) noexcept {
  std::uint32_t word = 0;
  std::memcpy(&word, from + at, word_bytes);
  Word(word_at(place + at)).store(word, std::memory_order_release);
}

inline void load_word(std::byte* place, std::byte* to, std::size_t at) noexcept {
  const std::uint32_t word = Word(word_at(place + at)).load(std::memory_order_acquire);
  std::memcpy(to + at, &word, word_bytes);
}

inline constexpr auto words_of_line = std::make_index_sequence<mesh::line_bytes / word_bytes>();

template <std::size_t... Index>
void store_line(std::byte* place, const std::byte* from, std::index_sequence<Index...>) noexcept {
  (store_word(place, from, mesh::line_bytes - (Index + 1) * word_bytes), ...);
}

template <std::size_t... Index>
void load_line(std::byte* place, std::byte* to, std::index_sequence<Index...>) noexcept {
  (load_word(place, to, Index * word_bytes), ...);
}

/// Stores what lies in one line; each store releases. The first word last: a flag that stands before a tag in
/// its line is seen after the tag.
inline void store(std::byte* place, const void* data, std::size_t bytes) noexcept {
  const auto* from = static_cast<const std::byte*>(data);
  if (bytes == 1) {
    Byte(byte_at(place)).store(static_cast<std::uint8_t>(*from), std::memory_order_release);
  } else if (in_words(place, bytes)) {
    if (bytes == mesh::line_bytes) return store_line(place, from, words_of_line);
    for (std::size_t at = bytes; at > 0; at -= word_bytes) store_word(place, from, at - word_bytes);
  } else {
    for (std::size_t i = 0; i < bytes; ++i)
      Byte(byte_at(place + i)).store(static_cast<std::uint8_t>(from[i]), std::memory_order_release);
  }
}

/// Replaces the bits of `mask` in one byte.
inline void update(std::byte* place, std::uint8_t mask, std::uint8_t value) noexcept {
  const Byte byte(byte_at(place));
  std::uint8_t old = byte.load(std::memory_order_relaxed);
  while (!byte.compare_exchange_weak(old, static_cast<std::uint8_t>((old & ~mask) | (value & mask)))) {
  }
}

/// Loads what lies in one line; each load acquires.
inline void load(std::byte* place, void* data, std::size_t bytes) noexcept {
  auto* to = static_cast<std::byte*>(data);
  if (bytes == 1) {
    *to = static_cast<std::byte>(Byte(byte_at(place)).load(std::memory_order_acquire));
  } else if (in_words(place, bytes)) {
    for (std::size_t at = 0; at < bytes; at += word_bytes) load_word(place, to, at);
  } else {
    for (std::size_t i = 0; i < bytes; ++i)
      to[i] = static_cast<std::byte>(Byte(byte_at(place + i)).load(std::memory_order_acquire));
  }
}

/// Loads a whole line.
inline void load_line(std::byte* place, void* data) noexcept {
  load_line(place, static_cast<std::byte*>(data), words_of_line);
}

/// The little-endian word of `bytes` (1, 2 or 4) bytes.
[[nodiscard]] inline std::uint32_t flag(std::byte* place, std::size_t bytes) noexcept {
  if (bytes == 1) return Byte(byte_at(place)).load(std::memory_order_acquire);
  std::uint32_t word = 0;
  if (in_words(place, bytes)) return Word(word_at(place)).load(std::memory_order_acquire);
  for (std::size_t i = 0; i < bytes; ++i)
    word |= std::uint32_t{Byte(byte_at(place + i)).load(std::memory_order_acquire)} << (8 * i);
  return word;
}

} // namespace rcce::atomic_line
