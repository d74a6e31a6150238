// SPDX-License-Identifier: Apache-2.0
// Runs a schedule of blocking sends and receives: both sides of a message wait for each other, as RCCE_send
// and RCCE_recv do. Finds deadlocks, sends of what is not held, and parts that arrive twice or not at all.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

namespace rendezvous {

/// True where WHOLE=1 is in the environment: a sweep takes every root.
inline bool whole() {
  static const bool asked = std::getenv("WHOLE") != nullptr;
  return asked;
}

/// True for the roots that a sweep takes of a schedule for `ranks`: the first, the last, and a sixth of the
/// others, those in turn as `number`, of the schedule, changes.
inline bool taken(int root, int ranks, int number) {
  return whole() || root == 0 || root == ranks - 1 || (root + number) % 6 == 0;
}

struct Call {
  bool send; ///< else receive
  int partner;
  int part;
};

/// One list of calls per rank. Returns what is wrong with them, or nothing.
class Replay {
 public:
  Replay(std::vector<std::vector<Call>> calls, int root, int parts)
      : calls_(std::move(calls)),
        held_(calls_.size(), std::vector<bool>(static_cast<std::size_t>(parts), false)),
        next_(calls_.size(), 0) {
    held_[static_cast<std::size_t>(root)].assign(static_cast<std::size_t>(parts), true);
  }

  std::string run() {
    // A rank is looked at again whenever it has advanced; a message happens when both ends stand at it.
    std::vector<std::size_t> ready;
    for (std::size_t rank = calls_.size(); rank-- > 0;) ready.push_back(rank);
    while (!ready.empty()) {
      const std::size_t rank = ready.back();
      ready.pop_back();
      while (next_[rank] < calls_[rank].size()) {
        const Call& call = calls_[rank][next_[rank]];
        const auto partner = static_cast<std::size_t>(call.partner);
        if (partner >= calls_.size() || partner == rank) return at(rank) + "has no such partner";
        if (next_[partner] >= calls_[partner].size()) break;
        const Call& other = calls_[partner][next_[partner]];
        if (static_cast<std::size_t>(other.partner) != rank || other.send == call.send) break;
        if (other.part != call.part) return at(rank) + "and its partner name different parts";
        const std::size_t sender = call.send ? rank : partner, receiver = call.send ? partner : rank;
        const auto part = static_cast<std::size_t>(call.part);
        if (!held_[sender].at(part)) return at(sender) + "does not hold the part";
        if (held_[receiver][part]) return at(receiver) + "holds the part already";
        held_[receiver][part] = true;
        ++messages_;
        ++next_[rank];
        ++next_[partner];
        ready.push_back(partner);
      }
    }
    for (std::size_t rank = 0; rank < calls_.size(); ++rank)
      if (next_[rank] < calls_[rank].size()) return at(rank) + "waits for ever";
    for (std::size_t rank = 0; rank < calls_.size(); ++rank)
      for (std::size_t part = 0; part < held_[rank].size(); ++part)
        if (!held_[rank][part]) return "rank " + std::to_string(rank) + " lacks part " + std::to_string(part);
    return "";
  }

  [[nodiscard]] int messages() const { return messages_; }

 private:
  [[nodiscard]] std::string at(std::size_t rank) const {
    std::string text = "rank " + std::to_string(rank) + ", call " + std::to_string(next_[rank]) + ": ";
    if (next_[rank] < calls_[rank].size()) {
      const Call& call = calls_[rank][next_[rank]];
      text += (call.send ? "send to " : "receive from ") + std::to_string(call.partner) + " part " +
          std::to_string(call.part) + ": ";
    }
    return text;
  }

  std::vector<std::vector<Call>> calls_;
  std::vector<std::vector<bool>> held_; ///< [rank][part]
  std::vector<std::size_t> next_;
  int messages_ = 0;
};

} // namespace rendezvous
