#include "run/faults.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#include "heap/heap.hpp"
#include "host/clock.hpp"
#include "host/signal_context.hpp"
#include "host/symbols.hpp"
#include "image/image.hpp"
#include "job_state.hpp"
#include "process/heap_check.hpp"
#include "process/process.hpp"
#include "run/ending.hpp"
#include "run/run_view.hpp"
#include "run/watchdog.hpp"

extern "C" void __asan_init() __attribute__((weak));

namespace rcce::run {
namespace {

constexpr std::array caught_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::size_t alternate_stack_bytes = 64 * 1024;
/// Places of the program that a report names, innermost first.
constexpr std::size_t told_places = 8;
/// A fault this near below a stack's low end is its overflow, where its guard is not wider.
constexpr std::uintptr_t overflow_reach = 1 << 20;
/// The largest frame that is taken for one: a stack pointer further below belongs to something else.
constexpr std::uintptr_t largest_frame = std::uintptr_t{4} << 30;
/// An access may be this far below the stack pointer: a call, a page that is probed, the red zone.
constexpr std::uintptr_t below_stack_pointer = 4096;

/// What is known when the fault is caught.
struct Facts {
  int signal = 0;
  int code = 0;
  std::uintptr_t address = 0;
  std::uintptr_t stack_pointer = 0;
  bool write = false;
  bool by_fault = false;      ///< by the processor, not by a call
  bool freed_address = false; ///< a register holds an address that --check heap has left in freed memory
  const void* pc = nullptr;
  std::array<const void*, 64> frames{}; ///< return addresses and `pc`, innermost first
  std::size_t frame_count = 0;
};

_Unwind_Reason_Code note_frame(_Unwind_Context* context, void* argument) {
  auto& facts = *static_cast<Facts*>(argument);
  if (facts.frame_count == facts.frames.size()) return _URC_END_OF_STACK;
  int before_instruction = 0;
  const std::uintptr_t pc = _Unwind_GetIPInfo(context, &before_instruction);
  // A return address may be the first instruction of the next function: look one byte in front of it.
  facts.frames[facts.frame_count++] = reinterpret_cast<const void*>(before_instruction != 0 ? pc : pc - 1);
  return _URC_NO_REASON;
}

/// Whether the access went below the stack's low end: by little, into its guard, or into a frame that has
/// jumped over both.
bool overflows(const Ue& ue, const Facts& facts) {
  const std::byte* const low = ue.engine->stack(ue.core->id()).first;
  const auto bottom = reinterpret_cast<std::uintptr_t>(low);
  if (low == nullptr || facts.address == 0 || facts.address >= bottom) return false;
  const std::uintptr_t reach = std::max<std::uintptr_t>(overflow_reach, ue.engine->guard_bytes());
  if (facts.address >= bottom - reach) return true;
  return facts.stack_pointer >= bottom - largest_frame &&
      facts.address >= facts.stack_pointer - below_stack_pointer;
}

std::string describe_access(const Ue& ue, const Facts& facts) {
  if (overflows(ue, facts)) {
    const auto [low, high] = ue.engine->stack(ue.core->id());
    return fmt::format("stack overflow: its stack has {} KB; --stack-size gives it more",
                       static_cast<std::size_t>(high - low) / 1024);
  }
  if (reinterpret_cast<std::uintptr_t>(facts.pc) == facts.address && facts.address < 65536)
    return fmt::format("call of address {:#x}, a null function pointer", facts.address);
  if (reinterpret_cast<std::uintptr_t>(facts.pc) == facts.address)
    return fmt::format("segmentation fault: jump to address {:#x}, which holds no code", facts.address);
  if (facts.code == SI_KERNEL) return "segmentation fault: access to an address that no processor can have";
  if (ue.process->heap_check)
    if (const std::string freed = ue.process->heap_check->freed_text(facts.address); !freed.empty())
      return fmt::format("heap: {} {}", facts.write ? "write to" : "read of", freed);
  return fmt::format("segmentation fault: {} address {:#x}{}", facts.write ? "write to" : "read of",
                     facts.address,
                     facts.address < 65536           ? ", a null pointer"
                         : facts.code == SEGV_ACCERR ? ", where that is not allowed"
                                                     : "");
}

std::string describe_segmentation_fault(const Ue& ue, const Facts& facts) {
  return describe_access(ue, facts) +
      (facts.freed_address ? "; the address comes from memory that has been freed: --check heap fills it so"
                           : "");
}

std::string describe_signal(const Ue& ue, const Facts& facts) {
  if (facts.signal == SIGABRT && !ue.process->abort_reason.empty()) return ue.process->abort_reason;
  if (facts.signal == SIGABRT) return "abort() was called, or a check of the C library failed";
  if (!facts.by_fault && facts.signal == SIGALRM)
    return fmt::format("signal {} ({}) came, which it does not handle", facts.signal,
                       signal_name(facts.signal));
  if (!facts.by_fault)
    return fmt::format("it sent itself signal {} ({})", facts.signal, signal_name(facts.signal));
  switch (facts.signal) {
  case SIGSEGV:
    return describe_segmentation_fault(ue, facts);
  case SIGFPE:
    return facts.code == FPE_INTDIV ? "division of an integer by zero, or its result does not fit"
                                    : "arithmetic error (trapped floating-point operation)";
  case SIGILL:
    return "illegal instruction";
  default:
    return fmt::format("{} at address {:#x}", signal_name(facts.signal), facts.address);
  }
}

/// An allocation that fails is the program's to notice; most notice it by an exception or by a null pointer.
std::string describe(const Ue& ue, const Facts& facts) {
  const heap::Heap& heap = *ue.process->heap;
  return describe_signal(ue, facts) +
      (heap.was_full()
           ? fmt::format("; an allocation has failed before: its heap has {} KB, --heap-size gives it more",
                         heap.bytes() / 1024)
           : "");
}

/// Leaves out where abort() was called in templates of the C++ library that the program's own code has
/// called: a check of theirs, or a throw.
void drop_library(std::vector<std::string>& places) {
  const auto in_library = [](const std::string& place) {
    return place.starts_with("std::") || place.starts_with("__gnu_cxx::");
  };
  const auto own = std::ranges::find_if_not(places, in_library);
  if (own != places.end()) places.erase(places.begin(), own);
}

/// The places of the program on the way to the fault, innermost first.
std::vector<std::string> places(const Ue& ue, const Facts& facts) {
  std::vector<std::uintptr_t> offsets;
  const std::string* file = nullptr;
  for (std::size_t i = 0; i < facts.frame_count && offsets.size() < 2 * told_places; ++i) {
    const process::Place place = process::place_of(ue, facts.frames[i]);
    if (place.file == nullptr) continue;
    file = place.file;
    offsets.push_back(place.offset);
  }
  if (file == nullptr) return {};
  std::vector<std::string> told = host::describe_offsets(*file, offsets);
  if (facts.signal == SIGABRT) drop_library(told);
  if (told.size() > told_places) told.resize(told_places);
  return told;
}

/// What is known of a crash, kept where damage to the heap does not reach it until the report has been shown.
/// Whoever takes `signal` from 0 writes the rest.
struct LastWords {
  std::atomic<int> signal{0};
  std::atomic<std::int64_t> since{0}; ///< host time; 0 once the report has been made
  std::atomic<std::size_t> length{0};
  std::array<char, 8192> text{};
};
LastWords last_words;

/// The calling thread makes a report: a fault now is the report's own.
thread_local bool reporting = false;
/// What the calling thread's fault handler is busy with; 0 while it runs code of the program.
thread_local volatile int handled_signal = 0;

/// Without the heap: the crash may have been in it, or have destroyed it.
template <class... Values>
void note_words(fmt::format_string<Values...> format, Values&&... values) noexcept {
  last_words.length = 0;
  const auto end = fmt::format_to_n(last_words.text.data(), last_words.text.size(), format,
                                    std::forward<Values>(values)...);
  last_words.length = std::min(end.size, last_words.text.size());
}

constexpr const char* no_report = "a report cannot be made: memory of the runtime is damaged";

/// The second words need what the crash may have destroyed.
void note_crash(const Ue& ue, int signal) noexcept {
  int none = 0;
  if (!last_words.signal.compare_exchange_strong(none, signal)) return;
  last_words.since = host::nanoseconds();
  Watchdog::watch_crash();
  note_words("rccerun: a UE crashed by signal {}; {}\n", signal, no_report);
  note_words("rccerun: rank {} (core {:02}) crashed by signal {}; {}\n", ue.rank, ue.core->id(), signal,
             no_report);
}

void note_report(const std::string& text) noexcept {
  note_words("{}", text);
  last_words.since = 0;
}

[[noreturn]] void end_without_report(int signal) noexcept {
  end_by_last_words();
  constexpr char text[] =
      "rccerun: a UE crashed; a report cannot be made: memory of the runtime is damaged\n";
  syscall(SYS_write, STDERR_FILENO, text, sizeof text - 1);
  syscall(SYS_exit_group, 128 + signal);
  __builtin_unreachable();
}

/// Tells what happened, then ends the run, or the UE. On the UE's context, in ordinary code.
[[noreturn]] void end_by_crash(Ue& ue, const Facts& facts) {
  process::Process& process = *ue.process;
  const bool ends_run = !ue.job->options().keep_going_after_crash;
  reporting = true;
  note_crash(ue, facts.signal);
  const std::string text =
      crash_text({view_ue(ue), describe(ue, facts), places(ue, facts), facts.signal, ends_run});
  ue.job->report(text);
  reporting = false;
  if (ends_run)
    note_report(text);
  else
    report_was_shown();
  process.ending = true;
  process.signal = facts.signal;
  process.status = 128 + facts.signal;
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

void end_by_last_words() noexcept {
  const int signal = last_words.signal;
  if (signal == 0) return;
  syscall(SYS_write, STDERR_FILENO, last_words.text.data(), last_words.length.load());
  syscall(SYS_exit_group, 128 + signal);
}

void report_was_shown() noexcept {
  last_words.signal = 0;
}

bool is_crash_told() noexcept {
  return last_words.signal != 0;
}

void check_report(std::int64_t now) noexcept {
  constexpr std::int64_t longest = 10'000'000'000; // ns; to find the places in a large program takes 1 s
  const std::int64_t since = last_words.since;
  if (last_words.signal != 0 && since != 0 && now - since > longest) end_by_last_words();
}

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
      // Not ours: as before. A fault happens again on return; a signal that was sent has to be sent again.
      sigaction(signal, &previous[static_cast<std::size_t>(signal)], nullptr);
      if (info->si_code <= 0) static_cast<void>(::kill(getpid(), signal));
      return;
    }
    // Not for a crash of the program's own handler, which runs on the same stack as this.
    if (ue->process->c.signal_actions && !thread->on_stack(host::stack_pointer(context))) {
      const struct sigaction& action = (*ue->process->c.signal_actions)[static_cast<std::size_t>(signal)];
      const bool own = (action.sa_flags & SA_SIGINFO) != 0 ||
          (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
      handled_signal = 0;
      if (own && (action.sa_flags & SA_SIGINFO) != 0)
        action.sa_sigaction(signal, info, &context);
      else if (own)
        action.sa_handler(signal);
      handled_signal = signal;
      // The C library's abort() would end the process now.
      if (own && signal != SIGABRT) return;
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
        ue->job->options().check_heap && host::holds_byte(context, process::HeapCheck::freed_byte);
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
      if (__asan_init == nullptr && last_words.signal == 0)
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

void raise_in_ue(Ue& ue, int signal) {
  struct sigaction action {};
  if (ue.process->c.signal_actions)
    action = (*ue.process->c.signal_actions)[static_cast<std::size_t>(signal)];
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    siginfo_t info{};
    info.si_signo = signal;
    info.si_code = SI_TKILL;
    action.sa_sigaction(signal, &info, nullptr);
  } else if (action.sa_handler == SIG_DFL) {
    switch (signal) {
    case SIGCHLD:
    case SIGCONT:
    case SIGURG:
    case SIGWINCH:
    case SIGSTOP: // nobody could let a stopped UE go on
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
      return;
    default:
      crash_ue(ue, signal);
    }
  } else if (action.sa_handler != SIG_IGN) {
    action.sa_handler(signal);
  }
}

} // namespace rcce::run
