// SPDX-License-Identifier: Apache-2.0
// Messages of a line in which data and the number that tells of them stand together, iRCCE's tagged flags:
// what the algorithms `tagged` share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <iRCCE.h>
#include <RCCE.h>
#include <RCCE_lib.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/message.hpp"
#include "on_messages/flags.hpp"
#include "on_messages/mpb_copy.hpp"
#include "on_messages/reduction.hpp"

// Programs with flags of single bits have no such functions and may still link this.
#pragma weak iRCCE_flag_alloc_tagged
#pragma weak iRCCE_flag_write_tagged
#pragma weak iRCCE_wait_tagged

namespace algorithms {

/// Lines of every MPB, "slots", each with one writer at a time. A call goes in segments, which take turns in
/// sets of slots: a rank may write those of a segment when everybody has read the last segment that was in
/// the same set. A message that is longer than a tag stays in an area of its writer's MPB, and the line tells
/// of it.
class TaggedLines {
 public:
  static constexpr std::size_t line = RCCE_LINE_SIZE;
  static constexpr std::size_t most_tagged = line - sizeof(int); ///< bytes beside the number
  static constexpr std::size_t longest_area = 4 * line;

  /// A message in private memory, as its line shows it.
  struct alignas(line) Message {
    int number;
    char data[longest_area];
  };

  /// Collective; a barrier has to follow before the first message. All areas take an eighth of the payload
  /// area at most, and `longest` bytes each. Returns RCCE_SUCCESS or an error.
  int allocate(const char* algorithm, int slots, int areas, std::size_t longest = longest_area,
               int sets = 2) {
    if (iRCCE_wait_tagged == nullptr)
      return rockcreek_refuse(
          "%s: flags of single bits have no room for data; compile and link without -DSINGLEBITFLAGS",
          algorithm);
    slots_ = static_cast<std::size_t>(slots);
    areas_ = static_cast<std::size_t>(areas);
    sets_ = static_cast<std::size_t>(sets);
    if (const std::size_t all = sets_ * areas_; all > 0)
      area_bytes_ = std::min(static_cast<std::size_t>(RCCE_chunk) / 8 / all / line * line, longest);
    flags_.resize(sets_ * slots_);
    for (RCCE_FLAG& flag : flags_) {
      int error = iRCCE_flag_alloc_tagged(&flag);
      if (error == iRCCE_SUCCESS) error = iRCCE_flag_write_tagged(&flag, 0, RCCE_ue(), nullptr, 0);
      if (error != iRCCE_SUCCESS) return error;
    }
    if (area_bytes_ > 0) first_area_ = iRCCE_malloc(sets_ * areas_ * area_bytes_);
    return RCCE_SUCCESS;
  }

  /// The number of the present segment, from 1; all ranks count along.
  [[nodiscard]] int number() const { return number_; }

  void next() { ++number_; }
  /// Another segment, where segments are counted elsewhere.
  void set_number(int number) { number_ = number; }
  /// Bytes of a message at most.
  [[nodiscard]] std::size_t most_bytes() const { return std::max(most_tagged, area_bytes_); }

  /// reduce_segment(offset, bytes, memory) for each segment of the vector, as long as a message can be;
  /// `memory` has room for a few of them. Ends with the first error.
  template <class ReduceSegment>
  int for_segments(const rockcreek_call& call, ReduceSegment&& reduce_segment) {
    auto* const memory = reinterpret_cast<Message*>(partial_results(page_bytes));
    if (memory == nullptr)
      return rockcreek_refuse("%s: no memory for %zu bytes", call.algorithm->name, page_bytes);
    if (call.bytes == 0) return RCCE_SUCCESS;
    const std::size_t element = call.bytes / call.count;
    const Segmentation segments{call.bytes, most_bytes() / element * element};
    for (int segment = 0; segment < segments.segments(); ++segment) {
      next();
      if (const int error = reduce_segment(segments.offset(segment), segments.length(segment), memory))
        return error;
    }
    return RCCE_SUCCESS;
  }

  /// Before a message goes to one or several ranks: what a tag has no room for is laid into an own area.
  void stage(const char* data, std::size_t bytes, int area = 0) {
    if (bytes > most_tagged) algorithms::put(place_of(area), data, bytes, RCCE_ue());
  }
  /// Fetches the message of `rank`.
  void fetch(char* data, std::size_t bytes, int rank, int area = 0) {
    if (bytes > most_tagged) get(data, place_of(area), bytes, rank);
  }
  /// Writes a slot of `rank`. A put within a line shows all of its bytes at once, and takes less time than
  /// iRCCE_flag_write_tagged, which first copies the data into a line.
  void put(Message& message, std::size_t bytes, int slot, int rank) {
    message.number = number_;
    algorithms::put(algorithms::place_of(flag(slot)), reinterpret_cast<const char*>(&message), shown(bytes),
                    rank);
  }

  /// Waits for the message that `rank` writes to an own slot.
  void take(Message& message, std::size_t bytes, int slot, int rank, int area = 0) {
    if (bytes <= most_tagged) {
      iRCCE_wait_tagged(flag(slot), number_, message.data, static_cast<int>(bytes));
    } else {
      iRCCE_wait_tagged(flag(slot), number_, nullptr, 0);
      fetch(message.data, bytes, rank, area);
    }
  }

  /// Looks at a slot of another rank once. Returns whether the segment's message is there.
  bool look(Message& message, std::size_t bytes, int slot, int rank) {
    get(reinterpret_cast<char*>(&message), algorithms::place_of(flag(slot)), shown(bytes), rank);
    return message.number == number_;
  }

 private:
  /// Bytes of a message that a line shows, in whole words: where UEs are threads, a line is seen at once by
  /// words.
  [[nodiscard]] static std::size_t shown(std::size_t bytes) {
    constexpr std::size_t word = sizeof(int);
    return word + (bytes > most_tagged ? 0 : (bytes + word - 1) / word * word);
  }
  [[nodiscard]] std::size_t set() const { return static_cast<std::size_t>(number_) % sets_; }
  [[nodiscard]] RCCE_FLAG& flag(int slot) { return flags_[set() * slots_ + static_cast<std::size_t>(slot)]; }
  [[nodiscard]] t_vcharp place_of(int area) const {
    return first_area_ + (set() * areas_ + static_cast<std::size_t>(area)) * area_bytes_;
  }

  std::size_t slots_ = 0, areas_ = 0, sets_ = 1, area_bytes_ = 0;
  std::vector<RCCE_FLAG> flags_;  ///< [set][slot]
  t_vcharp first_area_ = nullptr; ///< areas by [set][area]
  int number_ = 0;
};

} // namespace algorithms
