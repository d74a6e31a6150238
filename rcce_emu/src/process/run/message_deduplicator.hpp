// SPDX-License-Identifier: Apache-2.0
// What the runtime tells the users of several UEs in the same words: told once, with the number of UEs. Knows
// neither descriptors nor engines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mesh_sim/units.hpp"

namespace rcce::run {

class MessageDeduplicator {
 public:
  /// For `ues` UEs. Equal messages within `window` of the first one are reported together.
  MessageDeduplicator(mesh::Picoseconds window, std::size_t ues) : window_(window), ues_(ues) {}

  struct Message {
    mesh::Picoseconds time = 0;
    int core = 0;
    int rank = 0;
    std::string severity; ///< in front of whose words they are: "rccerun: "
    std::string words;    ///< behind: ": called a second time"
  };
  void add(Message said);

  [[nodiscard]] bool empty() const noexcept { return messages_.empty(); }
  /// From when on the first words can be told, since nobody can join in. There are some.
  [[nodiscard]] mesh::Picoseconds due() const noexcept { return messages_.front().time + window_; }

  struct MergedMessage {
    mesh::Picoseconds time;
    int core;
    std::string text; ///< a line
  };
  /// Takes out the first words and all that say the same in their window. There are some.
  [[nodiscard]] MergedMessage take();

 private:
  mesh::Picoseconds window_;
  std::size_t ues_;
  std::vector<Message> messages_; ///< by time, then core
};

/// "rccerun: rank 3 (core 03): called a second time", without the end of the line.
[[nodiscard]] std::string words_of_one(const MessageDeduplicator::Message& said);

} // namespace rcce::run
