// SPDX-License-Identifier: Apache-2.0
// What stands in the way of the simulated SCC's accesses: links, MPB ports and memory controllers, met by
// lines, runs of them (transfer.hpp) and shares, and who hears of them.
//
// Invariant: each resource serves one packet at a time, in the order in which packets are shown to it, which
// is that of simulated time. Without contention there is nothing to wait for. Knows the kernel, the costs and
// the probes; nothing of what is carried.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "mesh_sim/machines/scc/costs.hpp"
#include "mesh_sim/machines/scc/probes.hpp"
#include "mesh_sim/parts/network.hpp"

namespace mesh::scc {

/// Who hears of the packets that resources serve.
enum class Audience : std::uint8_t {
  nobody,
  sums,   ///< packet counts and queues, which are kept as packets come
  events, ///< observers, of every packet; sums, too, where somebody wants them
};

class Traffic {
 public:
  using CoreState = SccCosts::CoreState;
  using RouteCost = SccCosts::RouteCost;
  using Work = SccCosts::Work;

  Traffic(Kernel& kernel, const SccCosts& costs, ProbeSet& probes);
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  /// Before the run, when the probes are known.
  void set_observers(const Observers* observers);
  /// The tile's clock has this period from now on.
  void set_tile_cycle(int tile, Picoseconds cycle);

  /// Accounts for a line that takes `time` unhindered, of which `ahead` has passed already, plus what the
  /// running core has to wait for others.
  void charge(const CoreState& core, const RouteCost& path, Picoseconds time, const Work& work, bool reading,
              Picoseconds ahead);

  // Atomic counters, behind the system interface.
  /// The running core's request is there: what it has waited on the way, and waits until it is served.
  Picoseconds request_waits(const CoreState& core);
  /// It has been served: what the answer waits on the way back.
  Picoseconds answer_waits(const CoreState& core);
  /// The running core reads a counter again and again, once in that time, beside others; 0: no longer.
  void polls_counter(const CoreState& core, Picoseconds period);

  // The running core's own code.
  /// Spends `memory` on that many lines from memory and words to it, after `computing` on its cycles, plus
  /// what they wait for others. They have a share of the way to the controller until then.
  void spend_on_memory(const CoreState& core, std::uint64_t lines, std::uint64_t words, Picoseconds computing,
                       Picoseconds memory);
  /// The kernel's turn, with what that has posted: the share is given back.
  void own_code_ends(const CoreState& core, Picoseconds at);
  /// The token posted is this and the core's number.
  static constexpr std::uint32_t own_code_ends_of = std::uint32_t{1} << 31;

  // Copies, which know their way.
  /// A copy begins that costs `all` on the core's side and takes `time` unhindered. Own code waits for the
  /// part of the core's memory controller that it wants, which is returned.
  Resource::Share want_controller(const CoreState& core, const Work& all, Picoseconds time);
  /// It has ended.
  void leave_controller(const CoreState& core, const Resource::Share& wanted);
  /// Lines there for put, there and back for get.
  void find_route(Route& path, const CoreState& core, TileId tile, bool reading);
  /// A way to the tile that has been found before goes through its port at its present pace.
  void renew_port(Route& path, int tile) noexcept;
  /// Waiting of a line that sets out at `issue`.
  Picoseconds copy_waits(const CoreState& core, Route& to_mpb, const Work& work, Picoseconds issue);
  /// Begins a run of lines alike, which take `time` each, unhindered, and set out `ahead` of their turns: of
  /// at most `lines`. Returns how many they are; 0: too few to be worth it. `pattern` is theirs, found or
  /// not.
  std::uint32_t begin_run(LineRun& run, Pattern& pattern, const CoreState& core, const Route& to_mpb,
                          const Work& work, Picoseconds time, Picoseconds ahead, std::uint32_t lines);
  /// The run's core has come to its end.
  void end_run(LineRun& run, const CoreState& core, Route& to_mpb, const Work& work);
  /// Sums get the lines of the run that have acted.
  void tell_run(LineRun& run, const CoreState& core, Route& to_mpb, const Work& work);
  /// The run ends before the first of its lines that has not acted yet, or before a later one.
  void cut(LineRun& run, std::uint32_t line = 0);

 private:
  template <Audience audience>
  class Notify;
  template <class Rule>
  Picoseconds for_audience(Rule&& rule);
  void notify_served(const Resource& resource, Picoseconds from, Picoseconds queued, Picoseconds service,
                     std::uint32_t packets, bool beside = false);
  void queue_line(StepUse& use, int core, Picoseconds from, Picoseconds queued, Picoseconds service);
  static void queue_share(StepUse& use, Picoseconds now, Picoseconds each, std::uint32_t packets);
  static void leave_queue(StepUse& use) noexcept;
  void find_uses(Route& path);
  void tell_acted(LineRun& run, const CoreState& core, Route& to_mpb, const Work& work);
  [[nodiscard]] std::uint64_t* counter(const CoreState& core, ResourceId server, bool back);
  Route& route_to_controller(const CoreState& core);
  Route& route_to_controller(const CoreState& core, Picoseconds service, std::uint32_t packets);
  static void withdraw(Route& path);
  // The rules of waiting, each for all audiences.
  template <Audience audience>
  Picoseconds line_waits(const CoreState& core, const RouteCost& path, const Work& work, Picoseconds issue,
                         bool reading);
  template <Audience audience>
  Picoseconds route_waits(const CoreState& core, Route& path, Picoseconds start, std::uint32_t packets);
  template <Audience audience>
  Picoseconds copy_waits(const CoreState& core, Route& to_mpb, const Work& work, Picoseconds issue);
  template <Audience audience>
  Picoseconds controller_waits(const CoreState& core, const Work& work, Picoseconds start);
  void take_turn() noexcept;
  void tell_cut();
  void hasten_cut();
  void find_pattern(Pattern& pattern, const CoreState& core, const Route& to_mpb, const Work& work);
  /// Waits of lines that go beside others: for each other line, and for all where they want more than there
  /// is.
  struct Beside {
    Picoseconds waited = 0, crowd = 0;
    [[nodiscard]] Picoseconds wait() const noexcept { return std::max(waited, crowd); }
  };
  template <Audience audience>
  void go_beside(Beside& sum, const CoreState& core, Route& path, std::uint32_t packets, std::uint32_t lines,
                 Picoseconds time);
  Kernel& kernel_;
  const SccCosts& costs_;
  ProbeSet& probes_;
  Turn turn_;
  Network network_;
  bool contention_;
  Picoseconds longest_way_;                       ///< a request acts at most so long after it has set out
  Picoseconds controller_line_, controller_word_; ///< a controller's time for a line, and for a word
  std::vector<Picoseconds> port_service_;         ///< a port's time for a line, by tile
  std::vector<Resource> ports_;                   ///< one per tile
  std::vector<Resource> controllers_;
  Resource counters_;                        ///< the system FPGA
  Picoseconds counter_service_;              ///< time of one access
  std::vector<Resource::Share> polls_;       ///< the polls' shares of the counters, by core
  std::vector<Route> to_controller_;         ///< by core, empty before its first copy
  std::vector<std::size_t> controller_step_; ///< step of those routes at which the controller is
  std::vector<Picoseconds> own_code_until_;  ///< by core: end of the share that its own code has last had
  PacketCounts* packets_ = nullptr;          ///< null: nobody wants them
  Queues* queues_ = nullptr;                 ///< likewise
  Audience audience_ = Audience::nobody;
  std::vector<Resource::Met> met_; ///< by the run that begins
};

} // namespace mesh::scc
