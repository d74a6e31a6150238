// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/host_compute.hpp"

#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace rcce::protocol {
namespace {

/// Processor time of this thread alone, so that other load on the host does not count. Read by the system
/// call, because clock_gettime() tells UEs their simulated time. About 0.4 us.
double thread_seconds() noexcept {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

} // namespace

void HostCompute::begin() noexcept {
  begun_ = thread_seconds();
  running_ = true;
}

void HostCompute::stop() noexcept {
  if (running_) spent_ += thread_seconds() - begun_;
  running_ = false;
}

mesh::Cycles HostCompute::end(int tile_divider) noexcept {
  stop();
  return static_cast<mesh::Cycles>(std::exchange(spent_, 0) * global_cycles_per_host_second_ / tile_divider);
}

void HostCompute::switched_away() noexcept {
  away_ = running_;
  stop();
}

void HostCompute::switched_back() noexcept {
  if (std::exchange(away_, false)) begin();
}

} // namespace rcce::protocol
