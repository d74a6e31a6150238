// SPDX-License-Identifier: Apache-2.0
// The rounds of an operation, as one run has shown them: who gave data or a signal to whom, and which of
// these steps had to wait for which.
//
// An edge leads from core a to core b: a message of the library above; or b has seen, by a wait, a load or a
// copy that found what it wished, something that a wrote last. An edge that only says that something is there
// or free is a signal, one with data carries bytes.
//
// The round of an edge is 1 + the greatest round of the edges that it depends on, 0 where there is none:
// - a word or a copy: those that its writer had seen when it set out to write;
// - a message: on either side those that had ended there when that side began, and the sender's message
//   before, since a core's messages go one after the other. At the sender only those have ended for which
//   it has waited until their receivers had them.
// All edges between two cores that fall into one round are one edge.
//
// What a core does to words and buffers while a message of its own is under way belongs to the message.
// Who gets a lock has a signal from who released it. Signals from before the operation
// count for nothing; data that were written before it are of the last round that their reader has seen, or of
// the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "mesh_sim/observe/observer.hpp"
#include "mesh_sim/observe/round_edge.hpp"

namespace mesh {

/// The operation, as one core takes part in it.
struct RoundWindow {
  int core = -1;
  Picoseconds begin = 0, end = 0;
};

/// Keeps all events of a run, so it is for short ones.
class Rounds final : public Observer {
 public:
  [[nodiscard]] EventMask wants() const override {
    return EventMask::messages | EventMask::issues | EventMask::acts | EventMask::ends;
  }
  void message(const Message& message) override { sides_.push_back(message); }
  void issued(const Access& access) override;
  void acted(const Access& access) override;
  void ended(const Access& access, Picoseconds begin) override;

  /// After the run: the edges inside of the windows, one for each core that takes part, by round, sender,
  /// receiver.
  [[nodiscard]] std::vector<RoundEdge> edges(std::span<const RoundWindow> windows) const;

  struct Act {
    Access access;
    bool before_others = false; ///< delivered: acts before all cores at its time
    std::size_t issued = 0;     ///< number of the core's event with which it set out; 0: not known
    std::size_t number = 0;     ///< number of the core's event with which it acted
    Picoseconds finished = 0;   ///< when the core went on
  };

 private:
  struct Issue {
    Access access;
    std::size_t number;
  };
  struct PerCore {
    std::size_t events = 0;
    std::deque<Issue> writes;       ///< that have set out and not acted in full
    std::vector<std::size_t> acted; ///< indices of acts since it went on last
  };
  [[nodiscard]] PerCore& core(int id);

  std::vector<Message> sides_;
  std::vector<Act> acts_;
  std::vector<PerCore> cores_;
};

} // namespace mesh
