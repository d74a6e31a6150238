// SPDX-License-Identifier: Apache-2.0
#include "process/run/faults.hpp"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#include "engine/host/signal_context.hpp"
#include "engine/ue/job_state.hpp"
#include "process/heap_check.hpp"
#include "process/process.hpp"
#include "process/run/ending.hpp"
#include "process/run/fault_text.hpp"
#include "process/run/last_words.hpp"
#include "process/run/own_signals.hpp"
#include "process/run/run_view.hpp"
#include "rcce_emu/process_options.hpp"
#include "rcce_emu/statuses.hpp"

extern "C" void __asan_init() __attribute__((weak));

namespace rcce::run {
namespace {

constexpr std::array caught_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::size_t alternate_stack_bytes = 64 * 1024;

_Unwind_Reason_Code note_frame(_Unwind_Context* context, void* argument) {
  auto& facts = *static_cast<Facts*>(argument);
  if (facts.frame_count == facts.frames.size()) return _URC_END_OF_STACK;
  int before_instruction = 0;
  const std::uintptr_t pc = _Unwind_GetIPInfo(context, &before_instruction);
  // A return address may be the first instruction of the next function: look one byte in front of it.
  facts.frames[facts.frame_count++] = reinterpret_cast<const void*>(before_instruction != 0 ? pc : pc - 1);
  return _URC_NO_REASON;
}

/// The calling thread makes a report: a fault now is the report's own.
thread_local bool reporting = false;
/// The signal that the calling thread's fault handler works on; 0 while the thread runs code of the program.
thread_local volatile int handled_signal = 0;

/// Tells what happened, then ends the run, or the UE. On the UE's context, in ordinary code.
[[noreturn]] void end_by_crash(Ue& ue, const Facts& facts) {
  process::Process& process = *ue.process;
  const bool ends_run = !ue.job->process_options().keep_going_after_crash;
  reporting = true;
  const bool is_first = note_crash(ue, facts.signal);
  const std::string text =
      crash_text({view_ue(ue), describe(ue, facts), places(ue, facts), facts.signal, ends_run});
  ue.job->report(text);
  reporting = false;
  if (is_first && ends_run)
    note_report(text);
  else if (is_first)
    report_was_shown();
  process.ending = true;
  process.signal = facts.signal;
  process.status = status_signal + facts.signal;
  if (!ends_run) leave_ue(ue);
  process.ended = true;
  process.end = ue.core->now();
  ue.job->stop(process.status);
  std::abort(); // a stopped run does not continue a context
}

std::mutex installation;
int installed_guards = 0;
std::array<struct sigaction, 65> previous;
struct sigaction previous_pipe;

} // namespace

struct FaultGuard::Thread {
  std::array<std::byte, alternate_stack_bytes> stack;
  stack_t previous_stack{};
  Facts facts;
  sigjmp_buf unwinding_failed;
  volatile bool unwinding = false;

  [[nodiscard]] bool on_stack(std::uintptr_t address) const noexcept {
    const auto low = reinterpret_cast<std::uintptr_t>(stack.data());
    return address >= low && address < low + stack.size();
  }
};

void FaultGuard::Unmap::operator()(Thread* thread) const noexcept {
  thread->~Thread();
  munmap(thread, sizeof *thread);
}

struct FaultHandler {
  static thread_local FaultGuard::Thread* thread;

  static void handle(int signal, siginfo_t* info, void* context_pointer) {
    auto& context = *static_cast<ucontext_t*>(context_pointer);
    if (thread != nullptr && thread->unwinding) siglongjmp(thread->unwinding_failed, 1);
    if (handled_signal != 0) end_without_report(handled_signal);
    handled_signal = signal;
    handle_in(signal, info, context);
    handled_signal = 0;
  }

  static void handle_in(int signal, siginfo_t* info, ucontext_t& context) {
    Ue* ue = thread == nullptr ? nullptr : process::calling_ue();
    if (ue == nullptr || reporting) {
      end_by_last_words();
      const struct sigaction& before = previous[static_cast<std::size_t>(signal)];
      // A thread of UEs, none of which can be found, and nobody else who would tell.
      const bool own = info->si_code > 0 || info->si_pid == getpid();
      if (thread != nullptr && own && before.sa_handler == SIG_DFL) end_without_report(signal);
      // Not ours: as before. A fault happens again on return; a signal that was sent has to be sent again.
      sigaction(signal, &before, nullptr);
      if (info->si_code <= 0) static_cast<void>(::kill(getpid(), signal));
      return;
    }
    if (signal == SIGILL && info->si_code > 0 && ue->library != nullptr &&
        host::passes_invalidation(context)) {
      ue->count_call();
      ue->library->drops_lines();
      return passed(*ue);
    }
    // An address that no processor can have is another fault to it where the register of stack frames held
    // it, which is the compiler's choice.
    if (signal == SIGBUS && info->si_code == SI_KERNEL) signal = SIGSEGV;
    // Not for a crash of the program's own handler, which runs on the same stack as this, nor where the UE
    // blocks the signal: then a fault is the end of a process too.
    // Nor for what --check heap looks for, which a handler could pass over in silence.
    const bool uses_freed = info->si_code > 0 && ue->process->heap_check != nullptr &&
        ue->process->heap_check->is_freed(reinterpret_cast<std::uintptr_t>(info->si_addr));
    if (has_handler(*ue, signal) && !uses_freed && !blocks(*ue, signal) &&
        !thread->on_stack(host::stack_pointer(context))) {
      handled_signal = 0;
      run_handler(*ue, signal, info, &context);
      handled_signal = signal;
      // The C library's abort() would end the process now.
      if (signal != SIGABRT) return;
    }
    Facts& facts = thread->facts;
    facts = {};
    facts.signal = signal;
    facts.code = info->si_code;
    facts.by_fault = info->si_code > 0;
    facts.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    facts.pc = host::program_counter(context);
    facts.stack_pointer = host::stack_pointer(context);
    facts.write = host::was_write(context);
    facts.freed_address =
        ue->job->process_options().check_heap && host::holds_byte(context, process::HeapCheck::freed_byte);
    collect_frames(facts, context);
    // Onwards in ordinary code, at the top of the core's own stack: nothing on it is needed any more.
    host::continue_in(context, &continue_after_fault, ue,
                      reinterpret_cast<std::uintptr_t>(ue->engine->stack(ue->core->id()).second));
  }

