// SPDX-License-Identifier: Apache-2.0
#include "process/libc/waits/locks.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <pthread.h>
#include <semaphore.h>
#include <sys/file.h>
#include <threads.h>
#include <unistd.h>

#include "process/libc/exports.hpp"
#include "process/libc/waits/host_wait.hpp"

namespace rcce::libc {
namespace {

int control(int fd, int command, struct flock* lock) noexcept {
  return library_function<"fcntl", decltype(fcntl)>()(fd, command, lock);
}

/// A lock in memory: `attempt` takes it or returns EBUSY, as pthread_mutex_trylock() does; `wait` waits for
/// it.
template <class Lock>
int take(const char* call, Lock* lock, int (*attempt)(Lock*), int (*wait)(Lock*)) {
  int result = attempt(lock);
  if (result != EBUSY) return result;
  const auto decided = [&] { return (result = attempt(lock)) != EBUSY; };
  if (try_in_turn(call, -1, Bringer::ues, decided)) return result;
  Ue* const ue = calling_ue();
  if (ue == nullptr) return wait(lock);
  const AwaitedCall awaited(*ue, call, -1);
  return wait(lock);
}

int take_mutex(pthread_mutex_t* lock) {
  return take("pthread_mutex_lock()", lock, &pthread_mutex_trylock, &pthread_mutex_lock);
}
int own_mutex_lock(pthread_mutex_t* lock) {
  const int result = take_mutex(lock);
  Ue* const ue = calling_ue();
  if (result == 0 && ue != nullptr) ++ue->mutexes;
  return result;
}
int own_mutex_unlock(pthread_mutex_t* lock) {
  const int result = pthread_mutex_unlock(lock);
  Ue* const ue = calling_ue();
  if (result == 0 && ue != nullptr && ue->mutexes > 0) --ue->mutexes;
  return result;
}
int own_spin_lock(pthread_spinlock_t* lock) {
  return take("pthread_spin_lock()", lock, &pthread_spin_trylock, &pthread_spin_lock);
}
int own_read_lock(pthread_rwlock_t* lock) {
  return take("pthread_rwlock_rdlock()", lock, &pthread_rwlock_tryrdlock, &pthread_rwlock_rdlock);
}
int own_write_lock(pthread_rwlock_t* lock) {
  return take("pthread_rwlock_wrlock()", lock, &pthread_rwlock_trywrlock, &pthread_rwlock_wrlock);
}

int number_of(int result) noexcept {
  return result == 0 ? 0 : errno == EAGAIN ? EBUSY : errno;
}
int own_semaphore_wait(sem_t* semaphore) {
  const int error = take<sem_t>(
      "sem_wait()", semaphore, [](sem_t* one) { return number_of(sem_trywait(one)); },
      [](sem_t* one) { return number_of(sem_wait(one)); });
  return error == 0 ? 0 : failed(error);
}

/// Until an instant of the UE's clock, in steps of its time, in which the others run. `attempt` returns EBUSY
/// as long as it has to wait.
template <class Attempt>
int take_until(clockid_t clock, const timespec* end, const Attempt& attempt) {
  constexpr std::int64_t second = 1'000'000'000, longest_nanoseconds = 1'000'000;
  int result = attempt();
  if (result == EBUSY && (end->tv_nsec < 0 || end->tv_nsec >= second)) return EINVAL;
  for (std::int64_t step = 1000; result == EBUSY; result = attempt()) {
    timespec now{};
    if (clock_gettime(clock, &now) != 0) return EINVAL;
    const std::int64_t seconds = (end->tv_sec > now.tv_sec) - (end->tv_sec < now.tv_sec);
    const std::int64_t left = seconds * second + end->tv_nsec - now.tv_nsec;
    if (left <= 0) return ETIMEDOUT;
    step = std::min({step * 2, longest_nanoseconds, left});
    const timespec rest{0, static_cast<long>(step)};
    nanosleep(&rest, nullptr);
  }
  return result;
}

int own_mutex_timed(pthread_mutex_t* lock, const timespec* end) {
  return take_until(CLOCK_REALTIME, end, [lock] { return pthread_mutex_trylock(lock); });
}
int own_read_timed(pthread_rwlock_t* lock, const timespec* end) {
  return take_until(CLOCK_REALTIME, end, [lock] { return pthread_rwlock_tryrdlock(lock); });
}
int own_write_timed(pthread_rwlock_t* lock, const timespec* end) {
  return take_until(CLOCK_REALTIME, end, [lock] { return pthread_rwlock_trywrlock(lock); });
}
int own_read_clock(pthread_rwlock_t* lock, clockid_t clock, const timespec* end) {
  return take_until(clock, end, [lock] { return pthread_rwlock_tryrdlock(lock); });
}
int own_write_clock(pthread_rwlock_t* lock, clockid_t clock, const timespec* end) {
  return take_until(clock, end, [lock] { return pthread_rwlock_trywrlock(lock); });
}
int own_semaphore_clock(sem_t* semaphore, clockid_t clock, const timespec* end) {
  const int error = take_until(clock, end, [semaphore] { return number_of(sem_trywait(semaphore)); });
  return error == 0 ? 0 : failed(error);
}
int own_semaphore_timed(sem_t* semaphore, const timespec* end) {
  return own_semaphore_clock(semaphore, CLOCK_REALTIME, end);
}
/// The UE has no other thread that could signal its conditions. Mutexes that it holds stay counted: meanwhile
/// it runs no code of its own.
int own_condition_clock(pthread_cond_t*, pthread_mutex_t* lock, clockid_t clock, const timespec* end) {
  if (const int error = pthread_mutex_unlock(lock); error != 0) return error;
  const int result = take_until(clock, end, [] { return EBUSY; });
  const int error = take_mutex(lock);
  return error == 0 ? result : error;
}
int own_condition_timed(pthread_cond_t* condition, pthread_mutex_t* lock, const timespec* end) {
  return own_condition_clock(condition, lock, CLOCK_REALTIME, end);
}
int own_mutex_clock(pthread_mutex_t* lock, clockid_t clock, const timespec* end) {
  return take_until(clock, end, [lock] { return pthread_mutex_trylock(lock); });
}

/// C11's names: the C library's types are those of POSIX in other clothes, the results are not.
int c11_result(int error) {
  return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}
pthread_mutex_t* mutex_of(mtx_t* lock) {
  return reinterpret_cast<pthread_mutex_t*>(lock);
}
int own_c11_lock(mtx_t* lock) {
  return c11_result(
      take<pthread_mutex_t>("mtx_lock()", mutex_of(lock), &pthread_mutex_trylock, &pthread_mutex_lock));
}
int own_c11_timed(mtx_t* lock, const timespec* end) {
  return c11_result(own_mutex_timed(mutex_of(lock), end));
}
int own_c11_condition(cnd_t*, mtx_t* lock, const timespec* end) {
  return c11_result(own_condition_timed(nullptr, mutex_of(lock), end));
}

} // namespace

int lock_record(int fd, int command, struct flock* lock) {
  // The kernel takes all UEs for one process, whose locks never meet: theirs belong to the files as opened.
  struct flock own = *lock;
  own.l_pid = 0;
  int result = -1;
  const auto decided = [&] {
    return (result = control(fd, F_OFD_SETLK, &own)) == 0 || (errno != EAGAIN && errno != EACCES);
  };
  switch (command) {
  case F_GETLK:
    result = control(fd, F_OFD_GETLK, &own);
    if (result == 0) *lock = own;
    return result;
  case F_SETLKW:
    if (try_in_turn("fcntl()", fd, Bringer::ues, decided)) return result;
    return control(fd, F_OFD_SETLKW, &own);
  default:
    return control(fd, F_OFD_SETLK, &own);
  }
}

std::span<const rockcreek_own_function> lock_functions() noexcept {
  static const std::array<rockcreek_own_function, 19> functions{
      {{"pthread_mutex_lock", reinterpret_cast<void*>(&own_mutex_lock)},
       {"pthread_mutex_unlock", reinterpret_cast<void*>(&own_mutex_unlock)},
       {"pthread_spin_lock", reinterpret_cast<void*>(&own_spin_lock)},
       {"pthread_rwlock_rdlock", reinterpret_cast<void*>(&own_read_lock)},
       {"pthread_rwlock_wrlock", reinterpret_cast<void*>(&own_write_lock)},
       {"sem_wait", reinterpret_cast<void*>(&own_semaphore_wait)},
       {"pthread_mutex_timedlock", reinterpret_cast<void*>(&own_mutex_timed)},
       {"pthread_rwlock_timedrdlock", reinterpret_cast<void*>(&own_read_timed)},
       {"pthread_rwlock_timedwrlock", reinterpret_cast<void*>(&own_write_timed)},
       {"sem_timedwait", reinterpret_cast<void*>(&own_semaphore_timed)},
       {"mtx_lock", reinterpret_cast<void*>(&own_c11_lock)},
       {"mtx_timedlock", reinterpret_cast<void*>(&own_c11_timed)},
       {"cnd_timedwait", reinterpret_cast<void*>(&own_c11_condition)},
       {"sem_clockwait", reinterpret_cast<void*>(&own_semaphore_clock)},
       {"pthread_cond_timedwait", reinterpret_cast<void*>(&own_condition_timed)},
       // What std::condition_variable, std::timed_mutex and std::shared_timed_mutex call.
       {"pthread_rwlock_clockrdlock", reinterpret_cast<void*>(&own_read_clock)},
       {"pthread_rwlock_clockwrlock", reinterpret_cast<void*>(&own_write_clock)},
       {"pthread_cond_clockwait", reinterpret_cast<void*>(&own_condition_clock)},
       {"pthread_mutex_clocklock", reinterpret_cast<void*>(&own_mutex_clock)}}};
  return functions;
}

} // namespace rcce::libc

