// SPDX-License-Identifier: Apache-2.0
// Messages down a tree in which children look at a line of their parent's MPB: what bcast/tagged and
// bcast/staged_pull share.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/f_nomial.hpp"
#include "algorithms/shapes/message.hpp"
#include "on_messages/gathered_flags.hpp"
#include "on_messages/polled_line.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {

/// An f-nomial tree from any root, each of whose ranks hands a message out by a PolledLine. A child stands at
/// one distance from its parent whatever the root, so each byte and flag has one writer for good, and another
/// root needs no barrier.
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
    int error = line_.allocate(algorithm, shape_.children(0), messages, longest);
    for (Receipts& receipts : receipts_) {
      if (error == RCCE_SUCCESS) error = receipts.flags.allocate(algorithm, shape_.children(0));
      receipts.told.resize(at(shape_.children(0)));
      receipts.awaited.resize(at(shape_.children(0)));
    }
    if (error != RCCE_SUCCESS) return error;
    if (!reserve()) return rockcreek_refuse("%s: no memory", algorithm);
    line_.clear(flag_bytes());
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
  void next() { line_.set_number(line_.number() + 1); }

  [[nodiscard]] int number() const { return line_.number(); }
  [[nodiscard]] std::size_t most_bytes() const { return line_.most_bytes(); }
  [[nodiscard]] int children() const { return shape_.children(self_); }

  /// Waits until the parent has handed out the message, of `bytes` bytes, and copies it to `data`.
  void obtain(char* data, std::size_t bytes) {
    // All looks together take about as long as to wake 47 ranks, and each level above takes its time.
    line_.see(bytes, parent(), index(), 10 * shape_.phases(), children_of(parent_));
    line_.fetch(data, bytes, parent());
    if (bytes <= TaggedLines::most_tagged) copy(data, line_.message().data, bytes);
  }

  /// To all children, from `data`.
  void hand_out(const char* data, std::size_t bytes) {
    if (children() == 0) return;
    line_.stage(data, bytes);
    if (self_ == 0 && bytes <= TaggedLines::most_tagged) copy(line_.message().data, data, bytes);
    line_.show(bytes, children(), children_of(self_));
  }

  /// A rank tells its parent that it, and all below that matter, have read a group of messages. Groups are
  /// numbered one after the other; the parent awaits each before the group after the next.
  void tell_read(int group) {
    Receipts& receipts = of(group);
    receipts.flags.tell(index(), ++receipts.told[at(index())], parent());
  }
  /// Looks even if nobody is awaited, so that a first message takes as long as later ones. Group 0 is the one
  /// before it, which has no readers.
  void await_read(int group, int readers) {
    if (readers == 0 && children() == 0) return;
    Receipts& receipts = of(group);
    if (!GatheredFlags::of_bytes && group == 0)
      for (int child = 0; child < children(); ++child) receipts.flags.await(child, 0);
    int child = 0;
    do {
      receipts.flags.look(line_.flags());
      while (child < readers && receipts.flags.told(line_.flags(), child, receipts.awaited[at(child)] + 1))
        ++receipts.awaited[at(child++)];
      if (child < readers) {
        receipts.flags.await(child, ++receipts.awaited[at(child)]);
        ++child;
      }
    } while (child < readers);
  }

 private:
  /// Receipts of every second group. A rank is another one's child with some roots only, so each two ranks
  /// count by themselves: an old value of a flag is never the next number.
  struct Receipts {
    GatheredFlags flags;            ///< flags of the children
    std::vector<int> told, awaited; ///< by index of a child: as that child, and of it
  };

  /// All reductions and broadcasts share the memory, so it may be elsewhere at the next call.
  bool reserve() {
    const std::size_t pages = (line_.memory_bytes(flag_bytes()) + page_bytes - 1) / page_bytes;
    char* const memory = partial_results(pages * page_bytes);
    line_.use(memory);
    return memory != nullptr;
  }

  /// That are looked at together.
  [[nodiscard]] std::size_t flag_bytes() const {
    return std::max(receipts_[0].flags.bytes(), receipts_[1].flags.bytes());
  }

  static void copy(char* to, const char* from, std::size_t bytes) {
    if (bytes > 0) rcce_copy(to, from, bytes);
  }

  /// Ranks of the children of a virtual rank, by index.
  struct Children {
    const f_nomial::Shape& shape;
    int parent, root;
    int operator()(int index) const { return real_rank(shape.child(parent, index), root, RCCE_num_ues()); }
  };
  [[nodiscard]] Children children_of(int parent) const { return {shape_, parent, root_}; }
  [[nodiscard]] int index() const { return shape_.child_index(self_); }
  [[nodiscard]] int parent() const { return real_rank(parent_, root_, RCCE_num_ues()); }
  [[nodiscard]] Receipts& of(int group) { return receipts_[at(group) % 2]; }
  [[nodiscard]] static std::size_t at(int number) { return static_cast<std::size_t>(number); }

  f_nomial::Shape shape_;
  PolledLine line_;
  std::array<Receipts, 2> receipts_;      ///< by group in turn
  int root_ = 0, self_ = 0, parent_ = -1; ///< self and parent: virtual ranks
};

} // namespace algorithms
