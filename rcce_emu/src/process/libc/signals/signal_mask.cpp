// SPDX-License-Identifier: Apache-2.0
// The mask of signals of a UE, which sigsetjmp() keeps and siglongjmp() brings back. The thread's own mask is
// left alone: see process/run/own_signals.hpp.
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/signalfd.h>

#include "process/libc/exports.hpp"
#include "process/run/own_signals.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

/// Places of sigsetjmp()'s mask and of a mark of its owner, behind the word that the C library uses of the
/// mask.
constexpr std::size_t mark_word = 1, mask_word = 2;
constexpr std::uint64_t mark = 0x726f636b63726565;

std::uint64_t mark_of(const __jmp_buf_tag* buffer) noexcept {
  return mark ^ reinterpret_cast<std::uintptr_t>(buffer);
}

void bring_mask_back(const __jmp_buf_tag* buffer) noexcept {
  Ue* ue = current_ue();
  if (ue == nullptr || buffer->__mask_was_saved == 0) return;
  const auto& words = buffer->__saved_mask.__val;
  if (words[mark_word] != mark_of(buffer) || (!ue->process->c.signals && words[mask_word] == 0)) return;
  sigset_t saved;
  sigemptyset(&saved);
  saved.__val[0] = words[mask_word];
  run::set_blocked(*ue, saved); // what has waited for it comes before the jump, as the kernel has it
}

/// One of the C library's jumps.
template <host::Symbol name>
[[noreturn]] void jump(__jmp_buf_tag* buffer, int value) {
  bring_mask_back(buffer);
  library_function<name, void(__jmp_buf_tag*, int)>()(buffer, value);
  __builtin_unreachable();
}

int change_mask(Ue& ue, int how, const sigset_t* change, sigset_t* before) {
  const sigset_t old = ue.process->c.signals ? ue.process->c.signals->blocked : sigset_t{};
  if (change != nullptr) {
    sigset_t wanted = *change;
    if (how == SIG_BLOCK) {
      sigorset(&wanted, &old, change);
    } else if (how == SIG_UNBLOCK) {
      wanted = old;
      for (int signal = 1; signal <= process::Signals::highest; ++signal)
        if (sigismember(change, signal) == 1) sigdelset(&wanted, signal);
    } else if (how != SIG_SETMASK) {
      return EINVAL;
    }
    if (before != nullptr) *before = old; // a handler that is called now may look at it
    run::set_blocked(ue, wanted);
  }
  if (before != nullptr) *before = old;
  return 0;
}

} // namespace

extern "C" {

int pthread_sigmask(int how, const sigset_t* change, sigset_t* before) noexcept {
  if (Ue* ue = calling_ue()) return change_mask(*ue, how, change, before);
  return library_function<"pthread_sigmask", decltype(pthread_sigmask)>()(how, change, before);
}

int sigprocmask(int how, const sigset_t* change, sigset_t* before) noexcept {
  if (Ue* ue = calling_ue()) {
    const int error = change_mask(*ue, how, change, before);
    if (error != 0) errno = error;
    return error == 0 ? 0 : -1;
  }
  return library_function<"sigprocmask", decltype(sigprocmask)>()(how, change, before);
}

int sigpending(sigset_t* result) noexcept {
  static auto* const real = real_function<int(sigset_t*)>("sigpending");
  Ue* ue = calling_ue();
  if (ue == nullptr) return real(result);
  sigset_t outside;
  sigset_t pending{};
  if (ue->process->c.signals) pending = ue->process->c.signals->pending;
  if (real(&outside) == 0)
    for (int signal = 1; signal <= process::Signals::highest; ++signal)
      if (sigismember(&outside, signal) == 1 && run::comes_from_outside(signal) && run::blocks(*ue, signal))
        sigaddset(&pending, signal);
  *result = pending;
  return 0;
}

int signalfd(int descriptor, const sigset_t* mask, int flags) noexcept {
  if (Ue* ue = calling_ue())
    return refuse(*ue, "signalfd",
                  "because a UE's signals are its own and not the process's; wait by sigwaitinfo()");
  return library_function<"signalfd", decltype(signalfd)>()(descriptor, mask, flags);
}

/// Returns what the call is to go on with.
void* rockcreek_note_mask(__jmp_buf_tag* buffer) noexcept __asm__("rockcreek_note_mask");
void* rockcreek_note_mask(__jmp_buf_tag* buffer) noexcept {
  static void* const real = dlsym(RTLD_NEXT, "__sigsetjmp");
  if (const Ue* ue = current_ue(); ue != nullptr && ue->process) {
    buffer->__saved_mask.__val[mark_word] = mark_of(buffer);
    buffer->__saved_mask.__val[mask_word] =
        ue->process->c.signals ? ue->process->c.signals->blocked.__val[0] : 0;
  }
  return real;
}

void siglongjmp(__jmp_buf_tag* buffer, int value) noexcept(false) {
  jump<"siglongjmp">(buffer, value);
}
void longjmp(__jmp_buf_tag* buffer, int value) noexcept(false) {
  jump<"longjmp">(buffer, value);
}
void _longjmp(__jmp_buf_tag* buffer, int value) noexcept(false) {
  jump<"_longjmp">(buffer, value);
}
void __longjmp_chk(__jmp_buf_tag* buffer, int value) {
  jump<"__longjmp_chk">(buffer, value);
}

} // extern "C"

// It returns twice, to where it was called: in front of it there may be no frame.
__asm__(".text\n"
        ".globl __sigsetjmp\n"
        ".type __sigsetjmp, @function\n"
        "__sigsetjmp:\n"
        "  endbr64\n"
        "  testl %esi, %esi\n"
        "  je 1f\n"
        "  pushq %rdi\n"
        "  pushq %rsi\n"
        "  subq $8, %rsp\n"
        "  call rockcreek_note_mask\n"
        "  addq $8, %rsp\n"
        "  popq %rsi\n"
        "  popq %rdi\n"
        "  jmp *%rax\n"
        "1: jmp _setjmp@PLT\n" // the same without a mask
        ".size __sigsetjmp, .-__sigsetjmp\n");
