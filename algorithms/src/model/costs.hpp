// What single calls cost, in microseconds: the parameter set of mesh_sim's machine file and the software
// costs of the library, without the simulation's caches and queues.
#pragma once

#include <cstddef>

#include "algorithms/model.hpp"

namespace algorithms::model {

inline constexpr std::size_t line_bytes = 32;

[[nodiscard]] constexpr std::size_t lines_of(std::size_t bytes) {
  return (bytes + line_bytes - 1) / line_bytes;
}

/// Where the lines of a buffer are found, as shares of them; they add up to 1.
struct Where {
  double l1 = 1, l2 = 0, dram = 0;
  double written_back = 0; ///< share of the lines whose coming displaces a modified one
};

/// In which order the lines of a buffer come, between two readings of it from its start to its end.
enum class Order : char {
  ascending,  ///< the same: a buffer that does not fit is displaced before it comes round again
  descending, ///< the other way round: the end is still there
};

/// Whose messages and copies. Flags are RCCE's in both.
enum class Library : char { rcce, ircce };

class Costs {
 public:
  explicit Costs(const Platform& platform, Library library = Library::rcce);

  /// Lines of a buffer of which all bytes are read or written once, at the second and every later time.
  [[nodiscard]] Where whole(std::size_t bytes, Order order) const;
  /// Lines of a part that has just been received or sent.
  [[nodiscard]] Where recent(std::size_t bytes) const;

  [[nodiscard]] int hops(int core, int other) const;

  /// A copy of that many lines, its call not included.
  [[nodiscard]] double put_lines(double lines, int core, const Where& where) const;
  [[nodiscard]] double get_lines(double lines, int core, int from, const Where& where) const;
  /// From an MPB into the own MPB.
  [[nodiscard]] double relay_lines(double lines, int core, int from) const;

  double call;       ///< entering a function
  double piece;      ///< of a message, on each side
  double put, get;   ///< a call that copies
  double flag_write; ///< until the writer goes on
  double poll;       ///< one look at an own flag
  double port_line;  ///< an MPB's port with one line
  double hop;        ///< one way

  /// From the moment at which a flag is written until the waiting core has seen it: the way and, at the mean,
  /// half a round of its loop before the look that succeeds.
  [[nodiscard]] double notice(int writer, int reader) const {
    return hops(writer, reader) * hop + 1.5 * poll;
  }
  /// One look at another core's flag.
  [[nodiscard]] double remote_look(int core, int other) const;
  /// An atomic counter of the system interface, at the middle of the lowest row.
  [[nodiscard]] double counter_access(int core) const;

  [[nodiscard]] const Platform& platform() const { return platform_; }

 private:
  [[nodiscard]] double mpb_read(int core, int from) const;
  [[nodiscard]] double dram_read(int core) const;
  [[nodiscard]] int tile(int core) const { return core / platform_.cores_per_tile; }

  Platform platform_;
  double core_, mesh_, ram_; ///< one cycle; ram: of half the data rate
};

} // namespace algorithms::model
