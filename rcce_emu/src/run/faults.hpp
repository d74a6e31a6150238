// Crashes of a UE: memory faults, arithmetic faults, illegal instructions, stack overflow, abort(). Names the
// UE, the place and the simulated time; then ends the run, or that UE only where the job asks for it. Faults
// outside a UE's context keep the behaviour they had before.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <ucontext.h>

#include "ue.hpp"

namespace rcce::run {

/// The UE sends itself a signal: runs the handler that the UE has set, ignores it, or does not return.
void raise_in_ue(Ue& ue, int signal);
/// Ends the UE as the signal would by default. Does not return.
[[noreturn]] void crash_ue(Ue& ue, int signal);

/// Ends the UE by abort(), for a reason that the report tells.
[[noreturn]] void abort_ue(Ue& ue, std::string reason);

/// A crash may have destroyed what its report needs, the runtime's heap for instance. Until the report has
/// been shown, a further fault anywhere in the process shows what is known and ends it.
void report_was_shown() noexcept;
/// Shows what is known of a crash whose report has not been shown, and ends the process; returns where there
/// is none. In any context, whatever locks are held.
void end_by_last_words() noexcept;
/// From the watchdog: does the same where the report of a crash has not been made for seconds.
void check_report(std::int64_t now) noexcept;

/// Whether a crash has been caught whose report has not been shown.
[[nodiscard]] bool is_crash_told() noexcept;

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
