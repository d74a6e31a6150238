// SPDX-License-Identifier: Apache-2.0
// The words in which programs for a cluster are written.
#pragma once

#include <cstdint>

namespace mesh::cluster {

/// In which order a card combines the messages that one step waits for.
enum class Order : std::uint8_t {
  all,     ///< as listed, when all are there
  list,    ///< as listed, each when it is there
  arrival, ///< as they come; ties as listed
};

/// On which side of what a node has the operand that it receives stands.
enum class Side : std::uint8_t { behind, before };

/// Elements begin .. end-1 of the vector.
struct Elements {
  std::uint32_t begin = 0, end = 0;
  [[nodiscard]] constexpr std::uint32_t size() const noexcept { return end - begin; }
  friend constexpr bool operator==(const Elements&, const Elements&) = default;
};

/// A segment of the vector that some node has ready.
struct Segment {
  int from;
  Elements elements;
};

/// Who runs the program.
enum class Processor : std::uint8_t { cards, hosts };
/// How it ends: with the result at the root, with a broadcast by the hardware, or with the result everywhere.
enum class Ending : std::uint8_t { root, broadcast, everywhere };

} // namespace mesh::cluster
