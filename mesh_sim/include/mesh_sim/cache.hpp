// Tags of a set-associative cache with least-recently-used replacement. No data: the simulator asks only what
// hits.
//
// Copies run through memory line after line, and consecutive lines of a page lie in consecutive sets under
// one tag. So the tags are kept by way (way-major), each way an array over the sets in order of use, and a
// whole run of lines is looked up with a few vector operations per way instead of a search per line.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace mesh {

class Cache {
 public:
  using Tag = std::uint16_t;
  static constexpr unsigned longest_run = 128; ///< lines of a 4 KB page

  /// Lanes of a run: all ones where the line is meant, zero elsewhere; room for whole vectors.
  struct alignas(16) Lanes {
    std::array<Tag, longest_run + 8> lane;
  };

  struct Counts {
    unsigned hits = 0;
    unsigned written_back = 0; ///< modified lines that had to make room
  };

  /// Number of sets a power of two and at least 8, ways 1, 2, 4 or 8: else false.
  [[nodiscard]] static bool possible(std::size_t bytes, std::size_t ways) noexcept {
    return (ways == 1 || ways == 2 || ways == 4 || ways == 8) && bytes % (ways * 32) == 0 &&
        std::has_single_bit(bytes / ways / 32) && bytes / ways / 32 >= 8;
  }

  /// `tags` points at tag_words(bytes, ways) zeroed words that outlive the cache.
  Cache(std::size_t bytes, std::size_t ways, Tag* tags) noexcept
      : sets_(static_cast<unsigned>(bytes / ways / 32)),
        ways_(static_cast<unsigned>(ways)),
        set_bits_(static_cast<unsigned>(std::countr_zero(sets_))),
        tags_(tags) {}

  /// Words of storage for such a cache; a vector beyond the last set is read and written back unchanged.
  [[nodiscard]] static std::size_t tag_words(std::size_t bytes, std::size_t ways) noexcept {
    return bytes / ways / 32 * ways + 8;
  }

  [[nodiscard]] unsigned sets() const noexcept { return sets_; }

  /// Takes one way of the first `lines` sets out of use: they hold what never leaves (code, stack, operating
  /// system). Before the first access only.
  void keep(unsigned lines) noexcept;

  /// Reads `count` lines from line number `line` on; they must lie in one aligned group of min(sets, 128)
  /// lines. Lanes not set in `wanted` are left alone (null: all lanes). Misses allocate. `missed` receives
  /// the lanes that missed.
  Counts read(std::uint64_t line, unsigned count, const Lanes* wanted, Lanes* missed) noexcept;
  /// Writes lines that are present and marks them modified; absent lines are left absent (no write-allocate).
  Counts write(std::uint64_t line, unsigned count, const Lanes* wanted, Lanes* missed) noexcept;

  /// Lines of the message-passing memory type: they take room like others, and invalidate_mpb() drops them
  /// all. They never hit, because every library read is preceded by that invalidation.
  void read_mpb(std::size_t offset, unsigned count) noexcept;
  void invalidate_mpb() noexcept;

 private:
  // A tag word: 0 empty; bit 15 modified; the two highest tags are message-passing lines and lines that never
  // leave. Tags are cut to 15 bits: two lines alias when they are a multiple of 32,764 times the sets apart
  // (128 MB for L1, 2 GB for L2).
  static constexpr Tag modified = 0x8000, tag_mask = 0x7fff, mpb_tag = 0x7fff, kept_tag = 0x7ffe;

  [[nodiscard]] Tag tag_of(std::uint64_t line) const noexcept {
    return static_cast<Tag>((line >> set_bits_) % 0x7ffc + 1);
  }
  template <class Do>
  auto for_ways(Do&& act) noexcept;
  template <unsigned Ways>
  Counts replace(unsigned set, unsigned count, Tag tag, const Lanes* wanted, bool write,
                 Lanes* missed) noexcept;
  Counts access(std::uint64_t line, unsigned count, const Lanes* wanted, bool write, Lanes* missed) noexcept;

  unsigned sets_, ways_, set_bits_;
  unsigned mpb_from_ = UINT32_MAX, mpb_to_ = 0; ///< sets that may hold message-passing lines
  Tag* tags_;
};

} // namespace mesh
