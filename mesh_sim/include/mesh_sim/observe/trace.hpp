// SPDX-License-Identifier: Apache-2.0
// A timeline of a run in the Trace Event Format (Google, "Trace Event Format", JSON Object Format), which
// Perfetto and Chrome's trace viewer open: a process per tile or node, a thread per core, thread, host or
// card; slices that nest for calls, copies and waits; arrows from the beginning of a message at its sender to
// its end at its receiver, where each has a slice of its own to end in.
//
// Events are written as they come, one to a line, which is not the order of their times; those of one core
// that begin and end slices stand in the order of its clock. Counters of load, in a process of their own,
// come last, and the critical path, which goes from core to core. `ts` is in microseconds and exact: its six
// decimals are picoseconds. What is kept does not grow with the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mesh_sim/observe/observer.hpp"
#include "mesh_sim/observe/path_tree.hpp"

namespace mesh {

/// A core that takes part in a run. Names are put into JSON as they are: without quotes and backslashes.
struct TracedCore {
  int core = -1, tile = -1;
  std::string name, tile_name;
};

class Trace final : public Observer {
 public:
  /// Takes whole events, as text that `closing` makes valid JSON at any time.
  using Write = std::function<void(std::string_view events)>;
  static constexpr std::string_view closing = "\n]}\n";

  /// `told_by` knows the names of calls and outlives this.
  Trace(const Observers& told_by, Write write);

  [[nodiscard]] EventMask wants() const override {
    return EventMask::calls | EventMask::messages | EventMask::issues | EventMask::ends | EventMask::waits;
  }
  /// Before the run, once; at least one core. `simulated`: times are those of the machine, not of the host.
  void begin(std::span<const TracedCore> cores, bool simulated);
  void call_begins(const Call& call) override;
  void call_ends(const Call& call) override;
  void message(const Message& message) override;
  void issued(const Access& access) override;
  void ended(const Access& access, Picoseconds begin) override;
  void wait_begins(const Wait& wait) override;
  void wait_ends(const Wait& wait) override;
  void unfinished(const Unfinished& core) override;
  /// Bins of load() for so many rows: 512, fewer if there are many rows.
  [[nodiscard]] static std::size_t load_bins(std::size_t rows) noexcept;
  /// After the run, before end(): how busy a link, an MPB port or a controller was, as a counter of percent
  /// in bins of this width.
  void load(std::string_view resource, std::span<const Picoseconds> busy, Picoseconds width);
  /// After the run, before end(): the critical path as a track of its own, a slice for each stay with a core.
  void critical_path(std::span<const PathTree::Stay> stays);
  /// After the run, once: ends what is still open, marked as unfinished, and writes the last events.
  void end();

 private:
  struct Lane {
    int tile = -1; ///< -1: the core takes no part
    std::string name;
    int open = 0; ///< slices that have begun and not ended
    bool waiting = false;
    Picoseconds latest = 0; ///< latest beginning or end of its slices
  };
  /// Sides of messages of one pair whose other side has not told yet: their times, in order.
  struct Pending {
    std::vector<Picoseconds> sent, received;
  };
  [[nodiscard]] Lane& lane(int core) { return lanes_[static_cast<std::size_t>(core)]; }
  [[nodiscard]] std::string_view name_of(int core) const;
  /// The name of the core that has the bytes, or of shared memory.
  [[nodiscard]] std::string_view name_of_memory(int core) const;
  void begin_slice(int core, Picoseconds at, std::string_view rest);
  void end_slice(int core, Picoseconds at, std::string_view rest);
  void side(int sender, int receiver, bool received, Picoseconds at, std::size_t bytes);
  void arrow(int sender, Picoseconds sent, int receiver, Picoseconds received, std::size_t bytes);
  [[nodiscard]] int next_process() const noexcept;
  void put(char phase, int core, Picoseconds at, std::string_view rest);
  void append(std::string_view event);
  void flush();

  const Observers& told_by_;
  Write write_;
  std::string text_;        ///< not yet written; reserved once: it is appended to on the cores' stacks
  std::vector<Lane> lanes_; ///< by core
  Picoseconds latest_ = 0;  ///< the latest of them all
  std::map<std::pair<int, int>, Pending> pending_; ///< by sender and receiver
  std::uint64_t arrows_ = 0;
  int load_process_ = -1; ///< that counters of load stand in; -1: none yet
};

} // namespace mesh
