// SPDX-License-Identifier: Apache-2.0
// Who has written what last, for the rounds that a run shows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "mesh_sim/observe/observer.hpp"

namespace mesh {

/// Who has written a bit last.
struct RoundTag {
  int core = -1;
  int round = 0;
  bool inside = false; ///< true within the operation
  Picoseconds at = 0;
};

/// The last writers of the bits of buffers, counters, locks and shared memory.
class RoundTags {
 public:
  void write(const Access& access, const RoundTag& tag) {
    for (std::size_t i = 0; i < bytes_of(access); ++i) {
      const std::uint8_t mask = mask_of(access, i);
      Byte& byte = bytes_[key(access, i)];
      if (mask == whole) {
        byte = {tag, nullptr};
        continue;
      }
      if (!byte.bits) {
        byte.bits = std::make_unique<std::array<RoundTag, 8>>();
        byte.bits->fill(byte.all);
      }
      for (std::size_t bit = 0; bit < 8; ++bit)
        if ((mask >> bit & 1) != 0) (*byte.bits)[bit] = tag;
    }
  }
  /// Calls visit(tag) for each byte that is read, with the latest of the writers of its bits.
  template <class Visit>
  void read(const Access& access, Visit visit) const {
    for (std::size_t i = 0; i < bytes_of(access); ++i)
      if (const auto found = bytes_.find(key(access, i)); found != bytes_.end())
        if (const RoundTag tag = latest(found->second, mask_of(access, i)); tag.core >= 0) visit(tag);
  }

 private:
  static constexpr std::uint8_t whole = 0xff;
  struct Byte {
    RoundTag all;
    std::unique_ptr<std::array<RoundTag, 8>> bits; ///< in place of `all`, where they differ
  };
  [[nodiscard]] static RoundTag latest(const Byte& byte, std::uint8_t mask) {
    if (!byte.bits) return byte.all;
    RoundTag found;
    for (std::size_t bit = 0; bit < 8; ++bit)
      if (const RoundTag& tag = (*byte.bits)[bit];
          (mask >> bit & 1) != 0 && tag.core >= 0 && tag.at >= found.at)
        found = tag;
    return found;
  }
  /// The target: a buffer or shared memory, a counter, a lock.
  [[nodiscard]] static std::uint64_t family(const Access& access) {
    switch (access.kind) {
    case Access::Kind::counter:
      return 1;
    case Access::Kind::lock_try:
    case Access::Kind::lock_release:
      return 2;
    default:
      return 0;
    }
  }
  [[nodiscard]] static std::size_t bytes_of(const Access& access) {
    return family(access) > 0 ? 1 : access.bytes;
  }
  [[nodiscard]] static std::uint8_t mask_of(const Access& access, std::size_t byte) {
    return byte < 4 ? static_cast<std::uint8_t>(access.mask >> (8 * byte)) : whole;
  }
  /// Counters and locks lie beside the buffers.
  [[nodiscard]] static std::uint64_t key(const Access& access, std::size_t byte) {
    const auto place = static_cast<std::uint64_t>(access.target + 1) * 3 + family(access);
    return place << 40 | (family(access) > 0 ? 0 : access.offset + byte);
  }
  std::unordered_map<std::uint64_t, Byte> bytes_;
};

} // namespace mesh
