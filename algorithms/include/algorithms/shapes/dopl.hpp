// SPDX-License-Identifier: Apache-2.0
// The schedule of bcast/dopl, free of communication. Its idea, drawing, cost and source stand at the top of
// src/on_messages/bcast/dopl.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

namespace algorithms::dopl {

/// In the order of the words of the option `line_order`.
enum class LineOrder : std::uint8_t { ring, folded, neighbour };

enum class Role : std::uint8_t {
  source,    ///< head of its line in every round
  head,      ///< first of its line
  pipeliner, ///< in the middle; in `neighbour` order also the one that gives the wrap
  tail,      ///< last; gives the wrap in the other orders
};

inline constexpr int none = -1;

/// The turn of one node in one round. Nodes and parts are numbers; `none` stands for no such number.
struct Turn {
  Role role = Role::pipeliner;
  int pipe_part = none; ///< comes and goes in segments
  int pipe_from = none;
  std::array<int, 2> pipe_to{none, none};
  int wrap_part = none; ///< in one segment; held by the giver when the round begins
  int wrap_from = none; ///< for a head
  int wrap_to = none;   ///< for the giver
};

/// The schedule on a mesh of any number of dimensions up to `most_dimensions`, listed in the order of use. A
/// node's number is its first coordinate plus the first length times the number made of the others.
class Shape {
 public:
  static constexpr int most_dimensions = 5;

  constexpr Shape(std::initializer_list<int> lengths, int source, int parts, LineOrder order)
      : source_(source), parts_(parts), order_(order) {
    int stride = 1;
    for (const int length : lengths) {
      // A dimension of length 1 would lose the parts of its rounds.
      if (length > 1)
        dimensions_[static_cast<unsigned>(count_++)] = {length, stride, source / stride % length};
      stride *= length;
    }
    nodes_ = stride;
  }

  [[nodiscard]] constexpr int nodes() const { return nodes_; }
  /// d: dimensions in use.
  [[nodiscard]] constexpr int dimensions() const { return count_; }
  [[nodiscard]] constexpr int rounds() const { return count_ > 0 && parts_ > 0 ? parts_ + count_ - 1 : 0; }

  [[nodiscard]] constexpr Turn turn(int node, int round) const {
    const Dimension& along = dimension(round);
    const int at = node / along.stride % along.length;
    const int line = node - at * along.stride; // the node of the line at coordinate 0
    const int head = line + along.source * along.stride;
    const Position place = order_ == LineOrder::neighbour ? in_arms(along, at) : in_cycle(along, at);
    const auto number = [&](int coordinate) {
      return coordinate == none ? none : line + coordinate * along.stride;
    };

    Turn turn;
    turn.role = node == source_ ? Role::source : place.role;
    // Near the end no round is left to wrap the last part back in: the source's lines get it again.
    const int age = head_age(head, round);
    const int part = round - age < parts_ ? round - age : parts_ - 1;
    if (part >= 0) {
      turn.pipe_part = part;
      turn.pipe_from = number(place.from);
      turn.pipe_to = {number(place.to[0]), number(place.to[1])};
    }
    if (round >= count_ && head != source_ && (node == head || at == place.giver)) {
      turn.wrap_part = round - count_;
      if (node == head)
        turn.wrap_from = number(place.giver);
      else
        turn.wrap_to = head;
    }
    return turn;
  }

 private:
  struct Dimension {
    int length;
    int stride;
    int source; ///< the source's coordinate
  };

  /// A coordinate's neighbours in the order of its line.
  struct Position {
    Role role = Role::pipeliner;
    int from = none;
    std::array<int, 2> to{none, none};
    int giver = none; ///< who gives the wrap
  };

  [[nodiscard]] constexpr const Dimension& dimension(int round) const {
    return dimensions_[static_cast<unsigned>(round % count_)];
  }

  /// Rounds ago that the part now piped by a head was put in by the source: the furthest of the last d-1
  /// rounds whose dimension leads from the source's line to this one.
  [[nodiscard]] constexpr int head_age(int head, int round) const {
    for (int age = count_ - 1; age >= 1; --age) {
      const Dimension& earlier = dimension(round - age + count_);
      if (head / earlier.stride % earlier.length != earlier.source) return age;
    }
    return 0;
  }

  /// Position in the cycle of `ring` or `folded` as counted from its coordinate 0, and back.
  [[nodiscard]] constexpr int index(int length, int coordinate) const {
    if (order_ == LineOrder::ring || coordinate % 2 == 0)
      return order_ == LineOrder::ring ? coordinate : coordinate / 2;
    return length - 1 - coordinate / 2;
  }
  [[nodiscard]] constexpr int coordinate(int length, int index) const {
    if (order_ == LineOrder::ring) return index;
    return index < (length + 1) / 2 ? 2 * index : 2 * (length - 1 - index) + 1;
  }

  [[nodiscard]] constexpr Position in_cycle(const Dimension& along, int at) const {
    const int length = along.length;
    // A source in the far corner mirrors the ring, so that its pipes too go to neighbours only.
    const int step = order_ == LineOrder::ring && along.source == length - 1 ? -1 : 1;
    const int first = index(length, along.source);
    const int position = ((index(length, at) - first) * step + length) % length;
    const auto coordinate_at = [&](int where) {
      return coordinate(length, (first + where * step + length) % length);
    };
    Position place;
    place.giver = coordinate_at(length - 1);
    if (position > 0) place.from = coordinate_at(position - 1);
    if (position < length - 1) place.to[0] = coordinate_at(position + 1);
    place.role = position == 0 ? Role::head : position == length - 1 ? Role::tail : Role::pipeliner;
    return place;
  }

  [[nodiscard]] static constexpr Position in_arms(const Dimension& along, int at) {
    const int below = along.source, above = along.length - 1 - along.source;
    Position place;
    place.giver = below > 0 && (above == 0 || below <= above) ? along.source - 1 : along.source + 1;
    const int down = at > 0 ? at - 1 : none, up = at < along.length - 1 ? at + 1 : none;
    if (at == along.source) {
      place.role = Role::head;
      place.to = down != none ? std::array{down, up} : std::array{up, none};
    } else {
      place.from = at < along.source ? up : down;
      place.to[0] = at < along.source ? down : up;
      place.role = place.to[0] == none ? Role::tail : Role::pipeliner;
    }
    return place;
  }

  std::array<Dimension, most_dimensions> dimensions_{};
  int count_ = 0;
  int nodes_ = 1;
  int source_;
  int parts_;
  LineOrder order_;
};

} // namespace algorithms::dopl
