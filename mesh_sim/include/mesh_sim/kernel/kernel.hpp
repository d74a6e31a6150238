// SPDX-License-Identifier: Apache-2.0
// The virtual-time kernel: runs contexts (one per core) in the order of their clocks.
//
// Rule of order. Every action on shared state happens at a key (time, kind, core): earlier time first; at one
// time, deliveries (writes that become visible) before cores, among deliveries the one posted first, among
// cores the smaller number. A context may advance its own clock freely; before it touches shared state it
// calls synchronise(), which returns when no other context and no delivery has a smaller key. So shared state
// is touched in key order, whatever the host does, and the order needs no locks.
//
// A context whose next actions are known (the lines of a copy) need not run for each of them: it is carried.
// Its fiber sleeps, and a function acts in its place each time it has the smallest key.
//
// A context that polls plain memory, which others store to without a word, need not run for each look either:
// it sleeps, and each time that somebody has acted the words that it waits for are compared.
//
// One kernel belongs to one host thread at a time; several kernels may run in one process.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "mesh_sim/kernel/event_tree.hpp"
#include "mesh_sim/kernel/fiber.hpp"
#include "mesh_sim/kernel/poll.hpp"
#include "mesh_sim/units.hpp"

namespace mesh {

class Kernel {
 public:
  enum class End {
    finished, ///< every context has ended
    deadlock, ///< contexts are left that nobody can wake
    stopped,  ///< stop() was called
  };

  /// Room for `contexts` contexts, numbered from 0. `stack_bytes` are reserved for each, committed by first
  /// touch.
  Kernel(int contexts, std::size_t stack_bytes);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  /// Gives a context its body. It starts at time `at`. Before run() only.
  void start(int context, std::function<void()> body, Picoseconds at = 0);

  /// Runs until nobody can act any more. An exception that leaves a body stops the run and is thrown from
  /// here.
  End run();

  // --- from a context
  // --------------------------------------------------------------------------------------------
  [[nodiscard]] int current() const noexcept { return current_; } ///< -1 outside any context
  [[nodiscard]] Picoseconds now() const noexcept { return now_; }
  /// Clock of any context.
  [[nodiscard]] Picoseconds clock(int context) const noexcept {
    return context == current_ ? now_ : slots_[static_cast<std::size_t>(context)].clock;
  }
  /// Moves the caller's own clock; no scheduling.
  void advance(Picoseconds duration) noexcept { now_ += duration; }
  void advance_to(Picoseconds time) noexcept {
    if (time > now_) now_ = time;
  }
  /// Returns when the caller has the smallest key of all.
  void synchronise() {
    if (key(now_, current_) > horizon_) reschedule();
    turn_ = key(now_, current_); // it may have been hastened
  }
  /// When, and who, had the smallest key last: actions on shared state are those of that turn. Deliveries are
  /// context -1.
  struct Turn {
    Picoseconds at;
    int context;
  };
  [[nodiscard]] Turn turn() const noexcept {
    return {static_cast<Picoseconds>(turn_ >> id_bits_), context_of(turn_)};
  }
  /// Has the step function act for the caller, at each of its keys, until that says that all is done; the
  /// caller then goes on at once. A step acts on shared state and advances now(); it neither blocks, wakes
  /// nor posts.
  void carry();
  /// Sleeps until wake(); the clock is then the one that the waker has set.
  void block();
  /// Sleeps through the rounds of a loop that does nothing but look at these words, at most
  /// `most_polled_words`, as they are at the caller's turn: at `first`, and every `round` from there. Returns
  /// at the first look at which another context's action has changed one, or where somebody has called
  /// rouse(), as the kernel does when nobody else can act any more; when interrupted at that instant.
  PollEnd poll(std::span<const PolledWord> words, Picoseconds first, Picoseconds round);
  /// Ends the calling context without unwinding it.
  [[noreturn]] void exit();
  /// Ends the run: run() returns `stopped`. From a context it does not return; from outside it takes effect
  /// at run().
  void stop();

