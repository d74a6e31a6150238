// SPDX-License-Identifier: Apache-2.0
#include "process/run/watchdog.hpp"
#include "rcce_emu/job_options.hpp"
#include "rcce_emu/statuses.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fmt/format.h>
#include <poll.h>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/host/clock.hpp"
#include "engine/host/signal_context.hpp"
#include "engine/host/symbols.hpp"
#include "engine/ue/job_state.hpp"
#include "process/image/image.hpp"
#include "process/process.hpp"
#include "process/run/host_call.hpp"
#include "process/run/host_timer.hpp"
#include "process/run/interrupt.hpp"
#include "process/run/last_words.hpp"
#include "process/run/output.hpp"
#include "process/run/run_view.hpp"

namespace rcce::run {
namespace {

/// Host time without a library call after which a UE is named.
constexpr std::int64_t silence_seconds = 10;
/// Between looks; also how late a silence may be told, or a finished line be written.
constexpr std::int64_t look_interval = second / 4;
/// Until the first look at a UE that is asleep: those that never begin are told about in time.
constexpr std::int64_t first_rest = second;
/// 31 years: what is beyond may not be told in nanoseconds, and nobody waits for it.
constexpr double longest_timeout_seconds = 1e9;

thread_local Watchdog* active = nullptr;

/// The run, and where in the program those are that compute.
RunView view_places(Job& job) {
  RunView run = view_run(job);
  for (UeView& view : run.ues) {
    const Ue& ue = job.ue(view.rank);
    if (view.state != UeView::State::running || !view.activity.call.empty()) continue;
    const process::CodeLocation place = process::place_of(ue, ue.computes_at.load(std::memory_order_relaxed));
    if (place.file != nullptr) view.place = host::describe_offsets(*place.file, {place.offset}).front();
  }
  return run;
}

void say(const std::string& text) noexcept {
  static_cast<void>(syscall(SYS_write, 2, text.data(), text.size()));
}

/// The same, as far as somebody takes the text.
void say_without_waiting(std::string_view text) noexcept {
  constexpr int longest_wait_ms = 200;
  constexpr std::size_t always_taken = 512; // by a pipe that has any room: PIPE_BUF of POSIX
  while (!text.empty()) {
    pollfd wait{2, POLLOUT, 0};
    if (syscall(SYS_poll, &wait, 1, longest_wait_ms) <= 0) return;
    const long n = syscall(SYS_write, 2, text.data(), std::min(text.size(), always_taken));
    if (n <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

bool is_one_of_several(Job& job) {
  return job.ranks_here().size() < static_cast<std::size_t>(job.size());
}

/// The UE that the signal was meant for; -1: all of them. What their launcher sends reaches all processes.
int struck_rank(Job& job) {
  if (interrupted_rank() >= 0) return interrupted_rank();
  const bool by_launcher = interrupt_sender() == 0 || interrupt_sender() == getppid();
  return is_one_of_several(job) && !by_launcher ? job.ranks_here().front() : -1;
}

} // namespace

Watchdog::Watchdog(Job& job, Output& output, double timeout_seconds) : job_(job), output_(output) {
  mark_since_ = host::nanoseconds();
  if (timeout_seconds > 0)
    stopping_ = Stopping(
        mark_since_ +
        std::llround(std::min(timeout_seconds, longest_timeout_seconds) * static_cast<double>(second)));
  active = this;
  const pid_t thread = gettid();
  slot_ = enter_interrupts(thread, &Watchdog::handle_tick);
  timer_ = make_timer(CLOCK_MONOTONIC, thread);
  set_waiting_timer(mark_since_);
  look_timer_ = make_timer(job.engine().concurrent() ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, thread);
  run::set_timer(look_timer_, look_interval, look_interval);
  rest_timer_ = make_timer(CLOCK_MONOTONIC, thread);
  if (!job.engine().concurrent()) run::set_timer(rest_timer_, first_rest, 0);
}

Watchdog::~Watchdog() {
  delete_timer(timer_);
  delete_timer(look_timer_);
  delete_timer(rest_timer_);
  active = nullptr;
  leave_interrupts(slot_);
}

void Watchdog::set_timer(std::int64_t nanoseconds) noexcept {
  run::set_timer(timer_, nanoseconds, 0);
}

/// Until there is a cause to end the run.
void Watchdog::set_waiting_timer(std::int64_t now) noexcept {
  std::int64_t next = stopping_.left(now);
  if (is_crash_told()) next = std::min(next, look_interval);
  if (next != INT64_MAX) set_timer(next);
}

void Watchdog::watch_crash() noexcept {
  if (active != nullptr && active->stopping_.cause() == Stopping::Cause::none)
    active->set_waiting_timer(host::nanoseconds());
}

void Watchdog::handle_tick(int, siginfo_t*, void* context) {
  const int error = errno;
  if (active != nullptr)
    active->tick(*static_cast<ucontext_t*>(context));
  else
    leave_stopped_run(*static_cast<ucontext_t*>(context));
  errno = error;
}

/// On the thread of a UE.
void Watchdog::leave_stopped_run(ucontext_t& context) {
  Ue* ue = current_ue();
  if (ue == nullptr || ue->job->stop_status() == 0) return;
  static thread_local int attempt = 0;
  const Stopping::Place place = place_of(ue, context);
  if (!Stopping::leaves(place, ++attempt)) return;
  take_out(*ue, place, context);
  host::continue_in(
      context,
      [](void* stopped) {
        static_cast<Ue*>(stopped)->core->schedule();
        std::abort(); // a stopped run does not continue a context
      },
      ue, host::stack_pointer(context) - host::red_zone_bytes);
}

/// The place at which the UE has been interrupted.
Stopping::Place Watchdog::place_of(const Ue* ue, const ucontext_t& context) noexcept {
  if (ue == nullptr) return Stopping::Place::elsewhere;
  const auto* const at = static_cast<const std::byte*>(host::program_counter(context));
  if (const image::Image* const image = process::image_of(*ue, at)) {
    const auto text = image->text();
    if (at >= text.data() && at < text.data() + text.size()) return Stopping::Place::program;
  }
  const process::HostCall call = interrupted_call(*ue, context);
  if (call.caller == nullptr) return Stopping::Place::elsewhere;
  return call.broken_off ? Stopping::Place::broken_call : Stopping::Place::call;
}

/// Notes where the UE has been, which does not go on there.
void Watchdog::take_out(Ue& ue, Stopping::Place place, const ucontext_t& context) noexcept {
  if (place == Stopping::Place::program)
    ue.computes_at.store(host::program_counter(context), std::memory_order_relaxed);
  else
    note_left_call(ue, interrupted_call(ue, context));
}

void Watchdog::tick(ucontext_t& context) {
  if (gives_up_) give_up();
  check_report(host::nanoseconds());
  if (job_.engine().concurrent() && job_.stop_status() != 0) {
    // Threads that are in the program's own code have to be told.
    if (stopping_.next(Stopping::Place::elsewhere, true) == Stopping::Action::give_up) give_up();
    job_.engine().interrupt(tick_signal());
    set_timer(Stopping::interval);
    return;
  }
  if (done_) return;
  const std::int64_t now = host::nanoseconds();
  const Stopping::Place place = place_of(current_ue(), context);
  if (stopping_.find_cause(now, interrupt_signal() != 0, job_.engine().ended_by() >= 0) ==
      Stopping::Cause::none) {
    if (place == Stopping::Place::program) output_.emit_settled();
    watch_silence(context, now);
    make_again(context);
    if (output_.holds_words() && job_.engine().wall_clock()) job_.engine().wake_progress_at(0);
    set_waiting_timer(now);
    return;
  }
  switch (stopping_.next(place, job_.engine().concurrent() || output_.writing() || is_crash_told())) {
  case Stopping::Action::stop:
    take_out(*current_ue(), place, context);
    host::continue_in(context, &Watchdog::stop_from_program, this,
                      host::stack_pointer(context) - host::red_zone_bytes);
    break;
  case Stopping::Action::ask_again:
    job_.engine().wake_progress_at(0); // check() is called when the core next gives way
    set_timer(Stopping::interval);
    break;
  case Stopping::Action::give_up:
    give_up();
  }
}

void Watchdog::stop_from_program(void* watchdog) {
  static_cast<Watchdog*>(watchdog)->stop_run();
  std::abort(); // a stopped run does not continue a context
}

void Watchdog::check() {
  if (job_.engine().concurrent() && job_.stop_status() != 0 && !stopping_.asked())
    set_timer(Stopping::interval);
  if (stopping_.cause() != Stopping::Cause::none) stop_run();
}

void Watchdog::stop_run() {
  const int status = status_asked();
  const std::string cause = cause_text();
  stopping_.stopped();
  if (job_.engine().concurrent()) {
    set_timer(Stopping::interval);
    owed_cause_ = cause;
    job_.stop(status);
    return;
  }
  done_ = true;
  job_.report(state_text(view_places(job_), cause));
  job_.stop(status);
}

int Watchdog::status_asked() const noexcept {
  return stopping_.cause() == Stopping::Cause::timeout ? status_timeout : status_signal + interrupt_signal();
}

void Watchdog::finish() {
  if (!owed_cause_.empty()) job_.report(state_text(view_places(job_), owed_cause_));
}

std::string Watchdog::cause_text() const {
  if (stopping_.cause() == Stopping::Cause::timeout)
    return fmt::format("its time limit of {:g} s", job_.options().timeout_seconds);
  // A launcher ends the others by a signal where one of its processes has been killed.
  const int gone = is_one_of_several(job_) && struck_rank(job_) < 0 ? job_.engine().gone_rank() : -1;
  const int signal = gone < 0 ? interrupt_signal() : SIGKILL;
  const int rank = gone < 0 ? struck_rank(job_) : gone;
  return fmt::format("signal {} ({}){}", signal, signal_name(signal),
                     rank < 0 ? "" : fmt::format(" of rank {}", rank));
}

bool tells_interrupt(Job& job) {
  if (!is_one_of_several(job) || job.speaks() || struck_rank(job) >= 0) return true;
  return job.engine().gone_rank() == 0 && job.ranks_here().front() == 1;
}

void Watchdog::give_up() {
  end_by_last_words();
  const int status = job_.stop_status() != 0 ? job_.stop_status() : status_asked();
  if (job_.engine().ended_by() < 0) job_.engine().end_elsewhere(status);
  if (!gives_up_) {
    // What has been interrupted may hold a lock that the report needs: the next tick goes on without it.
    gives_up_ = true;
    sigset_t ticks;
    sigemptyset(&ticks);
    sigaddset(&ticks, tick_signal());
    set_timer(second / 2);
    pthread_sigmask(SIG_UNBLOCK, &ticks, nullptr);
    std::string text = job_.report();
    const std::string cause = stopping_.cause() == Stopping::Cause::none ? owed_cause_ : cause_text();
    if (!cause.empty()) text += state_text(view_run(job_), cause);
    say_without_waiting(text);
  }
  say_without_waiting("rccerun: the run did not stop when it was asked to; its process is ended at once\n");
  syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

void Watchdog::watch_silence(const ucontext_t& context, std::int64_t now) {
  if (job_.engine().concurrent()) return;
  Ue* ue = current_ue();
  const Mark mark{ue, job_.engine().events(), ue == nullptr ? 0 : ue->core->now()};
  const std::int64_t silent = silence_seconds * second;
  if (ue == nullptr || mark != mark_) {
    mark_ = mark;
    mark_since_ = now;
    silence_told_ = false;
  }
  if (silence_told_) return;
  if (now - mark_since_ >= silent)
    tell_silence(*ue, context, static_cast<int>((now - mark_since_) / second));
  else
    run::set_timer(rest_timer_, mark_since_ + silent - now, 0);
}

void Watchdog::tell_silence(Ue& ue, const ucontext_t& context, int seconds) {
  // Only while the program's own code is interrupted, or a call that it sleeps in, may memory be allocated
  // here.
  const process::HostCall call = interrupted_call(ue, context);
  if (place_of(&ue, context) == Stopping::Place::elsewhere) return;
  silence_told_ = true;
  if (call.caller != nullptr) {
    // What comes by standard input is known to whoever has started the run.
    if (call.number == SYS_read && call.argument == 0) return;
    const process::AwaitedCall& awaited = ue.process->awaited;
    say(standstill_text(view_ue(ue), seconds,
                        awaited.name == nullptr ? call_text(ue, call) : call_text(ue, awaited)));
    return;
  }
  const process::CodeLocation place = process::place_of(ue, host::program_counter(context));
  say(silence_text(view_ue(ue), seconds,
                   place.file == nullptr ? std::string{}
                                         : host::describe_offsets(*place.file, {place.offset}).front(),
                   ue.image->yields != 0));
}

} // namespace rcce::run
