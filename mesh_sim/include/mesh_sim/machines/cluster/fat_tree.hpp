// SPDX-License-Identifier: Apache-2.0
// The network: a fat tree of switches with as many links up as down, source-routed, cut-through. A message
// goes up to the first switch above both cards, taking the up-link that its target's number says, and comes
// down by the links that all messages to this target take.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mesh_sim/machines/cluster/config.hpp"
#include "mesh_sim/parts/routes.hpp"

namespace mesh::cluster {

/// Its routers are the cards, numbered as their nodes; its switches are on the way.
class FatTree final : public Routes {
 public:
  FatTree(const Config& config, int nodes);

  int routers() const noexcept override { return nodes_; }
  int links() const noexcept override { return static_cast<int>(2 * links_) * levels_; }
  /// "up-link 1.37", of the level of switches that it leads to; "down-link 1.37", of the level it comes from.
  std::string link_name(int link) const override;
  std::vector<int> route(int from, int to) const override;
  int hops(int from, int to) const noexcept override { return from == to ? 0 : switches(from, to) + 1; }

  [[nodiscard]] int levels() const noexcept { return levels_; } ///< levels of switches
  /// Switches between two cards.
  [[nodiscard]] int switches(int from, int to) const noexcept;
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
  /// Calls visit(link) for each link of a message that passes so many switches, in order.
  template <class Visit>
  void walk(int from, int to, int passed, Visit&& visit) const;
  /// The end of a message's way; `occupy(link, at, duration)` takes each link on it.
  template <class Occupy>
  Picoseconds pass(int from, int to, std::int64_t bytes, Picoseconds at, Occupy&& occupy) const;
  /// Takes a link from the instant on at which it is free; returns that.
  Picoseconds occupy(std::size_t link, Picoseconds at, Picoseconds duration) noexcept {
    Picoseconds& free = free_[link];
    const Picoseconds start = at < free ? free : at;
    free = start + duration;
    return start;
  }

  int nodes_, arity_, levels_ = 1;
  int digit_bits_ = 0; ///< bits of a digit if the arity is a power of two; otherwise 0
  bool contended_, distance_;
  double byte_; ///< picoseconds of a link
  Picoseconds base_, switch_;
  std::size_t links_;             ///< links of a level in one direction
  std::vector<Picoseconds> free_; ///< up-links by level, then down-links
};

} // namespace mesh::cluster