  // --- from a context or a delivery
  // --------------------------------------------------------------------------------
  /// Makes a blocked context runnable; its clock becomes `at`, or stays where it is later.
  void wake(int context, Picoseconds at);
  /// Makes a blocked context runnable likewise, and has the interrupt function called in its place before
  /// what blocks it goes on, which has to look again whether it may. From the progress function too.
  void interrupt(int context, Picoseconds at);
  /// A carried context steps earlier than it has said, at `at`, which is still to come.
  void hasten(int context, Picoseconds at);
  /// Calls the delivery function with `token` at time `at`, in key order.
  void post(Picoseconds at, std::uint32_t token);

  [[nodiscard]] bool blocked(int context) const noexcept {
    return slots_[static_cast<std::size_t>(context)].state == State::blocked;
  }
  /// Blocked in poll().
  [[nodiscard]] bool polls(int context) const noexcept;
  /// Takes all out of poll(), at their next look. Returns whether there was one.
  bool rouse();
  /// Contexts store to memory when they have the smallest key (the default), or anywhere on the way to the
  /// place where they give way: then what they have stored counts from there.
  void stores_are_unseen() noexcept { stores_unseen_ = true; }
  [[nodiscard]] bool ended(int context) const noexcept {
    return slots_[static_cast<std::size_t>(context)].state == State::ended;
  }
  [[nodiscard]] bool started(int context) const noexcept {
    return slots_[static_cast<std::size_t>(context)].state != State::unused;
  }
  /// Visits the words that contexts poll.
  template <class Visit>
  void for_each_polled(Visit&& visit) const {
    for (const Poller& one : pollers_)
      for (std::size_t i = 0; i < one.count; ++i) visit(one.words[i]);
  }
  /// True while a delivery is still to come.
  [[nodiscard]] bool delivers() const noexcept { return !deliveries_.empty(); }
  [[nodiscard]] int contexts() const noexcept { return static_cast<int>(slots_.size()); }
  [[nodiscard]] std::span<std::byte> stack(int context) const noexcept {
    return stacks_.stack(static_cast<std::size_t>(context));
  }
  [[nodiscard]] std::size_t guard_bytes() const noexcept { return stacks_.guard_bytes(); }
  [[nodiscard]] std::uint64_t switches() const noexcept { return switches_; }
  [[nodiscard]] std::uint64_t deliveries() const noexcept { return delivered_; }

  // --- hooks
  // ---------------------------------------------------------------------------------------------------
  using Deliver = void (*)(void* owner, Picoseconds at, std::uint32_t token);
  /// Returns whether it was the last step of the current context.
  using Step = bool (*)(void* owner, int context);
  using Interrupt = void (*)(void* owner, int context);
  using Settle = void (*)(void* owner, Picoseconds at);
  using Switch = void (*)(void* owner, int from, int to);
  using Progress = Picoseconds (*)(void* owner, Picoseconds earliest);
  /// Called when nobody can run: may wake contexts whose condition was met behind the kernel's back (plain
  /// stores to watched memory). Returns whether it woke any.
  using LastCall = bool (*)(void* owner);

  void on_deliver(Deliver hook, void* owner) noexcept { deliver_ = hook, deliver_owner_ = owner; }
  void on_step(Step hook, void* owner) noexcept { step_ = hook, step_owner_ = owner; }
  void on_interrupt(Interrupt hook, void* owner) noexcept { interrupt_ = hook, interrupt_owner_ = owner; }
  /// Brings memory to where it is at `at`, before the words that somebody polls are compared.
  void on_settle(Settle hook, void* owner) noexcept { settle_ = hook, settle_owner_ = owner; }
  void on_switch(Switch hook, void* owner) noexcept { switch_ = hook, switch_owner_ = owner; }
  void on_last_call(LastCall hook, void* owner) noexcept { last_call_ = hook, last_call_owner_ = owner; }
  /// Called with the earliest time at which anything can still happen, once that has reached the value last
  /// returned; where nobody can act any more, with that value itself. May interrupt contexts from there on.
  void on_progress(Progress hook, void* owner) noexcept { progress_ = hook, progress_owner_ = owner; }
  void wake_progress_at(Picoseconds at) noexcept;

