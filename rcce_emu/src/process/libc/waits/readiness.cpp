// SPDX-License-Identifier: Apache-2.0
#include "process/libc/waits/readiness.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <ctime>
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/host/clock.hpp"
#include "engine/ue/job_state.hpp"
#include "process/libc/exports.hpp"
#include "process/libc/signals/alarm.hpp"
#include "process/libc/waits/host_wait.hpp"
#include "process/libc/waits/signal_wait.hpp"
#include "process/libc/waits/sockets.hpp"
#include "process/run/own_signals.hpp"

namespace rcce::libc {
namespace {

/// The end of a wait of so many nanoseconds by the UE's clock; -1: never.
Picoseconds end_after(Ue& ue, std::int64_t nanoseconds) noexcept {
  if (nanoseconds < 0) return INT64_MAX;
  if (nanoseconds > 0) ue.clock = std::max(ue.clock, Ue::Clock::coarse);
  charge_own_code(ue);
  return ue.core->now() + std::min(nanoseconds, longest_seconds * 1'000'000'000) * picoseconds_per_nanosecond;
}

/// Nanoseconds that are left of it; -1: it never ends.
std::int64_t left_until(const Ue& ue, Picoseconds end) noexcept {
  if (end == INT64_MAX) return -1;
  return std::max<Picoseconds>(end - ue.core->now(), 0) / picoseconds_per_nanosecond;
}

/// Moves the UE's clock to the end, after a real call has waited in its place for all that was left.
void go_to_end(Ue& ue, Picoseconds end) {
  if (end == INT64_MAX || ue.core->now() >= end) return;
  ue.core->sleep_until(end);
  ue.core->schedule();
}

std::int64_t nanoseconds_of(const timespec* time) noexcept {
  return time == nullptr
      ? -1
      : std::min<std::int64_t>(time->tv_sec, longest_seconds) * 1'000'000'000 + time->tv_nsec;
}
timespec timespec_of(std::int64_t nanoseconds) noexcept {
  return {nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
}

/// A call that looks at several descriptors: `look` does it without waiting, or with what is left of the
/// time.
template <class Look>
int wait_for_several(Ue& ue, const char* call, std::int64_t nanoseconds, Look look) {
  const Picoseconds end = end_after(ue, nanoseconds);
  int found = 0;
  const bool there = await_host(ue, call, -1, Bringer::ues, end, [&] { return (found = look(0)) != 0; });
  if (!there || found != 0) return found;
  const AwaitedCall awaited(ue, call, -1);
  const std::int64_t left = left_until(ue, end), begin = host::nanoseconds();
  const unsigned handled = handlers_run(ue);
  // The watchdog's looks break it off, too.
  do found = look(left < 0 ? -1 : std::max<std::int64_t>(left - (host::nanoseconds() - begin), 0));
  while (found < 0 && errno == EINTR && handlers_run(ue) == handled);
  if (found == 0) go_to_end(ue, end);
  return found;
}

/// The mask that ppoll() and its kind have in force while they wait.
class LentMask {
 public:
  LentMask(Ue& ue, const sigset_t* mask) : ue_(ue), lent_(mask != nullptr) {
    if (!lent_) return;
    before_ = run::signals_of(ue).blocked;
    run::set_blocked(ue, *mask);
  }
  ~LentMask() {
    if (lent_) run::restore_blocked(ue_, before_);
  }
  LentMask(const LentMask&) = delete;
  LentMask& operator=(const LentMask&) = delete;

 private:
  Ue& ue_;
  bool lent_;
  sigset_t before_{};
};

bool takes_turns(const Ue& ue) noexcept {
  return !ue.engine->concurrent() && ue.job->stop_status() == 0;
}

/// With no descriptor to watch it is a way to sleep.
int poll_of(Ue& ue, pollfd* descriptors, nfds_t count, std::int64_t nanoseconds) {
  if (count == 0 && nanoseconds >= 0) return sleep_in_call(ue, nanoseconds);
  if (!takes_turns(ue)) {
    const AwaitedCall awaited(ue, "poll()", -1);
    const timespec time = timespec_of(nanoseconds);
    return static_cast<int>(
        syscall(SYS_ppoll, descriptors, count, nanoseconds < 0 ? nullptr : &time, nullptr, 0));
  }
  return wait_for_several(ue, "poll()", nanoseconds, [&](std::int64_t left) {
    const timespec time = timespec_of(left);
    return static_cast<int>(syscall(SYS_ppoll, descriptors, count, left < 0 ? nullptr : &time, nullptr, 0));
  });
}

int select_of(Ue& ue, int count, fd_set* read, fd_set* write, fd_set* except, std::int64_t nanoseconds) {
  if (count == 0 && nanoseconds >= 0) return sleep_in_call(ue, nanoseconds);
  if (!takes_turns(ue)) {
    const AwaitedCall awaited(ue, "select()", -1);
    timespec time = timespec_of(nanoseconds);
    return static_cast<int>(
        syscall(SYS_pselect6, count, read, write, except, nanoseconds < 0 ? nullptr : &time, nullptr));
  }
  fd_set given[3], asked[3];
  fd_set* const sets[3] = {read, write, except};
  for (int i = 0; i < 3; ++i)
    if (sets[i] != nullptr) given[i] = *sets[i];
  const auto one = [&](int i) { return sets[i] == nullptr ? nullptr : &asked[i]; };
  const int found = wait_for_several(ue, "select()", nanoseconds, [&](std::int64_t left) {
    for (int i = 0; i < 3; ++i)
      if (sets[i] != nullptr) asked[i] = given[i];
    timespec time = timespec_of(left);
    return static_cast<int>(
        syscall(SYS_pselect6, count, one(0), one(1), one(2), left < 0 ? nullptr : &time, nullptr));
  });
  for (int i = 0; i < 3; ++i)
    if (sets[i] != nullptr && found >= 0) *sets[i] = asked[i];
  return found;
}

int epoll_in_turn(Ue& ue, int fd, epoll_event* events, int most, int milliseconds) {
  return wait_for_several(
      ue, "epoll_wait()", milliseconds < 0 ? -1 : std::int64_t{milliseconds} * 1'000'000,
      [&](std::int64_t left) {
        const auto time = left < 0 ? -1 : std::min<std::int64_t>(left / 1'000'000, INT_MAX);
        return static_cast<int>(syscall(SYS_epoll_wait, fd, events, most, static_cast<int>(time)));
      });
}

/// Times that UEs of the job on this thread have opened a named pipe for writing, by its number.
thread_local std::map<ino_t, unsigned> writers_of_pipes;

bool is_ready_to_read(int fd) noexcept {
  pollfd one{fd, POLLIN, 0};
  return syscall(SYS_poll, &one, 1, 0) != 0;
}

} // namespace

ssize_t write_in_turn(int fd, const void* text, std::size_t bytes) {
  static auto* const real = real_function<ssize_t(int, const void*, std::size_t)>("write");
  struct stat facts {};
  if (waiting_ue() == nullptr || syscall(SYS_fstat, fd, &facts) != 0) return real(fd, text, bytes);
  if (S_ISSOCK(facts.st_mode)) return send_in_turn("write()", fd, text, bytes);
  if (!S_ISFIFO(facts.st_mode)) return real(fd, text, bytes);
  if ((syscall(SYS_fcntl, fd, F_GETFL) & O_NONBLOCK) != 0) return real(fd, text, bytes);
  // So much finds room where poll() says that some is there.
  std::size_t done = 0;
  do {
    await_descriptor("write()", fd, POLLOUT);
    const std::size_t piece = std::min<std::size_t>(bytes - done, PIPE_BUF);
    const ssize_t n = real(fd, static_cast<const char*>(text) + done, piece);
    if (n < 0) return done > 0 ? static_cast<ssize_t>(done) : n;
    done += static_cast<std::size_t>(n);
  } while (done < bytes);
  return static_cast<ssize_t>(done);
}

bool is_pipe(const char* path) noexcept {
  struct stat facts {};
  const int error = errno;
  const bool pipe = path != nullptr && syscall(SYS_stat, path, &facts) == 0 && S_ISFIFO(facts.st_mode);
  errno = error;
  return pipe;
}

bool waits_for_other_end(const char* path, int flags) noexcept {
  return waiting_ue() != nullptr && (flags & O_NONBLOCK) == 0 && (flags & O_ACCMODE) != O_RDWR &&
      is_pipe(path);
}

int open_pipe(int folder, const char* path, int flags) {
  Ue* ue = waiting_ue();
  const bool reads = (flags & O_ACCMODE) == O_RDONLY;
  struct stat facts {};
  syscall(SYS_stat, path, &facts);
  const unsigned before = writers_of_pipes[facts.st_ino];
  // A reader is there for writers by then, and none of them for it: it hears of UEs' from here.
  int fd = -1;
  bool there = false;
  const auto look = [&] {
    if (fd < 0) fd = static_cast<int>(syscall(SYS_openat, folder, path, flags | O_NONBLOCK));
    if (fd < 0) return errno != ENXIO;
    return there = !reads || writers_of_pipes[facts.st_ino] != before || is_ready_to_read(fd);
  };
  await_host(*ue, "open()", -1, Bringer::ues, INT64_MAX, look);
  if (!there) {
    if (fd >= 0) syscall(SYS_close, fd);
    return static_cast<int>(syscall(SYS_openat, folder, path, flags)); // it waits, or fails again
  }
  if (!reads) ++writers_of_pipes[facts.st_ino];
  syscall(SYS_fcntl, fd, F_SETFL, syscall(SYS_fcntl, fd, F_GETFL) & ~O_NONBLOCK);
  return fd;
}

} // namespace rcce::libc

using namespace rcce;
using namespace rcce::libc;

extern "C" {

ssize_t readv(int fd, const struct iovec* parts, int count) {
  if (fd > 2) await_descriptor("readv()", fd, POLLIN);
  return library_function<"readv", decltype(readv)>()(fd, parts, count);
}

int poll(struct pollfd* descriptors, nfds_t count, int milliseconds) {
  if (Ue* ue = calling_ue())
    return poll_of(*ue, descriptors, count, milliseconds < 0 ? -1 : std::int64_t{milliseconds} * 1'000'000);
  return library_function<"poll", decltype(poll)>()(descriptors, count, milliseconds);
}

int ppoll(struct pollfd* descriptors, nfds_t count, const struct timespec* timeout, const sigset_t* mask) {
  if (Ue* ue = calling_ue()) {
    const LentMask lent(*ue, mask);
    return poll_of(*ue, descriptors, count, nanoseconds_of(timeout));
  }
  return library_function<"ppoll", decltype(ppoll)>()(descriptors, count, timeout, mask);
}

int select(int count, fd_set* read, fd_set* write, fd_set* except, struct timeval* timeout) {
  Ue* ue = calling_ue();
  if (ue == nullptr)
    return library_function<"select", decltype(select)>()(count, read, write, except, timeout);
  timespec time{};
  if (timeout != nullptr) time = {timeout->tv_sec, timeout->tv_usec * 1000};
  const int found =
      select_of(*ue, count, read, write, except, nanoseconds_of(timeout == nullptr ? nullptr : &time));
  if (timeout != nullptr && found == 0) *timeout = {};
  return found;
}

int pselect(int count, fd_set* read, fd_set* write, fd_set* except, const struct timespec* timeout,
            const sigset_t* mask) {
  if (Ue* ue = calling_ue()) {
    const LentMask lent(*ue, mask);
    return select_of(*ue, count, read, write, except, nanoseconds_of(timeout));
  }
  return library_function<"pselect", decltype(pselect)>()(count, read, write, except, timeout, mask);
}

int epoll_wait(int fd, struct epoll_event* events, int most, int milliseconds) {
  if (Ue* ue = waiting_ue()) return epoll_in_turn(*ue, fd, events, most, milliseconds);
  return library_function<"epoll_wait", decltype(epoll_wait)>()(fd, events, most, milliseconds);
}

int epoll_pwait(int fd, struct epoll_event* events, int most, int milliseconds, const sigset_t* mask) {
  Ue* ue = calling_ue();
  if (ue == nullptr)
    return library_function<"epoll_pwait", decltype(epoll_pwait)>()(fd, events, most, milliseconds, mask);
  const LentMask lent(*ue, mask);
  return epoll_wait(fd, events, most, milliseconds);
}

pid_t wait4(pid_t child, int* status, int options, struct rusage* usage) {
  static auto* const real = real_function<pid_t(pid_t, int*, int, struct rusage*)>("wait4");
  pid_t ended = 0;
  const auto decided = [&] { return (ended = real(child, status, options | WNOHANG, usage)) != 0; };
  if ((options & WNOHANG) == 0 && try_in_turn("waitpid()", -1, Bringer::children, decided)) return ended;
  return real(child, status, options, usage);
}
pid_t wait3(int* status, int options, struct rusage* usage) {
  return wait4(-1, status, options, usage);
}
pid_t waitpid(pid_t child, int* status, int options) {
  return wait4(child, status, options, nullptr);
}
pid_t wait(int* status) {
  return wait4(-1, status, 0, nullptr);
}
int waitid(idtype_t kind, id_t child, siginfo_t* details, int options) {
  static auto* const real = real_function<int(idtype_t, id_t, siginfo_t*, int)>("waitid");
  siginfo_t found{};
  int result = -1;
  const auto decided = [&] {
    return (result = real(kind, child, &found, options | WNOHANG)) != 0 || found.si_pid != 0;
  };
  if ((options & WNOHANG) != 0 || !try_in_turn("waitid()", -1, Bringer::children, decided))
    return real(kind, child, details, options);
  if (details != nullptr && result == 0) *details = found;
  return result;
}

} // extern "C"
