// SPDX-License-Identifier: Apache-2.0
// A line of every MPB at which many ranks look: what PolledTree and schedules share.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/binomial.hpp"
#include "on_messages/tagged_lines.hpp"

namespace algorithms {

/// A rank writes one line into its own MPB, a message and its number; that serves all its readers at once,
/// and nobody passes news on to a mate. Each of its readers has an index of its own.
///
/// Who looks in vain as long as waking all takes goes to sleep. It says so in a byte at the owner, looks once
/// more, and waits for a line of its own. The owner, once its line is written, reads those bytes and writes
/// into a second line whom it has heard. It wakes some of these, and each wakes others, along a binomial
/// tree. Who has said that it sleeps reads the second line, awake or not: if it was heard, it wakes its share
/// and takes the line that wakes it. So no line comes late, no rank sleeps for ever, and an owner that never
/// comes is told of as a deadlock.
class PolledLine {
 public:
  static constexpr int most_readers = 192;

  /// Collective; a barrier has to follow before the first message. `readers`: of one rank at most. A rank may
  /// show a message when all have seen the one that was `messages` before. Messages are of up to `longest`
  /// bytes, and of 28 at least. Returns RCCE_SUCCESS or an error.
  int allocate(const char* algorithm, int readers, int messages, std::size_t longest = 0) {
    int error = lines_.allocate(algorithm, slots, longest > 0 ? 1 : 0, longest, messages);
    if (error == RCCE_SUCCESS) error = wake_.allocate(algorithm, 1, 0, 0, 1);
    if (error != RCCE_SUCCESS) return error;
    asleep_.resize(static_cast<std::size_t>(readers + line - 1) / line);
    for (RCCE_FLAG& of_line : asleep_)
      if (error = iRCCE_flag_alloc_tagged(&of_line); error != iRCCE_SUCCESS) return error;
    return RCCE_SUCCESS;
  }

  /// Bytes that use() takes, where flags() has room for so many of an algorithm's own.
  [[nodiscard]] std::size_t memory_bytes(std::size_t flags) const {
    return sizeof(Memory) + std::max(flags, asleep_.size() * line);
  }
  /// Memory from the start of a page on; the caller's, before each call's first message.
  void use(char* memory) { memory_ = reinterpret_cast<Memory*>(memory); }
  /// Reads each line of the memory once, and clears the bytes of sleepers: a first call finds its memory in
  /// the caches, as later ones do. `flags`: bytes behind it, as above.
  void clear(std::size_t flags) {
    if (asleep_.empty()) return;
    std::memset(static_cast<void*>(memory_), 0, memory_bytes(flags));
    const auto clear = [](const void* from, const RCCE_FLAG& of_line) {
      put(place_of(of_line), static_cast<const char*>(from), line, RCCE_ue());
    };
    for (const TaggedLines::Message* message : {&memory_->message, &memory_->heard})
      clear(message, asleep_.front());
    for (std::size_t i = 0; i < std::max(asleep_.size(), flags / line); ++i)
      clear(memory_->flags() + i * line, asleep_[std::min(i, asleep_.size() - 1)]);
  }

  /// The message that is shown and looked at from here on; from 1, and never one that was before.
  void set_number(int number) { lines_.set_number(number); }
  [[nodiscard]] int number() const { return lines_.number(); }
  [[nodiscard]] std::size_t most_bytes() const { return lines_.most_bytes(); }
  /// The message that is shown, or was seen, if it fits into a line with its number.
  [[nodiscard]] TaggedLines::Message& message() { return memory_->message; }
  /// Memory for flags that are looked at together.
  [[nodiscard]] char* flags() { return memory_->flags(); }

  /// Before it is shown: what a line has no room for.
  void stage(const char* data, std::size_t bytes) { lines_.stage(data, bytes); }
  /// After it has been seen: the same.
  void fetch(char* data, std::size_t bytes, int owner) { lines_.fetch(data, bytes, owner); }

  /// Shows message(), of `bytes` bytes, to `readers` ranks; that of index i is rank_of(i).
  template <class RankOf>
  void show(std::size_t bytes, int readers, RankOf&& rank_of) {
    lines_.put(memory_->message, bytes, data_slot, RCCE_ue());
    RCCE_fence();
    for (std::size_t i = 0; i < asleep_.size(); ++i)
      get(memory_->flags() + i * line, place_of(asleep_[i]), line, RCCE_ue());
    Readers heard;
    for (int reader = 0; reader < readers; ++reader)
      if (memory_->flags()[reader] == short_number()) heard.set(static_cast<std::size_t>(reader));
    std::memcpy(memory_->heard.data, &heard, sizeof heard);
    lines_.put(memory_->heard, sizeof heard, heard_slot, RCCE_ue());
    wake(-1, RCCE_ue(), rank_of);
  }

