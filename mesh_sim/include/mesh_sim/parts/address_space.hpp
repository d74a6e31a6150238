// SPDX-License-Identifier: Apache-2.0
// From host addresses of one core's private memory to lines of its simulated physical memory. Pages get their
// frames at first touch, in the order of touching, so the result depends on what the core does and never on
// where the host put its memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace mesh {

enum class Frames : std::uint8_t {
  contiguous, ///< the k-th page touched gets frame k
  random, ///< ... gets a frame drawn without repetition, seeded: page colours overflow as after a long uptime
};

class AddressSpace {
 public:
  static constexpr std::uint64_t page_bytes = 4096;

  AddressSpace(Frames frames, std::uint64_t seed) : frames_(frames), seed_(seed) {}

  /// Declares [base, base + bytes): addresses inside are known by their distance from `base`.
  void map(const void* base, std::size_t bytes);

  /// Physical address of the byte at `address`; consecutive bytes of a page are consecutive.
  [[nodiscard]] std::uint64_t physical(const void* address) {
    const auto host = reinterpret_cast<std::uintptr_t>(address);
    const std::uintptr_t page = host / page_bytes;
    const Recent& recent = recent_[page % recent_.size()];
    const std::uint64_t frame = recent.host_page == page ? recent.frame : frame_of(host);
    return frame * page_bytes + host % page_bytes;
  }

 private:
  static constexpr std::uint64_t pages_per_leaf = 64;
  static constexpr std::uint32_t untouched = UINT32_MAX;
  struct Region {
    std::uintptr_t base, end;
    std::uint64_t first_page;
  };
  struct Leaf {
    std::uint64_t number;
    std::unique_ptr<std::uint32_t[]> frames;
  };

  [[nodiscard]] std::uint64_t frame_of(std::uintptr_t address);
  [[nodiscard]] std::uint64_t page_of(std::uintptr_t address);
  [[nodiscard]] std::uint32_t& frame_slot(std::uint64_t page);
  [[nodiscard]] std::uint32_t next_frame() noexcept;

  Frames frames_;
  std::uint64_t seed_;
  std::vector<Region> regions_;
  std::vector<Leaf> leaves_;                  // sorted by number
  std::size_t last_leaf_ = 0;                 // that was looked up
  std::vector<std::uintptr_t> foreign_pages_; // host pages outside every region, in the order of touching
  std::uint64_t next_page_ = 0, touched_ = 0;
  struct Recent {
    std::uintptr_t host_page = UINTPTR_MAX;
    std::uint64_t frame = 0;
  };
  std::array<Recent, 256> recent_; ///< by host page, modulo: a program works on few pages at a time
};

} // namespace mesh