 private:
  enum class State : std::uint8_t { unused, ready, carried, blocked, ended };
  struct Slot {
    FiberHandle handle = nullptr;
    Picoseconds clock = 0;
    State state = State::unused;
    bool interrupted = false;
    std::function<void()> body;
  };
  struct Delivery {
    Picoseconds at;
    std::uint64_t sequence;
    std::uint32_t token;
    /// Order of a std heap that keeps the earliest in front.
    friend bool operator<(const Delivery& a, const Delivery& b) noexcept {
      return a.at != b.at ? a.at > b.at : a.sequence > b.sequence;
    }
  };

  [[nodiscard]] EventTree::Key key(Picoseconds time, int context) const noexcept {
    return (static_cast<EventTree::Key>(time) << id_bits_) | static_cast<EventTree::Key>(context + 1);
  }
  [[nodiscard]] int context_of(EventTree::Key key) const noexcept {
    return static_cast<int>(key & id_mask_) - 1;
  }
  void reschedule();
  void leave();
  void apply_due(Picoseconds until);
  int next_context();
  int next_fiber();
  /// While somebody polls, each action is looked at: nobody goes on without synchronising.
  void update_horizon() noexcept {
    horizon_ = pollers_.empty() ? std::min(ready_.top(), mark_) : EventTree::Key{0};
  }
  struct Poller {
    int context;
    std::array<PolledWord, most_polled_words> words{};
    std::array<std::uint64_t, most_polled_words> values{};
    std::size_t count = 0;
    Picoseconds first = 0, round = 0;
    PollEnd end = PollEnd::interrupted;

    [[nodiscard]] bool differs() const noexcept;
    [[nodiscard]] Picoseconds look(Picoseconds from) const noexcept;
  };
  void compare_polled(Picoseconds since, Picoseconds now);
  void find_mark() noexcept;
  /// Keys have room for so much time.
  void check_range() const {
    if (now_ > latest_) [[unlikely]]
      out_of_range();
  }
  [[noreturn]] void out_of_range() const;
  void report_progress(Picoseconds earliest);
  bool progress_wakes();
  void go_on_with(int next);
  void switch_to(int next);
  static void entry(FiberJump from);
  [[noreturn]] void run_body();

  StackPool stacks_;
  std::vector<Slot> slots_;
  FiberHandle outside_ = nullptr;
  EventTree ready_;
  std::vector<Delivery> deliveries_;      // binary heap, earliest (at, sequence) first
  EventTree::Key mark_ = EventTree::none; ///< key of the next delivery or mark of progress
  EventTree::Key horizon_ = 0;
  EventTree::Key turn_ = 0; ///< key of the one who acts
  Picoseconds now_ = 0;
  Picoseconds acted_at_ = 0; ///< when who acts had the smallest key last; known while somebody polls
  std::vector<Poller> pollers_;
  bool stores_unseen_ = false;
  Picoseconds progress_at_ = INT64_MAX;
  unsigned id_bits_ = 1;
  EventTree::Key id_mask_; ///< of so many bits
  Picoseconds latest_;     ///< last instant for which a key has room
  int current_ = -1;       ///< who acts
  int on_stack_ = -1;      ///< whose stack it is done on; others are carried on it
  int previous_ = -1;
  int alive_ = 0;
  bool stopping_ = false;
  bool started_ = false;
  std::uint64_t sequence_ = 0, switches_ = 0, delivered_ = 0;
  std::exception_ptr failure_;
  Deliver deliver_ = nullptr;
  Step step_ = nullptr;
  Interrupt interrupt_ = nullptr;
  Settle settle_ = nullptr;
  Switch switch_ = nullptr;
  LastCall last_call_ = nullptr;
  Progress progress_ = nullptr;
  void *deliver_owner_ = nullptr, *step_owner_ = nullptr, *interrupt_owner_ = nullptr,
       *settle_owner_ = nullptr, *switch_owner_ = nullptr, *last_call_owner_ = nullptr,
       *progress_owner_ = nullptr;
};

} // namespace mesh
