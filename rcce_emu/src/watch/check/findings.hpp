// SPDX-License-Identifier: Apache-2.0
// What `--check mpb` has found: each distinct finding once, with both sides and how often it was met.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rcce_emu/engine.hpp"

namespace rcce {
struct Ue;
}

namespace rcce::check {

/// One side of a finding: the call with its time and place.
struct Side {
  int rank = -1;
  int core = -1;
  const char* call = nullptr; ///< "RCCE_put"; null: the program's own code
  int peer = -1;
  std::size_t bytes = 0;
  Picoseconds at = 0;
  int mpb_core = -1; ///< core whose message-passing buffer it touched; -1: none; shared_memory
  std::size_t offset = 0, length = 0;
  std::uintptr_t code = 0;      ///< place in the file of the program's own code
  std::string words = {};       ///< more about the call, where peer and bytes do not say it
  mesh::CallTraits traits = {}; ///< traits of the call

  /// "rank 0 (core 00): RCCE_put with rank 1, 64 bytes, at 1.234 us, bytes 32..95 of the buffer of core 01".
  [[nodiscard]] std::string text() const;
};

/// In place of a core: off-chip shared memory.
inline constexpr int shared_memory = -2;

/// The present activity of the UE, without a place in a buffer.
[[nodiscard]] Side side_of(const Ue& ue);

class Findings {
 public:
  /// A distinct finding is a headline that is met for the same two ranks, calls and places. A side whose rank
  /// is negative is left out.
  void add(const std::string& headline, const Side& first, const Side& second, const std::string& advice);

  [[nodiscard]] std::size_t distinct() const noexcept { return findings_.size(); }
  /// Everything, in the order in which it was first met, and a closing line. "" where there is nothing.
  /// `program`: the file that tells the names of places in it.
  [[nodiscard]] std::string text(const std::string& program) const;

 private:
  struct Finding {
    std::string headline, advice;
    struct {
      std::string text;
      std::uintptr_t code;
    } sides[2];
    std::size_t count = 1;
  };
  std::map<std::string, std::size_t> places_; ///< by what makes a finding distinct
  std::vector<Finding> findings_;
};

} // namespace rcce::check
