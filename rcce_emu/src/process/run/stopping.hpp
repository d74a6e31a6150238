// SPDX-License-Identifier: Apache-2.0
// How a run is ended from outside its simulated time: a state machine that knows no signal, thread or timer.
// The watchdog tells it what each tick of the host has found, and does what it answers.
#pragma once

#include <cstdint>

namespace rcce::run {

class Stopping {
 public:
  enum class Cause : std::uint8_t { none, timeout, interrupt };
  /// The place that a tick has interrupted.
  enum class Place : std::uint8_t {
    program,     ///< a UE's own code: nothing of the runtime is half done
    call,        ///< a call of the host that a UE sleeps in
    broken_call, ///< the same, and a signal's handler has broken it off
    elsewhere,   ///< the runtime, or nobody
  };
  enum class Action : std::uint8_t {
    stop,      ///< at once, from the place that has been interrupted; out of the call, if it is one
    ask_again, ///< when a UE next gives way, or at the next tick
    give_up,   ///< the process ends as it is
  };

  /// Between attempts, in nanoseconds of the host, and how many are made before a UE is taken out of a call.
  static constexpr std::int64_t interval = 20'000'000;
  static constexpr int patient_attempts = 5;
  /// How many before the process is ended as it is: where the one thread of the run has to come to a point at
  /// which it can stop, and where many threads have to, or somebody has to read the output.
  static constexpr int most_attempts = 50, most_long_attempts = 250;

  /// `deadline`, in nanoseconds of the host; 0: none.
  explicit Stopping(std::int64_t deadline = 0) : deadline_(deadline) {}

  [[nodiscard]] Cause cause() const noexcept { return cause_; }
  [[nodiscard]] bool asked() const noexcept { return attempts_ > 0; }
  /// Nanoseconds until the deadline; the most that there are without one.
  [[nodiscard]] std::int64_t left(std::int64_t now) const noexcept {
    return deadline_ == 0 ? INT64_MAX : deadline_ - now;
  }
  /// Finds the cause, which is the first that there is. Where another process has ended the run, the signal
  /// of the launcher is what follows from it, and no cause.
  Cause find_cause(std::int64_t now, bool signalled, bool ended_elsewhere) noexcept {
    if (cause_ != Cause::none || ended_elsewhere) return cause_;
    if (signalled)
      cause_ = Cause::interrupt;
    else if (left(now) <= 0)
      cause_ = Cause::timeout;
    return cause_;
  }
  /// True if a UE is taken out of what it has been interrupted in, at that attempt.
  [[nodiscard]] static bool leaves(Place place, int attempt) noexcept {
    return place == Place::program || place == Place::broken_call ||
        (place == Place::call && attempt > patient_attempts);
  }
  /// There is a cause: what is done about it. `slow`: many threads have to stop, or somebody has to read.
  Action next(Place place, bool slow) noexcept {
    if (place != Place::program) ++attempts_;
    if (leaves(place, attempts_)) return Action::stop;
    return attempts_ > (slow ? most_long_attempts : most_attempts) ? Action::give_up : Action::ask_again;
  }
  /// The run has been stopped: there is no cause and no deadline any more, and attempts count anew.
  void stopped() noexcept { *this = Stopping(); }

 private:
  std::int64_t deadline_; ///< 0: none
  Cause cause_ = Cause::none;
  int attempts_ = 0; ///< attempts that have not stopped it
};

} // namespace rcce::run
