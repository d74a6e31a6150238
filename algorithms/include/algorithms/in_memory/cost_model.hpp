// SPDX-License-Identifier: Apache-2.0
// What trees and barriers cost on a machine whose lines cost by where they are, in closed form, and the best
// shapes by that. Nanoseconds; nothing is run.
//
// Source: Ramos, Hoefler: Modeling Communication in Cache-Coherent SMP Systems (2013), sections 4 and 5, with
// these corrections: the longest forwarding counts each level once (equation 10); a barrier of radix m + 1
// has ceil(log_(m+1) n) rounds (equations 15 and 16; with log_m the published optima come out); operands of a
// reduction cost a stream's line each (equation 17 leaves it open).
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "algorithms/shapes/level_tree.hpp"

namespace algorithms::in_memory::cost {

/// The machine in seven numbers.
struct Parameters {
  double own, remote, memory;       ///< reading a line: R_L, R_R, R_I
  double readers;                   ///< c: how much longer each further reader of one line waits
  double line, begin, short_stream; ///< N lines take line N + begin - short_stream / N: o, q, p

  [[nodiscard]] double contention(int readers_of_line) const {
    return own + remote + readers * (readers_of_line - 1);
  }
  [[nodiscard]] double stream(double lines) const { return line * lines + begin - short_stream / lines; }
};

/// Polling may fall on the best or on the worst moment.
enum class Bound { min, max };
/// The cost of fetching the operands of k children.
enum class Operands {
  lines,  ///< a line of a stream each
  stream, ///< a stream of k lines
  remote, ///< a line of another cache each
};

/// Until `threads` threads, their parent included, have told on one line that they have read.
[[nodiscard]] inline double notification(const Parameters& p, int threads, Bound bound) {
  return p.memory + (bound == Bound::min ? 1 : 2) * (threads - 1) * p.remote;
}

/// A line for everybody, by bcast/level_tree.
[[nodiscard]] inline double broadcast(const Parameters& p, std::span<const int> fan_outs, Bound bound) {
  const auto depth = static_cast<double>(fan_outs.size());
  double sum = bound == Bound::min ? (depth + 1) * p.memory + 2 * depth * p.own : p.memory;
  for (const int k : fan_outs) {
    if (bound == Bound::max) sum += 2 * (p.remote + p.contention(k));
    sum += p.contention(k) + notification(p, k + 1, bound);
  }
  return sum;
}

/// One element, by reduce/level_tree.
[[nodiscard]] inline double reduction(const Parameters& p, std::span<const int> fan_outs, Bound bound,
                                      Operands operands = Operands::lines) {
  const double polls = bound == Bound::min ? 1 : 2;
  double sum = p.remote;
  for (const int k : fan_outs)
    sum += p.memory + polls * (p.contention(k) + (1 + k) * p.remote) + p.own +
        (operands == Operands::lines        ? p.line * k
             : operands == Operands::remote ? p.remote * k
                                            : p.stream(k));
  return sum;
}

/// barrier/dissemination with `partners` a round.
[[nodiscard]] inline double barrier(const Parameters& p, int partners, int rounds, Bound bound) {
  const double m = partners;
  return rounds *
      (bound == Bound::min ? p.own + m * p.remote + p.remote
                           : p.remote + 4 * m * p.remote + (2 * m + 1) * p.remote);
}

/// `lines` lines for everybody, by bcast/pipelined.
[[nodiscard]] inline double pipelined(const Parameters& p, int threads, int lines, Bound bound) {
  const int receivers = threads - 1;
  const double slice = p.stream((lines + receivers - 1) / receivers), crowd = p.contention(receivers);
  if (bound == Bound::min)
    return p.memory + 2 * p.own + 2 * p.own + crowd + slice + (threads - 2) * (p.remote + p.own + slice) +
        2 * p.remote + p.own;
  return p.memory + 2 * (p.remote + crowd) + p.remote + 2 * p.remote + crowd + slice +
      (threads - 2) * (2 * p.remote + slice) + 2 * p.remote + p.own;
}

/// The same by bcast/flat.
[[nodiscard]] inline double flat(const Parameters& p, int threads, int lines, Bound bound) {
  const double crowd = p.contention(threads - 1);
  const double copy = p.own + p.remote - p.readers + p.readers * (threads - 2) + p.line * lines;
  if (bound == Bound::min) return copy + p.memory + 3 * p.own + p.remote + crowd + (threads - 1) * p.remote;
  return copy + p.memory + p.own + 3 * p.remote + 2 * crowd + 2 * (threads - 1) * p.remote;
}

struct Tree {
  std::vector<int> fan_outs;
  double cost = 0;
};

/// The trees of at least `threads` nodes whose fan-outs do not grow, the cheapest first; of equal cost first
/// the one with fewer levels, then the one whose fan-outs come first in lexical order. Up to `most` of them.
[[nodiscard]] inline std::vector<Tree> best_trees(int threads, std::size_t most,
                                                  const std::function<double(std::span<const int>)>& cost) {
  constexpr double equal = 1e-6; // of costs, in nanoseconds
  std::vector<Tree> best;
  const auto before = [](const Tree& a, const Tree& b) {
    if (std::abs(a.cost - b.cost) > equal) return a.cost < b.cost;
    return a.fan_outs.size() != b.fan_outs.size() ? a.fan_outs.size() < b.fan_outs.size()
                                                  : a.fan_outs < b.fan_outs;
  };
  std::vector<int> fan_outs;
  const std::function<void(int)> extend = [&](int widest) {
    for (int k = 1; k <= widest; ++k) {
      fan_outs.push_back(k);
      if (level_tree::capacity(fan_outs) >= threads) {
        // A wider last level costs more and serves nobody.
        Tree tree{fan_outs, cost(fan_outs)};
        const auto place = std::lower_bound(best.begin(), best.end(), tree, before);
        best.insert(place, std::move(tree));
        if (best.size() > most) best.pop_back();
        fan_outs.pop_back();
        return;
      }
      if (k > 1) extend(k);
      fan_outs.pop_back();
    }
  };
  extend(std::max(1, threads - 1));
  return best;
}

[[nodiscard]] inline Tree best_tree(int threads, const std::function<double(std::span<const int>)>& cost) {
  return best_trees(threads, 1, cost).front();
}

struct Radix {
  int partners = 1, rounds = 0;
  double cost = 0;
};

/// Rounds until base^rounds >= threads; `base` >= 2.
[[nodiscard]] inline int rounds_of(int threads, int base) {
  int rounds = 0;
  for (long reached = 1; reached < threads; reached *= base) ++rounds;
  return rounds;
}

/// The cheapest barrier; on equal cost the one with fewer partners. `as_printed` counts log_m rounds, as the
/// source does, instead of the log_(m+1) that there are.
[[nodiscard]] inline Radix best_radix(const Parameters& p, int threads, Bound bound,
                                      bool as_printed = false) {
  Radix best;
  for (int partners = as_printed ? 2 : 1; partners <= std::max(1, as_printed ? threads : threads - 1);
       ++partners) {
    const int rounds = rounds_of(threads, as_printed ? partners : partners + 1);
    const double cost = barrier(p, partners, rounds, bound);
    if (best.rounds == 0 || cost < best.cost - 1e-6) best = {partners, rounds, cost};
  }
  return best;
}

} // namespace algorithms::in_memory::cost
