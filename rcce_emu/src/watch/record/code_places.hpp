// SPDX-License-Identifier: Apache-2.0
// Places in the program's code at which a recording has found UEs, with what had called them, and the names
// of their functions.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/host/symbols.hpp"

namespace rcce {
struct Ue;
}

namespace rcce::record {

class CodePlaces {
 public:
  /// A place in a program file, called from another: frames of one stack follow their parents.
  struct Frame {
    int parent = -1; ///< -1: the outermost
    const std::string* file = nullptr;
    std::uintptr_t offset = 0; ///< offset of the call, not of the instruction behind it
    auto operator<=>(const Frame&) const = default;
  };
  /// Functions of a frame, the innermost of those inlined there first.
  using Functions = std::vector<host::Position>;

  /// The number of the innermost frame of the UE's program, on whose stack this is called, below all that
  /// have called it; -1: there is none.
  int stack(const Ue& ue);
  /// The same frame, with its caller as if nobody had called that.
  int innermost(const Ue& ue);
  /// The number of that frame, which may be new.
  int number_of(const Frame& frame);

  [[nodiscard]] const std::vector<Frame>& frames() const noexcept { return frames_; }
  /// By frame, by addr2line where it is there; none of frames of what rccecc has put into the program.
  [[nodiscard]] std::vector<Functions> functions() const;

 private:
  std::map<Frame, int> numbers_;
  std::vector<Frame> frames_;
};

} // namespace rcce::record
