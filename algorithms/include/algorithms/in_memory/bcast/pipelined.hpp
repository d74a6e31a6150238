// SPDX-License-Identifier: Apache-2.0
// bcast/pipelined
//
// Idea: each receiver copies one slice from the root and the others from the receivers that have them. In
// every stage the sources are a permutation, so every block has one reader.
//
// n = 4, slices a b c, receivers 1 2 3:
//
//     stage 0   1: a of 0   2: b of 0   3: c of 0
//     stage 1   1: b of 2   2: c of 3   3: a of 1
//     stage 2   1: c of 3   2: a of 1   3: b of 2
//
// Cost: n - 1 stages, each a hand-over and a slice of 1/(n-1) of the block, and an addition to a counter of
// its source.
//
// Restrictions: none. Slices end between lines; with fewer lines than receivers some are empty.
//
// Words: for each thread one that tells that its first slice is there and one that counts its readers, on
// lines of their own near it.
//
// Source: Ramos, Hoefler: Modeling Communication in Cache-Coherent SMP Systems (2013), section 5, large
// broadcast. Which slice comes from whom is our reading.
#pragma once

#include "algorithms/in_memory/bcast/tree.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class PipelinedBroadcast {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;
  using Word = typename M::Word;

  PipelinedBroadcast(M& memory, const BroadcastOptions&) : own_(static_cast<std::size_t>(memory.threads())) {
    for (int thread = 0; thread < memory.threads(); ++thread) {
      const auto words = memory.words(2, sizeof(std::uint64_t), thread);
      ready_.push_back(words[0]);
      blocks_.emplace_back(memory, words[1]);
      readers_.push_back(memory.words(1, memory::line, thread)[0]);
    }
  }

  void operator()(Thread& thread, Block block, int root) {
    const int self = thread.thread(), all = thread.threads(), receivers = all - 1;
    const auto at = static_cast<std::size_t>(self);
    State& own = own_[at].value;
    ++own.episode;
    blocks_[at].put(thread, block);
    if (self == root) {
      thread.store(ready_[at], own.episode, std::memory_order_release);
      return leave(thread, receivers);
    }
    const int receiver = (self - root + all) % all - 1;
    for (int stage = 0; stage < receivers; ++stage) {
      const int slice = (receiver + stage) % receivers;
      const int from = stage == 0 ? root : (slice + 1 + root) % all;
      take(thread, block, slice, receivers, static_cast<std::size_t>(from), own.episode);
      if (stage == 0) thread.store(ready_[at], own.episode, std::memory_order_release);
    }
    leave(thread, receivers - 1);
  }

 private:
  struct State {
    std::uint64_t episode = 0, readers = 0; ///< so far
  };

  void take(Thread& thread, Block block, int slice, int slices, std::size_t from, std::uint64_t episode) {
    thread.wait(
        ready_[from], [episode](std::uint64_t value) { return memory::reached(value, episode); },
        std::memory_order_acquire);
    const std::size_t lines = (block.bytes + memory::line - 1) / memory::line,
                      length = (lines + static_cast<std::size_t>(slices) - 1) /
        static_cast<std::size_t>(slices) * memory::line;
    const std::size_t begin = std::min(block.bytes, static_cast<std::size_t>(slice) * length),
                      end = std::min(block.bytes, begin + length);
    if (begin < end)
      thread.copy(block.part(begin, end - begin), blocks_[from].get(thread).part(begin, end - begin));
    thread.fetch_add(readers_[from], 1, std::memory_order_acq_rel);
  }
  /// Waits until so many have read.
  void leave(Thread& thread, int readers) {
    const auto at = static_cast<std::size_t>(thread.thread());
    const std::uint64_t awaited = own_[at].value.readers += static_cast<std::uint64_t>(readers);
    thread.wait(
        readers_[at], [awaited](std::uint64_t value) { return value == awaited; }, std::memory_order_acquire);
  }

  std::vector<memory::Mailbox<M, Block>> blocks_;
  std::vector<memory::PerThread<State>> own_;
  std::vector<Word> ready_, readers_;
};

} // namespace algorithms::in_memory
