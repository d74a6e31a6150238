// SPDX-License-Identifier: Apache-2.0
// The network: a fat tree of switches, source-routed, cut-through. A message goes up to the first switch
// above both cards, by the cables that its target's number says, and comes down by the cables that all
// messages to this target take.
//
// The tree is a parallel-ports generalised fat tree, and the rule is D-mod-k: Zahavi, "D-Mod-K Routing
// Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees", CCIT report 776, Technion,
// 2010. A subtree of M nodes has C cables above it, and C is the product of `up` of the levels below, `up`
// and `parallel` of this one. A message to node t leaves it by cable t mod C, and enters another likewise.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mesh_sim/machines/cluster/config.hpp"
#include "mesh_sim/parts/routes.hpp"

namespace mesh::cluster {

/// Its routers are the cards, numbered as their nodes; its switches are on the way.
class FatTree final : public Routes {
 public:
  /// Throws UserError where the levels of `config` carry fewer nodes.
  FatTree(const Config& config, int nodes);

  int routers() const noexcept override { return nodes_; }
  int links() const noexcept override { return static_cast<int>(backbone_ + (has_backbone_ ? 1 : 0)); }
  /// "up-link 1.37", of the level of switches that it leads to; "down-link 1.37", of the level it comes from;
  /// "backbone".
  std::string link_name(int link) const override;
  std::vector<int> route(int from, int to) const override;
  int hops(int from, int to) const noexcept override { return from == to ? 0 : switches(from, to) + 1; }

  /// Levels of switches.
  [[nodiscard]] int levels() const noexcept { return static_cast<int>(levels_.size()); }
  /// Switches between two cards.
  [[nodiscard]] int switches(int from, int to) const noexcept { return 2 * top(from, to) + 1; }
  /// Sends a message at an instant that is no earlier than that of the message before; returns when its last
  /// byte is there.
  [[nodiscard]] Picoseconds send(int from, int to, std::int64_t bytes, Picoseconds at);
  /// A message at a link that carries one at a time: when it comes, from when until when it has the link.
  struct Passage {
    int link;
    Picoseconds came, begin, end;
  };
  /// The same; tells of each such link, in order.
  [[nodiscard]] Picoseconds send(int from, int to, std::int64_t bytes, Picoseconds at,
                                 const std::function<void(const Passage&)>& tell);

 private:
  /// The cables below the switches of a level.
  struct Level {
    std::uint32_t span;                 ///< nodes of a subtree below the cables, M
    std::uint32_t cables;               ///< above such a subtree, C
    int span_bits, cable_bits;          ///< their logarithms where all are powers of two
    std::uint32_t first_up, first_down; ///< numbers of the links
    double byte;                        ///< picoseconds of a byte
    Picoseconds path;                   ///< time of a message's head that turns at this level's switches
  };

  /// The lowest level whose switch is above both cards.
  [[nodiscard]] int top(int from, int to) const noexcept;
  /// Calls visit(link, its place in lasts_) for each link of a message that turns at that level, in order.
  template <class Visit>
  void walk(int from, int to, int top, Visit&& visit) const;
  /// Takes the links of a message; tell(link, came, begin, end) hears of each.
  template <class Tell>
  Picoseconds pass(int from, int to, std::int64_t bytes, Picoseconds at, Tell&& tell);
  /// How long a link is busy with a message, by level, then of the backbone.
  void set_lasts(std::int64_t bytes);

  int nodes_;
  bool contended_, has_backbone_, powers_of_two_ = true;
  double backbone_byte_ = 0;   ///< picoseconds of a byte
  std::uint32_t backbone_ = 0; ///< its number: that of the cables in both directions
  std::vector<Level> levels_;
  /// By the bits up to the highest in which two cards' numbers differ, where all are powers of two.
  std::array<std::uint8_t, 33> top_by_width_{};
  std::int64_t bytes_ = -1; ///< a message's, whose times are in lasts_
  std::vector<Picoseconds> lasts_;
  std::vector<Picoseconds> free_; ///< by link: up-links by level, down-links by level, the backbone
};

} // namespace mesh::cluster
