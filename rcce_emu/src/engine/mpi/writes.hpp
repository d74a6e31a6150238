// SPDX-License-Identifier: Apache-2.0
// What a process writes into the memory of other hosts, and what they write into this one's. Writes go as
// messages: these do not overtake one another on their way to a process, so a flag is never there before the
// data that was written ahead of it. To other processes nothing goes before all of it has arrived.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/mpi/copies.hpp"
#include "engine/mpi/transport.hpp"

namespace rcce::mpi {

class Writes {
 public:
  /// `memory`: this host's, with the buffers of `mpb_bytes` at its begin, by core. `cores`: by rank. All
  /// outlive it.
  Writes(Transport& transport, std::span<std::byte> memory, std::size_t mpb_bytes,
         std::span<const int> cores);

  /// To byte `at` of the memory of that process' host. What lies in one line of a buffer is seen as the
  /// host's own accesses leave it (atomic_line.hpp). Leaves with the next write that leaves.
  void add(int rank, std::size_t at, const void* from, std::size_t bytes);
  /// The same, which leaves at once.
  void write(int rank, std::size_t at, const void* from, std::size_t bytes) {
    add(rank, at, from, bytes);
    leave();
  }
  /// To a flag, with what the other side may want to get once it sees that.
  void write_flag(int rank, std::size_t at, const void* from, std::size_t bytes);
  /// Replaces the bits of `mask` in one byte of a flag.
  void update_flag(int rank, std::size_t at, std::uint8_t mask, std::uint8_t value);
  /// Sends what has been added.
  void leave();
  /// Returns when all of it has arrived.
  void arrive();
  /// Before something is read there: returns when nothing is under way that it could miss.
  void arrive_before_read(int rank, std::size_t at, std::size_t bytes);

  /// The ranges of its own buffer that this process has written.
  [[nodiscard]] FreshRanges& fresh() noexcept { return fresh_; }
  [[nodiscard]] CopiesFromOthers& copies() noexcept { return copies_; }

 private:
  enum class Kind : std::uint32_t {
    write, ///< writes the bytes that follow to `at`
    bits,  ///< a mask and its value follow, for the byte there
    copy,  ///< the sender's buffer has the bytes that follow at `at`
  };
  struct Piece {
    Kind kind;
    std::uint32_t bytes;
    std::uint64_t at;
  };
  static constexpr int nobody = -1;
  /// Limit of a message's pieces that are no data of a buffer: heads, times, names of messages.
  static constexpr std::size_t small_pieces = 16384;

  void add_piece(int rank, Kind kind, std::size_t at, const void* from, std::size_t bytes);
  void attach_copies(int rank);
  void note_under_way(ByteRange range);
  void take(int from, std::span<const std::byte> message);
  void apply(std::size_t at, const std::byte* from, std::size_t bytes);

  Transport& transport_;
  const std::span<std::byte> memory_;
  const std::size_t mpb_bytes_, longest_;
  const std::span<const int> cores_;
  int to_ = nobody;                  ///< for whom `message_` is, or to whom something may be under way
  std::vector<std::byte> message_;   ///< that has not left
  std::vector<ByteRange> under_way_; ///< ranges of that process' host that have left but may not have arrived
  FreshRanges fresh_;
  CopiesFromOthers copies_;
};

} // namespace rcce::mpi
