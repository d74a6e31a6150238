// SPDX-License-Identifier: Apache-2.0
// Messages down a tree in which children look at a line of their parent's MPB: what bcast/tagged and
// bcast/staged_pull share.
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
#include "algorithms/shapes/f_nomial.hpp"
#include "algorithms/shapes/message.hpp"
#include "on_messages/gathered_flags.hpp"
#include "on_messages/reduction.hpp"
#include "on_messages/tagged_lines.hpp"

namespace algorithms {

/// An f-nomial tree from any root. A parent writes one line into its own MPB, the message and its number;
/// that serves all children at once, and nobody passes news on to a mate.
///
/// Who looks in vain as long as waking all takes goes to sleep. It says so in a byte at its parent, looks
/// once more, and waits for a line of its own. The parent, once its line is written, reads those bytes and
/// writes into a second line whom it has heard. It wakes some of these, and each wakes others, along a
/// binomial tree. Who has said that it sleeps reads the second line, awake or not: if it was heard, it wakes
/// its share and takes the line that wakes it. So no line comes late, no rank sleeps for ever, and a root
/// that never comes is told of as a deadlock.
///
/// A child stands at one distance from its parent whatever the root, so each byte and flag has one writer for
/// good, and another root needs no barrier.
class PolledTree {
 public:
  static constexpr int most_degree = 65; ///< 143 children of 65,536 ranks' root

  /// As few levels as there can be with no more than 128 children; in RCCE 1.0, where a flag takes a line,
  /// with no more than 16.
  [[nodiscard]] static int own_degree(int ranks) {
    constexpr int children = GatheredFlags::of_bytes ? 128 : 16;
    for (int levels = 1;; ++levels)
      for (int degree = 2; degree <= most_degree && levels * (degree - 1) <= children; ++degree) {
        long reached = 1;
        for (int level = 0; level < levels; ++level) reached *= degree;
        if (reached >= ranks) return degree;
      }
  }

  explicit PolledTree(int degree) : shape_(RCCE_num_ues(), degree) {}

  /// Collective; a barrier has to follow before the first message. A parent may hand out a message when its
  /// children have read the one that was `messages` before. Messages are of up to `longest` bytes, and of 28
  /// at least. Returns RCCE_SUCCESS or an error.
  int allocate(const char* algorithm, int messages, std::size_t longest = 0) {
    int error = lines_.allocate(algorithm, slots, longest > 0 ? 1 : 0, longest, messages);
    if (error == RCCE_SUCCESS) error = wake_.allocate(algorithm, 1, 0, 0, 1);
    for (Receipts& receipts : receipts_) {
      if (error == RCCE_SUCCESS) error = receipts.flags.allocate(algorithm, shape_.children(0));
      receipts.told.resize(at(shape_.children(0)));
      receipts.awaited.resize(at(shape_.children(0)));
    }
    if (error != RCCE_SUCCESS) return error;
    asleep_.resize(static_cast<std::size_t>(shape_.children(0) + line - 1) / line);
    if (!reserve()) return rockcreek_refuse("%s: no memory", algorithm);
    for (RCCE_FLAG& of_line : asleep_)
      if (error = iRCCE_flag_alloc_tagged(&of_line); error != iRCCE_SUCCESS) return error;
    if (asleep_.empty()) return RCCE_SUCCESS;
    // Each line is read once: a first call finds its memory in the caches, as later ones do.
    std::memset(static_cast<void*>(memory_), 0, sizeof(Memory) + flag_bytes());
    const auto clear = [this](const void* from, const RCCE_FLAG& of_line) {
      put(place_of(of_line), static_cast<const char*>(from), line, RCCE_ue());
    };
    for (const TaggedLines::Message* message : {&memory_->message, &memory_->heard})
      clear(message, asleep_.front());
    for (std::size_t i = 0; i < std::max(asleep_.size(), flag_bytes() / line); ++i)
      clear(memory_->flags() + i * line, asleep_[std::min(i, asleep_.size() - 1)]);
    return RCCE_SUCCESS;
  }

