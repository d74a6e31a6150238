// SPDX-License-Identifier: Apache-2.0
// Where the program's time goes: simulated time by the place of each call of the library, with the calls of
// functions that led there; and the time between calls, which is the next call's place's. What is kept does
// not grow with the run, but by places.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "mesh_sim/observe/observer.hpp"
#include "mesh_sim/observe/statistics.hpp"

namespace rcce {
class Job;
}

namespace rcce::run {

class Profile final : public mesh::Observer {
 public:
  explicit Profile(int cores) : cores_(static_cast<std::size_t>(cores)) {}

  [[nodiscard]] mesh::Told wants() const override { return mesh::Told::calls; }
  void call_begins(const mesh::Call& call) override;
  void call_ends(const mesh::Call& call) override;
  void unfinished(const mesh::Unfinished& core) override;

  /// Before the run, whose UEs have their images.
  void begin(Job& job) { job_ = &job; }

  struct Report {
    /// profile.time (us), profile.share (%), profile.count: labels function, place ("ring.c:12"), call; that
    /// of the program's own code before a call is "-".
    mesh::Statistics table;
    /// A line for each stack: "main;exchange;RCCE_send 12345", outermost first, picoseconds of all UEs.
    std::string folded;
  };
  /// After the run: finds the names of the places, by addr2line where it is there.
  [[nodiscard]] Report report(const std::vector<std::string>& call_names) const;

 private:
  /// A place in a program file, called from another: frames of one stack follow their parents.
  struct Frame {
    int parent = -1; ///< -1: the outermost
    const std::string* file = nullptr;
    std::uintptr_t offset = 0; ///< of the call, not behind it
    auto operator<=>(const Frame&) const = default;
  };
  struct Spent {
    mesh::Picoseconds time = 0;
    std::uint64_t count = 0;
  };
  struct PerCore {
    int depth = 0;
    int frame = -1;              ///< of the present call
    int kind = -1;               ///< likewise
    mesh::Picoseconds since = 0; ///< it has begun, or the last one has ended
  };
  [[nodiscard]] int innermost_frame(int core);
  /// The present call ends.
  void count_call(PerCore& one, mesh::Picoseconds at);

  Job* job_ = nullptr;
  std::vector<PerCore> cores_;
  std::map<Frame, int> numbers_; ///< of frames
  std::vector<Frame> frames_;
  std::map<std::pair<int, int>, Spent>
      spent_; ///< by innermost frame and number of the call; own code before it is below 0
};

} // namespace rcce::run
