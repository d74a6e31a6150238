// SPDX-License-Identifier: Apache-2.0
// Copies that travel with flags between hosts. A rendezvous of RCCE costs three crossings of the network one
// after the other: the flag, the request of the get, its answer. Whoever sets a flag therefore sends along
// what it has written to its own buffer since it last set one there. The get that follows finds it without a
// crossing.
//
// Why a program without races cannot tell. Whatever was written to the buffer before a get, in the order that
// flags make, has to be in the copy. That order leads to the getting process by what it sees: words of its
// own buffer, registers, counters. A word that the owner of the copied buffer has set, not later than it made
// the copy, tells nothing that the copy does not have. Any other makes the process forget the copy. A get may
// be a look as well: one that crosses makes the process forget all copies, one from a copy those that are
// older. A copy serves one get, so whoever gets again and again sees news.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace rcce::mpi {

/// Bytes [begin, end) of a message-passing buffer, or of a host's memory.
struct ByteRange {
  std::size_t begin, end;
  bool operator==(const ByteRange&) const = default;
};

/// The ranges of its own buffer that a process has written and not yet sent to those to whom it sets flags.
class FreshRanges {
 public:
  explicit FreshRanges(int processes) : told_(static_cast<std::size_t>(processes)) {}

  void written(ByteRange range);
  /// Those that `rank` has not been sent, which it now is.
  [[nodiscard]] std::span<const ByteRange> take(int rank);

 private:
  struct Range {
    ByteRange bytes;
    std::uint64_t when; ///< in writes
  };
  std::vector<Range> ranges_;       ///< apart from one another
  std::vector<std::uint64_t> told_; ///< by rank: writes, when it was sent something
  std::vector<ByteRange> taken_;
  std::uint64_t writes_ = 0;
};

/// The data that has come along to this process with flags.
class CopiesFromOthers {
 public:
  /// A message of that process.
  void begin(int rank) noexcept {
    from_ = rank;
    ++messages_;
  }
  // Of the message that has begun last:
  /// It sets the word at that byte of this host's memory.
  void sets(std::size_t at) { setters_[at] = {from_, messages_}; }
  /// It brings what its process has there in its buffer.
  void bring(ByteRange range, const std::byte* bytes);

  /// The process has seen the word that lies there, or what is no word: copies to which that may be news are
  /// of no use any more.
  void seen(std::optional<std::size_t> at = std::nullopt);
  /// This process has written to the buffer of `rank`.
  void written(int rank, ByteRange range);
  /// Gives a copy of all these bytes, once; false where there is none.
  [[nodiscard]] bool take(int rank, ByteRange range, void* to);

 private:
  using Message = std::uint64_t; ///< its number
  struct Copy {
    Message message;
    int rank;
    ByteRange range;
    std::vector<std::byte> bytes;
  };
  struct Setter {
    int rank;
    Message message;
  };
  /// Leaves what lies beside the range.
  void remove(int rank, ByteRange range);

  std::vector<Copy> copies_;
  std::unordered_map<std::size_t, Setter> setters_; ///< who has set a word last, by its place
  int from_ = 0;
  Message messages_ = 0;
};

} // namespace rcce::mpi
