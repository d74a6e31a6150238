// SPDX-License-Identifier: Apache-2.0
// The ways to end a UE: exit() and its kind, return from main, abort(), a failed assertion. Each ends the
// calling UE only, after its own exit functions; crashes are told in faults.cpp.
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <errno.h>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include "engine/ue/job_state.hpp"
#include "process/heap_check.hpp"
#include "process/image/image.hpp"
#include "process/libc/exports.hpp"
#include "process/libc/libraries/exit.hpp"
#include "process/libc/libraries/own_libraries.hpp"
#include "process/run/ending.hpp"
#include "process/run/faults.hpp"
#include "process/run/output.hpp"
#include "process/run/own_signals.hpp"
#include "rcce_emu/process_options.hpp"

namespace rcce::libc {
namespace {

/// Runs and removes the functions, last first. One may register further ones, or end the UE itself.
void run_backwards(std::vector<process::ExitFunction>& functions, int status) {
  while (!functions.empty()) {
    const process::ExitFunction function = functions.back();
    functions.pop_back();
    if (function.call_with_status != nullptr)
      function.call_with_status(status, function.argument);
    else
      function.call(function.argument);
  }
}

/// True if a destructor registered for this shared object is the UE's own. Others (the C++ library's, the
/// runtime's) may be registered on a UE's context too, but belong to the process.
bool belongs_to(const Ue& ue, const void* object) noexcept {
  return process::place_of(ue, object).file != nullptr;
}

/// The C library calls its own exit() from within (err(), error(), argp): such an end of a UE arrives here.
void catch_internal_exit(int status, void*) {
  if (Ue* ue = calling_ue()) {
    ::on_exit(catch_internal_exit, nullptr);
    end_ue(*ue, status);
  }
}

} // namespace

void watch_internal_exit() {
  static const int registered = [] {
    auto* real = real_function<int(void (*)(int, void*), void*)>("on_exit");
    return real(catch_internal_exit, nullptr);
  }();
  static_cast<void>(registered);
}

void run_exit_functions_of(Ue& ue, const image::Image& image) {
  process::CLibrary& c = ue.process->c;
  for (auto* const functions : {&c.at_thread_exit, &c.at_exit}) {
    std::vector<process::ExitFunction> own;
    std::erase_if(*functions, [&](const process::ExitFunction& function) {
      const bool its = process::image_of(ue, function.object) == &image;
      if (its) own.push_back(function);
      return its;
    });
    run_backwards(own, 0);
  }
}

void end_ue(Ue& ue, int status) {
  Process& process = *ue.process;
  process.ending = true;
  process.status = status & 0xff; // as the parent of a process would see it
  run_backwards(process.c.at_thread_exit, process.status);
  run_backwards(process.c.at_exit, process.status);
  if (process.image) {
    // Each once, even where one of them calls exit().
    while (process.c.destructors_run < process.image->destructors())
      process.image->destruct(process.c.destructors_run++);
  }
  for (std::size_t i = process.libraries.size(); i-- > 0;)
    if (process.libraries[i]->constructed) destroy_library(*process.libraries[i]);
  process.c.files.reset();
  if (process.heap_check) {
    std::size_t leaks = 0;
    ue.job->report(process.heap_check->end(ue.job->process_options().check_leaks, leaks));
    ue.job->found(leaks);
  }
  run::leave_ue(ue);
}

} // namespace rcce::libc

using namespace rcce;
using namespace rcce::libc;

extern "C" {

void exit(int status) noexcept {
  if (Ue* ue = calling_ue()) end_ue(*ue, status);
  library_function<"exit", decltype(exit)>()(status);
  __builtin_unreachable();
}

void _exit(int status) {
  if (Ue* ue = calling_ue()) {
    ue->process->status = status & 0xff;
    run::leave_ue(*ue);
  }
  library_function<"_exit", decltype(_exit)>()(status);
  __builtin_unreachable();
}

void _Exit(int status) noexcept {
  _exit(status);
}

void quick_exit(int status) noexcept {
  if (Ue* ue = calling_ue()) {
    run_backwards(ue->process->c.at_quick_exit, status);
    _exit(status);
  }
  library_function<"quick_exit", decltype(quick_exit)>()(status);
  __builtin_unreachable();
}

void pthread_exit(void* value) {
  // The end of a process's first thread ends the process once no other is left, and a UE has no other.
  if (Ue* ue = calling_ue()) end_ue(*ue, 0);
  library_function<"pthread_exit", decltype(pthread_exit)>()(value);
  __builtin_unreachable();
}

void abort() noexcept {
  if (Ue* ue = calling_ue()) {
    run::unblock(*ue, SIGABRT);
    run::raise_in_ue(*ue, SIGABRT);
  }
  library_function<"abort", decltype(abort)>()();
  __builtin_unreachable();
}

void __assert_fail(const char* assertion, const char* file, unsigned line, const char* function) noexcept {
  if (Ue* ue = calling_ue()) {
    // Word for word what the C library prints.
    const std::string text =
        fmt::format("{}: {}:{}: {}{}Assertion `{}' failed.\n", program_invocation_short_name, file, line,
                    function == nullptr ? "" : function, function == nullptr ? "" : ": ", assertion);
    ue->process->c.output->write(*ue, 2, text);
    abort();
  }
  library_function<"__assert_fail", void(const char*, const char*, unsigned, const char*)>()(assertion, file,
                                                                                             line, function);
  __builtin_unreachable();
}

int __cxa_atexit(void (*function)(void*), void* argument, void* dso) noexcept {
  if (Ue* ue = calling_ue(); ue != nullptr && belongs_to(*ue, dso)) {
    ue->process->c.at_exit.push_back({function, argument, nullptr, dso});
    return 0;
  }
  return library_function<"__cxa_atexit", int(void (*)(void*), void*, void*)>()(function, argument, dso);
}

int __cxa_thread_atexit_impl(void (*function)(void*), void* argument, void* dso) noexcept {
  if (Ue* ue = calling_ue(); ue != nullptr && belongs_to(*ue, dso)) {
    ue->process->c.at_thread_exit.push_back({function, argument, nullptr, dso});
    return 0;
  }
  return library_function<"__cxa_thread_atexit_impl", int(void (*)(void*), void*, void*)>()(function,
                                                                                            argument, dso);
}

int __cxa_thread_atexit(void (*function)(void*), void* argument, void* dso) noexcept {
  return __cxa_thread_atexit_impl(function, argument, dso);
}

int __cxa_at_quick_exit(void (*function)(void*), void* dso) noexcept {
  if (Ue* ue = calling_ue(); ue != nullptr && belongs_to(*ue, dso)) {
    ue->process->c.at_quick_exit.push_back({function, nullptr, nullptr, dso});
    return 0;
  }
  return library_function<"__cxa_at_quick_exit", int(void (*)(void*), void*)>()(function, dso);
}

int on_exit(void (*function)(int, void*), void* argument) noexcept {
  if (Ue* ue = calling_ue(); ue != nullptr && belongs_to(*ue, reinterpret_cast<const void*>(function))) {
    ue->process->c.at_exit.push_back({nullptr, argument, function, reinterpret_cast<const void*>(function)});
    return 0;
  }
  return library_function<"on_exit", decltype(on_exit)>()(function, argument);
}

} // extern "C"
