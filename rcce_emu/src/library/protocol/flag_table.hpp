// SPDX-License-Identifier: Apache-2.0
// Which flags of which lines are taken, and where the bits of a flag lie in its line. Knows neither MPBs nor
// programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace rcce::protocol {

/// How a library variant keeps its flags.
struct FlagScheme {
  int per_line;
  std::uint8_t word_bytes; ///< width in which a flag is read and compared: 1 (2.0) or 4 (1.0)
  bool single_bit;         ///< else the flag is the whole word
  bool whole_line;         ///< 1.0: written with a put of its line, read with a get of its line

  [[nodiscard]] static const FlagScheme& of(unsigned generation, bool smallflags) noexcept;
};

/// The bits of one flag: `mask` in the little-endian word at `offset`.
struct FlagWord {
  std::size_t offset;
  std::uint32_t mask;
};

/// Bytes from the start of the line to the word of the flag at `location`, and its bits. 1.0 packed 88
/// overlapping flags into a line of bits; here every flag has a bit of its own, in the same order within each
/// word.
[[nodiscard]] FlagWord flag_word(const FlagScheme& scheme, int location) noexcept;

struct FlagPosition {
  std::size_t line; ///< as new_line gave it
  int location;
};

class FlagTable {
 public:
  explicit FlagTable(int per_line) : per_line_(per_line) {}

  /// True if the next flag needs a new line.
  [[nodiscard]] bool full() const noexcept { return first_with_room_ == lines_.size(); }
  [[nodiscard]] bool knows(std::size_t line) const noexcept;

  /// The lowest free position of the first line that has room; `new_line` (-> optional offset) provides
  /// another one.
  template <class NewLine>
  std::optional<FlagPosition> allocate(NewLine&& new_line) {
    if (full()) {
      const std::optional<std::size_t> line = new_line();
      if (!line) return std::nullopt;
      add(*line);
    }
    return take();
  }
  /// Takes the next `count` flags, as so many calls of allocate() do, where none has been freed. Returns the
  /// number of the first, counted from the first flag of the table; nothing where a line was not to be had.
  template <class NewLine>
  std::optional<std::size_t> allocate_row(std::size_t count, NewLine&& new_line) {
    std::optional<std::size_t> first;
    for (std::size_t left = count; left > 0;) {
      if (full()) {
        const std::optional<std::size_t> line = new_line();
        if (!line) return std::nullopt;
        add(*line);
      }
      const std::size_t next = first_with_room_ * width() + static_cast<std::size_t>(lines_.back().members);
      if (!first) first = next;
      left -= take_rest(left);
    }
    return first;
  }
  /// The position of a flag that allocate_row() has taken.
  [[nodiscard]] FlagPosition position(std::size_t number) const {
    return {lines_[number / width()].offset, static_cast<int>(number % width())};
  }

  /// Frees a flag of a known line. True if that emptied a line other than the first, which is then forgotten
  /// if `give_back`, else kept for later flags.
  bool release(FlagPosition position, bool give_back);

  /// Flags that have been allocated and not freed.
  [[nodiscard]] long long taken() const noexcept;

 private:
  /// Small: the flags for messages of 10,000 UEs take 626 on each.
  struct Line {
    std::uint32_t offset;
    std::uint16_t members;
    std::uint16_t lowest_free; ///< no lower location is free
  };
  [[nodiscard]] std::size_t width() const noexcept { return static_cast<std::size_t>(per_line_); }
  void add(std::size_t offset);
  [[nodiscard]] FlagPosition take();
  /// At most `most` flags of the last line, in which no taken flag follows a free one. Returns how many.
  std::size_t take_rest(std::size_t most);
  void find_room();
  [[nodiscard]] std::vector<bool>::iterator flags_of(std::size_t line) {
    return taken_.begin() + static_cast<std::ptrdiff_t>(line * width());
  }

  int per_line_;
  std::vector<Line> lines_;
  std::vector<bool> taken_;         ///< flags of all lines
  std::size_t first_with_room_ = 0; ///< no earlier line has room
};

} // namespace rcce::protocol
