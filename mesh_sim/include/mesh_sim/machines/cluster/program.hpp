// SPDX-License-Identifier: Apache-2.0
// What every node does in one reduction, as steps: a program. It is written down by running an algorithm once
// for each node with a Port that records; the machine then runs it as often as is asked for. Algorithms do
// not look at data, so the steps are the same each time.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "mesh_sim/machines/cluster/steps.hpp"

namespace mesh::cluster {

struct Step {
  enum class Kind : std::uint8_t { send, combine, place };
  Kind kind;
  Order order = Order::all;
  Side side = Side::behind;
  std::uint32_t first = 0; ///< its messages: those received; of a send, the one in the receiver's list
  std::uint32_t count = 0; ///< number of its messages
};

class Program {
 public:
  /// A message as its receiver knows it.
  struct Message {
    std::int32_t from, to;
    Elements elements;
  };

  Program(int nodes, std::uint32_t elements, Processor place, Ending ending)
      : nodes_(nodes), elements_(elements), place_(place), ending_(ending) {
    first_step_.reserve(static_cast<std::size_t>(nodes) + 1);
  }

  [[nodiscard]] int nodes() const noexcept { return nodes_; }
  [[nodiscard]] std::uint32_t elements() const noexcept { return elements_; }
  [[nodiscard]] Processor place() const noexcept { return place_; }
  [[nodiscard]] Ending ending() const noexcept { return ending_; }
  void set_ending(Ending ending) noexcept { ending_ = ending; }

  [[nodiscard]] std::span<const Step> steps(int node) const noexcept {
    const auto n = static_cast<std::size_t>(node);
    return {steps_.data() + first_step_[n], steps_.data() + first_step_[n + 1]};
  }
  [[nodiscard]] std::span<const Message> messages() const noexcept { return messages_; }
  /// Messages that a node receives.
  [[nodiscard]] int receives(int node) const noexcept;

 private:
  friend class Port;
  friend class Recording;
  struct Sent {
    std::int32_t from, to;
    Elements elements;
    std::uint32_t step;
  };
  void finish(std::vector<Sent> sent);

  int nodes_;
  std::uint32_t elements_;
  Processor place_;
  Ending ending_;
  std::vector<std::uint32_t> first_step_;
  std::vector<Step> steps_;
  std::vector<Message> messages_; ///< by receiver, in the order of its steps
};

/// The interface through which an algorithm acts for one node.
class Port {
 public:
  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int ranks() const noexcept { return program_.nodes_; }
  [[nodiscard]] std::uint32_t elements() const noexcept { return program_.elements_; }

  /// Sends these of the elements that it has.
  void send(int to, Elements elements);
  void send(int to) { send(to, {0, elements()}); }
  /// Waits for a message from each, and combines them with what it has. One sleep, one wake-up.
  void collect(std::span<const int> from, Elements elements, Order order, Side side = Side::behind);
  void collect(std::span<const int> from, Order order) { collect(from, {0, elements()}, order); }
  /// Receives from one node, as hosts do.
  void receive(int from, Elements elements, Side side = Side::behind) {
    collect(std::span(&from, 1), elements, Order::list, side);
  }
  void receive(int from) { receive(from, {0, elements()}); }
  /// Waits for segments and puts them in their places.
  void gather(std::span<const Segment> segments);

 private:
  friend class Recording;
  Port(Program& program, std::vector<Program::Sent>& sent, int rank)
      : program_(program), sent_(sent), rank_(rank) {}
  void check(int peer, Elements elements) const;

  Program& program_;
  std::vector<Program::Sent>& sent_;
  int rank_;
};

/// Runs `algorithm(port)` for every node. Throws std::logic_error for an algorithm whose sends and receives
/// do not fit together.
class Recording {
 public:
  template <class Algorithm>
  [[nodiscard]] static Program of(int nodes, std::uint32_t elements, Processor place, Ending ending,
                                  const Algorithm& algorithm) {
    Program program(nodes, elements, place, ending);
    std::vector<Program::Sent> sent;
    for (int rank = 0; rank < nodes; ++rank) {
      program.first_step_.push_back(static_cast<std::uint32_t>(program.steps_.size()));
      Port port(program, sent, rank);
      algorithm(port);
    }
    program.first_step_.push_back(static_cast<std::uint32_t>(program.steps_.size()));
    program.finish(std::move(sent));
    return program;
  }
};

} // namespace mesh::cluster
