// SPDX-License-Identifier: Apache-2.0
// What is exchanged at a switch from one UE to another because the C and C++ libraries keep it in variables:
// a few nanoseconds.
#include <cerrno>
#include <cxxabi.h>

#include "process/libc/state/process_state.hpp"
#include "process/libc/state/switch.hpp"

namespace rcce::libc {
namespace {

/// The thread's variables that the C and C++ libraries otherwise reach by a call each time.
struct ThreadPlaces {
  int* error = nullptr;
  void** exceptions = nullptr;
};
[[gnu::tls_model("initial-exec")]] thread_local ThreadPlaces thread_places;

} // namespace

void switch_process(process::Process* from, process::Process* to) noexcept {
  ThreadPlaces& places = thread_places;
  if (places.error == nullptr) places = {&errno, reinterpret_cast<void**>(__cxxabiv1::__cxa_get_globals())};
  int& error = *places.error;
  void** const exceptions = places.exceptions;
  if (from != nullptr) {
    process::CLibrary& c = from->c;
    c.saved_errno = error;
    c.cxa_globals = {exceptions[0], exceptions[1]};
  }
  const process::ProcessState* const left = from == nullptr ? nullptr : from->c.process_state.get();
  const process::ProcessState* const met = to == nullptr ? nullptr : to->c.process_state.get();
  if (left != met) [[unlikely]]
    exchange(left, met); // before errno is restored
  if (to != nullptr) {
    const process::CLibrary& c = to->c;
    error = c.saved_errno;
    exceptions[0] = c.cxa_globals[0];
    exceptions[1] = c.cxa_globals[1];
  }
}

} // namespace rcce::libc
