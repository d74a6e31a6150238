// SPDX-License-Identifier: Apache-2.0
// A thread of the simulated machine, as its program sees it: atomic words, waiting for a change, blocks to
// copy and combine, futexes, time. Every call returns when the core has its answer; the clock has moved by
// what that took.
//
// Orders. The machine is sequentially consistent per line and keeps program order (TSO where stores are
// posted), so acquire and release cost nothing; a sequentially consistent store waits until posted stores are
// visible.
#pragma once

#include <algorithm>
#include <atomic>
#include <string_view>

#include "mesh_sim/machines/coherent/machine.hpp"

namespace mesh::coherent {

class Core {
 public:
  using Word = coherent::Word;
  using Block = coherent::Block;

  Core(Machine& machine, int thread) noexcept : machine_(machine), thread_(thread) {}

  [[nodiscard]] int thread() const noexcept { return thread_; }
  [[nodiscard]] int threads() const noexcept { return machine_.threads(); }
  [[nodiscard]] Machine& machine() const noexcept { return machine_; }
  [[nodiscard]] Picoseconds now() const noexcept { return machine_.kernel_.now(); }

  /// Work of its own, touching nobody's memory.
  void compute(double cycles) {
    machine_.kernel_.advance(machine_.costs_.cycles(cycles * machine_.placement_.slowdown(thread_)));
  }
  void advance(Picoseconds duration) { machine_.kernel_.advance(duration); }
  void pause() { machine_.kernel_.advance(machine_.costs_.pause); }

  // --- words
  [[nodiscard]] std::uint64_t load(Word word, std::memory_order order = std::memory_order_acquire);
  void store(Word word, std::uint64_t value, std::memory_order order = std::memory_order_release);
  /// Writes `desired` where the word is `expected`; else leaves what it is in `expected`. Costs the same
  /// either way.
  bool compare_exchange(Word word, std::uint64_t& expected, std::uint64_t desired,
                        std::memory_order order = std::memory_order_acq_rel);
  /// Returns the value beforehand, as do the next two.
  std::uint64_t fetch_add(Word word, std::uint64_t value,
                          std::memory_order order = std::memory_order_acq_rel);
  std::uint64_t exchange(Word word, std::uint64_t value, std::memory_order order = std::memory_order_acq_rel);
  /// Sets the word to 1.
  std::uint64_t test_and_set(Word word, std::memory_order order = std::memory_order_acquire);
  /// Returns when the core's posted stores are visible.
  void fence();

  // --- waiting
  /// Loads the word until predicate(value); returns the value. Meanwhile the core keeps a copy of the line,
  /// sleeps, and fetches the line again after each write to it.
  template <class Predicate>
  std::uint64_t wait(Word word, Predicate predicate, std::memory_order order = std::memory_order_acquire);
  /// Loads the words, misses overlapping where the machine's scans do, until predicate(value) of each has
  /// been seen once.
  template <class Predicate>
  void wait_all(std::span<const Word> words, Predicate predicate,
                std::memory_order order = std::memory_order_acquire);
  /// Exchanges until the word was something else than `value`; returns what it was. The line goes round among
  /// spinners.
  std::uint64_t spin_exchange(Word word, std::uint64_t value);
  /// The same, but exchanges only where it has read something else; until then it sleeps.
  std::uint64_t wait_exchange(Word word, std::uint64_t value);
  /// Compares and exchanges until it succeeds.
  void spin_compare_exchange(Word word, std::uint64_t expected, std::uint64_t desired);

  /// Sleeps in the operating system until woken, if the word is `expected`; returns whether it has slept.
  bool futex_wait(Word word, std::uint64_t expected);
  /// Wakes up to `count` sleepers, the longest asleep first; returns how many.
  int futex_wake(Word word, int count);

