// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/address_space.hpp"

#include <algorithm>

#include "split_mix.hpp"

namespace mesh {

namespace {

constexpr std::uint64_t foreign_first_page = std::uint64_t{1} << 40;

// With random frames the frames come from 2^15: 128 MB of 4 KB frames, a node's worth that is mostly free.
constexpr unsigned frame_bits = 15;

/// A permutation of 0 ... 2^frame_bits - 1 chosen by the seed: odd multipliers and shifts are invertible
/// modulo 2^n.
std::uint64_t permuted(std::uint64_t k, std::uint64_t seed) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << frame_bits) - 1;
  for (std::uint64_t round = 0; round < 4; ++round) {
    const std::uint64_t r = split_mix(seed * 4 + round);
    k = (k * ((r & mask) | 1) + (r >> 32)) & mask;
    k ^= k >> (frame_bits / 2);
  }
  return k;
}

} // namespace

void AddressSpace::map(const void* base, std::size_t bytes) {
  const auto start = reinterpret_cast<std::uintptr_t>(base);
  const std::uintptr_t floor = start / page_bytes * page_bytes;
  regions_.push_back({floor, start + bytes, next_page_});
  next_page_ += (start + bytes - floor + page_bytes - 1) / page_bytes;
}

std::uint64_t AddressSpace::page_of(std::uintptr_t address) {
  for (const Region& region : regions_)
    if (address >= region.base && address < region.end)
      return region.first_page + (address - region.base) / page_bytes;
  const std::uintptr_t host_page = address / page_bytes;
  auto found = std::find(foreign_pages_.begin(), foreign_pages_.end(), host_page);
  if (found == foreign_pages_.end()) found = foreign_pages_.insert(found, host_page);
  return foreign_first_page + static_cast<std::uint64_t>(found - foreign_pages_.begin());
}

std::uint32_t& AddressSpace::frame_slot(std::uint64_t page) {
  const std::uint64_t number = page / pages_per_leaf;
  if (last_leaf_ < leaves_.size() && leaves_[last_leaf_].number == number)
    return leaves_[last_leaf_].frames[page % pages_per_leaf];
  auto leaf = std::lower_bound(leaves_.begin(), leaves_.end(), number,
                               [](const Leaf& a, std::uint64_t n) { return a.number < n; });
  if (leaf == leaves_.end() || leaf->number != number) {
    leaf = leaves_.insert(leaf, {number, std::make_unique<std::uint32_t[]>(pages_per_leaf)});
    std::fill_n(leaf->frames.get(), pages_per_leaf, untouched);
  }
  last_leaf_ = static_cast<std::size_t>(leaf - leaves_.begin());
  return leaf->frames[page % pages_per_leaf];
}

std::uint32_t AddressSpace::next_frame() noexcept {
  const std::uint64_t k = touched_++;
  // Beyond the pool the frames follow on in order: such a core has filled its node.
  if (frames_ == Frames::contiguous || k >> frame_bits != 0) return static_cast<std::uint32_t>(k);
  return static_cast<std::uint32_t>(permuted(k, seed_));
}

std::uint64_t AddressSpace::frame_of(std::uintptr_t address) {
  std::uint32_t& frame = frame_slot(page_of(address));
  if (frame == untouched) frame = next_frame();
  const std::uintptr_t host_page = address / page_bytes;
  recent_[host_page % recent_.size()] = {host_page, frame};
  return frame;
}

} // namespace mesh
