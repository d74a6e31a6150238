// SPDX-License-Identifier: Apache-2.0
// Blocks to every rank without messages, what alltoall/direct_put and reduce_scatter/direct_put share: all
// put straight into the MPBs of those who get.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "on_messages/blocks.hpp"
#include "on_messages/flags.hpp"
#include "on_messages/meetings.hpp"
#include "on_messages/mpb_copy.hpp"

namespace algorithms {

/// Flags by which two ranks tell each other of slots in their MPBs. A rank does not know how far others are
/// behind, so at the rank that puts each segment between two meetings has a flag of its own. At the rank that
/// gets, each slot has one.
class PairFlags {
 public:
  static constexpr std::size_t most_segments = 24; ///< between two meetings
  static constexpr std::size_t most_slots = 4;

  /// Collective; from the second call on it does nothing. Returns RCCE_SUCCESS or the library's error.
  int allocate() {
    if (!flags_.empty()) return RCCE_SUCCESS;
    if (const int error = allocate_flags(flags_, most_slots + most_segments)) return error;
    for (RCCE_FLAG& flag : flags_) turns_.emplace_back(flag);
    return RCCE_SUCCESS;
  }

  Turn& written(std::size_t slot) { return turns_[slot]; }
  Turn& free(std::size_t segment) { return turns_[most_slots + segment]; }

 private:
  std::vector<RCCE_FLAG> flags_;
  std::vector<Turn> turns_;
};

inline PairFlags& pair_flags() {
  static PairFlags flags; // one per UE, as every variable of a program
  return flags;
}

/// Prepares the state that both algorithms keep. Collective.
inline int prepare_direct_put() {
  const int error = direct_meetings().allocate();
  return error == RCCE_SUCCESS ? pair_flags().allocate() : error;
}

/// One exchange on one UE, in which the same two ranks put into each other's MPB in a step.
///
/// Short blocks: those of many steps stand side by side in an MPB. All meet, put, meet, and get many at once.
/// The last few steps go as those of long blocks.
///
/// Long blocks go in segments through a few slots of each MPB, with flags between the two ranks of a step.
/// All meet after as many segments as there are flags.
class DirectPut {
 public:
  /// Parts of a block each, from successive ranks, side by side in the own MPB.
  struct Parts {
    int sender, count;         ///< the first rank
    std::size_t offset, bytes; ///< place in the block and size of each
    t_vcharp place;

    [[nodiscard]] std::size_t all_bytes() const { return static_cast<std::size_t>(count) * bytes; }
  };

  /// `batch`: bytes of parts that are got at once, if these are more than one.
  DirectPut(const rockcreek_call& call, const Blocks& blocks, std::size_t batch)
      : call_(call), blocks_(blocks) {
    const auto ranks = static_cast<std::size_t>(blocks_.ranks());
    const std::size_t longest = blocks_.longest();
    const std::size_t room = static_cast<std::size_t>(RCCE_chunk), room_lines = room / line;
    if (longest == 0 || room_lines < 2) return; // nothing to move: rows need two lines to do so
    batch_ = static_cast<int>(std::max(batch / longest, std::size_t{1}));
    const std::size_t fit = std::min(room / longest, ranks);
    if (fit == ranks || fit >= least_together) {
      const std::size_t turns = (ranks + fit - 1) / fit;
      together_ =
          static_cast<int>(static_cast<int>(ranks % fit) > most_left ? (ranks + turns - 1) / turns : fit);
    }
    const std::size_t lines = (longest + line - 1) / line;
    segments_ = (2 * lines + room_lines - 1) / room_lines;
    segment_ = (lines + segments_ - 1) / segments_ * line;
    slots_ = std::min(room / segment_, PairFlags::most_slots);
    const std::size_t stride = together_ > 0 ? 1 : std::max(l2_way / longest, std::size_t{1});
    for (std::size_t first = 0; first < std::min(stride, ranks); ++first)
      for (std::size_t i = first; i < ranks; i += stride) order_.push_back(static_cast<int>(i));
  }

  /// Every block of the source but the own one goes to its rank. There take(Parts) is called for all parts.
  /// Returns the first error.
  template <class Take>
  int all(Take&& take) {
    const int steps = blocks_.ranks();
    if (steps == 1 || call_.bytes == 0) return RCCE_SUCCESS;
    int step = 0;
    for (; together_ > 0 && (step == 0 || steps - step > most_left); step += together_)
      if (const int error = turn(step, take)) return error;
    const auto segments = static_cast<std::size_t>(std::max(steps - step, 0)) * segments_;
    for (std::size_t done = 0, count; done < segments; done += count) {
      count = std::min(PairFlags::most_segments, segments - done);
      if (together_ == 0) direct_meetings().meet(); // nobody's MPB holds anything of the time before
      if (const int error = in_pairs(static_cast<std::size_t>(step) * segments_ + done, count, take))
        return error;
    }
    return RCCE_SUCCESS;
  }

