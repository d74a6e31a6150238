// SPDX-License-Identifier: Apache-2.0
// Memory of the host: atomics of the C++ library, one operating-system thread for each thread of a run. A
// thread that waits spins, then yields, then sleeps, because a host may have fewer processors than threads.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "algorithms/memory/concept.hpp"

namespace algorithms::memory {

class Host {
 public:
  struct Word {
    std::atomic<std::uint64_t>* at = nullptr;
  };
  struct Block {
    std::byte* data = nullptr;
    std::size_t bytes = 0;

    [[nodiscard]] friend bool operator==(const Block&, const Block&) = default;
    [[nodiscard]] Block part(std::size_t offset, std::size_t length) const {
      require_part(bytes, offset, length);
      return {data + offset, length};
    }
    template <class T>
    [[nodiscard]] std::span<T> values() const {
      return {reinterpret_cast<T*>(data), bytes / sizeof(T)};
    }
  };
  class Thread;

  explicit Host(int threads) : threads_(threads), waits_for_(static_cast<std::size_t>(threads)) {}
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  [[nodiscard]] int threads() const { return threads_; }
  /// Words are at least as far apart as atomics are long: a stride of 1 byte becomes 8. Placement is the
  /// host's.
  [[nodiscard]] std::vector<Word> words(std::size_t count, std::size_t stride, int near);
  [[nodiscard]] Block block(std::size_t bytes, int near);
  /// Runs body(thread) on so many threads, to its end. Throws what a body has thrown, once all have ended.
  void run(const std::function<void(Thread&)>& body);
  /// For people, asked by another thread while they run: the words that threads have waited for a while now.
  [[nodiscard]] std::string waiting() const;

 private:
  struct alignas(line) Line {
    std::array<std::atomic<std::uint64_t>, line / sizeof(std::uint64_t)> words{};
  };

  struct Words {
    std::unique_ptr<Line[]> lines;
    std::size_t count = 0, apart = 1; ///< words, and the distance between two of them
  };

  int threads_;
  std::vector<std::atomic<const std::atomic<std::uint64_t>*>> waits_for_; ///< by thread
  std::deque<Words> lines_;                                               ///< by request
  std::deque<std::unique_ptr<std::byte[]>> buffers_;
};

class Host::Thread {
 public:
  using Word = Host::Word;
  using Block = Host::Block;

  /// `crowded`: there are more threads than processors, so that whoever is waited for needs this one.
  /// `waits_for` gets the word that the thread sleeps on; null: nobody asks.
  Thread(int thread, int threads, bool crowded,
         std::atomic<const std::atomic<std::uint64_t>*>* waits_for = nullptr)
      : thread_(thread), threads_(threads), spins_(crowded ? 20 : 300), waits_for_(waits_for) {}

