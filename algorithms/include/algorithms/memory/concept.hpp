// SPDX-License-Identifier: Apache-2.0
// What an algorithm in shared memory may ask for: atomic words, waiting for a change, blocks to copy and
// combine. An algorithm is a template over a Memory; the same code runs on the host's threads (host.hpp) and
// on a simulated machine with coherent caches (simulated.hpp).
//
// A Memory hands out words and blocks and runs a body on each of its threads; a Thread is what the body acts
// through. Words are of 64 bits, zero at first. Orders are those of C++; algorithms state them as the host
// needs them.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace algorithms::memory {

/// Distance of words that shall not share a line, in bytes: the line of every machine that is simulated here.
inline constexpr std::size_t line = 64;

namespace detail {
struct IsAny {
  bool operator()(std::uint64_t) const { return true; }
};
struct Adds {
  double operator()(double a, double b) const { return a + b; }
};
} // namespace detail

/// One thread of a run. `now()` counts picoseconds: of the simulated machine, or of the host's steady clock.
template <class T>
concept Thread = requires(T& thread, const typename T::Word& word, const typename T::Block& block,
                          std::span<const typename T::Word> words, std::span<const typename T::Block> blocks,
                          std::uint64_t value, std::uint64_t& expected, std::memory_order order) {
  { thread.thread() } -> std::same_as<int>;
  { thread.threads() } -> std::same_as<int>;
  { thread.now() } -> std::convertible_to<std::int64_t>;
  /// Work that touches nobody's memory: simulated time passes, on the host nothing is done.
  thread.compute(1.0);
  thread.pause();
  { thread.load(word, order) } -> std::same_as<std::uint64_t>;
  thread.store(word, value, order);
  { thread.compare_exchange(word, expected, value, order) } -> std::same_as<bool>;
  { thread.fetch_add(word, value, order) } -> std::same_as<std::uint64_t>;
  { thread.exchange(word, value, order) } -> std::same_as<std::uint64_t>;
  /// Exchanges until the word was something else than `value`; returns what it was.
  { thread.spin_exchange(word, value) } -> std::same_as<std::uint64_t>;
  /// The same, but exchanges only where it has read something else.
  { thread.wait_exchange(word, value) } -> std::same_as<std::uint64_t>;
  /// Returns the first value seen for which the predicate holds.
  { thread.wait(word, detail::IsAny{}, order) } -> std::same_as<std::uint64_t>;
  /// Returns when the predicate has been seen to hold for each word.
  thread.wait_all(words, detail::IsAny{}, order);
  /// Sleeps in the operating system if the word is `value`; may wake without cause.
  thread.futex_wait(word, value);
  thread.futex_wake(word, 1);
  /// Blocks of the same length that do not overlap.
  thread.copy(block, block);
  /// block[i] = blocks[0][i] + blocks[1][i] + ...; the target may be the first or the second source.
  thread.template combine<double>(block, blocks, detail::Adds{}, 0.5);
};

/// The source of words and blocks, which live as long as the memory. They are placed at the memory of thread
/// `near`.
template <class M>
concept Memory = Thread<typename M::Thread> && requires(M& memory, std::size_t size) {
  typename M::Word;
  typename M::Block;
  /// `size` words, the second argument bytes apart, from the start of a line on.
  { memory.words(size, size, 0) } -> std::same_as<std::vector<typename M::Word>>;
  { memory.block(size, 0) } -> std::same_as<typename M::Block>;
  { memory.threads() } -> std::same_as<int>;
};

/// Throws std::out_of_range where `length` bytes from `offset` on do not lie in a block of so many.
inline void require_part(std::size_t bytes, std::size_t offset, std::size_t length) {
  if (length > 0 && (offset > bytes || length > bytes - offset))
    throw std::out_of_range("it takes a part of a block that goes beyond the block's end");
}

/// Data that only one thread reads and writes, on a line of its own.
template <class T>
struct alignas(line) PerThread {
  T value{};
};

/// a >= b for numbers that count on and may run over.
[[nodiscard]] constexpr bool reached(std::uint64_t a, std::uint64_t b) noexcept {
  return static_cast<std::int64_t>(a - b) >= 0;
}

} // namespace algorithms::memory
