// SPDX-License-Identifier: Apache-2.0
// Memory under exploration: every access of a thread is a step, which is made when the search
// (search.hpp) says so. Words are sequentially consistent. An algorithm in shared memory is a template over
// a Memory, so what is explored here is the code that runs on the host and on simulated machines.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "algorithms/memory/mailbox.hpp"

namespace algorithms::explore {

/// Bytes of the buffers that an action touches.
struct Range {
  std::size_t from = 0, to = 0;
  bool write = false;
};

/// A thread's next action.
struct Action {
  enum class Kind : std::uint8_t {
    load,
    store,
    compare_exchange,
    fetch_add,
    exchange,
    take,       ///< an exchange that can be made only while the word is not `expected`
    wait,       ///< can be made only while the predicate holds
    futex_wait, ///< sleeps if the word is `expected`
    futex_wake,
    blocks, ///< copies or combines buffers, or reads one, in one step
    pause,  ///< can be made once another thread has changed a word
    peek,   ///< reads a word within the step before, for checks: an algorithm has none
    forget, ///< from here on the thread depends on `operand` alone, not on what it has read so far
    fault,  ///< a check has failed: `text`
    end,
  };
  Kind kind = Kind::end;
  std::uint32_t word = 0;
  std::uint64_t operand = 0, expected = 0;
  const std::function<bool(std::uint64_t)>* predicate = nullptr; ///< lives while the thread stands here
  std::vector<Range> ranges{};
  std::function<void(std::byte*)>
      change{}; ///< a change by `blocks` to all buffers; none: gives a hash of the first range
  std::string text{};
};

/// Whoever makes the actions of a run's threads, at the time that it chooses. Virtual, so that compiled files
/// of algorithms need nothing but this header.
class Steps;

class Memory {
 public:
  struct Word {
    std::uint32_t index = 0;
  };
  struct Block {
    std::size_t offset = 0, bytes = 0;

    [[nodiscard]] Block part(std::size_t from, std::size_t length) const {
      memory::require_part(bytes, from, length);
      return {offset + from, length};
    }
  };
  class Thread;

  /// Bytes of all buffers together.
  static constexpr std::size_t room = std::size_t{1} << 14;

  explicit Memory(int threads) : threads_(threads), buffers_(std::make_unique<std::byte[]>(room)) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  [[nodiscard]] int threads() const { return threads_; }
  /// Lines and places mean nothing here.
  [[nodiscard]] std::vector<Word> words(std::size_t count, std::size_t stride, int near);
  /// Throws std::length_error where the room is used up.
  [[nodiscard]] Block block(std::size_t bytes, int near);
  /// To be filled before the run only.
  template <class T>
  [[nodiscard]] std::span<T> values(Block block) {
    return {reinterpret_cast<T*>(buffers_.get() + block.offset), block.bytes / sizeof(T)};
  }

  [[nodiscard]] std::size_t word_count() const { return words_; }
  [[nodiscard]] std::span<const std::byte> buffers() const { return {buffers_.get(), used_}; }

 private:
  int threads_;
  std::uint32_t words_ = 0;
  std::size_t used_ = 0;
  std::unique_ptr<std::byte[]> buffers_;
};

class Memory::Thread {
 public:
  using Word = Memory::Word;
  using Block = Memory::Block;

  Thread(Steps& run, int thread, int threads) : run_(run), thread_(thread), threads_(threads) {}

  [[nodiscard]] int thread() const { return thread_; }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] std::int64_t now() const { return 0; }
  void compute(double) {}
  void pause() { (void)act({.kind = Action::Kind::pause}); }

  [[nodiscard]] std::uint64_t load(Word word, std::memory_order) {
    return act({.kind = Action::Kind::load, .word = word.index});
  }
  void store(Word word, std::uint64_t value, std::memory_order) {
    (void)act({.kind = Action::Kind::store, .word = word.index, .operand = value});
  }
  bool compare_exchange(Word word, std::uint64_t& expected, std::uint64_t desired, std::memory_order) {
    const std::uint64_t old = act({.kind = Action::Kind::compare_exchange,
                                   .word = word.index,
                                   .operand = desired,
                                   .expected = expected});
    return std::exchange(expected, old) == old;
  }
  std::uint64_t fetch_add(Word word, std::uint64_t value, std::memory_order) {
    return act({.kind = Action::Kind::fetch_add, .word = word.index, .operand = value});
  }
  std::uint64_t exchange(Word word, std::uint64_t value, std::memory_order) {
    return act({.kind = Action::Kind::exchange, .word = word.index, .operand = value});
  }

  /// Exchanges that find `value` change nothing, and are left out, as are looks at the word before them.
  std::uint64_t spin_exchange(Word word, std::uint64_t value) {
    return act({.kind = Action::Kind::take, .word = word.index, .operand = value, .expected = value});
  }
  std::uint64_t wait_exchange(Word word, std::uint64_t value) { return spin_exchange(word, value); }

  template <class Predicate>
  std::uint64_t wait(Word word, Predicate predicate, std::memory_order) {
    const std::function<bool(std::uint64_t)> holds = predicate;
    return act({.kind = Action::Kind::wait, .word = word.index, .predicate = &holds});
  }
  template <class Predicate>
  void wait_all(std::span<const Word> words, Predicate predicate, std::memory_order order) {
    for (const Word word : words) (void)wait(word, predicate, order);
  }
  bool futex_wait(Word word, std::uint64_t expected) {
    return act({.kind = Action::Kind::futex_wait, .word = word.index, .expected = expected}) != 0;
  }
  int futex_wake(Word word, int count) {
    return static_cast<int>(act({.kind = Action::Kind::futex_wake,
                                 .word = word.index,
                                 .operand = static_cast<std::uint64_t>(count)}));
  }

