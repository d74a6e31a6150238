// SPDX-License-Identifier: Apache-2.0
// A cluster of nodes with programmable network cards. It runs a program (program.hpp) over and over, as a
// benchmark does, and tells how long each time took; README.md in mesh_sim/machines/cluster has the rules.
//
// Order. Messages take their links in the order of the instants at which they are sent, ties by node. A
// repetition that nothing disturbs takes as long as any other such, so only the others are simulated.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mesh_sim/kernel/event_tree.hpp"
#include "mesh_sim/machines/cluster/config.hpp"
#include "mesh_sim/machines/cluster/fat_tree.hpp"
#include "mesh_sim/machines/cluster/hosts.hpp"
#include "mesh_sim/machines/cluster/program.hpp"

namespace mesh {
class Observers; // those of one run: observe/observers.hpp
}

namespace mesh::cluster {

/// How a benchmark repeats a reduction.
struct Protocol {
  std::int64_t repetitions = 1;
  bool timed_singly = false; ///< hosts read a clock before each and start by [host] timing_jitter apart
  /// Reductions that a host may have under way, without barriers between them, of programs on cards; 0: a
  /// barrier before each.
  int in_flight = 0;
};

struct Series {
  std::vector<Picoseconds> times; ///< time of each repetition, from the end of the one before
  Picoseconds total = 0;          ///< until the last one's end
  std::int64_t simulated = 0;     ///< repetitions that were; the others equal the first
  std::uint64_t messages = 0;     ///< messages of the simulated repetitions
  std::uint64_t digest = 0;       ///< digest of every message's arrival, the seed included
  [[nodiscard]] double mean_us() const { return microseconds(total) / static_cast<double>(times.size()); }
};

/// The vectors of all nodes, combined as the messages come.
class Values {
 public:
  /// Combines `count` elements of `other` into those of `own`, which stand before them.
  using Combine = std::function<void(std::byte* own, const std::byte* other, std::size_t count)>;

  /// Vectors of zeros.
  Values(int nodes, std::size_t elements, std::size_t element_bytes, Combine combine);
  /// For an operation of the machine, exact as on any processor with IEEE 754 arithmetic.
  Values(int nodes, std::size_t elements, Vector what);

  [[nodiscard]] std::span<std::byte> of(int node) {
    return {data_.data() + static_cast<std::size_t>(node) * bytes_, bytes_};
  }

 private:
  friend class Machine;
  void start(std::size_t messages) { carried_.assign(messages, {}); }
  void sent(const Program::Message& message, std::uint32_t number);
  void combined(const Program::Message& message, std::uint32_t number, Side side);
  void placed(const Program::Message& message, std::uint32_t number);
  [[nodiscard]] std::byte* at(int node, std::uint32_t element) {
    return of(node).data() + element * element_bytes_;
  }

  std::size_t element_bytes_, bytes_;
  Combine combine_;
  std::vector<std::byte> data_;
  std::vector<std::vector<std::byte>> carried_; ///< by message
};

class Machine {
 public:
  /// The first `nodes` of the machine, with so many processes each. Throws UserError where it has not so
  /// many.
  Machine(const Config& config, int nodes, int processes, std::uint64_t seed);

  [[nodiscard]] const Config& config() const noexcept { return config_; }

  /// Before the run; null: nobody. They outlive it, and hear of repetitions that are simulated one at a time:
  /// - messages, by node: a sender's side ends when the message is on its way, a receiver's begins when it
  ///   comes to the step that waits for it;
  /// - calls and waits: the steps of node N's program as those of core N, and if it runs on a card what the
  ///   host does as those of core nodes + N;
  /// - links, as resources.
  void set_observers(Observers* observers);

  /// Repeats a program from the beginning of time, seed and noise included: equal calls give equal results.
  /// Throws std::runtime_error that says who waits for whom where nobody can go on.
  [[nodiscard]] Series repeat(const Program& program, Vector what, const Protocol& protocol);
  /// Once without noise, with data: every node's vector is left as its program leaves it.
  [[nodiscard]] Picoseconds reduce(const Program& program, Vector what, Values& values);

 private:
  static constexpr Picoseconds none = -1;
  struct Node {
    Picoseconds time = 0;      ///< up to which its program has got
    std::uint32_t step = 0;    ///< counted through all nodes' steps
    std::uint32_t missing = 0; ///< messages that its step waits for
    std::int32_t received = 0; ///< messages of this repetition
    std::size_t base = 0;      ///< first place of its reduction's messages in arrival_
    Picoseconds last_sent = none;
    Picoseconds came = 0; ///< to its step
    bool waits = false;   ///< for messages, or for the receiver of a long one
    bool granted = false; ///< its receiver has asked for a long message
  };

  /// The doings of a node, its host or its card as observers hear of them.
  enum class Doing : std::uint8_t {
    reduction, ///< the whole program, which consists of the next four and waits
    send,
    wake,
    combine,
    place,
    entry,
    barrier,
    start,         ///< start of the card, by its host
    wait_for_card, ///< by the root's host
    broadcast,
    count ///< number of them
  };
  /// Nobody hears of anything while it lives.
  class Unobserved {
   public:
    explicit Unobserved(Machine& machine)
        : machine_(machine), observers_(std::exchange(machine.observers_, nullptr)) {}
    ~Unobserved() { machine_.observers_ = observers_; }
    Unobserved(const Unobserved&) = delete;
    Unobserved& operator=(const Unobserved&) = delete;

