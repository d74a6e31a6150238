// SPDX-License-Identifier: Apache-2.0
// What disturbs the hosts: daemons that take a processor, and hosts that sleep through a message's arrival.
// Both are pure functions of the seed and the node, whatever the programs do and however many nodes there
// are.
#pragma once

#include <queue>
#include <vector>

#include "mesh_sim/machines/cluster/config.hpp"

namespace mesh::cluster {

/// A stream of numbers for one seed and two further numbers.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t first, std::uint64_t second);
  [[nodiscard]] std::uint64_t next();
  /// 0 < number <= 1, a multiple of 2^-53.
  [[nodiscard]] double uniform();
  [[nodiscard]] Picoseconds exponential(double mean);

 private:
  std::uint64_t state_;
};

/// A processor that a node's processes cannot have.
struct Outage {
  int node;
  int processor;
  Picoseconds start, end;
};

/// Throws UserError where daemons leave next to no time in which all processors with processes are free: no
/// reduction would end.
void check_leaves_time(const Config& config, int processes);

/// Daemons, in the order of their start; ties by node. A daemon takes the node's highest processor that no
/// other one has, else the one that is free first.
class Daemons {
 public:
  Daemons(const Config& config, int nodes, std::uint64_t seed);

  /// When the next one comes to run; the end of time if there is none.
  [[nodiscard]] Picoseconds next_start() const;
  [[nodiscard]] Outage take();

 private:
  struct Stream {
    RandomStream random;
    std::size_t index = 0;               ///< place in the trace
    Picoseconds lap = 0;                 ///< added to the trace's times
    Picoseconds start = 0, duration = 0; ///< times of the next outage
  };
  void advance(Stream& stream);
  [[nodiscard]] Stream& stream_of(int node);

  const Config& config_;
  std::vector<Stream> streams_; ///< one for each node, or for all
  std::vector<std::vector<Picoseconds>> processors_;
  using Entry = std::pair<Picoseconds, int>; ///< start, node
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

/// Which of a host's receives come late: each with the same probability, by an exponential delay.
class LateReceives {
 public:
  struct Late {
    std::int64_t iteration;
    int node;
    std::int64_t receive; ///< number of the node's receive in that iteration
    Picoseconds delay;
    friend bool operator>(const Late& a, const Late& b) {
      return std::tie(a.iteration, a.node, a.receive) > std::tie(b.iteration, b.node, b.receive);
    }
  };

  /// `receives[node]` are those of each iteration.
  LateReceives(const Config& config, std::vector<int> receives, std::uint64_t seed);

  /// The iteration of the next one; the largest number if there is none.
  [[nodiscard]] std::int64_t next_iteration() const;
  [[nodiscard]] Late take();

 private:
  void advance(int node);

  const Config& config_;
  std::vector<int> receives_;
  std::vector<RandomStream> random_;
  std::vector<std::int64_t> next_; ///< receive of the node, counted through all iterations
  std::priority_queue<Late, std::vector<Late>, std::greater<>> queue_;
};

} // namespace mesh::cluster
