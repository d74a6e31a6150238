// SPDX-License-Identifier: Apache-2.0
// Posted stores: a core goes on at once, its stores become visible in order, one at a time. Each core's queue
// is emptied by a context of its own, whose requests queue at lines like any other.
#include "mesh_sim/machines/coherent/machine.hpp"

namespace mesh::coherent {

void Machine::post_store(int thread, Word word, std::uint64_t value) {
  kernel_.synchronise();
  Thread& self = state_of_[static_cast<std::size_t>(thread)];
  wait_for_stores(thread, static_cast<std::size_t>(config_.store_buffer) - 1);
  self.stores.push_back({word, value});
  tell_posted(thread, word);
  if (self.drain_sleeps) {
    self.drain_sleeps = false;
    kernel_.wake(threads_ + thread, kernel_.now());
  }
  kernel_.advance(costs_.hit_store);
}

void Machine::wait_for_stores(int thread, std::size_t at_most) {
  Thread& self = state_of_[static_cast<std::size_t>(thread)];
  kernel_.synchronise();
  if (self.stores.size() <= at_most) return;
  self.waits_for_stores = at_most + 1;
  kernel_.block();
}

const Machine::PendingStore* Machine::pending(int thread, Word word) const noexcept {
  const auto& stores = state_of_[static_cast<std::size_t>(thread)].stores;
  for (auto store = stores.rbegin(); store != stores.rend(); ++store)
    if (store->word.slot == word.slot) return &*store;
  return nullptr;
}

void Machine::drain(int thread) {
  Thread& self = state_of_[static_cast<std::size_t>(thread)];
  for (;;) {
    while (self.stores.empty()) {
      if (running_ == 0) return;
      self.drain_sleeps = true;
      kernel_.block();
    }
    Request request{Operation::store, self.stores.front().word, self.stores.front().value};
    access(thread, request);
    tell_store(thread, request, true);
    kernel_.synchronise();
    self.stores.pop_front();
    if (self.stores.size() < self.waits_for_stores) {
      self.waits_for_stores = 0;
      kernel_.wake(thread, kernel_.now());
    }
  }
}

} // namespace mesh::coherent
