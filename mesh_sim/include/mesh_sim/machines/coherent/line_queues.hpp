// SPDX-License-Identifier: Apache-2.0
// Who waits at lines: for their turn, in the order in which they have come, or for a write to a line that
// they poll. Each context is in one of these lists at most.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh_sim/kernel/kernel.hpp"
#include "mesh_sim/machines/coherent/line.hpp"

namespace mesh {
struct Cause; // observe/events.hpp
}

namespace mesh::coherent {

class LineQueues {
 public:
  explicit LineQueues(Kernel& kernel);
  ~LineQueues();

  /// Returns, at the instant when the line is free for the caller, with nobody before it.
  void enter(Line& line);
  /// Has the next of the queue wait for the line's being free.
  void admit_next(Line& line);
  /// To the end of the queue.
  void append(Line& line, int context) noexcept;
  /// Calls visit(context) for who is first and for the queue, in order, until it returns false. Returns
  /// whether it never has.
  template <class Visit>
  bool each_waiting(const Line& line, Visit&& visit) const {
    if (line.first != Line::none && !visit(line.first)) return false;
    for (std::int16_t context = line.queue_head; context != Line::none; context = next(context))
      if (!visit(context)) return false;
    return true;
  }

  /// The caller sleeps until somebody writes to the line.
  void sleep(Line& line);
  /// Wakes those who sleep at that time, for a write.
  void wake_sleepers(Line& line, Picoseconds at, const Cause& cause);
  /// The write that has woken the context last.
  [[nodiscard]] const Cause& cause(int context) const noexcept;
  template <class Visit>
  void each_sleeper(const Line& line, Visit&& visit) const {
    for (std::int16_t sleeper = line.sleepers; sleeper != Line::none; sleeper = next(sleeper)) visit(sleeper);
  }

 private:
  [[nodiscard]] std::int16_t& next(int context) noexcept { return next_[static_cast<std::size_t>(context)]; }
  [[nodiscard]] std::int16_t next(int context) const noexcept {
    return next_[static_cast<std::size_t>(context)];
  }

  Kernel& kernel_;
  std::vector<std::int16_t> next_; ///< by context: who is behind it in its list
  std::vector<Cause> causes_;      ///< by context
};

} // namespace mesh::coherent
