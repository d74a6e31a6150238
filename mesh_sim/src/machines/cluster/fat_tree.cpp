// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/cluster/fat_tree.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>

namespace mesh::cluster {
namespace {

constexpr int switches_in_wire = 3;

} // namespace

FatTree::FatTree(const Config& config, int nodes)
    : nodes_(nodes),
      arity_(config.arity()),
      contended_(config.links),
      distance_(config.distance),
      byte_(1e6 / config.bandwidth_mbs),
      switch_(std::llround(config.switch_ns * 1000)) {
  base_ = picoseconds(config.wire) - switches_in_wire * switch_;
  if (std::has_single_bit(static_cast<unsigned>(arity_)))
    digit_bits_ = std::countr_zero(static_cast<unsigned>(arity_));
  links_ = static_cast<std::size_t>(arity_);
  for (; static_cast<std::size_t>(nodes) > links_; links_ *= static_cast<std::size_t>(arity_)) ++levels_;
  if (contended_) free_.assign(2 * links_ * static_cast<std::size_t>(levels_), 0);
}

int FatTree::switches(int from, int to) const noexcept {
  if (digit_bits_ > 0) {
    const unsigned differing = static_cast<unsigned>(from ^ to) >> digit_bits_;
    return 2 * ((std::bit_width(differing) + digit_bits_ - 1) / digit_bits_) + 1;
  }
  int level = 0;
  for (int a = from / arity_, b = to / arity_; a != b; a /= arity_, b /= arity_) ++level;
  return 2 * level + 1;
}

/// Up-link of level i: its group of from's, and which of the group's by to's digits below.
template <class Visit>
[[gnu::always_inline]] inline void FatTree::walk(int from, int to, int passed, Visit&& visit) const {
  const int top = passed / 2;
  std::size_t span = 1;
  const auto source = static_cast<std::size_t>(from), target = static_cast<std::size_t>(to);
  for (int level = 0; level <= top; ++level) {
    const std::size_t link = digit_bits_ > 0 ? (source & ~(span - 1)) | (target & (span - 1))
                                             : source - source % span + target % span;
    visit(static_cast<std::size_t>(level) * links_ + link);
    span *= static_cast<std::size_t>(arity_);
  }
  const std::size_t down = links_ * static_cast<std::size_t>(levels_);
  for (int level = top; level >= 0; --level) visit(down + static_cast<std::size_t>(level) * links_ + target);
}

std::vector<int> FatTree::route(int from, int to) const {
  std::vector<int> links;
  if (from != to)
    walk(from, to, switches(from, to), [&](std::size_t link) { links.push_back(static_cast<int>(link)); });
  return links;
}

std::string FatTree::link_name(int link) const {
  const auto number = static_cast<std::size_t>(link);
  const std::size_t level = number / links_, levels = static_cast<std::size_t>(levels_);
  return fmt::format("{}-link {}.{}", level < levels ? "up" : "down", level % levels, number % links_);
}

template <class Occupy>
[[gnu::always_inline]] inline Picoseconds FatTree::pass(int from, int to, std::int64_t bytes, Picoseconds at,
                                                        Occupy&& occupy) const {
  const int passed = switches(from, to);
  const Picoseconds path = base_ + (distance_ ? passed : switches_in_wire) * switch_;
  const Picoseconds behind = std::llround(static_cast<double>(bytes) * byte_);
  if (!contended_) return at + path + behind;
  Picoseconds head = at;
  walk(from, to, passed, [&](std::size_t link) { head = occupy(link, head, behind); });
  return head + path + behind;
}

Picoseconds FatTree::send(int from, int to, std::int64_t bytes, Picoseconds at) {
  return pass(from, to, bytes, at, [this](std::size_t link, Picoseconds came, Picoseconds duration) {
    return occupy(link, came, duration);
  });
}

Picoseconds FatTree::send(int from, int to, std::int64_t bytes, Picoseconds at,
                          const std::function<void(const Passage&)>& tell) {
  return pass(from, to, bytes, at, [&](std::size_t link, Picoseconds came, Picoseconds duration) {
    const Picoseconds begin = occupy(link, came, duration);
    tell({static_cast<int>(link), came, begin, begin + duration});
    return begin;
  });
}

} // namespace mesh::cluster
