// Crashes of a UE: memory faults, arithmetic faults, illegal instructions, stack overflow, abort(). Names the
// UE, the place and the simulated time; then ends the run, or that UE only where the job asks for it. Faults
// outside a UE's context keep the behaviour they had before.
#pragma once

#include <memory>

#include "ue.hpp"

namespace rcce::loader {

/// The UE sends itself a signal: runs the handler that the UE has set, ignores it, or does not return.
void raise_in_ue(Ue& ue, int signal);
/// Ends the UE as the signal would by default. Does not return.
[[noreturn]] void crash_ue(Ue& ue, int signal);

/// Catches faults on the calling thread while it lives.
class FaultGuard {
 public:
  FaultGuard();
  ~FaultGuard();
  FaultGuard(const FaultGuard&) = delete;
  FaultGuard& operator=(const FaultGuard&) = delete;

 private:
  struct Thread;
  std::unique_ptr<Thread> thread_;
  friend struct FaultHandler;
};

} // namespace rcce::loader
