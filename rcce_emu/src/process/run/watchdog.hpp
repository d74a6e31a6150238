// SPDX-License-Identifier: Apache-2.0
// Watches a run from outside simulated time: the time limit, interrupts by the user, UEs that have not
// called the library for long, and lines that such a UE has left behind. A timer of the host interrupts the
// thread of the run now and then; no result depends on it.
#pragma once

#include <csignal>
#include <cstdint>
#include <ctime>
#include <string>

#include "engine/ue/ue.hpp"
#include "process/run/stopping.hpp"

namespace rcce::run {

class Output;

/// True if this process reports the signal that has ended the run: one of several does.
[[nodiscard]] bool tells_interrupt(Job& job);

class Watchdog {
 public:
  /// On the thread that is about to run the job. `timeout_seconds` of host time, 0: no limit.
  Watchdog(Job& job, Output& output, double timeout_seconds);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// From the engine's hooks: ends the run if that has been asked for.
  void check();
  /// After the run: tells what could not be told while UEs were running.
  void finish();
  /// A crash has been caught on this thread, where UEs run on it: sees to it that its report comes about.
  static void watch_crash() noexcept;

 private:
  /// State that changes when a UE calls the library.
  struct Mark {
    const Ue* ue = nullptr;
    std::uint64_t events = 0;
    Picoseconds clock = 0;
    bool operator==(const Mark&) const = default;
  };

  static void handle_tick(int signal, siginfo_t* info, void* context);
  static void leave_stopped_run(ucontext_t& context);
  static void stop_from_program(void* watchdog);
  void tick(ucontext_t& context);
  void watch_silence(const ucontext_t& context, std::int64_t now);
  void tell_silence(Ue& ue, const ucontext_t& context, int seconds);
  [[nodiscard]] static Stopping::Place place_of(const Ue* ue, const ucontext_t& context) noexcept;
  static void take_out(Ue& ue, Stopping::Place place, const ucontext_t& context) noexcept;
  [[nodiscard]] int status_asked() const noexcept;
  void set_timer(std::int64_t nanoseconds) noexcept;
  void set_waiting_timer(std::int64_t now) noexcept;
  [[noreturn]] void give_up();
  void stop_run();
  [[nodiscard]] std::string cause_text() const;

  Job& job_;
  Output& output_;
  timer_t timer_{};      // of the host's clock: the time limit, attempts to stop
  timer_t look_timer_{}; // of the thread's time at work
  timer_t rest_timer_{}; // of the host's clock: looks at a UE that is asleep
  int slot_ = -1;
  Stopping stopping_;
  std::string owed_cause_; // of a report that waits until UEs that are threads have come to rest
  Mark mark_;
  std::int64_t mark_since_ = 0;
  bool silence_told_ = false;
  bool done_ = false; // has stopped the run, on the thread of all UEs
  volatile bool gives_up_ = false;
};

} // namespace rcce::run