  /// Looks, as reader `index`, until `owner` shows the message; at most so often before it sleeps.
  template <class RankOf>
  void see(std::size_t bytes, int owner, int index, int most_looks, RankOf&& rank_of) {
    // If looks are in vain, the next ones may be as well, as where UEs are threads that wait for a processor.
    int looks = 0;
    patience_ = std::min(patience_, most_looks);
    while (looks < patience_ && !is_there(bytes, owner)) ++looks;
    const bool seen = looks < patience_;
    patience_ = seen ? most_looks : std::max(patience_ / 2, 1);
    if (!seen) sleep(bytes, owner, index, rank_of);
  }

 private:
  static constexpr int line = RCCE_LINE_SIZE;
  enum Slot { data_slot, heard_slot, slots };
  static constexpr int wake_slot = 0;
  using Readers = std::bitset<most_readers>;
  static_assert(sizeof(Readers) <= TaggedLines::most_tagged);

  struct Memory {
    TaggedLines::Message message, heard;
    [[nodiscard]] char* flags() { return reinterpret_cast<char*>(this + 1); }
  };

  bool is_there(std::size_t bytes, int owner) {
    return lines_.look(memory_->message, bytes, data_slot, owner);
  }

  template <class RankOf>
  void sleep(std::size_t bytes, int owner, int index, RankOf&& rank_of) {
    say_asleep(short_number(), owner, index);
    RCCE_fence();
    // At the number alone: between hosts such a look does not overtake the byte.
    const bool too_late = is_there(0, owner);
    if (!too_late) await_waking(owner);
    is_there(bytes, owner);
    // The owner writes it without a pause after the message.
    while (!lines_.look(memory_->heard, sizeof(Readers), heard_slot, owner)) {
    }
    const bool heard = wake(index, owner, rank_of);
    if (too_late && heard) await_waking(owner);
    say_asleep(0, owner, index);
  }
  void say_asleep(char what, int owner, int index) {
    *memory_->flags() = what;
    put(place_of(asleep_[static_cast<std::size_t>(index / line)]) + index % line, memory_->flags(), 1, owner);
  }
  /// A byte that is not 0.
  [[nodiscard]] char short_number() const { return static_cast<char>(number() % 255 + 1); }

  /// A rank looks at several others with the same number, and sleeps for one of them at a time.
  void number_waking(int owner) {
    constexpr auto most = static_cast<unsigned>(std::numeric_limits<int>::max());
    wake_.set_number(
        static_cast<int>((static_cast<unsigned>(number()) * static_cast<unsigned>(RCCE_num_ues()) +
                          static_cast<unsigned>(owner)) &
                         most));
  }
  void await_waking(int owner) {
    number_waking(owner);
    wake_.take(memory_->heard, 0, wake_slot, owner);
  }

  /// Wakes a share of the owner's readers that were heard. They and the owner are a binomial tree, in the
  /// order of indices; `index` is one of them, or -1 for the owner. Returns whether it was heard.
  template <class RankOf>
  bool wake(int index, int owner, RankOf&& rank_of) {
    Readers heard;
    std::memcpy(&heard, memory_->heard.data, sizeof heard);
    if (heard.none()) return false;
    std::array<int, most_readers + 1> members{-1};
    int count = 1, place = index == -1 ? 0 : -1;
    for (int i = 0; i < most_readers; ++i) {
      if (!heard[static_cast<std::size_t>(i)]) continue;
      if (i == index) place = count;
      members[static_cast<std::size_t>(count++)] = i;
    }
    if (place == -1) return false;
    number_waking(owner);
    for (int distance = binomial::first_distance(place, count); distance > 0; distance /= 2)
      if (place + distance < count)
        wake_.put(memory_->heard, 0, wake_slot, rank_of(members[static_cast<std::size_t>(place + distance)]));
    return true;
  }

  TaggedLines lines_, wake_;
  std::vector<RCCE_FLAG> asleep_; ///< lines with a byte for each reader: the number for which it sleeps, or 0
  int patience_ = std::numeric_limits<int>::max(); ///< looks before it sleeps
  Memory* memory_ = nullptr;
};

} // namespace algorithms