  /// Before a call's messages; false if there is no memory for them.
  [[nodiscard]] bool set_root(int root) {
    root_ = root;
    self_ = virtual_rank(RCCE_ue(), root, RCCE_num_ues());
    parent_ = self_ == 0 ? -1 : shape_.parent(self_);
    return reserve();
  }
  /// The next message; all ranks count along.
  void next() {
    lines_.next();
    wake_.next();
  }

  [[nodiscard]] int number() const { return lines_.number(); }
  [[nodiscard]] std::size_t most_bytes() const { return lines_.most_bytes(); }
  [[nodiscard]] int children() const { return shape_.children(self_); }

  /// Waits until the parent has handed out the message, of `bytes` bytes, and copies it to `data`.
  void obtain(char* data, std::size_t bytes) {
    // All together take about as long as to wake 47 ranks, and each level above takes its time. If they are
    // in vain, the next ones may be as well, as where UEs are threads that wait for a processor.
    const int most = 10 * shape_.phases();
    int looks = 0;
    patience_ = std::min(patience_, most);
    while (looks < patience_ && !is_there(bytes)) ++looks;
    const bool seen = looks < patience_;
    patience_ = seen ? most : std::max(patience_ / 2, 1);
    if (!seen) sleep(bytes);
    lines_.fetch(data, bytes, parent());
    if (bytes <= TaggedLines::most_tagged) copy(data, memory_->message.data, bytes);
  }

  /// To all children, from `data`.
  void hand_out(const char* data, std::size_t bytes) {
    if (children() == 0) return;
    lines_.stage(data, bytes);
    if (self_ == 0 && bytes <= TaggedLines::most_tagged) copy(memory_->message.data, data, bytes);
    lines_.put(memory_->message, bytes, data_slot, RCCE_ue());
    RCCE_fence();
    for (std::size_t i = 0; i < asleep_.size(); ++i)
      get(memory_->flags() + i * line, place_of(asleep_[i]), line, RCCE_ue());
    Children heard;
    for (int child = 0; child < children(); ++child)
      if (memory_->flags()[child] == short_number()) heard.set(static_cast<std::size_t>(child));
    std::memcpy(memory_->heard.data, &heard, sizeof heard);
    lines_.put(memory_->heard, sizeof heard, heard_slot, RCCE_ue());
    wake(self_, -1);
  }

  /// A rank tells its parent that it, and all below that matter, have read a group of messages. Groups are
  /// numbered one after the other; the parent awaits each before the group after the next.
  void tell_read(int group) {
    Receipts& receipts = of(group);
    receipts.flags.tell(index(), ++receipts.told[at(index())], parent());
  }
  /// Looks even if nobody is awaited, so that a first message takes as long as later ones.
  void await_read(int group, int readers) {
    if (readers == 0 && children() == 0) return;
    Receipts& receipts = of(group);
    int child = 0;
    do {
      receipts.flags.look(memory_->flags());
      while (child < readers && receipts.flags.told(memory_->flags(), child, receipts.awaited[at(child)] + 1))
        ++receipts.awaited[at(child++)];
      if (child < readers) {
        receipts.flags.await(child, ++receipts.awaited[at(child)]);
        ++child;
      }
    } while (child < readers);
  }

 private:
  static constexpr int line = RCCE_LINE_SIZE;
  enum Slot { data_slot, heard_slot, slots };
  static constexpr int wake_slot = 0;
  /// Of every second group. A rank is another one's child with some roots only, so each two count by
  /// themselves: what a flag shows from long ago is never the next number.
  struct Receipts {
    GatheredFlags flags;            ///< of the children
    std::vector<int> told, awaited; ///< by index of a child: as that child, and of it
  };
  using Children = std::bitset<192>;
  static_assert(sizeof(Children) <= TaggedLines::most_tagged);

