// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/kernel/jitter.hpp"

#include "split_mix.hpp"

namespace mesh {

namespace {

constexpr Picoseconds smallest_scale = 16'000; // 16 ns, less than any access takes
constexpr unsigned scales = 16;                // each twice the one before: up to 524 us
/// Starts differ by more than accesses do: nothing on the chip lines them up.
constexpr unsigned start_factor = 64;
constexpr unsigned rare = 32, rare_factor = 16;

/// Numbers of draws that are no access.
constexpr std::uint64_t start_draw = UINT64_MAX, scale_draw = UINT64_MAX - 1;

/// A number in the range 0 ... limit-1, from the upper bits.
constexpr Picoseconds below(std::uint64_t limit, std::uint64_t draw) noexcept {
  return static_cast<Picoseconds>((draw >> 32) * limit >> 32);
}

} // namespace

Jitter::Jitter(std::uint64_t seed, int cores) : seed_(seed), scales_(static_cast<std::size_t>(cores)) {
  if (seed == 0) return;
  for (int core = 0; core < cores; ++core) {
    const std::uint64_t draw = random(core, scale_draw);
    if (draw % 4 != 0) scales_[static_cast<std::size_t>(core)] = smallest_scale << below(scales, draw);
  }
}

std::uint64_t Jitter::random(int core, std::uint64_t number) const noexcept {
  return split_mix(split_mix(split_mix(seed_) ^ static_cast<std::uint64_t>(core)) ^ number);
}

Picoseconds Jitter::start(int core) const noexcept {
  const auto scale = static_cast<std::uint64_t>(scales_[static_cast<std::size_t>(core)]);
  return below(scale * start_factor, random(core, start_draw));
}

Picoseconds Jitter::access(int core, std::uint64_t number) const noexcept {
  const auto scale = static_cast<std::uint64_t>(scales_[static_cast<std::size_t>(core)]);
  if (scale == 0) return 0;
  const std::uint64_t draw = random(core, number);
  if (draw % 2 == 0) return 0;
  return below(draw / 2 % rare == 0 ? scale * rare_factor : scale, draw);
}

} // namespace mesh
