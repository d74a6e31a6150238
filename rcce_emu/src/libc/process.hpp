// What a UE has of a process of its own: arguments, memory, the list of functions to run at its end, and the
// state that the C library keeps once per process and programs expect once per core. The C library itself is
// shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "libc/state.hpp"
#include "mesh_sim/units.hpp"
#include "run/host_call.hpp"
#include "ue.hpp"

namespace rcce::loader {

class Heap;      // heap.hpp
class HeapCheck; // heap_check.hpp
class Image;     // image.hpp

struct Process {
  Process();
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // --- arguments and memory (loader)
  int argc = 0;
  char** argv = nullptr;                 ///< in the job's Arguments
  std::unique_ptr<Image> image;          ///< this UE's copy of the program
  Heap* heap = nullptr;                  ///< in the job's HeapArena
  std::unique_ptr<HeapCheck> heap_check; ///< null unless it is asked for
  const std::byte* stack_low = nullptr;
  const std::byte* stack_high = nullptr;

  // --- end (process)
  int status = 0;
  int signal = 0;           ///< that ended it, 0 for none
  std::string abort_reason; ///< why the runtime has called abort() for it; empty: the program has
  bool ending = false;      ///< end_ue() has begun
  bool ended = false;
  Picoseconds end = 0; ///< its clock at the end
  HostCall left_call;  ///< of the host, that it was taken out of

  CLibrary c; ///< what the C library keeps once per process (libc/state.hpp)
};

// Offered by libc/exit.cpp, output.cpp, faults.cpp, report.cpp (the process side):

/// Ends the UE: runs its exit functions in reverse order, flushes its lines, records status and clock, and
/// leaves its context for good. On its own context.
[[noreturn]] void end_ue(Ue& ue, int status);
/// The same without exit functions and with the status that process->status tells.
[[noreturn]] void leave_ue(Ue& ue);
/// Exchanges the C library's variables at a switch from one UE to another; either may be null (the
/// scheduler).
void switch_process(Process* from, Process* to) noexcept;

/// Output and faults of a job while it runs; made by run_job() before the first UE starts, destroyed after
/// the last.
struct JobGuard {
  virtual ~JobGuard() = default;
  /// Writes out what is still held back, unfinished lines included. After the run.
  virtual void finish() = 0;
};
[[nodiscard]] std::unique_ptr<JobGuard> guard_job(Job& job);

/// Deadlock report: each blocked UE, the cycle, size mismatches. After Engine::run() returned `deadlock`.
/// From a UE's context where the others poll or are blocked.
[[nodiscard]] std::string deadlock_report(Job& job);
/// The same where that is a suspicion only.
[[nodiscard]] std::string suspicion_report(Job& job);

// Offered by job.cpp, image.cpp (the loader side):

/// A place in a program file: what addr2line takes.
struct Place {
  const std::string* file = nullptr; ///< null: the address is in no image
  std::uintptr_t offset = 0;
};
/// The place of an address in a UE's copy of the program.
[[nodiscard]] Place place_of(const Ue& ue, const void* address) noexcept;

} // namespace rcce::loader
