// SPDX-License-Identifier: Apache-2.0
// Tags of a set-associative cache with least-recently-used replacement. No data: the simulator asks only what
// hits. What it means is written down plainly in tests/timing/cache_reference.hpp; this is the fast form,
// which random runs compare with it.
//
// Copies run through memory line after line, and consecutive lines of a page lie in consecutive sets under
// one tag. So neighbouring sets mostly hold the same tags in the same order, and eight of them, a block, are
// kept as one set for as long as that is so: most of a run of 128 lines is then looked up in two vector
// operations per way. A block whose sets differ (a run that ends inside it, a single line) is kept set by
// set. cache.cpp has a run's lines as a LineSet, the rules of one set as Rows of eight sets or blocks at
// once, and walk(), which takes a run apart into these.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace mesh {

/// The words that the cache works on at once: the vector extension of gcc and clang.
using EightWords [[gnu::vector_size(16)]] = std::uint16_t;

class Cache {
 public:
  using Tag = std::uint16_t;
  static constexpr unsigned longest_run = 128; ///< lines of a 4 KB page
  static constexpr unsigned block_sets = 8;

  /// Some lines of a run, by position: the first line of a run has position line % 8.
  class alignas(16) LineSet {
   public:
    void clear() noexcept { block_.fill(none); }
    void set(unsigned position) noexcept;
    [[nodiscard]] bool has(unsigned position) const noexcept {
      const Tag block = block_[position / block_sets];
      return block == some ? line_[position] != 0 : block == every;
    }
    /// True if it has all lines of the block around the position, or none.
    [[nodiscard]] bool even(unsigned position) const noexcept {
      return block_[position / block_sets] != some;
    }
    /// How many lines both have, of a run.
    [[nodiscard]] static unsigned common(const LineSet& a, const LineSet& b, std::uint64_t line,
                                         unsigned count) noexcept;

   private:
    friend class Cache;
    static constexpr Tag none = 0, some = 1, every = 0xffff;

    /// Masks of eight blocks: of those with a line, and of those with all lines.
    [[nodiscard]] EightWords blocks_with_some(unsigned first) const noexcept;
    [[nodiscard]] EightWords blocks_with_all(unsigned first) const noexcept;
    /// The lines of a block that has at least one.
    [[nodiscard]] EightWords lines_of(unsigned block) const noexcept;
    /// Eight blocks have all their lines or none.
    void assign_blocks(unsigned first, EightWords blocks) noexcept;
    /// Lines of a block that has none so far.
    void assign_lines(unsigned block, EightWords lines) noexcept;

    std::array<Tag, longest_run / block_sets> block_; ///< how many lines of the block it has
    std::array<Tag, longest_run> line_; ///< for blocks with `some` only: all ones for each of its lines
  };

  struct Counts {
    unsigned hits = 0;
    unsigned written_back = 0; ///< modified lines that had to make room
  };

  /// Number of sets a power of two and at least 8, ways 1, 2, 4 or 8: else false.
  [[nodiscard]] static bool possible(std::size_t bytes, std::size_t ways) noexcept {
    return (ways == 1 || ways == 2 || ways == 4 || ways == 8) && bytes % (ways * 32) == 0 &&
        std::has_single_bit(bytes / ways / 32) && bytes / ways / 32 >= block_sets;
  }

  /// `tags` points at tag_words(bytes, ways) zeroed words that outlive the cache.
  Cache(std::size_t bytes, std::size_t ways, Tag* tags) noexcept;

  /// Words of storage for such a cache. Those of blocks that are never kept set by set are never touched.
  [[nodiscard]] static std::size_t tag_words(std::size_t bytes, std::size_t ways) noexcept {
    const std::size_t sets = bytes / ways / 32;
    return single_start(sets / block_sets, ways) + sets * ways;
  }

  [[nodiscard]] unsigned sets() const noexcept { return sets_; }

  /// Takes one way of the first `lines` sets out of use: they hold what never leaves (code, stack, operating
  /// system). Before the first access only.
  void keep(unsigned lines) noexcept;

  /// Says that these lines are about to be accessed: brings the host's memory behind a run's ends near, which
  /// are most often kept set by set.
  void expect(std::uint64_t line, unsigned count) const noexcept {
    const auto set = static_cast<unsigned>(line & (sets_ - 1));
    for (const unsigned end : {set, set + count - 1})
      __builtin_prefetch(single_ + std::size_t{end / block_sets} * ways_ * block_sets, 1);
  }

  /// Reads `count` lines from line number `line` on; they must lie in one aligned group of min(sets, 128)
  /// lines. Lines that are not in `wanted` are left alone (null: none is). Misses allocate. `missed` receives
  /// the lines that missed, `made_room` those of them for which a modified line had to leave; they are other
  /// objects than `wanted`.
  Counts read(std::uint64_t line, unsigned count, const LineSet* wanted, LineSet* missed,
              LineSet* made_room = nullptr) noexcept {
    return access(line, count, wanted, Use::read, missed, made_room);
  }
  /// Writes lines that are present and marks them modified; absent lines are left absent (no write-allocate).
  Counts write(std::uint64_t line, unsigned count, const LineSet* wanted, LineSet* missed) noexcept {
    return access(line, count, wanted, Use::write, missed, nullptr);
  }

