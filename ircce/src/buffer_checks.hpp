// SPDX-License-Identifier: Apache-2.0
// With --check mpb: do programs leave the buffers of unfinished requests alone? A buffer is compared with a
// copy of itself before each segment of its message, and what has been received is copied.
#pragma once

#include <vector>

#include "library/protocol/checks.hpp"
#include "state.hpp"

namespace rcce::ircce {

class BufferChecks {
 public:
  BufferChecks(State& state, check::Findings& findings) : state_(state), findings_(findings) {}

  void posted(const Transfer& transfer);
  /// The partner lets the library go on with a segment of it, or finish it; a segment has been received.
  void before_segment(const Transfer& transfer);
  void after_segment(const Transfer& transfer);
  void left(const Transfer& transfer);
  /// A call is given a request whose field `finished` holds what the library never writes.
  void never_posted(bool sending, int finished);
  /// RCCE_finalize begins before it has finished.
  void unfinished(const Transfer& transfer);

 private:
  struct Buffer {
    const Transfer* transfer;
    check::Side posted;
    std::size_t offset;         ///< offset in the transfer at the last copy
    bool shared;                ///< another request's lies over it: whatever changes is that one's
    std::vector<char> contents; ///< as the library has seen it last
  };
  [[nodiscard]] bool checked(const Transfer& transfer) const;
  [[nodiscard]] check::Side side_of(const Transfer& transfer) const;
  [[nodiscard]] Buffer* find(const Transfer& transfer);

  State& state_;
  check::Findings& findings_;
  std::vector<Buffer> buffers_; ///< as posted
};

} // namespace rcce::ircce
