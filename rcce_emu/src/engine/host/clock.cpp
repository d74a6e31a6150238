// SPDX-License-Identifier: Apache-2.0
#include "engine/host/clock.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include "engine/host/real.hpp"

namespace rcce::host {

std::int64_t nanoseconds(clockid_t clock) noexcept {
  static auto* const real = real_function<int(clockid_t, struct timespec*)>("clock_gettime");
  timespec now{};
  real(clock, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

void sleep(std::int64_t nanoseconds) noexcept {
  const timespec time{0, nanoseconds};
  syscall(SYS_nanosleep, &time, nullptr);
}

} // namespace rcce::host
