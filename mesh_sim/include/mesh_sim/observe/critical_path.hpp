// SPDX-License-Identifier: Apache-2.0
// The critical path of a run: the chain of what cores did one after the other that made its end time, found
// from the cause of each wake-up. It ends with the core that ends last. Where a core of it has slept, it goes
// on with whoever has woken it, from the store, the copy, the release or the counter's change that did.
//
// All times of the chain add up to the end of the run. A core that came to a flag which was set already has
// not waited; where two cores meet for a link, the chain stays with the one that queues, and the time is the
// link's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mesh_sim/observe/lock_usage.hpp"
#include "mesh_sim/observe/observer.hpp"
#include "mesh_sim/observe/path_tree.hpp"

namespace mesh {

/// A critical path as commands print it.
struct Path {
  struct Part {
    TimeShare what;
    std::string call;     ///< empty: in none
    std::string resource; ///< name of the resource with the queue
    Picoseconds time = 0;
    std::uint64_t count = 0; ///< pieces of the chain
    double hops = -1;        ///< links between the core and what it accesses, on average; -1: not known
    std::vector<std::pair<int, Picoseconds>> places =
        {}; ///< places of the program's own code, as far as they are known
  };
  bool complete = false; ///< every core that has started has ended; else it leads to where the run stands
  bool crashed = false;  ///< ... by the core's crash
  Picoseconds end = 0;   ///< end of the run, or of the core that crashed; the parts' times add up to it
  int core = -1;         ///< that ends, begins to wait or is then; of several the least; -1: none has started
  std::vector<Part> parts;            ///< the longest first
  std::uint64_t changes = 0;          ///< from core to core
  std::vector<LockUsage::Lock> locks; ///< that cores have waited for, the longest held first
  Slack slack;                        ///< slack of the next best chain
  std::string slack_call;
  std::vector<PathTree::Stay>
      stays; ///< core by core, the last ones of long paths; CriticalPath::keep_stays()
};

/// "put": the kind's name in tables and files.
[[nodiscard]] std::string_view name_of(TimeShare::Kind kind);
/// "copies to message-passing buffers": one line.
[[nodiscard]] std::string_view description_of(TimeShare::Kind kind);

class CriticalPath final : public Observer {
 public:
  explicit CriticalPath(int cores);
  /// Before the run: the number of links between two cores.
  void set_distance(std::function<int(int, int)> distance) { distance_ = std::move(distance); }
  /// Likewise: the number of the place at which a core's own code stands; -1: not known.
  void set_place(std::function<int(int)> place) { place_ = std::move(place); }

  /// Likewise: the path knows when it has been with which core.
  void keep_stays() noexcept { tree_.keep_stays(); }

  [[nodiscard]] EventMask wants() const override {
    return EventMask::cores | EventMask::calls | EventMask::issues | EventMask::ends | EventMask::waits |
        EventMask::resources | (place_ ? EventMask::code : no_events);
  }
  void core_starts(int core, Picoseconds at) override;
  void core_ends(int core, Picoseconds at) override;
  void ran(int core, Picoseconds time) override;
  void call_begins(const Call& call) override;
  void call_ends(const Call& call) override;
  void issued(const Access& access) override;
  void ended(const Access& access, Picoseconds begin) override;
  void wait_begins(const Wait& wait) override;
  void wait_ends(const Wait& wait) override;
  void served(const Service& service) override;
  void unfinished(const Unfinished& core) override;

  /// After the run. `resource` gives the name of a link, a port or a controller.
  [[nodiscard]] Path path(std::span<const std::string> call_names,
                          const std::function<std::string(ResourceId)>& resource) const;
  [[nodiscard]] std::size_t pieces() const noexcept { return tree_.pieces(); }
  /// Waits whose cause was known, and what its core had done until then no more: none, as far as is known.
  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_; }

 private:
  /// So many of a core's writes can still be the cause of a wake-up: those between the instant at which a
  /// flag can be seen and the look that sees it, a few of the shortest of all writes.
  static constexpr std::size_t remembered = 32;
  struct Write {
    Access::Kind kind = Access::Kind::store;
    Picoseconds at = 0; ///< when it can be seen; of a release, when the core sets out
    PathTree::Piece piece = PathTree::none;
  };
  struct Queued {
    ResourceId resource;
    Picoseconds time;
  };
  struct PerCore {
    std::array<Write, remembered> writes; ///< a ring
    std::size_t next = 0;                 ///< in it
    int call = -1;                        ///< the outermost
    bool computes = false;                ///< ... stands for the program's own code
    int depth = 0;                        ///< depth of calls
    int target = -1;                      ///< core whose place the access concerns; -1: none
    bool in_access = false, slept = false;
    bool polls = false; ///< its next look at a counter is due
    bool started = false, ended = false, crashed = false;
    std::vector<Queued> queued;                   ///< queues of the access
    std::vector<std::pair<int, Picoseconds>> ran; ///< by place: what its own code has taken since `at`
  };
  [[nodiscard]] PerCore& core(int id) { return cores_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] TimeShare time_share(int core, TimeShare::Kind kind) const;
  /// The same of an access to a place of core `to`.
  [[nodiscard]] TimeShare time_share(int core, TimeShare::Kind kind, int to) const;
  void reach(int core, Picoseconds at);
  [[nodiscard]] bool find_end(Path& path, Slack& end) const;
  void remember(int core, Access::Kind kind, Picoseconds at);
  [[nodiscard]] PathTree::Piece cause_of(const Wait& wait) const;
  void note_arrival(const Access& access, Picoseconds begin);

  std::vector<PerCore> cores_;
  LockUsage locks_;
  std::function<int(int, int)> distance_; ///< null: not known
  std::function<int(int)> place_;         ///< likewise
  PathTree tree_;
  struct LastWrite {
    Picoseconds at = -1; ///< -1: never
    int writer = -1;
  };
  /// By MPB and line that short writes go to: the last one to each byte, and from when on it could be seen.
  std::unordered_map<std::uint64_t, std::array<LastWrite, 32>> seen_;
  std::uint64_t lost_ = 0;
};

} // namespace mesh