  /// From the start of a page; the flags of the children follow.
  struct Memory {
    TaggedLines::Message message, heard;
    [[nodiscard]] char* flags() { return reinterpret_cast<char*>(this + 1); }
  };

  /// All reductions and broadcasts share the memory, so it may be elsewhere at the next call.
  bool reserve() {
    const std::size_t pages = (sizeof(Memory) + flag_bytes() + page_bytes - 1) / page_bytes;
    memory_ = reinterpret_cast<Memory*>(partial_results(pages * page_bytes));
    return memory_ != nullptr;
  }

  /// That are looked at together.
  [[nodiscard]] std::size_t flag_bytes() const {
    return std::max({asleep_.size() * line, receipts_[0].flags.bytes(), receipts_[1].flags.bytes()});
  }

  static void copy(char* to, const char* from, std::size_t bytes) {
    if (bytes > 0) rcce_copy(to, from, bytes);
  }

  bool is_there(std::size_t bytes) { return lines_.look(memory_->message, bytes, data_slot, parent()); }

  void sleep(std::size_t bytes) {
    say_asleep(short_number());
    RCCE_fence();
    // At the number alone: between hosts such a look does not overtake the byte.
    const bool too_late = is_there(0);
    if (!too_late) wake_.take(memory_->heard, 0, wake_slot, parent());
    is_there(bytes);
    // The parent writes it without a pause after the message.
    while (!lines_.look(memory_->heard, sizeof(Children), heard_slot, parent())) {
    }
    const bool heard = wake(parent_, index());
    if (too_late && heard) wake_.take(memory_->heard, 0, wake_slot, parent());
    say_asleep(0);
  }
  void say_asleep(char what) {
    *memory_->flags() = what;
    put(place_of(asleep_[static_cast<std::size_t>(index() / line)]) + index() % line, memory_->flags(), 1,
        parent());
  }
  /// A byte that is not 0.
  [[nodiscard]] char short_number() const { return static_cast<char>(number() % 255 + 1); }

  /// Wakes a share of the children of `from` that were heard. They and `from` are a binomial tree, in the
  /// order of children; `child` is one of them, or -1 for `from`. Returns whether it was heard.
  bool wake(int from, int child) {
    Children heard;
    std::memcpy(&heard, memory_->heard.data, sizeof heard);
    if (heard.none()) return false;
    std::array<int, Children().size() + 1> members{-1};
    int count = 1, place = child == -1 ? 0 : -1;
    for (int i = 0; i < static_cast<int>(heard.size()); ++i) {
      if (!heard[static_cast<std::size_t>(i)]) continue;
      if (i == child) place = count;
      members[static_cast<std::size_t>(count++)] = i;
    }
    if (place == -1) return false;
    for (int distance = binomial::first_distance(place, count); distance > 0; distance /= 2)
      if (place + distance < count) {
        const int sleeper = shape_.child(from, members[static_cast<std::size_t>(place + distance)]);
        wake_.put(memory_->heard, 0, wake_slot, real_rank(sleeper, root_, RCCE_num_ues()));
      }
    return true;
  }

  [[nodiscard]] int index() const { return shape_.child_index(self_); }
  [[nodiscard]] int parent() const { return real_rank(parent_, root_, RCCE_num_ues()); }
  [[nodiscard]] Receipts& of(int group) { return receipts_[at(group) % 2]; }
  [[nodiscard]] static std::size_t at(int number) { return static_cast<std::size_t>(number); }

  f_nomial::Shape shape_;
  TaggedLines lines_, wake_;
  std::vector<RCCE_FLAG> asleep_; ///< lines with a byte for each child: the number for which it sleeps, or 0
  std::array<Receipts, 2> receipts_;               ///< by group in turn
  int root_ = 0, self_ = 0, parent_ = -1;          ///< self and parent: virtual ranks
  int patience_ = std::numeric_limits<int>::max(); ///< looks before it sleeps
  Memory* memory_ = nullptr;
};

} // namespace algorithms
