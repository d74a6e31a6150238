// SPDX-License-Identifier: Apache-2.0
#include "process/libc/waits/locks.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <pthread.h>
#include <semaphore.h>
#include <sys/file.h>
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

int own_mutex_lock(pthread_mutex_t* lock) {
  return take("pthread_mutex_lock()", lock, &pthread_mutex_trylock, &pthread_mutex_lock);
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
  if (error == 0) return 0;
  errno = error;
  return -1;
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
  static const std::array<rockcreek_own_function, 5> functions{
      {{"pthread_mutex_lock", reinterpret_cast<void*>(&own_mutex_lock)},
       {"pthread_spin_lock", reinterpret_cast<void*>(&own_spin_lock)},
       {"pthread_rwlock_rdlock", reinterpret_cast<void*>(&own_read_lock)},
       {"pthread_rwlock_wrlock", reinterpret_cast<void*>(&own_write_lock)},
       {"sem_wait", reinterpret_cast<void*>(&own_semaphore_wait)}}};
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
    errno = EACCES;
    return -1;
  default:
    errno = EINVAL;
    return -1;
  }
}
int lockf64(int fd, int operation, off64_t length) {
  return lockf(fd, operation, length);
}

} // extern "C"