  // --- blocks
  /// Copies `source` to `target`, of the same length; they do not overlap. Costs a stream of lines.
  void copy(Block target, Block source);
  /// target[i] = operation(...operation(sources[0][i], sources[1][i])...) for elements of type T, one source
  /// after another; the target may be the first or the second of them. `cycles_per_element` is the
  /// computation for one operand beyond the first, hidden behind transfers.
  template <class T, class Operation>
  void combine(Block target, std::span<const Block> sources, Operation operation, double cycles_per_element);

  // --- off the clock
  /// Returns, to every thread at the same instant, when all threads whose programs have not ended have
  /// called: the latest of their clocks.
  void meet();

 private:
  /// A load that nobody is told of; `request.at` is unset where it was answered by the core's own posted
  /// store.
  [[nodiscard]] std::uint64_t look(Request& request);
  /// A read-modify-write behind all posted stores, for that call.
  Request modify(CoreCall call, const Request& request);
  /// A posted store of the core's own to the word, which its loads see; its clock has moved by a load.
  [[nodiscard]] const PostedStores::Store* forwarded(Word word);
  [[nodiscard]] bool keeps(Word word, std::uint64_t value);

  Machine& machine_;
  int thread_;
};

template <class Predicate>
std::uint64_t Core::wait(Word word, Predicate predicate, std::memory_order) {
  const CallProbe probe(machine_.probes_, thread_, CoreCall::wait);
  Picoseconds asleep = -1; // since when
  for (;;) {
    Request request{Operation::load, word};
    const std::uint64_t value = look(request);
    if (predicate(value)) {
      machine_.probes_.loaded(thread_, word, request.at);
      if (asleep >= 0) machine_.probes_.awake(thread_, word, asleep, machine_.queues_.cause(thread_));
      return value;
    }
    if (keeps(word, value)) {
      if (asleep < 0) {
        asleep = now();
        machine_.probes_.sleeps(thread_, word);
      }
      machine_.queues_.sleep(machine_.memory_.line_of(word.address));
    } else
      machine_.kernel_.advance(machine_.costs_.poll_gap);
  }
}

template <class Predicate>
void Core::wait_all(std::span<const Word> words, Predicate predicate, std::memory_order order) {
  const CallProbe probe(machine_.probes_, thread_, CoreCall::wait_all);
  std::vector<Word> missing(words.begin(), words.end()), next;
  while (!missing.empty()) {
    next.clear();
    Picoseconds answered = now();
    for (const Word word : missing) {
      if (const auto* const own = forwarded(word)) {
        if (!predicate(own->value)) next.push_back(word);
        continue;
      }
      Request request{Operation::load, word};
      const Picoseconds issued = now(), answer = machine_.accesses_.issue(thread_, request);
      answered = std::max(answered, answer);
      machine_.kernel_.advance_to(
          issued + std::llround(static_cast<double>(answer - now()) / machine_.costs_.scan_misses));
      if (predicate(request.old))
        machine_.probes_.loaded(thread_, word, request.at);
      else
        next.push_back(word);
    }
    machine_.kernel_.advance_to(answered);
    missing.swap(next);
    if (!missing.empty()) {
      (void)wait(missing.front(), predicate, order);
      missing.erase(missing.begin());
    }
  }
}

template <class T, class Function>
void Core::combine(Block target, std::span<const Block> sources, Function operation,
                   double cycles_per_element) {
  const CallProbe probe(machine_.probes_, thread_, CoreCall::combine, target.bytes * sources.size());
  machine_.streams_.stream(
      thread_, target, sources,
      machine_.costs_.cycles(cycles_per_element * static_cast<double>(line_size / sizeof(T)) *
                             (sources.size() > 1 ? 1 : 0)),
      [&](std::size_t pass, std::size_t from, std::size_t to) {
        const std::span<T> out = target.values<T>();
        const std::span<const T> left = (pass == 0 ? sources[0] : target).template values<T>();
        for (std::size_t i = from / sizeof(T); i < to / sizeof(T); ++i)
          out[i] =
              sources.size() == 1 ? left[i] : operation(left[i], sources[pass + 1].template values<T>()[i]);
      });
}

} // namespace mesh::coherent
