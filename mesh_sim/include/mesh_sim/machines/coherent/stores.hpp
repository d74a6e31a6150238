// SPDX-License-Identifier: Apache-2.0
// Posted stores: a core goes on at once, its stores become visible in order, one at a time. Each core's queue
// is emptied by a context of its own, whose requests queue at lines like any other.
#pragma once

#include <deque>

#include "mesh_sim/machines/coherent/accesses.hpp"

namespace mesh::coherent {

class PostedStores : Part {
 public:
  PostedStores(const Part& part, Accesses& accesses)
      : Part(part), accesses_(accesses), queues_(static_cast<std::size_t>(placement_.threads())) {}

  /// True if the machine posts stores. Otherwise none is pending.
  [[nodiscard]] bool on() const noexcept { return config_.store_buffer > 0; }
  struct Store {
    Word word;
    std::uint64_t value;
  };
  void post(int thread, Word word, std::uint64_t value);
  /// Returns when no more than so many of the thread's are pending.
  void wait(int thread, std::size_t at_most);
  /// The last one of the thread to the word; null: none is pending.
  [[nodiscard]] const Store* pending(int thread, Word word) const noexcept;
  [[nodiscard]] bool any_pending(int thread) const noexcept {
    return !queues_[static_cast<std::size_t>(thread)].stores.empty();
  }
  /// Starts the context that makes the thread's stores visible, at that time.
  void start(int thread, Picoseconds at);
  /// Nobody posts stores any more.
  void finish();
  /// How many are pending of a thread that waits for some of them; 0: it does not wait.
  [[nodiscard]] std::size_t waits(int thread) const noexcept {
    const Queue& queue = queues_[static_cast<std::size_t>(thread)];
    return queue.waits > 0 ? queue.stores.size() : 0;
  }

 private:
  struct Queue {
    std::deque<Store> stores;
    std::size_t waits = 0;     ///< its thread sleeps until fewer are pending; 0: does not
    bool drain_sleeps = false; ///< until one is posted
  };
  void drain(int thread);
  [[nodiscard]] Queue& queue(int thread) noexcept { return queues_[static_cast<std::size_t>(thread)]; }
  void wake_drain(int thread);

  Accesses& accesses_;
  std::vector<Queue> queues_; ///< by thread
  bool finished_ = false;
};

} // namespace mesh::coherent
