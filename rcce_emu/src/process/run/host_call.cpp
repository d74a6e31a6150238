// SPDX-License-Identifier: Apache-2.0
#include "process/run/host_call.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <sys/syscall.h>
#include <system_error>

#include "engine/host/signal_context.hpp"
#include "engine/host/symbols.hpp"
#include "process/process.hpp"
#include "process/run/faults.hpp"
#include "process/run/last_words.hpp"
#include "process/run/output.hpp"

namespace rcce::run {
namespace {

struct CallName {
  long number;
  const char* name;
};
/// Calls of the system that may take for ever, under the names that programs know.
constexpr CallName call_names[] = {
    {SYS_read, "read"},
    {SYS_pread64, "pread"},
    {SYS_readv, "readv"},
    {SYS_write, "write"},
    {SYS_writev, "writev"},
    {SYS_open, "open"},
    {SYS_openat, "open"},
    {SYS_close, "close"},
    {SYS_poll, "poll"},
    {SYS_ppoll, "ppoll"},
    {SYS_select, "select"},
    {SYS_pselect6, "pselect"},
    {SYS_flock, "flock"},
    {SYS_fcntl, "fcntl"},
    {SYS_wait4, "waitpid"},
    {SYS_waitid, "waitid"},
    {SYS_accept, "accept"},
    {SYS_accept4, "accept"},
    {SYS_connect, "connect"},
    {SYS_recvfrom, "recv"},
    {SYS_recvmsg, "recvmsg"},
    {SYS_sendto, "send"},
    {SYS_sendmsg, "sendmsg"},
    {SYS_pause, "pause"},
    {SYS_epoll_wait, "epoll_wait"},
};

std::atomic<bool> left{false};

/// The system call that the context was asleep in; nothing where it was in none. `caller` is left out.
std::optional<process::HostCall> sleeping_call(const ucontext_t& context) noexcept {
  const auto is_call = [](const unsigned char* at) { return at[0] == 0x0f && at[1] == 0x05; }; // syscall
  const auto* pc = static_cast<const unsigned char*>(host::program_counter(context));
  process::HostCall call;
  call.number = static_cast<long>(context.uc_mcontext.gregs[REG_RAX]);
  call.argument = static_cast<long>(context.uc_mcontext.gregs[REG_RDI]);
  if (is_call(pc)) return call; // to be made once more after the handler
  if (call.number != -EINTR || !is_call(pc - 2)) return {};
  call.broken_off = true;
  call.number = -1;
  std::int32_t number = 0;
  std::memcpy(&number, pc - 6, sizeof number);
  if (pc[-7] == 0xb8) call.number = number; // mov $number, %eax
  return call;
}

/// True if an address lies in the runtime's own code.
bool in_runtime(const void* address) noexcept {
  Dl_info own{}, there{};
  return dladdr(reinterpret_cast<const void*>(&was_call_left), &own) != 0 && dladdr(address, &there) != 0 &&
      own.dli_fbase == there.dli_fbase;
}

/// True if a call's first argument is a descriptor.
bool is_of_descriptor(long number) noexcept {
  constexpr long calls[] = {SYS_read,     SYS_pread64, SYS_readv,  SYS_write,   SYS_writev,
                            SYS_flock,    SYS_fcntl,   SYS_accept, SYS_accept4, SYS_connect,
                            SYS_recvfrom, SYS_recvmsg, SYS_sendto, SYS_sendmsg, SYS_epoll_wait};
  return std::ranges::find(calls, number) != std::end(calls);
}

std::string_view system_name(long number) noexcept {
  const auto* found = std::ranges::find(call_names, number, &CallName::number);
  return found == std::end(call_names) ? std::string_view{} : found->name;
}

/// The name of the function that holds an address, as programs write it; "" where it has none, or one of the
/// C library's own.
std::string function_name(const void* address) {
  Dl_info found{};
  if (address == nullptr || dladdr(address, &found) == 0 || found.dli_sname == nullptr) return {};
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(found.dli_sname, nullptr, nullptr, &status), &std::free);
  if (status == 0) return std::string_view(plain.get()).starts_with("rcce::") ? "" : plain.get();
  std::string_view name = found.dli_sname;
  for (const std::string_view prefix : {"__isoc99_", "__isoc23_", "__libc_", "__"})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  if (name.ends_with("64")) name.remove_suffix(2);
  if (name.starts_with('_')) return {};
  return name == "wait4" ? "waitpid()" : fmt::format("{}()", name);
}

} // namespace

process::HostCall interrupted_call(const Ue& ue, const ucontext_t& context) noexcept {
  std::optional<process::HostCall> call = sleeping_call(context);
  if (!call || is_crash_told() || ue.process->c.output->writing()) return {};
  std::array<const void*, 64> frames;
  const std::size_t count = interrupted_frames(context, frames);
  // The runtime's own waits stop by themselves. The number of one that was broken off is lost in syscall().
  const bool of_runtime =
      (call->number == SYS_futex || call->number < 0) && ue.process->awaited.name == nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    if (process::place_of(ue, frames[i]).file != nullptr) {
      call->caller = frames[i];
      call->function = i > 0 ? frames[i - 1] : nullptr;
      return *call;
    }
    if (of_runtime && in_runtime(frames[i])) return {};
  }
  return {};
}

void note_left_call(Ue& ue, const process::HostCall& call) noexcept {
  ue.process->left_call = call;
  left = true;
}

bool was_call_left() noexcept {
  return left;
}

void make_again(ucontext_t& context) noexcept {
  constexpr greg_t call_bytes = 7; // mov $number, %eax; syscall
  const std::optional<process::HostCall> call = sleeping_call(context);
  if (call && call->broken_off && call->number >= 0) context.uc_mcontext.gregs[REG_RIP] -= call_bytes;
}

void end_children(const std::string& process) {
  std::error_code ignored;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + process + "/task", ignored)) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;) {
      end_children(std::to_string(child));
      ::kill(child, SIGTERM);
    }
  }
}

std::string call_text(const Ue& ue, const process::HostCall& call) {
  const std::string function = function_name(call.function);
  const std::string_view system = system_name(call.number);
  std::string text = function;
  if (function.empty())
    text = call.number == SYS_futex ? "a wait for a lock or semaphore"
        : system.empty()            ? "a call of the host"
                                    : fmt::format("{}()", system);
  else if (!system.empty() && function.find(system) == std::string::npos &&
           system.find(function.substr(0, function.find('('))) == std::string_view::npos)
    text = fmt::format("{}() called by {}", system, function);
  if (is_of_descriptor(call.number)) text += fmt::format(" of descriptor {}", call.argument);
  if (const process::CodeLocation place = process::place_of(ue, call.caller); place.file != nullptr)
    text += ", " + host::describe_offsets(*place.file, {place.offset}).front();
  return text;
}

std::string call_text(const Ue& ue, const process::AwaitedCall& call) {
  std::string text = call.name;
  if (call.descriptor >= 0) text += fmt::format(" of descriptor {}", call.descriptor);
  if (const process::CodeLocation place = process::place_of(ue, call.caller); place.file != nullptr)
    text += ", " + host::describe_offsets(*place.file, {place.offset - 1}).front();
  return text;
}

} // namespace rcce::run