  void copy(Block target, Block source) {
    (void)act({.kind = Action::Kind::blocks,
               .ranges = {of(target, true), of(source, false)},
               .change = [target, source](std::byte* all) {
                 std::copy_n(all + source.offset, source.bytes, all + target.offset);
               }});
  }
  template <class T, class Operation>
  void combine(Block target, std::span<const Block> sources, Operation operation, double) {
    std::vector<Range> ranges{of(target, true)};
    for (const Block& source : sources) ranges.push_back(of(source, false));
    (void)act({.kind = Action::Kind::blocks,
               .ranges = std::move(ranges),
               .change = [target, operation,
                          from = std::vector<Block>(sources.begin(), sources.end())](std::byte* all) {
                 const auto at = [all](const Block& block) {
                   return reinterpret_cast<T*>(all + block.offset);
                 };
                 for (std::size_t i = 0; i < target.bytes / sizeof(T); ++i) {
                   T value = at(from[0])[i];
                   for (std::size_t s = 1; s < from.size(); ++s) value = operation(value, at(from[s])[i]);
                   at(target)[i] = value;
                 }
               }});
  }

  /// Plain values, in a step of their own.
  template <class T>
  void put(Block block, const T& value) {
    std::array<std::byte, sizeof(T)> bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
    (void)act({.kind = Action::Kind::blocks,
               .operand = hash(bytes),
               .ranges = {of(block, true)},
               .change = [block, bytes](std::byte* all) {
                 std::copy(bytes.begin(), bytes.end(), all + block.offset);
               }});
  }
  template <class T>
  [[nodiscard]] T get(Block block) {
    (void)act({.kind = Action::Kind::blocks, .ranges = {of(block, false)}});
    std::array<std::byte, sizeof(T)> bytes;
    read(block, bytes);
    return std::bit_cast<T>(bytes);
  }

  // --- what only scenarios use
  /// Writes every element of a block, in one step.
  template <class T>
  void fill(Block block, const T& value) {
    (void)act({.kind = Action::Kind::blocks,
               .operand = hash(std::as_bytes(std::span(&value, 1))),
               .ranges = {of(block, true)},
               .change = [block, value](std::byte* all) {
                 std::fill_n(reinterpret_cast<T*>(all + block.offset), block.bytes / sizeof(T), value);
               }});
  }
  /// The word as the thread's last step has left it.
  [[nodiscard]] std::uint64_t peek(Word word) {
    return act({.kind = Action::Kind::peek, .word = word.index});
  }
  /// The thread's further steps depend on `stage` alone, not on what it has read: what it keeps is the same
  /// in every run. Stages of a thread only grow. A search that finds this wrong throws.
  void forget(std::uint64_t stage) { (void)act({.kind = Action::Kind::forget, .operand = stage}); }
  /// Ends the search with this fault.
  void fault(std::string text) { (void)act({.kind = Action::Kind::fault, .text = std::move(text)}); }

 private:
  [[nodiscard]] static Range of(const Block& block, bool write) {
    return {block.offset, block.offset + block.bytes, write};
  }
  /// Gives way to the search; returns when it has made the step: what the step gave.
  std::uint64_t act(Action action);
  void read(Block block, std::span<std::byte> bytes) const;
  [[nodiscard]] static std::uint64_t hash(std::span<const std::byte> bytes);

  Steps& run_;
  int thread_, threads_;
};

class Steps {
 public:
  virtual ~Steps() = default;
  /// Returns when the thread's action has been made: what it gave.
  virtual std::uint64_t act(int thread, Action action) = 0;
  [[nodiscard]] virtual std::span<const std::byte> buffers() const = 0;
};

inline std::vector<Memory::Word> Memory::words(std::size_t count, std::size_t, int) {
  std::vector<Word> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back({words_++});
  return made;
}

inline Memory::Block Memory::block(std::size_t bytes, int) {
  const std::size_t offset = used_, length = (bytes + 7) / 8 * 8;
  if (length > room - used_) throw std::length_error("a scenario needs more room for buffers than there is");
  used_ += length;
  return {offset, bytes};
}

inline std::uint64_t Memory::Thread::act(Action action) {
  return run_.act(thread_, std::move(action));
}

inline void Memory::Thread::read(Block block, std::span<std::byte> bytes) const {
  std::ranges::copy(run_.buffers().subspan(block.offset, bytes.size()), bytes.begin());
}

inline std::uint64_t Memory::Thread::hash(std::span<const std::byte> bytes) {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

} // namespace algorithms::explore

namespace algorithms::memory {

template <class T>
class Mailbox<explore::Memory, T> {
 public:
  using Thread = explore::Memory::Thread;
  static_assert(std::has_unique_object_representations_v<T>, "padding would look like another value");

  Mailbox(explore::Memory& memory, int near) : block_(memory.block(sizeof(T), near)) {}
  Mailbox(explore::Memory& memory, const explore::Memory::Word&) : Mailbox(memory, 0) {}
  void put(Thread& thread, const T& value) { thread.put(block_, value); }
  [[nodiscard]] T get(Thread& thread) const { return thread.get<T>(block_); }

 private:
  explore::Memory::Block block_;
};

} // namespace algorithms::memory
