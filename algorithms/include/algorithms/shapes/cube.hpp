// SPDX-License-Identifier: Apache-2.0
// The schedule of bcast/cube, free of communication. Its idea, drawing, cost and source stand at the top of
// src/on_messages/bcast/cube.cpp.
#pragma once

#include <array>
#include <bit>

namespace algorithms::cube {

/// Steps of a round. Every process does its calls in this order: given that, blocking sends cannot deadlock,
/// because the key (broadcast, round, step) of its messages grows in each process, and a cycle of waiting
/// processes would have it grow all the way round.
enum class Step : char {
  a = 'a', ///< out member of the unit with bit 0 to in member of the unit with bit 1
  b = 'b', ///< the other way round
  c = 'c', ///< inside a pair, in member to out member
  d = 'd', ///< closing round, out member to in member
};

struct Move {
  Step step;
  bool send; ///< else receive
  int partner;
  int part;
};

/// The moves of one process in one round, in order: at most two.
class Moves {
 public:
  [[nodiscard]] constexpr const Move* begin() const { return moves_.data(); }
  [[nodiscard]] constexpr const Move* end() const { return moves_.data() + count_; }
  constexpr void add(const Move& move) { moves_[static_cast<unsigned>(count_++)] = move; }

 private:
  std::array<Move, 2> moves_{};
  int count_ = 0;
};

/// Who receives and who sends for a unit; the same process where it is alone.
struct Roles {
  int in;
  int out;
};

/// The schedule for `ranks` >= 1 virtual ranks (root 0) and `parts` >= 0 parts. All queries are closed forms.
class Shape {
 public:
  constexpr Shape(int ranks, int parts)
      : ranks_(ranks),
        parts_(parts),
        bits_(std::bit_width(static_cast<unsigned>(ranks)) - 1),
        units_(1 << bits_) {}

  /// q: the units are 0 .. 2^q - 1.
  [[nodiscard]] constexpr int bits() const { return bits_; }
  [[nodiscard]] constexpr int units() const { return units_; }
  [[nodiscard]] constexpr bool has_pairs() const { return units_ != ranks_; }
  [[nodiscard]] constexpr int exchange_rounds() const {
    return ranks_ > 1 && parts_ > 0 ? parts_ + bits_ - 1 : 0;
  }
  /// With the closing round, which the pairs need.
  [[nodiscard]] constexpr int rounds() const {
    return exchange_rounds() + (exchange_rounds() > 0 && has_pairs() ? 1 : 0);
  }

  /// The other member of a process's unit, or itself.
  [[nodiscard]] constexpr int co(int process) const {
    if (process >= units_) return process - units_ + 1;
    const int other = process + units_ - 1;
    return process >= 1 && other < ranks_ ? other : process;
  }
  /// The unit of a process: its smaller member.
  [[nodiscard]] constexpr int unit(int process) const {
    return process < co(process) ? process : co(process);
  }

  /// Number of times that the members of a unit have swapped roles before a round: after each round in which
  /// the unit's bit is 1.
  [[nodiscard]] constexpr int swaps(int unit, int round) const {
    const auto bits = static_cast<unsigned>(unit);
    const unsigned below = (1U << (round % bits_)) - 1;
    return std::popcount(bits) * (round / bits_) + std::popcount(bits & below);
  }
  [[nodiscard]] constexpr Roles roles(int unit, int round) const {
    return swaps(unit, round) % 2 == 0 ? Roles{unit, co(unit)} : Roles{co(unit), unit};
  }

  /// Rounds that the part now handed on was received ago, at most q: distance from `bit` up to the next 1
  /// bit, round the end; the bit itself counts only after a full turn.
  [[nodiscard]] constexpr int distance(int unit, int bit) const {
    const unsigned all = (1U << bits_) - 1;
    const auto bits = static_cast<unsigned>(unit);
    const unsigned turned = (bits >> (bit + 1) | bits << (bits_ - 1 - bit)) & all;
    return turned == 0 ? bits_ : std::countr_zero(turned) + 1;
  }
  /// The part that a unit sends in an exchange round; below 0: none.
  [[nodiscard]] constexpr int part_sent(int unit, int round) const {
    const int bit = round % bits_;
    const int part = round - bits_ + (1 - (unit >> bit & 1)) * distance(unit, bit);
    return part < parts_ ? part : parts_ - 1;
  }
  /// The part that it receives; unit 0, the root, leaves it out.
  [[nodiscard]] constexpr int part_received(int unit, int round) const {
    const int bit = round % bits_;
    const int part = round - bits_ + (unit >> bit & 1) * distance(unit, bit);
    return part < parts_ ? part : parts_ - 1;
  }

  [[nodiscard]] constexpr Moves moves(int process, int round) const {
    return round < exchange_rounds() ? exchange(process, round) : closing(process, round);
  }

 private:
  [[nodiscard]] constexpr Moves exchange(int process, int round) const {
    Moves moves;
    const int own = unit(process);
    const int bit = round % bits_;
    const int other = own ^ 1 << bit;
    const bool upper = (own >> bit & 1) != 0;
    const Roles mine = roles(own, round);
    const Roles theirs = roles(other, round);
    const auto send = [&](Step step) {
      const int part = part_sent(own, round);
      if (process == mine.out && part >= 0 && theirs.in != 0) moves.add({step, true, theirs.in, part});
    };
    const auto receive = [&](Step step) {
      const int part = part_received(own, round);
      if (process == mine.in && part >= 0 && process != 0) moves.add({step, false, theirs.out, part});
    };
    if (upper) {
      receive(Step::a);
      send(Step::b);
    } else {
      send(Step::a);
      receive(Step::b);
    }
    // Before a round the in member holds one part that the out member lacks.
    if (const int part = round - 1 - bits_; mine.in != mine.out && part >= 0)
      moves.add({Step::c, process == mine.in, co(process), part});
    return moves;
  }

  [[nodiscard]] constexpr Moves closing(int process, int round) const {
    Moves moves;
    const int own = unit(process);
    const Roles mine = roles(own, round);
    if (mine.in == mine.out) return moves;
    if (parts_ >= 2) moves.add({Step::c, process == mine.in, co(process), parts_ - 2});
    moves.add({Step::d, process == mine.out, co(process), parts_ - 1});
    return moves;
  }

  int ranks_;
  int parts_;
  int bits_;
  int units_;
};

} // namespace algorithms::cube
