// SPDX-License-Identifier: Apache-2.0
// How far a long command has come: "37 % done, about 12 s left" on one line of a terminal, on standard error,
// written over and gone at the end. Nothing where standard error is no terminal, unless it was asked for
// always(); then a line each time. A command that does several things one after the other makes one for each;
// from the second on its line begins with "part 2: ".
#pragma once

#include <chrono>
#include <mutex>

namespace mesh {

class Progress {
 public:
  /// Progress of work of so many parts, of any size.
  explicit Progress(double total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// For all that follow: also where standard error is no terminal.
  static void always() noexcept;

  /// So many parts more are done. From any thread.
  void add(double parts);
  /// So many parts are done in all. From any thread.
  void set(double parts);
  /// Writes the line where it is due: when the work has taken more than a second, twice a second at most.
  /// From any thread; add() and set() call it.
  void show();
  /// Takes the line away.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void write();

  std::mutex mutex_;
  Clock::time_point start_ = Clock::now(), shown_at_ = start_;
  double total_, done_ = 0;
  bool wanted_, terminal_;
  int part_; ///< this process' part of the work, from 1
};

} // namespace mesh