   private:
    Machine& machine_;
    const Observers* observers_;
  };

  // repetitions.cpp: what surrounds the program
  void prepare(const Program& program, Vector what, bool noise);
  /// One repetition; returns its end.
  Picoseconds repetition(std::int64_t number, bool timed_singly);
  [[nodiscard]] Picoseconds undisturbed_repetition(const Program& program, Vector what, bool timed_singly);
  void begin(std::int64_t number, bool timed_singly);
  [[nodiscard]] Picoseconds end();
  [[nodiscard]] Picoseconds everybody_after(Picoseconds at, Picoseconds duration, Doing what);
  [[nodiscard]] Picoseconds jitter(int node, std::int64_t number) const;

  // machine.cpp: the steps of one repetition
  void run_steps();
  void go_on(int node);
  [[nodiscard]] bool ready(int node, const Step& step);
  void receive(int node, const Step& step);
  void receive_on_card(int node, const Step& step);
  void receive_on_host(int node, const Step& step);
  [[nodiscard]] static Doing doing_of(const Step& step) noexcept {
    return step.kind == Step::Kind::place ? Doing::place : Doing::combine;
  }
  void take_message(const Step& step, std::uint32_t message);
  void begin_send(int node);
  void send(int node);
  void grant(std::uint32_t message);
  void exchange(int node, int partner);
  void deliver(std::uint32_t message, std::size_t base, Picoseconds at);
  void push(Picoseconds at, int node);
  [[nodiscard]] std::string waiting_report() const;
  [[nodiscard]] const Step& step_of(int node) const noexcept { return steps_[node_[index(node)].step]; }
  [[nodiscard]] bool at_end(int node) const noexcept {
    return node_[index(node)].step == first_step_[index(node) + 1];
  }
  [[nodiscard]] Picoseconds late(int node) { return hosts_->late(node, node_[index(node)].received); }
  [[nodiscard]] static std::size_t index(int node) noexcept { return static_cast<std::size_t>(node); }
  [[nodiscard]] bool is_long(std::uint32_t message) const noexcept {
    return any_long_ && bytes_[message] > eager_;
  }

  // tell.cpp: the events for observers, if there are any
  void tell_beginning();
  void tell_program_begins(int node);
  void tell_program_ends(int node) const;
  /// From where its core has been told of until then; nothing where it has come there.
  void tell(int core, Doing what, Picoseconds until);
  void tell_message(Doing what, std::uint32_t message, Picoseconds until);
  void tell_wait(int node, std::uint32_t message, Picoseconds until);
  [[nodiscard]] Picoseconds transmit(int from, int to, std::int64_t bytes, Picoseconds at);
  /// The core that stands for a node's host.
  [[nodiscard]] int host(int node) const noexcept { return on_hosts_ ? node : nodes_ + node; }

  // in_flight.cpp: several repetitions at a time, on cards
  struct InFlight {
    std::int64_t repetitions;
    std::size_t window;
    std::vector<std::int64_t> number; ///< number of each node's reduction
    std::vector<Picoseconds> done;    ///< by node and number modulo window
    std::vector<Picoseconds> taken;   ///< by place in arrival_: when the message before was
    std::vector<Picoseconds> ends;    ///< end of each reduction, at the root's host
  };
  Series repeat_in_flight(const Program& program, Vector what, const Protocol& protocol);
  void start_next(InFlight& flight, int node);
  void go_on_in_flight(InFlight& flight, int node);
  void send_in_flight(InFlight& flight, int node);
  void take_in_flight(InFlight& flight, int node, const Step& step);

  Config config_;
  int nodes_, processes_;
  std::uint64_t seed_;
  FatTree network_;
  const Observers* observers_ = nullptr;
  std::array<int, static_cast<std::size_t>(Doing::count)> kinds_{}; ///< their numbers as calls
  std::vector<Picoseconds> told_;                                   ///< until when, by core

  // of the program
  const Program* program_ = nullptr;
  bool on_hosts_ = false, any_long_ = false;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> first_step_;
  std::vector<Picoseconds> cost_;   ///< by message: receiving it and combining or placing
  std::vector<std::int64_t> bytes_; ///< by message
  std::int64_t eager_ = 0;
  Picoseconds wake_ = 0, host_send_ = 0, host_gap_ = 0, host_more_ = 0;

  // of a repetition
  std::vector<Node> node_;
  std::vector<Picoseconds> arrival_, asked_, offered_; ///< by message; none: not yet
  EventTree queue_;                                    ///< nodes that send: time since origin_, node
  Picoseconds origin_ = 0;
  std::vector<std::int32_t> ready_;
  std::vector<std::uint32_t> order_; ///< messages in the order of arrival, in a step
  Values* values_ = nullptr;
  std::uint64_t digest_ = 0, messages_ = 0;

  std::optional<Hosts> hosts_;          ///< hosts of a run
  std::vector<Picoseconds> host_ready_; ///< when each host is ready for its next call
};

} // namespace mesh::cluster
