// SPDX-License-Identifier: Apache-2.0
// The states that a search has met, by fingerprints of 64 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace algorithms::explore {

/// In a table with open addressing. 0 stands for none.
class Fingerprints {
 public:
  /// Returns true if it was not there.
  bool insert(std::uint64_t print) {
    if (count_ * 2 >= slots_.size()) grow();
    if (!place(print == 0 ? 1 : print)) return false;
    ++count_;
    return true;
  }

 private:
  bool place(std::uint64_t print) {
    std::size_t at = (print * 0x9e3779b97f4a7c15u) & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1))
      if (slots_[at] == print) return false;
    slots_[at] = print;
    return true;
  }
  void grow() {
    std::vector<std::uint64_t> old(std::max<std::size_t>(1024, slots_.size() * 2));
    old.swap(slots_);
    for (const std::uint64_t print : old)
      if (print != 0) (void)place(print);
  }

  std::vector<std::uint64_t> slots_;
  std::size_t count_ = 0;
};

} // namespace algorithms::explore
