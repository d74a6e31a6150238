// SPDX-License-Identifier: Apache-2.0
// A machine with coherent caches. Threads are fibers of the kernel, each a Core (core.hpp) whose loads,
// stores and read-modify-writes take the time that the machine's tables and the state of the line say, and
// wait where others are at the line. Simulated at the level of lines, not of protocol messages;
// mesh_sim/machines/coherent/README.md has the rules.
//
// Order. A request takes effect when it is served; requests for one line are served in the order in which
// they come, ties by thread number. Nothing is polled on the host: a core that waits for a word sleeps until
// somebody writes to its line.
//
// The machine is composed of parts, each of which knows only those before it:
//   costs, placement  what accesses cost alone; which core runs a thread
//   probes            who hears of accesses
//   memory            lines, words and blocks
//   caches            who has a line, what a transfer costs and leaves behind
//   queues            who waits at a line
//   rings             failing spinners among whom a line goes round
//   accesses          requests for words
//   stores            posted stores
//   streams           copies and combinations of blocks
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "mesh_sim/machines/coherent/stores.hpp"
#include "mesh_sim/machines/coherent/streams.hpp"

namespace mesh::coherent {

class Core;

class Machine {
 public:
  /// A machine on which threads 0 ... `threads` - 1 run, each on a hardware thread of its own: thread i on
  /// core i, those beyond the number of cores on the siblings, in the same order. Cores of a node are
  /// neighbours. Throws UserError where it has not so many.
  Machine(const Config& config, int threads);
  /// The same with thread i on hardware thread `placement[i]`: of a core below the number of cores, of its
  /// siblings that plus the number of cores, and so on. Throws UserError where there is none, or two threads
  /// on one.
  Machine(const Config& config, std::span<const int> placement);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // --- memory; from anywhere, off the clock
  /// `count` words, `stride` bytes apart, the first at the start of a line: 64 gives each a line of its own.
  /// `home` is the node that answers for their lines. All zero, in no cache.
  [[nodiscard]] std::vector<Word> words(std::size_t count, std::size_t stride, int home = unplaced) {
    return memory_.words(count, stride, home);
  }
  /// Zeroed bytes from the start of a line on, in no cache.
  [[nodiscard]] Block block(std::size_t bytes, int home = unplaced) { return memory_.block(bytes, home); }
  [[nodiscard]] std::uint64_t peek(Word word) const noexcept { return memory_.value(word); }
  void poke(Word word, std::uint64_t value) noexcept { memory_.value(word) = value; }
  /// Puts every line of the bytes into the cache of thread `thread`'s core, in state modified, exclusive or
  /// shared, or into no cache (invalid). Nobody may be waiting for one of them.
  void set_state(Address address, std::size_t bytes, State state, int thread = 0);
  [[nodiscard]] State state(Address address) const noexcept { return memory_.line_of(address).state; }

  // --- running
  /// Before the run; null: nobody. They outlive it.
  void set_observers(Observers* observers) { probes_.set_observers(observers); }
  /// Gives a thread its program. Before run() only.
  void start(int thread, std::function<void(Core&)> program, Picoseconds at = 0);
  /// Runs until every program has ended. Throws std::runtime_error that says who waits where nobody can go
  /// on, and what leaves a program.
  void run();

  [[nodiscard]] int threads() const noexcept { return placement_.threads(); }
  [[nodiscard]] const Config& config() const noexcept { return config_; }
  [[nodiscard]] const Costs& costs() const noexcept { return costs_; }
  /// Node of a thread's core.
  [[nodiscard]] int node_of(int thread) const noexcept { return costs_.node(placement_.core_of(thread)); }
  [[nodiscard]] Picoseconds clock(int thread) const noexcept { return kernel_.clock(thread); }

  // --- what a run tells
  /// A digest of every access: who, when, which line, and what it found.
  [[nodiscard]] std::uint64_t digest() const noexcept { return accesses_.digest(); }
  /// Requests that a core's own cache could not answer.
  [[nodiscard]] std::uint64_t line_events() const noexcept { return caches_.transfers(); }
  [[nodiscard]] std::uint64_t switches() const noexcept { return kernel_.switches(); }

 private:
  friend class Core;

  /// Who sleeps in the operating system, and from when on.
  struct Sleeper {
    int thread;
    Picoseconds asleep;
  };
  void run_program(int thread);
  [[nodiscard]] std::string waiting_report() const;

  Config config_;
  Costs costs_;
  Placement placement_;
  Kernel kernel_;
  ProbeSet probes_;
  Memory memory_;
  Part part_; ///< the part from which all that follow are made
  Caches caches_;
  LineQueues queues_;
  Rings rings_;
  Accesses accesses_;
  PostedStores stores_;
  Streams streams_;
  std::vector<std::function<void(Core&)>> programs_;     ///< by thread
  std::map<std::uint32_t, std::deque<Sleeper>> futexes_; ///< by word
  int running_ = 0;                                      ///< programs that have not ended
  std::vector<int> meeting_;                             ///< who waits in Core::meet()
};

} // namespace mesh::coherent
