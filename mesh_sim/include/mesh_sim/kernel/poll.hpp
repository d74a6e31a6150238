// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace mesh {

/// A word of plain memory that a context polls: 1, 2, 4 or 8 bytes.
struct PolledWord {
  const void* address = nullptr;
  unsigned bytes = 0;
};

/// A context polls at most so many words.
inline constexpr std::size_t most_polled_words = 4;

/// Why a context polls no longer.
enum class PollEnd : std::uint8_t { changed, roused, interrupted };

} // namespace mesh