  static void collect_frames(Facts& facts, const ucontext_t& context) {
    thread->unwinding = true;
    if (sigsetjmp(thread->unwinding_failed, 1) == 0) {
      // After a call through a wild pointer the return address is all there is.
      if (reinterpret_cast<std::uintptr_t>(facts.pc) == facts.address && facts.by_fault) {
        std::uintptr_t back = 0;
        std::memcpy(&back, reinterpret_cast<const void*>(host::stack_pointer(context)), sizeof back);
        facts.frames[facts.frame_count++] = reinterpret_cast<const void*>(back - 1);
      }
      _Unwind_Backtrace(note_frame, &facts);
    }
    thread->unwinding = false;
  }

  static void continue_after_fault(void* ue) { end_by_crash(*static_cast<Ue*>(ue), thread->facts); }
};

thread_local FaultGuard::Thread* FaultHandler::thread = nullptr;

std::size_t interrupted_frames(const ucontext_t& context, std::span<const void*> frames) noexcept {
  if (FaultHandler::thread == nullptr) return 0;
  Facts& facts = FaultHandler::thread->facts;
  facts = {};
  FaultHandler::collect_frames(facts, context);
  const auto all = std::span(facts.frames).first(facts.frame_count);
  // The handler's own come first.
  const auto first = std::ranges::find(all, host::program_counter(context));
  const auto count = std::min(frames.size(), static_cast<std::size_t>(all.end() - first));
  std::copy_n(first, count, frames.begin());
  return count;
}

FaultGuard::FaultGuard() {
  // Where the program's wild stores hardly reach it, away from the heap.
  void* memory = mmap(nullptr, sizeof(Thread), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  thread_.reset(new (memory) Thread);
  stack_t alternate{};
  alternate.ss_sp = thread_->stack.data();
  alternate.ss_size = thread_->stack.size();
  sigaltstack(&alternate, &thread_->previous_stack);
  FaultHandler::thread = thread_.get();
  const std::lock_guard lock(installation);
  if (installed_guards++ > 0) return;
  // A reader of the output that goes away is told by an error number, see Output. Not SIG_IGN, which programs
  // that a UE starts would inherit.
  struct sigaction pipe {};
  pipe.sa_handler = [](int) {};
  pipe.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(SIGPIPE, nullptr, &previous_pipe);
  if (previous_pipe.sa_handler == SIG_DFL) sigaction(SIGPIPE, &pipe, nullptr);
  // The address sanitizer's own report of a fault says more.
  if (__asan_init != nullptr) return;
  struct sigaction action {};
  action.sa_sigaction = &FaultHandler::handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  report_was_shown();
  for (const int signal : caught_signals) {
    struct sigaction before {};
    sigaction(signal, &action, &before);
    if (before.sa_sigaction != &FaultHandler::handle) previous[static_cast<std::size_t>(signal)] = before;
  }
}

FaultGuard::~FaultGuard() {
  {
    const std::lock_guard lock(installation);
    if (--installed_guards == 0) {
      sigaction(SIGPIPE, &previous_pipe, nullptr);
      // What the crash has destroyed may still be met on the way to where the report is shown.
      if (__asan_init == nullptr && !is_crash_told())
        for (const int signal : caught_signals)
          sigaction(signal, &previous[static_cast<std::size_t>(signal)], nullptr);
    }
  }
  FaultHandler::thread = nullptr;
  sigaltstack(&thread_->previous_stack, nullptr);
}

void crash_ue(Ue& ue, int signal) {
  Facts facts;
  facts.signal = signal;
  _Unwind_Backtrace(note_frame, &facts);
  end_by_crash(ue, facts);
}

void abort_ue(Ue& ue, std::string reason) {
  ue.process->abort_reason = std::move(reason);
  ::abort();
}

} // namespace rcce::run