 private:
  static constexpr std::size_t line = 32;
  /// Blocks in an MPB from which on two meetings take less time than flags for each. Steps that are left for
  /// which they take more.
  static constexpr std::size_t least_together = 6;
  static constexpr int most_left = 4;
  /// Bytes after which lines of memory fall into the same sets of the second-level cache again. Blocks that
  /// far apart follow each other: so all of the source's lines of a set are read before the target's come.
  static constexpr std::size_t l2_way = std::size_t{64} * 1024;

  /// From the vector's end to its start: a program that has read its buffers left their ends in its caches.
  [[nodiscard]] int partner(int step) const {
    return blocks_.wrapped(blocks_.ranks() - 1 - order_[static_cast<std::size_t>(step)] - blocks_.self());
  }

  /// Short blocks: the steps from `first` on that share a turn.
  template <class Take>
  int turn(int first, Take& take) {
    const int last = std::min(first + together_, blocks_.ranks()) - 1;
    direct_meetings().meet(); // nobody's MPB holds anything of the time before
    for (int step = first; step <= last; ++step)
      if (const int rank = partner(step); rank != blocks_.self())
        if (const std::size_t bytes = blocks_.bytes(rank))
          put(RCCE_buff_ptr + static_cast<std::size_t>(last - step) * bytes,
              call_.source + blocks_.offset(rank), bytes, rank);
    direct_meetings().meet();
    // Senders stand in the order of their ranks, where rank 0 follows the last one.
    const int begin = partner(last), middle = std::min(blocks_.ranks() - begin, last - first + 1);
    const int error = take_down(begin, 0, middle, take);
    return error == RCCE_SUCCESS ? take_down(begin, middle, last - first + 1, take) : error;
  }

  /// Those parts of a turn, the last ones first.
  template <class Take>
  int take_down(int begin, int from, int to, Take& take) {
    const std::size_t bytes = blocks_.bytes(blocks_.self());
    const auto sender = [&](int place) { return blocks_.wrapped(begin + place); };
    for (int end = to, first = to; end > from && bytes > 0; end = first) {
      --first;
      if (sender(first) == blocks_.self()) continue;
      while (first > from && end - first < batch_ && sender(first - 1) != blocks_.self()) --first;
      const Parts parts{sender(first), end - first, 0, bytes,
                        RCCE_buff_ptr + static_cast<std::size_t>(first) * bytes};
      if (const int error = take(parts)) return error;
    }
    return RCCE_SUCCESS;
  }

  /// A rank gets behind others: it puts as many segments ahead as there are slots. Who would serve itself
  /// keeps its flags in turn.
  template <class Take>
  int in_pairs(std::size_t first, std::size_t count, Take& take) {
    const int self = blocks_.self();
    PairFlags& flags = pair_flags();
    const auto partner_at = [&](std::size_t i) { return partner(static_cast<int>((first + i) / segments_)); };
    const auto place = [&](std::size_t i) { return RCCE_buff_ptr + i % slots_ * segment_; };
    const auto part = [&](int rank, std::size_t i) { // of this rank's block
      const std::size_t offset = (segments_ - 1 - (first + i) % segments_) * segment_,
                        all = blocks_.bytes(rank);
      return Parts{partner_at(i), 1, offset, std::min(segment_, all - std::min(all, offset)), place(i)};
    };
    const std::size_t free = together_ > 0 ? 0 : slots_; // nobody tells of these
    if (free == 0)
      for (std::size_t i = 0; i < std::min(slots_, count); ++i) flags.free(i).tell(partner_at(i));
    for (std::size_t i = 0; i < count + slots_ - 1; ++i) {
      if (i < count) {
        const int rank = partner_at(i);
        if (i >= free) flags.free(i).await();
        if (const Parts own = part(rank, i); rank != self && own.bytes > 0)
          put(own.place, call_.source + blocks_.offset(rank) + own.offset, own.bytes, rank);
        flags.written(i % slots_).tell(rank);
      }
      if (i + 1 < slots_) continue;
      const std::size_t got = i + 1 - slots_;
      flags.written(got % slots_).await();
      if (const Parts theirs = part(self, got); theirs.sender != self && theirs.bytes > 0)
        if (const int error = take(theirs)) return error;
      if (const std::size_t next = got + slots_; next < count) flags.free(next).tell(partner_at(next));
    }
    return RCCE_SUCCESS;
  }

  const rockcreek_call& call_;
  const Blocks blocks_;
  std::vector<int> order_; ///< order of the steps
  int together_ = 0;       ///< steps of a turn; 0: none
  int batch_ = 1;          ///< parts that are got at once
  /// Segments of a block; their bytes, whole lines; slots of an MPB.
  std::size_t segments_ = 0, segment_ = 0, slots_ = 0;
};

} // namespace algorithms
