// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/cluster/fat_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

namespace mesh::cluster {
namespace {

constexpr int switches_in_wire = 3;

} // namespace

FatTree::FatTree(const Config& config, int nodes)
    : nodes_(nodes), contended_(config.links), has_backbone_(config.backbone_mbs > 0) {
  const std::vector<TreeLevel> levels = config.levels(nodes);
  if (has_backbone_) backbone_byte_ = 1e6 / config.backbone_mbs;
  const Picoseconds each = std::llround(config.switch_ns * 1000);
  const auto cable = [](const TreeLevel& level) { return std::llround(level.cable_ns * 1000); };
  std::uint64_t carried = 1, copies = 1, span = 1, links = 0;
  Picoseconds path = picoseconds(config.wire) - switches_in_wire * each;
  for (std::size_t at = 0; at < levels.size(); ++at) {
    carried *= static_cast<std::uint64_t>(levels[at].down);
    if (at < levels_in_wire) path -= 2 * cable(levels[at]);
  }
  for (const TreeLevel& level : levels) {
    copies *= static_cast<std::uint64_t>(level.up);
    const std::uint64_t cables = copies * static_cast<std::uint64_t>(level.parallel);
    path += (levels_.empty() ? 1 : 2) * each + 2 * cable(level);
    levels_.push_back({static_cast<std::uint32_t>(span), static_cast<std::uint32_t>(cables),
                       std::countr_zero(span), std::countr_zero(cables), static_cast<std::uint32_t>(links), 0,
                       1e6 / level.bandwidth_mbs, config.distance ? path : picoseconds(config.wire)});
    powers_of_two_ = powers_of_two_ && std::has_single_bit(span) && std::has_single_bit(cables);
    links += carried / span * cables;
    span *= static_cast<std::uint64_t>(level.down);
  }
  if (powers_of_two_)
    for (std::size_t width = 0; width < top_by_width_.size(); ++width)
      while (top_by_width_[width] + 1U < levels_.size() &&
             static_cast<std::size_t>(levels_[top_by_width_[width] + 1U].span_bits) < width)
        ++top_by_width_[width];
  for (Level& level : levels_) level.first_down = level.first_up + static_cast<std::uint32_t>(links);
  backbone_ = static_cast<std::uint32_t>(2 * links);
  lasts_.resize(levels_.size() + 1);
  if (contended_) free_.assign(static_cast<std::size_t>(this->links()), 0);
}

int FatTree::top(int from, int to) const noexcept {
  const auto a = static_cast<std::uint32_t>(from), b = static_cast<std::uint32_t>(to);
  if (powers_of_two_) return top_by_width_[static_cast<std::size_t>(std::bit_width(a ^ b))];
  int level = static_cast<int>(levels_.size()) - 1;
  while (level > 0 &&
         a / levels_[static_cast<std::size_t>(level)].span ==
             b / levels_[static_cast<std::size_t>(level)].span)
    --level;
  return level;
}

template <class Visit>
[[gnu::always_inline]] inline void FatTree::walk(int from, int to, int top, Visit&& visit) const {
  const auto source = static_cast<std::uint32_t>(from), target = static_cast<std::uint32_t>(to);
  const auto cable = [&](const Level& level, std::uint32_t node) {
    return powers_of_two_ ? (node >> level.span_bits << level.cable_bits) | (target & (level.cables - 1))
                          : node / level.span * level.cables + target % level.cables;
  };
  const auto turn = static_cast<std::size_t>(top);
  for (std::size_t at = 0; at <= turn; ++at) visit(levels_[at].first_up + cable(levels_[at], source), at);
  if (has_backbone_) visit(backbone_, levels_.size());
  for (std::size_t at = turn + 1; at-- > 0;) visit(levels_[at].first_down + cable(levels_[at], target), at);
}

std::vector<int> FatTree::route(int from, int to) const {
  std::vector<int> links;
  if (from != to)
    walk(from, to, top(from, to),
         [&](std::uint32_t link, std::size_t) { links.push_back(static_cast<int>(link)); });
  return links;
}

std::string FatTree::link_name(int link) const {
  const auto number = static_cast<std::uint32_t>(link);
  if (number == backbone_) return "backbone";
  const bool up = number < levels_.front().first_down;
  std::size_t level = levels_.size() - 1;
  const auto first = [&] { return up ? levels_[level].first_up : levels_[level].first_down; };
  while (number < first()) --level;
  return fmt::format("{}-link {}.{}", up ? "up" : "down", level, number - first());
}

void FatTree::set_lasts(std::int64_t bytes) {
  bytes_ = bytes;
  const auto lasts = [&](double byte) { return std::llround(static_cast<double>(bytes) * byte); };
  for (std::size_t at = 0; at < levels_.size(); ++at) lasts_[at] = lasts(levels_[at].byte);
  lasts_.back() = lasts(backbone_byte_);
}

template <class Tell>
[[gnu::always_inline]] inline Picoseconds FatTree::pass(int from, int to, std::int64_t bytes, Picoseconds at,
                                                        Tell&& tell) {
  if (bytes != bytes_) set_lasts(bytes);
  const int turn = top(from, to);
  Picoseconds head = at, last = at; // its first byte enters the last link; its last byte has left all links
  if (contended_)
    walk(from, to, turn, [&](std::uint32_t link, std::size_t lasts) {
      const Picoseconds came = head;
      head = std::max(head, free_[link]);
      free_[link] = head + lasts_[lasts];
      last = std::max(last, free_[link]);
      tell(link, came, head, free_[link]);
    });
  else
    walk(from, to, turn,
         [&](std::uint32_t, std::size_t lasts) { last = std::max(last, head + lasts_[lasts]); });
  return last + levels_[static_cast<std::size_t>(turn)].path;
}

Picoseconds FatTree::send(int from, int to, std::int64_t bytes, Picoseconds at) {
  return pass(from, to, bytes, at, [](std::uint32_t, Picoseconds, Picoseconds, Picoseconds) {});
}

Picoseconds FatTree::send(int from, int to, std::int64_t bytes, Picoseconds at,
                          const std::function<void(const Passage&)>& tell) {
  return pass(from, to, bytes, at,
              [&](std::uint32_t link, Picoseconds came, Picoseconds begin, Picoseconds end) {
                tell({static_cast<int>(link), came, begin, end});
              });
}

} // namespace mesh::cluster
