// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/memory.hpp"

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "split_mix.hpp"

namespace mesh::coherent {

namespace {

/// Lines do not move while requests refer to them, so room for all is reserved at once; the host gives it by
/// first touch.
constexpr std::size_t most_lines = std::size_t{1} << 22;

} // namespace

Memory::Memory(const Config& config) : config_(config) {
  lines_.reserve(most_lines);
}

Address Memory::allocate(std::size_t bytes, int home) {
  if (home < unplaced || home >= config_.nodes)
    throw UserError(fmt::format("home {} of memory on machine '{}': its nodes are 0 to {}", home,
                                config_.name, config_.nodes - 1));
  const std::size_t first = lines_.size(),
                    count = std::max<std::size_t>(1, (bytes + line_size - 1) / line_size);
  if (first + count > most_lines)
    throw UserError(fmt::format("{} bytes more of simulated memory: a machine has room for {} MB", bytes,
                                most_lines * line_size >> 20));
  lines_.resize(first + count);
  for (std::size_t line = first; line < first + count; ++line)
    lines_[line].home = static_cast<std::int16_t>(home);
  return first * line_size;
}

std::vector<Word> Memory::words(std::size_t count, std::size_t stride, int home) {
  const Address base = allocate(count * stride, home);
  std::vector<Word> words;
  for (std::size_t i = 0; i < count; ++i)
    words.push_back({base + i * stride, static_cast<std::uint32_t>(values_.size() + i)});
  values_.resize(values_.size() + count);
  return words;
}

Block Memory::block(std::size_t bytes, int home) {
  const Address address = allocate(bytes, home);
  buffers_.push_back(std::make_unique<std::byte[]>(bytes));
  return {address, buffers_.back().get(), bytes};
}

int Memory::home_by_rule(const Line& line, int toucher) const noexcept {
  if (config_.home != "hash") return toucher;
  return static_cast<int>(split_mix(index_of(line)) % static_cast<std::uint64_t>(config_.nodes));
}

} // namespace mesh::coherent
