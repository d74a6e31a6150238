// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/core.hpp"

namespace mesh::coherent {

const PostedStores::Store* Core::forwarded(Word word) {
  if (!machine_.stores_.on()) return nullptr;
  machine_.kernel_.synchronise();
  const auto* const own = machine_.stores_.pending(thread_, word);
  if (own != nullptr) machine_.kernel_.advance(machine_.costs_.hit_load);
  return own;
}

std::uint64_t Core::load(Word word, std::memory_order) {
  const CallProbe probe(machine_.probes_, thread_, CoreCall::load);
  if (const auto* const own = forwarded(word)) return own->value;
  Request request{Operation::load, word};
  machine_.accesses_.access(thread_, request);
  machine_.probes_.loaded(thread_, word, request.at);
  return request.old;
}

std::uint64_t Core::look(Request& request) {
  if (const auto* const own = forwarded(request.word)) return own->value;
  machine_.accesses_.access(thread_, request);
  return request.old;
}

void Core::store(Word word, std::uint64_t value, std::memory_order order) {
  const CallProbe probe(machine_.probes_, thread_, CoreCall::store);
  if (machine_.stores_.on()) {
    machine_.stores_.post(thread_, word, value);
    if (order == std::memory_order_seq_cst) fence();
    return;
  }
  Request request{Operation::store, word, value};
  machine_.accesses_.access(thread_, request);
  machine_.probes_.stored(thread_, word, request.at, false);
}

void Core::fence() {
  if (!machine_.stores_.on()) return;
  if (!machine_.stores_.any_pending(thread_)) return machine_.stores_.wait(thread_, 0);
  const CallProbe probe(machine_.probes_, thread_, CoreCall::fence);
  machine_.stores_.wait(thread_, 0);
}

Request Core::modify(CoreCall call, const Request& request) {
  const CallProbe probe(machine_.probes_, thread_, call);
  fence();
  return machine_.accesses_.modify(thread_, request);
}

bool Core::compare_exchange(Word word, std::uint64_t& expected, std::uint64_t desired, std::memory_order) {
  const Request done = modify(CoreCall::compare_exchange, {Operation::cas, word, desired, expected});
  if (!done.changed) expected = done.old;
  return done.changed;
}

std::uint64_t Core::fetch_add(Word word, std::uint64_t value, std::memory_order) {
  return modify(CoreCall::fetch_add, {Operation::fetch_add, word, value}).old;
}

std::uint64_t Core::exchange(Word word, std::uint64_t value, std::memory_order) {
  return modify(CoreCall::exchange, {Operation::exchange, word, value}).old;
}

std::uint64_t Core::test_and_set(Word word, std::memory_order) {
  return modify(CoreCall::test_and_set, {Operation::test_and_set, word, 1}).old;
}

std::uint64_t Core::spin_exchange(Word word, std::uint64_t value) {
  const CallProbe probe(machine_.probes_, thread_, CoreCall::spin_exchange);
  fence();
  return machine_.accesses_.spin(thread_, {Operation::exchange, word, value},
                                 [](const Request& request) { return request.old != request.operand; });
}

std::uint64_t Core::wait_exchange(Word word, std::uint64_t value) {
  for (;;) {
    (void)wait(
        word, [value](std::uint64_t seen) { return seen != value; }, std::memory_order_relaxed);
    if (const std::uint64_t old = exchange(word, value, std::memory_order_acquire); old != value) return old;
  }
}

void Core::spin_compare_exchange(Word word, std::uint64_t expected, std::uint64_t desired) {
  const CallProbe probe(machine_.probes_, thread_, CoreCall::spin_compare_exchange);
  fence();
  (void)machine_.accesses_.spin(thread_, {Operation::cas, word, desired, expected},
                                [](const Request& request) { return request.changed; });
}

/// True if the core may sleep until the next write to the line: it has a copy, and no store of its own under
/// way.
bool Core::keeps(Word word, std::uint64_t value) {
  machine_.kernel_.synchronise();
  if (machine_.stores_.pending(thread_, word) != nullptr) {
    fence();
    return false;
  }
  const Line& line = machine_.memory_.line_of(word.address);
  return line.holders.has(machine_.placement_.core_of(thread_)) && machine_.peek(word) == value;
}

bool Core::futex_wait(Word word, std::uint64_t expected) {
  const CallProbe probe(machine_.probes_, thread_, CoreCall::futex_wait);
  fence();
  Request request{Operation::load, word};
  const std::uint64_t value = look(request);
  machine_.kernel_.synchronise();
  // The operating system looks at the word and notes the caller under one lock, then lets another run.
  const Picoseconds asleep = now() + machine_.costs_.futex_sleep;
  if (value != expected || machine_.peek(word) != expected) {
    machine_.kernel_.advance_to(asleep);
    return false;
  }
  machine_.futexes_[word.slot].push_back({thread_, asleep});
  machine_.kernel_.block();
  return true;
}

int Core::futex_wake(Word word, int count) {
  const CallProbe probe(machine_.probes_, thread_, CoreCall::futex_wake);
  fence();
  machine_.kernel_.advance(machine_.costs_.futex_wake);
  machine_.kernel_.synchronise();
  const auto sleepers = machine_.futexes_.find(word.slot);
  if (sleepers == machine_.futexes_.end()) return 0;
  int woken = 0;
  for (; woken < count && !sleepers->second.empty(); ++woken) {
    // Who is still on the way to sleep turns back.
    const auto [thread, asleep] = sleepers->second.front();
    machine_.kernel_.wake(thread, now() < asleep ? asleep : now() + machine_.costs_.futex_turnaround);
    sleepers->second.pop_front();
  }
  return woken;
}

void Core::copy(Block target, Block source) {
  const CallProbe probe(machine_.probes_, thread_, CoreCall::copy, target.bytes);
  machine_.streams_.stream(thread_, target, {&source, 1}, 0,
                           [&](std::size_t, std::size_t from, std::size_t to) {
                             std::copy(source.data + from, source.data + to, target.data + from);
                           });
}

void Core::meet() {
  fence();
  machine_.kernel_.synchronise();
  auto& waiting = machine_.meeting_;
  if (static_cast<int>(waiting.size()) + 1 < machine_.running_) {
    waiting.push_back(thread_);
    machine_.kernel_.block();
    return;
  }
  // Clocks rise with the order of events, so the last to come is the latest.
  for (const int thread : waiting) machine_.kernel_.wake(thread, now());
  waiting.clear();
}

} // namespace mesh::coherent
