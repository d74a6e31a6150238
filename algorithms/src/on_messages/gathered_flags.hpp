// SPDX-License-Identifier: Apache-2.0
// Flags of many writers that their owner looks at together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <iRCCE.h>
#include <iRCCE_lib.h>
#include <RCCE.h>
#include <RCCE_lib.h>

#include "algorithms/algorithm.h"
#include "on_messages/flags.hpp"
#include "on_messages/mpb_copy.hpp"

// Programs with flags of single bits have no such function and may still link this.
#pragma weak iRCCE_wait_tagged

namespace algorithms {

/// One flag for each writer, who counts along with the owner and tells numbers from 1 on; 0 stands for none.
/// A get of the flags' line shows all in it; a poll of each would take as long as so many gets.
class GatheredFlags {
 public:
  static constexpr std::size_t line = RCCE_LINE_SIZE;
  /// As in RCCE 2.0; in RCCE 1.0 a flag takes a line.
  static constexpr bool of_bytes = !std::is_pointer_v<RCCE_FLAG>;

  /// Collective; a barrier has to follow before the first flag is told. Returns RCCE_SUCCESS or an error.
  int allocate(const char* algorithm, int writers) {
    if (iRCCE_wait_tagged == nullptr)
      return rockcreek_refuse(
          "%s: flags of single bits have no room for numbers; compile and link without -DSINGLEBITFLAGS",
          algorithm);
    const auto count = static_cast<std::size_t>(writers);
    if (const int error = allocate_cleared(flags_, count)) return error;
    // Each line more is a get more in every look, so flags that begin late in a line begin in the next one.
    while (find_lines(), lines_.size() > (of_bytes ? (count + line - 1) / line : count)) {
      RCCE_FLAG next;
      if (const int error = RCCE_flag_alloc(&next)) return error;
      RCCE_flag_write(&next, RCCE_FLAG_UNSET, RCCE_ue());
      flags_.erase(flags_.begin());
      flags_.push_back(next);
    }
    return RCCE_SUCCESS;
  }

  /// Bytes of all flags together, as look() fetches them.
  [[nodiscard]] std::size_t bytes() const { return lines_.size() * line; }

  /// In the MPB of `rank`.
  void tell(int writer, int number, int rank) { RCCE_flag_write(&flag(writer), value_of(number), rank); }

  /// Fetches the own flags into `seen`, which has bytes() bytes and begins at a line. A flag of a line by
  /// itself is not fetched: to await it takes no longer.
  void look(char* seen) {
    if constexpr (!of_bytes) return;
    // One by one: longer messages may not be moved where nobody compares them (`--payload none`).
    for (std::size_t i = 0; i < lines_.size(); ++i) get(seen + i * line, lines_[i], line, RCCE_ue());
  }
  /// True if a writer had set the number when `seen` was fetched.
  [[nodiscard]] bool told(const char* seen, int writer, int number) {
    if constexpr (!of_bytes) return false;
    const t_vcharp place = place_of(flag(writer));
    const auto of_line = std::upper_bound(lines_.begin(), lines_.end(), place) - 1;
    return static_cast<unsigned char>(
               seen[(of_line - lines_.begin()) * RCCE_LINE_SIZE + (place - *of_line)]) == value_of(number);
  }
  /// Looks at one flag.
  [[nodiscard]] bool test(int writer, int number) {
    int is_told = 0;
    iRCCE_test_flag(flag(writer), value_of(number), &is_told);
    return is_told != 0;
  }

  void await(int writer, int number) { RCCE_wait_until(flag(writer), value_of(number)); }

 private:
  /// A flag has 0 in the beginning.
  [[nodiscard]] static RCCE_FLAG_STATUS value_of(int number) {
    return number == 0 ? RCCE_FLAG_UNSET : (number - 1) % 255 + 1;
  }
  [[nodiscard]] RCCE_FLAG& flag(int writer) { return flags_[static_cast<std::size_t>(writer)]; }

  void find_lines() {
    lines_.clear();
    for (const RCCE_FLAG& flag : flags_) {
      const auto address = reinterpret_cast<std::uintptr_t>(place_of(flag));
      lines_.push_back(reinterpret_cast<t_vcharp>(address / line * line));
    }
    std::sort(lines_.begin(), lines_.end());
    lines_.erase(std::unique(lines_.begin(), lines_.end()), lines_.end());
  }

  std::vector<RCCE_FLAG> flags_; ///< [writer]
  std::vector<t_vcharp> lines_;  ///< that the flags lie in, ascending
};

} // namespace algorithms
