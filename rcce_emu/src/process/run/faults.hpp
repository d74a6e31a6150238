// SPDX-License-Identifier: Apache-2.0
// Crashes of a UE: memory faults, arithmetic faults, illegal instructions, stack overflow, abort(). Names the
// UE, the place and the simulated time; then ends the run, or that UE only where the job asks for it. Faults
// outside a UE's context keep the behaviour they had before.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <ucontext.h>

#include "engine/ue/ue.hpp"

namespace rcce::run {

/// Ends the UE as the signal would by default. Does not return.
[[noreturn]] void crash_ue(Ue& ue, int signal);

/// Ends the UE by abort(), for a reason that the report tells.
[[noreturn]] void abort_ue(Ue& ue, std::string reason);

/// From a signal handler: program counter and return addresses of the context that it has interrupted,
/// innermost first. Returns how many.
[[nodiscard]] std::size_t interrupted_frames(const ucontext_t& context,
                                             std::span<const void*> frames) noexcept;

/// Catches faults on the calling thread while it lives.
class FaultGuard {
 public:
  FaultGuard();
  ~FaultGuard();
  FaultGuard(const FaultGuard&) = delete;
  FaultGuard& operator=(const FaultGuard&) = delete;

 private:
  struct Thread;
  struct Unmap {
    void operator()(Thread* thread) const noexcept;
  };
  std::unique_ptr<Thread, Unmap> thread_;
  friend struct FaultHandler;
};

} // namespace rcce::run
