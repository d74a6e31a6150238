// What orders UEs: bytes of message-passing buffers that are written by stores and seen by looks (flags),
// test-and-set registers and atomic counters. Each remembers what whoever sees its value learns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/clocks.hpp"

namespace rcce::check {

class Signals {
 public:
  /// Replaces the bits of `mask` in each of the bytes by those of `values`.
  void write(std::size_t place, std::span<const std::byte> values, std::uint8_t mask, const Snapshot& known);
  /// Somebody sees these bits: acquires what the writers of these values knew. False if a bit is set that no
  /// store has left there.
  bool read(std::size_t place, std::span<const std::byte> values, std::span<const std::uint8_t> masks,
            Clocks& clocks, int ue) const;

 private:
  /// A store: a bit that does not show its value yet, since the store is still on its way, still has that of
  /// the one before.
  struct Store {
    Snapshot known;
    std::uint8_t mask;
    std::uint8_t value;
  };
  std::unordered_map<std::size_t, std::vector<Store>> stores_; ///< by byte, the oldest first; never walked
};

} // namespace rcce::check
