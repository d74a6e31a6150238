// SPDX-License-Identifier: Apache-2.0
// What the UEs write to standard output and standard error: whole lines, in the order of simulated time.
//
// A line belongs to the instant at which its newline was written. Lines wait in a queue until no core can act
// before that instant any more; ties go to the lower core, then to the line written first. Host time decides
// only how many final lines are written at once. Where UEs live in the host's time, lines go out as they
// come. UEs that are threads may write at the same time. What the runtime itself tells the user of a UE waits
// a little longer, for others of which the same is to be told (message_deduplicator). Does not know how text
// gets here: stdio, C++ streams and write() are caught in standard_streams.cpp and
// process/libc/streams/stdio.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "mesh_sim/units.hpp"
#include "process/run/message_deduplicator.hpp"
#include "rcce_emu/output_options.hpp"

namespace rcce {
class Engine;
struct Ue;
} // namespace rcce
namespace rcce::process {
struct OutputStream;
}

namespace rcce::run {

using mesh::Picoseconds;

/// Orders finished lines by (time, core, sequence).
class LineQueue {
 public:
  struct Line {
    Picoseconds time = 0;
    int core = 0;
    std::uint64_t sequence = 0;
    int fd = 1;
    std::string text; ///< with its newline, or without where a UE has ended on an unfinished line
  };

  void add(Picoseconds time, int core, int fd, std::string text);
  /// Removes the first line if it is earlier than (time, core).
  [[nodiscard]] bool take_before(Picoseconds time, int core, Line& line);
  [[nodiscard]] bool empty() const noexcept { return lines_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return lines_.size(); }
  /// Time of the first line. The queue is not empty.
  [[nodiscard]] Picoseconds first() const noexcept { return lines_.front().time; }

 private:
  std::vector<Line> lines_; // binary heap, the earliest in front
  std::uint64_t sequence_ = 0;
};

/// The output of one job.
class Output {
 public:
  struct Options {
    OutputOptions to;
    /// Hears of every line, as soon as its UE has finished it.
    std::function<void(const Ue& ue, int fd, std::string_view text)> listener;
    /// Called once with the error number when writing has failed; may end the run. All later text is dropped.
    std::function<void(int fd, int error)> on_failure;
  };

  /// The output of a job of `ues` UEs.
  Output(Engine& engine, std::size_t ues, Options options);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Text of a UE for descriptor 1 or 2. Does not switch to another core, so that it may be called from
  /// within stdio. Returns 0, or an error number where the UE has redirected its output and that failed.
  int write(Ue& ue, int fd, std::string_view text);
  /// Likewise to a duplicate of descriptor 1 or 2 that it has kept while it led the descriptor elsewhere.
  int write_kept(Ue& ue, int target, std::string_view text);
  /// Tells the user on standard error what a UE has done wrong: "rccerun: rank 3 (core 03): `words`", once
  /// for all UEs that get the same words at about the same time. `severity` in place of "rccerun: ".
  void tell(Ue& ue, const std::string& words, const std::string& severity = "rccerun: ");
  /// Hands over what the UE has written to the descriptor and not ended by a newline.
  void end_line(Ue& ue, int fd);

  /// Writes out every line earlier than `earliest`; returns the time from which on there is something to do.
  Picoseconds emit_before(Picoseconds earliest);
  /// The UE has finished lines and gives way: writes out what has become final where much is held back or
  /// nothing has been written for a while. In a UE's context, not from within stdio.
  void give_way(Ue& ue);
  /// The same, and writes out what has become final in any case: the program has asked for it.
  void flush(Ue& ue);
  /// Writes out what has become final by now. Also from a signal handler, as long as what it has interrupted
  /// is the program's own code: takes no part in scheduling, and a failure is told at the next chance.
  void emit_settled();
  void emit_all();
  /// True if words of tell() wait for others to join them.
  [[nodiscard]] bool holds_words() const noexcept { return holds_words_.load(std::memory_order_relaxed); }
  /// True while text is being written: its reader may keep the writer waiting. Callable from anywhere.
  [[nodiscard]] bool writing() const noexcept { return writing_.load(std::memory_order_relaxed); }

 private:
  int write(Ue& ue, process::OutputStream& stream, std::string_view text);
  void add(Ue& ue, int fd, std::string text);
  void settle(Ue& ue);
  /// Turns words that nobody can join any more at `time` into lines.
  void release_words(Picoseconds time);
  void emit(Picoseconds time, int core);
  void take_out(Picoseconds time, int core);
  void add_to_batch(const LineQueue::Line& line);
  void flush_batch();
  void write_out(int fd, std::string_view text);

  Engine& engine_;
  Options options_;
  std::mutex threads_; // where UEs are threads: for all that follows
  LineQueue queue_;
  MessageDeduplicator words_;
  std::atomic<bool> holds_words_{false};
  Picoseconds settled_time_ = 0; // nobody writes a line in front of (time, core) any more
  int settled_core_ = 0;
  std::int64_t written_at_ = 0; // host nanoseconds of the last writing
  std::string batch_;           // consecutive lines for batch_fd_
  int batch_fd_ = 1;
  std::atomic<bool> writing_{false};
  bool one_terminal_ = false; // descriptors 1 and 2 are the same file: a newline is owed to either
  int unfinished_fd_ = 0;     // descriptor whose last text had no newline, 0 for none
  int failed_fd_ = 0;         // descriptor that could not be written, 0 for none
  int error_ = 0;             // why; all later text is dropped
  bool failure_told_ = false;
};

} // namespace rcce::run