  [[nodiscard]] int thread() const { return thread_; }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] std::int64_t now() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
               .count() *
        1000;
  }
  void compute(double) {}
  void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }

  [[nodiscard]] std::uint64_t load(Word word, std::memory_order order) const {
    return word.at->load(order);
  }
  void store(Word word, std::uint64_t value, std::memory_order order) {
    word.at->store(value, order);
    word.at->notify_all();
  }
  bool compare_exchange(Word word, std::uint64_t& expected, std::uint64_t desired, std::memory_order order) {
    const bool changed = word.at->compare_exchange_strong(expected, desired, order);
    if (changed) word.at->notify_all();
    return changed;
  }
  std::uint64_t fetch_add(Word word, std::uint64_t value, std::memory_order order) {
    const std::uint64_t old = word.at->fetch_add(value, order);
    word.at->notify_all();
    return old;
  }
  std::uint64_t exchange(Word word, std::uint64_t value, std::memory_order order) {
    const std::uint64_t old = word.at->exchange(value, order);
    word.at->notify_all();
    return old;
  }

  std::uint64_t spin_exchange(Word word, std::uint64_t value) {
    for (int attempt = 0;; ++attempt) {
      const std::uint64_t old = word.at->exchange(value, std::memory_order_acq_rel);
      if (old != value) return old;
      if (attempt >= spins_)
        std::this_thread::yield();
      else
        pause();
    }
  }

  std::uint64_t wait_exchange(Word word, std::uint64_t value) {
    for (;;) {
      (void)wait(
          word, [value](std::uint64_t seen) { return seen != value; }, std::memory_order_relaxed);
      if (const std::uint64_t old = word.at->exchange(value, std::memory_order_acq_rel); old != value)
        return old;
    }
  }

  template <class Predicate>
  std::uint64_t wait(Word word, Predicate predicate, std::memory_order order) {
    for (int attempt = 0;; ++attempt) {
      const std::uint64_t value = word.at->load(order);
      if (predicate(value)) return value;
      if (attempt >= spins_ + yields)
        sleep(word, value, order);
      else if (attempt >= spins_)
        std::this_thread::yield();
      else
        pause();
    }
  }
  template <class Predicate>
  void wait_all(std::span<const Word> words, Predicate predicate, std::memory_order order) {
    for (const Word word : words) (void)wait(word, predicate, order);
  }

  bool futex_wait(Word word, std::uint64_t expected) {
    sleep(word, expected, std::memory_order_acquire);
    return true;
  }
  int futex_wake(Word word, int count) {
    count == 1 ? word.at->notify_one() : word.at->notify_all();
    return count;
  }

  void copy(Block target, Block source) {
    std::copy_n(source.data, source.bytes, target.data);
  }
  template <class T, class Operation>
  void combine(Block target, std::span<const Block> sources, Operation operation, double) {
    for (std::size_t i = 0; i < target.bytes / sizeof(T); ++i) {
      T value = sources[0].values<T>()[i];
      for (std::size_t s = 1; s < sources.size(); ++s) value = operation(value, sources[s].values<T>()[i]);
      target.values<T>()[i] = value;
    }
  }

 private:
  /// Before it sleeps, when it has looked `spins_` times, about 10 us: another may have been put on its
  /// processor.
  static constexpr int yields = 100;

  void sleep(Word word, std::uint64_t value, std::memory_order order) {
    if (waits_for_ != nullptr) waits_for_->store(word.at, std::memory_order_relaxed);
    word.at->wait(value, order);
    if (waits_for_ != nullptr) waits_for_->store(nullptr, std::memory_order_relaxed);
  }

  int thread_, threads_, spins_;
  std::atomic<const std::atomic<std::uint64_t>*>* waits_for_;
};

inline std::vector<Host::Word> Host::words(std::size_t count, std::size_t stride, int) {
  const std::size_t apart = std::max(stride, sizeof(std::uint64_t)) / sizeof(std::uint64_t),
                    in_line = line / sizeof(std::uint64_t);
  lines_.push_back({std::make_unique<Line[]>((count * apart + in_line - 1) / in_line), count, apart});
  std::vector<Word> words;
  for (std::size_t i = 0; i < count; ++i)
    words.push_back({&lines_.back().lines[i * apart / in_line].words[i * apart % in_line]});
  return words;
}

inline Host::Block Host::block(std::size_t bytes, int) {
  buffers_.push_back(std::make_unique<std::byte[]>(bytes));
  return {buffers_.back().get(), bytes};
}

inline void Host::run(const std::function<void(Thread&)>& body) {
  std::mutex guard;
  std::exception_ptr failure;
  const bool crowded = threads_ > static_cast<int>(std::thread::hardware_concurrency());
  {
    std::vector<std::jthread> crew;
    for (int i = 0; i < threads_; ++i)
      crew.emplace_back([&, i] {
        try {
          Thread thread(i, threads_, crowded, &waits_for_[static_cast<std::size_t>(i)]);
          body(thread);
        } catch (...) {
          const std::lock_guard lock(guard);
          if (!failure) failure = std::current_exception();
        }
      });
  }
  if (failure) std::rethrow_exception(failure);
}

inline std::string Host::waiting() const {
  std::string text;
  for (int thread = 0; thread < threads_; ++thread) {
    text += "; thread " + std::to_string(thread);
    const auto* const word = waits_for_[static_cast<std::size_t>(thread)].load(std::memory_order_relaxed);
    if (word == nullptr) {
      text += " does not sleep: it computes, or looks in a loop of its own";
      continue;
    }
    std::size_t request = 0;
    const auto holds = [word](const Words& one) {
      const auto* const begin = &one.lines[0].words[0];
      return !std::less<>()(word, begin) && std::less<>()(word, begin + (one.count - 1) * one.apart + 1);
    };
    while (!holds(lines_[request])) ++request;
    const auto place = static_cast<std::size_t>(word - &lines_[request].lines[0].words[0]);
    text += " waits for a change of word " + std::to_string(place / lines_[request].apart) + " of the " +
        std::to_string(lines_[request].count) + " from call " + std::to_string(request + 1) +
        " of memory.words(), which holds " + std::to_string(word->load());
  }
  return text;
}

static_assert(Memory<Host>);

} // namespace algorithms::memory
