// SPDX-License-Identifier: Apache-2.0
// What the operations share in which every thread has a source of its own, and each, or the root, gets a
// target of its own: who moves what (algorithms/shapes/shares.hpp), where buffers are, how far threads have
// come.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/in_memory/barrier/barriers.hpp"
#include "algorithms/in_memory/bcast/broadcasts.hpp"
#include "algorithms/in_memory/reduce/reductions.hpp"
#include "algorithms/memory/mailbox.hpp"
#include "algorithms/shapes/shares.hpp"

namespace algorithms::in_memory {

struct ExchangeOptions {
  /// Barrier of the rows that move everything between two barriers.
  std::string barrier = "barrier/dissemination";
  /// Reduction of allreduce/reduce_bcast; so are the next three options.
  std::string reduction = "reduce/level_tree";
  std::string broadcast = "bcast/level_tree";
  ReduceOptions reduce = {};
  BroadcastOptions bcast = {};
  int part_bytes = 4096; ///< size of a part, for rows that take the vector in parts
};

/// Buffers that a thread has handed to a call.
template <memory::Memory M>
struct Buffers {
  typename M::Block source, target;
  [[nodiscard]] friend bool operator==(const Buffers&, const Buffers&) = default;
};

/// How far each thread has come in the present call, told on a line of its own, and where its buffers are, on
/// the same line. Stages of a call begin at 1. The word holds the number of the call and the stage.
template <memory::Memory M>
class Progress {
 public:
  using Thread = typename M::Thread;

  explicit Progress(M& memory) : calls_(static_cast<std::size_t>(memory.threads())) {
    for (int thread = 0; thread < memory.threads(); ++thread) {
      const auto words = memory.words(2, sizeof(std::uint64_t), thread);
      words_.push_back(words[0]);
      buffers_.emplace_back(memory, words[1]);
    }
  }

  /// A new call, at stage 0; returns its number, which is the same on all threads and begins at 1.
  std::uint64_t begin(Thread& thread) { return ++calls_[at(thread.thread())].value; }
  void show(Thread& thread, const Buffers<M>& buffers) { buffers_[at(thread.thread())].put(thread, buffers); }
  /// The buffers of a thread whose stage 1, or a barrier behind its show(), has been seen.
  [[nodiscard]] Buffers<M> buffers(Thread& thread, int of) const { return buffers_[at(of)].get(thread); }

  void tell(Thread& thread, int stage) {
    thread.store(words_[at(thread.thread())], value(thread, stage), std::memory_order_release);
  }
  void await(Thread& thread, int of, int stage) const {
    thread.wait(words_[at(of)], reached(thread, stage), std::memory_order_acquire);
  }
  void await_all(Thread& thread, std::span<const int> of, int stage) const {
    std::vector<typename M::Word> words;
    for (const int one : of) words.push_back(words_[at(one)]);
    thread.wait_all(words, reached(thread, stage), std::memory_order_acquire);
  }

 private:
  [[nodiscard]] static std::size_t at(int thread) { return static_cast<std::size_t>(thread); }
  [[nodiscard]] std::uint64_t value(const Thread& thread, int stage) const {
    return (calls_[at(thread.thread())].value << 32) + static_cast<std::uint64_t>(stage);
  }
  [[nodiscard]] auto reached(const Thread& thread, int stage) const {
    return [wanted = value(thread, stage)](std::uint64_t seen) { return memory::reached(seen, wanted); };
  }

  std::vector<typename M::Word> words_;
  std::vector<memory::Mailbox<M, Buffers<M>>> buffers_;
  std::vector<memory::PerThread<std::uint64_t>> calls_;
};

/// Blocks of the algorithm's own for each thread, near it, two of each length. Calls use them in turn: where
/// a thread ends a call only when all have begun it, all have ended the one before, and nobody reads any more
/// what that one has left.
template <memory::Memory M>
class Scratch {
 public:
  using Block = typename M::Block;

  Scratch(M& memory, std::size_t bytes) {
    for (auto& of_turn : blocks_)
      for (int thread = 0; thread < memory.threads(); ++thread)
        of_turn.push_back(memory.block(bytes, thread));
  }
  [[nodiscard]] Block of(int thread, std::uint64_t call) const {
    return blocks_[call % 2][static_cast<std::size_t>(thread)];
  }

 private:
  std::array<std::vector<Block>, 2> blocks_;
};

/// A vector in parts, one after another: a scan's chain has several on the way, and what recursive doubling
/// needs of blocks does not grow with the vector.
class Parts {
 public:
  Parts(std::size_t bytes, std::size_t element_bytes, const ExchangeOptions& options) : bytes_(bytes) {
    const std::size_t granule = std::max(memory::line, element_bytes);
    part_ = (static_cast<std::size_t>(options.part_bytes) + granule - 1) / granule * granule;
  }
  /// Number of parts. An empty vector has one, which is empty.
  [[nodiscard]] int count() const { return std::max(1, static_cast<int>((bytes_ + part_ - 1) / part_)); }
  [[nodiscard]] std::size_t begin(int part) const {
    return std::min(bytes_, static_cast<std::size_t>(part) * part_);
  }
  [[nodiscard]] std::size_t longest() const { return std::min(bytes_, part_); }
  template <class Block>
  [[nodiscard]] Block of(Block vector, int part) const {
    return vector.part(begin(part), begin(part + 1) - begin(part));
  }

 private:
  std::size_t bytes_, part_;
};

/// Scratch for some vectors of up to so many bytes, each from the start of a line on.
template <memory::Memory M>
class ScratchVectors {
 public:
  ScratchVectors(M& memory, int count, std::size_t bytes)
      : apart_((bytes + memory::line - 1) / memory::line * memory::line),
        scratch_(memory, static_cast<std::size_t>(count) * apart_) {}
  [[nodiscard]] typename M::Block of(int thread, std::uint64_t call, int vector, std::size_t bytes) const {
    return scratch_.of(thread, call).part(static_cast<std::size_t>(vector) * apart_, bytes);
  }

 private:
  std::size_t apart_;
  Scratch<M> scratch_;
};

} // namespace algorithms::in_memory