  /// Reads lines and then writes them.
  Counts read_then_write(std::uint64_t line, unsigned count, LineSet* missed = nullptr,
                         LineSet* made_room = nullptr) noexcept {
    return access(line, count, nullptr, Use::both, missed, made_room);
  }

  /// The same for one line, which takes less of the host's time. Lines that are read are seldom in front:
  /// who reads one again does not ask again.
  Counts read_line(std::uint64_t line) noexcept { return access_line(line, Use::read); }
  Counts write_line(std::uint64_t line) noexcept {
    return is_in_front(line, modified) ? Counts{1, 0} : access_line(line, Use::write);
  }

  /// Lines of the message-passing memory type: they take room like others, and invalidate_mpb() drops them
  /// all. They never hit, because every library read is preceded by that invalidation.
  void read_mpb(std::size_t offset, unsigned count) noexcept {
    const auto set = static_cast<unsigned>(offset / 32 & (sets_ - 1));
    // Most are single lines with flags, the same one again and again with nothing in between: these wait
    // until something else happens.
    if (count == 1 && (lone_ == nowhere || (lone_ == set && lone_dropped_))) {
      lone_ = set;
      lone_dropped_ = false;
    } else {
      read_mpb_run(offset, count);
    }
  }
  void invalidate_mpb() noexcept {
    if (mpb_from_ < mpb_to_) invalidate_mpb_blocks();
    lone_dropped_ = true;
  }

 private:
  // A tag word: 0 empty; bit 15 modified; the two highest tags are message-passing lines and lines that never
  // leave. Tags are cut to 15 bits: two lines alias when they are a multiple of 32,764 times the sets apart
  // (128 MB for L1, 2 GB for L2).
  static constexpr Tag modified = 0x8000, tag_mask = 0x7fff, mpb_tag = 0x7fff, kept_tag = 0x7ffe;

  enum class Use : std::uint8_t { read, write, both };

  /// The beginning of the words of single sets, behind those of blocks and marks: at a whole block of them,
  /// with room for a vector across the last mark.
  [[nodiscard]] static constexpr std::size_t single_start(std::size_t blocks, std::size_t ways) noexcept {
    return (blocks * (ways + 1) + block_sets + 31) / 32 * 32;
  }
  [[nodiscard]] Tag tag_of(std::uint64_t line) const noexcept {
    return static_cast<Tag>((line >> set_bits_) % 0x7ffc + 1);
  }
  template <class Do>
  auto for_ways(Do&& act) noexcept;
  Counts access(std::uint64_t line, unsigned count, const LineSet* wanted, Use how, LineSet* missed,
                LineSet* made_room) noexcept;
  template <unsigned Ways>
  Counts access(std::uint64_t line, unsigned count, const LineSet* wanted, Use how, LineSet* missed,
                LineSet* made_room) noexcept;
  /// True if the set's line used last is this one, with these marks: an access to it changes nothing.
  [[nodiscard]] bool is_in_front(std::uint64_t line, Tag marks) const noexcept {
    const auto set = static_cast<unsigned>(line & (sets_ - 1));
    const unsigned block = set / block_sets;
    const Tag front = mixed_[block] == 0
        ? whole_[block]
        : single_[std::size_t{block} * ways_ * block_sets + set % block_sets];
    return (front & tag_mask) == tag_of(line) && (front & marks) == marks && lone_ == nowhere;
  }
  Counts access_line(std::uint64_t line, Use how) noexcept;
  template <unsigned Ways>
  Counts access_line(std::uint64_t line, Use how) noexcept;
  template <unsigned Ways>
  class Rows;
  template <unsigned Ways>
  [[nodiscard]] Rows<Ways> blocks(unsigned first) noexcept;
  template <unsigned Ways>
  [[nodiscard]] Rows<Ways> sets(unsigned block) noexcept;
  template <unsigned Ways>
  [[nodiscard]] Rows<Ways> split(unsigned block) noexcept;
  template <unsigned Ways>
  void join(unsigned block) noexcept;
  template <unsigned Ways, class Together, class Alone>
  void walk(unsigned set, unsigned count, const LineSet* wanted, Together&& together, Alone&& alone) noexcept;
  void read_mpb_run(std::size_t offset, unsigned count) noexcept;
  void invalidate_mpb_blocks() noexcept;
  void commit() noexcept;
  template <unsigned Ways>
  void evict_oldest(unsigned set) noexcept;
  template <unsigned Ways>
  void fill_mpb(unsigned set, unsigned count) noexcept;

  unsigned sets_, ways_, set_bits_, blocks_;
  unsigned mpb_from_ = UINT32_MAX, mpb_to_ = 0; ///< blocks that may hold message-passing lines
  static constexpr unsigned nowhere = UINT32_MAX;
  unsigned lone_ = nowhere;   ///< set of a message-passing line that is not in the tags yet
  bool lone_dropped_ = false; ///< ... and has been invalidated again
  Tag* whole_;                ///< by way, then block; in order of use
  Tag* mixed_;  ///< by block: all ones where its sets differ, and `single_` counts instead of `whole_`
  Tag* single_; ///< by block, then way, then set
};

} // namespace mesh
