// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/stores.hpp"

#include <utility>

namespace mesh::coherent {

void PostedStores::post(int thread, Word word, std::uint64_t value) {
  kernel_.synchronise();
  wait(thread, static_cast<std::size_t>(config_.store_buffer) - 1);
  queue(thread).stores.push_back({word, value});
  probes_.posts(thread, word);
  wake_drain(thread);
  kernel_.advance(costs_.hit_store);
}

void PostedStores::wait(int thread, std::size_t at_most) {
  kernel_.synchronise();
  if (queue(thread).stores.size() <= at_most) return;
  queue(thread).waits = at_most + 1;
  kernel_.block();
}

const PostedStores::Store* PostedStores::pending(int thread, Word word) const noexcept {
  const auto& stores = queues_[static_cast<std::size_t>(thread)].stores;
  for (auto store = stores.rbegin(); store != stores.rend(); ++store)
    if (store->word.slot == word.slot) return &*store;
  return nullptr;
}

void PostedStores::start(int thread, Picoseconds at) {
  kernel_.start(
      placement_.threads() + thread, [this, thread] { drain(thread); }, at);
}

void PostedStores::drain(int thread) {
  Queue& self = queue(thread);
  for (;;) {
    while (self.stores.empty()) {
      if (finished_) return;
      self.drain_sleeps = true;
      kernel_.block();
    }
    Request request{Operation::store, self.stores.front().word, self.stores.front().value};
    accesses_.access(thread, request);
    probes_.stored(thread, request.word, request.at, true);
    kernel_.synchronise();
    self.stores.pop_front();
    if (self.stores.size() < self.waits) {
      self.waits = 0;
      kernel_.wake(thread, kernel_.now());
    }
  }
}

void PostedStores::wake_drain(int thread) {
  if (!std::exchange(queue(thread).drain_sleeps, false)) return;
  kernel_.wake(placement_.threads() + thread, kernel_.now());
}

void PostedStores::finish() {
  finished_ = true;
  for (int thread = 0; thread < placement_.threads(); ++thread) wake_drain(thread);
}

} // namespace mesh::coherent
