// The communication matrix: messages and bytes by sender and receiver, as the receivers tell of them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "mesh_sim/observe/observer.hpp"
#include "mesh_sim/observe/statistics.hpp"

namespace mesh {

class Matrix final : public Observer {
 public:
  [[nodiscard]] Told wants() const override { return Told::messages; }
  void message(const Message& message) override {
    if (!message.received) return;
    Traffic& pair = pairs_[{message.sender, message.receiver}];
    ++pair.messages;
    pair.bytes += message.bytes;
  }

  /// `name` gives the name of a core, its rank for instance.
  void report(Statistics& to, const std::function<std::string(int)>& name) const {
    constexpr StatisticKind bytes{"pair.bytes", "bytes", "data of the messages from sender to receiver"},
        messages{"pair.messages", "1", "messages from sender to receiver that have been received in full"};
    for (const auto& [pair, traffic] : pairs_) {
      const Labels labels{{"sender", name(pair.first)}, {"receiver", name(pair.second)}};
      add(to, bytes, labels, static_cast<double>(traffic.bytes));
      add(to, messages, labels, static_cast<double>(traffic.messages));
    }
  }

 private:
  struct Traffic {
    std::uint64_t messages = 0, bytes = 0;
  };
  std::map<std::pair<int, int>, Traffic> pairs_; ///< by sender and receiver
};

} // namespace mesh
