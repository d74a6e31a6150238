// SPDX-License-Identifier: Apache-2.0
// Read-modify-writes that are repeated until they succeed. While nobody but such spinners is at a line, and
// the word is as they have all seen it, nothing can change: the line goes round among them, and no event is
// spent on it. The next request of anybody else finds out who is being served at that instant, and queues
// behind those who wait.
#pragma once

#include <map>
#include <vector>

#include "mesh_sim/machines/coherent/caches.hpp"
#include "mesh_sim/machines/coherent/line_queues.hpp"

namespace mesh::coherent {

class Rings : Part {
 public:
  Rings(const Part& part, Caches& caches, LineQueues& queues)
      : Part(part),
        caches_(caches),
        queues_(queues),
        spinners_(static_cast<std::size_t>(placement_.threads())) {}

  /// A read-modify-write of the thread has failed, and will again while the word has that value.
  void failed(int thread, Word word, std::uint64_t value) noexcept {
    spinners_[static_cast<std::size_t>(thread)] = {true, word, value};
  }
  void succeeded(int thread) noexcept { spinners_[static_cast<std::size_t>(thread)].spins = false; }
  /// True if all that wait for the line do so in vain.
  [[nodiscard]] bool only_spinners(const Line& line) const noexcept;
  /// The line goes round among these and the thread, which is being served until then.
  void form(Line& line, int thread, Operation operation, Picoseconds until);
  void dissolve(Line& line);
  struct Ring {
    std::vector<int> members; ///< in the order of service; the first has been served when `until` comes
    Picoseconds until = 0;
    Operation operation = Operation::exchange;
  };
  /// By line.
  [[nodiscard]] const std::map<std::uint32_t, Ring>& all() const noexcept { return rings_; }

 private:
  struct Spinner {
    bool spins = false; ///< its last read-modify-write of `word` has failed at `value`
    Word word;
    std::uint64_t value = 0;
  };
  [[nodiscard]] Picoseconds step(const Line& line, const Ring& ring, int from, int to) const noexcept;

  Caches& caches_;
  LineQueues& queues_;
  std::vector<Spinner> spinners_;       ///< by thread
  std::map<std::uint32_t, Ring> rings_; ///< by line
};

} // namespace mesh::coherent
