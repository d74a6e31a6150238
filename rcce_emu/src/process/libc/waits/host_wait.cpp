// SPDX-License-Identifier: Apache-2.0
#include "process/libc/waits/host_wait.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

#include "engine/host/clock.hpp"
#include "engine/ue/job_state.hpp"
#include "process/libc/exports.hpp"
#include "process/libc/signals/alarm.hpp"
#include "process/libc/state/standard_streams.hpp"
#include "process/run/call_site.hpp"
#include "process/run/run_view.hpp"

// System calls by number: the functions of these names are the runtime's, and act on the calling UE.
namespace rcce::libc {
namespace {

/// A UE looks first after this time, then after twice that and so on.
constexpr Picoseconds first_step = picoseconds_per_second / 1'000'000;
constexpr Picoseconds longest_step = picoseconds_per_second / 1000;
/// Host time that a program which a UE has started gets for itself.
constexpr std::int64_t time_of_children = 2'000'000'000;

bool somebody_awaits(Ue& ue) {
  for (int rank = 0; rank < ue.job->size(); ++rank)
    if (rank != ue.rank && ue.job->ue(rank).process->awaited.name != nullptr &&
        !ue.job->ue(rank).process->ended)
      return true;
  return false;
}

/// True if this process can write to the pipe, and therefore a UE may do so.
bool has_writing_end(const struct stat& pipe) {
  constexpr int most_descriptors = 4096;
  for (int other = 0; other < most_descriptors; ++other) {
    struct stat facts {};
    if (fstat(other, &facts) != 0 || facts.st_ino != pipe.st_ino || facts.st_dev != pipe.st_dev) continue;
    const long flags = syscall(SYS_fcntl, other, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY) return true;
  }
  return false;
}

Bringer bringer_for(int descriptor, short events) {
  struct stat facts {};
  if ((events & POLLIN) == 0 || fstat(descriptor, &facts) != 0 || !S_ISFIFO(facts.st_mode))
    return Bringer::ues;
  return has_writing_end(facts) ? Bringer::ues : Bringer::children;
}

bool is_ready(int descriptor, short events) noexcept {
  pollfd one{descriptor, events, 0};
  return syscall(SYS_poll, &one, 1, 0) != 0;
}

} // namespace

Ue* waiting_ue() noexcept {
  Ue* ue = calling_ue();
  return ue == nullptr || ue->engine->concurrent() || ue->job->stop_status() != 0 ? nullptr : ue;
}

bool others_can_act(Ue& ue) {
  const std::vector<bool> at_rest = ue.engine->at_rest();
  for (int rank = 0; rank < ue.job->size(); ++rank) {
    const Ue& other = ue.job->ue(rank);
    if (&other == &ue || other.process->ended || other.process->awaited.name != nullptr) continue;
    if (!at_rest[static_cast<std::size_t>(other.core->id())] || process::alarm_time(other) != INT64_MAX)
      return true;
  }
  return ue.engine->under_way();
}

AwaitedCall::AwaitedCall(Ue& ue, const char* call, int descriptor) : ue_(ue) {
  charge_own_code(ue);
  ue.process->awaited = {call, descriptor, run::call_site(ue).place, ue.core->now()};
}
AwaitedCall::~AwaitedCall() {
  ue_.process->awaited = {};
}

bool await_host(Ue& ue, const char* call, int descriptor, Bringer bringer, Picoseconds end,
                const std::function<bool()>& ready) {
  if (ready()) return true;
  const AwaitedCall awaited(ue, call, descriptor);
  if (bringer == Bringer::children)
    for (const std::int64_t begin = host::nanoseconds(); host::nanoseconds() - begin < time_of_children;) {
      host::sleep(200'000);
      if (ready()) return true;
    }
  for (Picoseconds step = first_step;; step = std::min(2 * step, longest_step)) {
    const Picoseconds now = ue.core->now();
    if (now >= end) return false;
    if (!others_can_act(ue)) {
      if (!somebody_awaits(ue)) return true; // the call itself waits
      host::sleep(200'000);
    }
    if (now > last_instant(ue.engine->cores())) end_of_time(ue, call);
    ue.core->sleep_until(std::min(end, now + step));
    ue.core->schedule();
    ring_alarm(ue);
    if (ready()) return true;
  }
}

bool try_in_turn(const char* call, int descriptor, Bringer bringer, const std::function<bool()>& decided) {
  Ue* ue = waiting_ue();
  if (ue == nullptr) return false;
  bool done = false;
  await_host(*ue, call, descriptor, bringer, INT64_MAX, [&] { return done = decided(); });
  return done;
}

void await_descriptor(const char* call, int descriptor, short events) {
  if (is_ready(descriptor, events)) return;
  Ue* ue = waiting_ue();
  if (ue == nullptr) return;
  const long flags = syscall(SYS_fcntl, descriptor, F_GETFL);
  if (flags < 0 || (flags & O_NONBLOCK) != 0) return;
  await_host(*ue, call, descriptor, bringer_for(descriptor, events), INT64_MAX,
             [&] { return is_ready(descriptor, events); });
}

Picoseconds last_instant(int cores) noexcept {
  const int bits = std::bit_width(static_cast<unsigned>(cores) + 1); // as the kernel's keys have it
  const Picoseconds latest = static_cast<Picoseconds>(UINT64_MAX >> (bits + 1));
  return latest - latest / 16;
}

void end_of_time(Ue& ue, const char* call) {
  const AwaitedCall awaited(ue, call, -1);
  ue.job->report(run::state_text(
      run::view_run(*ue.job),
      fmt::format("the end of simulated time, to which rank {} has come by {}: the most that a machine of {} "
                  "cores can count",
                  ue.rank, call, ue.engine->cores())));
  ue.job->stop(status_deadlock);
  std::abort(); // a stopped run does not continue a context
}

} // namespace rcce::libc