using namespace rcce;
using namespace rcce::libc;

extern "C" {

int flock(int fd, int operation) noexcept {
  static auto* const real = real_function<int(int, int)>("flock");
  int result = -1;
  const auto decided = [&] { return (result = real(fd, operation | LOCK_NB)) == 0 || errno != EWOULDBLOCK; };
  if ((operation & (LOCK_NB | LOCK_UN)) == 0 && try_in_turn("flock()", fd, Bringer::ues, decided))
    return result;
  return real(fd, operation);
}

int lockf(int fd, int operation, off_t length) {
  struct flock lock {};
  lock.l_whence = SEEK_CUR;
  lock.l_len = length;
  lock.l_type = operation == F_ULOCK ? F_UNLCK : operation == F_TEST ? F_RDLCK : F_WRLCK;
  switch (operation) {
  case F_LOCK:
    return fcntl(fd, F_SETLKW, &lock);
  case F_TLOCK:
  case F_ULOCK:
    return fcntl(fd, F_SETLK, &lock);
  case F_TEST:
    if (fcntl(fd, F_GETLK, &lock) != 0) return -1;
    if (lock.l_type == F_UNLCK || lock.l_pid == getpid()) return 0;
    return failed(EACCES);
  default:
    return failed(EINVAL);
  }
}
int lockf64(int fd, int operation, off64_t length) {
  return lockf(fd, operation, length);
}

} // extern "C"
