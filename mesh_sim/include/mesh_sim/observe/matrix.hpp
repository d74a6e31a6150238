// SPDX-License-Identifier: Apache-2.0
// The communication matrix: messages and bytes by sender and receiver, as the receivers tell of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "mesh_sim/observe/observer.hpp"
#include "mesh_sim/observe/statistics.hpp"

namespace mesh {

// Of runs that do not come to their end alone.
inline constexpr StatisticKind pair_unfinished{
    "pair.unfinished", "1", "messages that had begun but not arrived when the run was over"};
inline constexpr StatisticKind pair_bytes_unfinished{"pair.bytes_unfinished", "bytes",
                                                     "data of the unfinished messages"};

class Matrix final : public Observer {
 public:
  explicit Matrix(int cores) : receivers_(static_cast<std::size_t>(cores)) {}

  [[nodiscard]] EventMask wants() const override { return EventMask::messages; }
  void message(const Message& message) override {
    if (!message.received) return;
    Traffic& pair = receivers_[static_cast<std::size_t>(message.receiver)].from(message.sender);
    ++pair.messages;
    pair.bytes += message.bytes;
  }

  /// `name` gives the name of a core, its rank for instance.
  void report(Statistics& to, const std::function<std::string(int)>& name) const {
    std::map<std::pair<int, int>, Traffic> pairs; // by sender, then receiver
    for (std::size_t receiver = 0; receiver < receivers_.size(); ++receiver)
      for (const auto& [sender, traffic] : receivers_[receiver].senders)
        pairs[{sender, static_cast<int>(receiver)}] = traffic;
    for (const auto& [pair, traffic] : pairs) {
      add_pair(to, {{"sender", name(pair.first)}, {"receiver", name(pair.second)}}, traffic.bytes,
               traffic.messages);
    }
  }
  static void add_pair(Statistics& to, const Labels& labels, std::uint64_t all_bytes, std::uint64_t number) {
    constexpr StatisticKind bytes{"pair.bytes", "bytes", "data of the messages from sender to receiver"},
        messages{"pair.messages", "1", "messages from sender to receiver that have been received in full"};
    add(to, bytes, labels, static_cast<double>(all_bytes));
    add(to, messages, labels, static_cast<double>(number));
  }

 private:
  struct Traffic {
    std::uint64_t messages = 0, bytes = 0;
  };
  struct Receiver {
    std::map<int, Traffic> senders; ///< by core
    std::map<int, Traffic>::iterator last = senders.end();

    /// Most receive from one core again and again, or from several in turn.
    Traffic& from(int sender) {
      if (last == senders.end() || last->first != sender) {
        if (last != senders.end()) ++last;
        if (last == senders.end() || last->first != sender) last = senders.try_emplace(sender).first;
      }
      return last->second;
    }
  };
  std::vector<Receiver> receivers_; ///< by core
};

} // namespace mesh
