// SPDX-License-Identifier: Apache-2.0
// A timeline that is kept in memory, of small runs: what cores have done from when to when, and their
// messages, up to a bound; what comes later is only counted. Long runs go to a file (trace.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "mesh_sim/observe/observer.hpp"

namespace mesh {

/// Something that a core does, from beginning to end.
struct Slice {
  enum class Kind : std::uint8_t { call, put, get, wait };
  Kind kind = Kind::call;
  int core = -1;
  /// Call: its number, whose name the observers know; wait for a counter: that; others: the core whose buffer
  /// or register it is; -1: none.
  int what = -1;
  int peer = -1;         ///< call: the partner's core; wait: the core that has ended it; -1: none, or several
  std::size_t bytes = 0; ///< bytes of copies, and of calls with one partner
  Picoseconds begin = 0, end = 0;
  bool unfinished = false;              ///< it was going on when the run was over
  Wait::Target on = Wait::Target::word; ///< its target, if it is a wait
};

/// A message whose both sides have told: from when its sender begins to when its receiver has all of it.
struct Passed {
  int sender = -1, receiver = -1;
  std::size_t bytes = 0;
  Picoseconds begin = 0, end = 0;
};

class Timeline final : public Observer {
 public:
  /// Keeps at most so many slices, and as many messages.
  explicit Timeline(int cores, std::size_t most);

  [[nodiscard]] EventMask wants() const override {
    return EventMask::calls | EventMask::messages | EventMask::ends | EventMask::waits;
  }
  void call_begins(const Call& call) override;
  void call_ends(const Call& call) override;
  void message(const Message& message) override;
  void ended(const Access& access, Picoseconds begin) override;
  void wait_ends(const Wait& wait) override;
  void unfinished(const Unfinished& core) override;

  /// In the order of their ends as cores came to them; those of one core nest.
  [[nodiscard]] const std::vector<Slice>& slices() const noexcept { return slices_; }
  [[nodiscard]] const std::vector<Passed>& messages() const noexcept { return messages_; }
  /// How many have found no place.
  [[nodiscard]] std::size_t slices_left_out() const noexcept { return slices_left_out_; }
  [[nodiscard]] std::size_t messages_left_out() const noexcept { return messages_left_out_; }

 private:
  /// Sides of messages of one pair whose other side has not told yet, in order.
  struct Pending {
    std::vector<Message> sent, received;
  };
  void keep(const Slice& slice);

  std::size_t most_;
  std::vector<std::vector<Call>> open_;            ///< by core: its calls as they begin, the innermost last
  std::map<std::pair<int, int>, Pending> pending_; ///< by sender and receiver
  std::vector<Slice> slices_;
  std::vector<Passed> messages_;
  std::size_t slices_left_out_ = 0, messages_left_out_ = 0;
};

} // namespace mesh
