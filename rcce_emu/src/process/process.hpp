// SPDX-License-Identifier: Apache-2.0
// What a UE has of a process of its own: arguments, memory, the list of functions to run at its end, and the
// state that the C library keeps once per process and programs expect once per core. The C library itself is
// shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/ue/ue.hpp"
#include "mesh_sim/units.hpp"
#include "process/state.hpp"

namespace rcce {
namespace heap {
class Heap;
}
namespace image {
class Image;
}
namespace libc {
class JobLibraries;
}
} // namespace rcce

namespace rcce::process {

class HeapCheck; // process/heap_check.hpp

/// A call of the host that a UE sleeps in (run/host_call).
struct HostCall {
  const void* caller = nullptr;   ///< return address of the call; null: the UE is in no such call
  const void* function = nullptr; ///< in the function of a library that it called
  long number = -1;               ///< number of the system call; -1: not known
  long argument = -1;             ///< its first one
  bool broken_off = false;        ///< by the signal itself, which would be seen by the program: EINTR
};

/// A UE's copy of one of the program's own libraries.
struct LibraryCopy {
  std::size_t library; ///< number in the job (libc/libraries/own_libraries)
  std::unique_ptr<image::Image> image;
  bool linked = false; ///< the program needs it: it stays until the UE's end
  bool global = false; ///< true if libraries opened later find its names
  unsigned opened = 0; ///< by dlopen(), and not closed
  bool constructed = false;
  bool mapped = false; ///< its core knows where it lies
  std::size_t destructors_run = 0;
  std::vector<std::byte> initial_data; ///< variables before the constructors; for those that can be closed
};

/// A call of the host in whose place the runtime lets the others run (libc/host_wait).
struct AwaitedCall {
  const char* name = nullptr; ///< null: the UE is in none
  int descriptor = -1;        ///< that it waits for, -1: none
  const void* caller = nullptr;
  Picoseconds since = 0;
};

struct Process {
  Process();
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // --- arguments and memory
  int argc = 0;
  char** argv = nullptr;                ///< in the job's Arguments
  std::span<const std::byte> arguments; ///< Arguments::memory()
  std::unique_ptr<image::Image> image;  ///< this UE's copy of the program
  std::unique_ptr<image::Image> beside; ///< copy of the image that does its collective operations; null: none
  libc::JobLibraries* own_libraries = nullptr; ///< the job's
  /// Copies of the program's own libraries, in the order of construction. Closed copies stay, too.
  std::vector<std::unique_ptr<LibraryCopy>> libraries;
  heap::Heap* heap = nullptr;            ///< in the job's HeapArena
  std::unique_ptr<HeapCheck> heap_check; ///< null unless it is asked for
  const std::byte* stack_low = nullptr;
  const std::byte* stack_high = nullptr;

  // --- end
  int status = 0;
  int signal = 0;           ///< that ended it, 0 for none
  std::string abort_reason; ///< why the runtime has called abort() for it; empty: the program has
  bool ending = false;      ///< libc::end_ue() has begun
  bool ended = false;
  Picoseconds end = 0; ///< its clock at the end
  HostCall left_call;  ///< call of the host that it was taken out of
  AwaitedCall awaited;

  std::uint64_t written = 0; ///< bytes of output

  CLibrary c; ///< the state that the C library keeps once per process (process/state.hpp)
};

/// A place in the file of a program or library: what addr2line takes.
struct CodeLocation {
  const std::string* file = nullptr; ///< null: the address is in no image
  std::uintptr_t offset = 0;
};
/// The place of an address in a UE's copies of the program and of its libraries.
[[nodiscard]] CodeLocation place_of(const Ue& ue, const void* address) noexcept;
/// Each in words, as host::describe_offsets() has it; all of them lie in some file.
[[nodiscard]] std::vector<std::string> describe(const std::vector<CodeLocation>& places);
/// The copy that holds it; null where none does.
[[nodiscard]] const image::Image* image_of(const Ue& ue, const void* address) noexcept;
/// Writes value(i) to element i of a variable of the program, where it is not there yet. All UEs are to write
/// the same: its pages are shared (image::Image::share) by the first, who has to write most of it. On large
/// meshes the others may find it there before they have called RCCE_init.
void write_table(const Ue& ue, std::span<int> table, const std::function<int(std::size_t)>& value);

/// The first of the UE's timers that will bring a signal, the lowest of several at one instant; null: none.
[[nodiscard]] Timer* next_timer(const Ue& ue) noexcept;
/// When it goes off by the UE's clock, in picoseconds; INT64_MAX: never.
[[nodiscard]] mesh::Picoseconds alarm_time(const Ue& ue) noexcept;

/// The UE that is calling, or null: then the C library's own function is wanted. Its call is counted: what a
/// UE does beside polling may be what ends its loop.
[[nodiscard]] inline Ue* calling_ue() noexcept {
  Ue* ue = current_ue();
  if (ue == nullptr || !ue->process || ue->process->c.output == nullptr) return nullptr;
  ue->count_call();
  return ue;
}

/// The per-core state of the C library of the UE that is calling, or null.
[[nodiscard]] inline CLibrary* calling_library() noexcept {
  Ue* ue = calling_ue();
  return ue == nullptr ? nullptr : &ue->process->c;
}

} // namespace rcce::process
