// SPDX-License-Identifier: Apache-2.0
#include "process/run/fault_text.hpp"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>

#include "engine/host/symbols.hpp"
#include "process/heap/heap.hpp"
#include "process/heap_check.hpp"
#include "process/process.hpp"
#include "process/run/report.hpp"

namespace rcce::run {
namespace {

/// Places of the program that a report names, innermost first.
constexpr std::size_t told_places = 8;
/// A fault this near below a stack's low end is its overflow, where its guard is not wider.
constexpr std::uintptr_t overflow_reach = 1 << 20;
/// ... if the stack is full but for this much: else another pointer has gone astray.
constexpr std::uintptr_t left_at_overflow = 1 << 20;
/// The largest frame that is taken for one: a stack pointer further below belongs to something else.
constexpr std::uintptr_t largest_frame = std::uintptr_t{4} << 30;
/// An access may be this far below the stack pointer: a call, a page that is probed, the red zone.
constexpr std::uintptr_t below_stack_pointer = 4096;

/// True if the access went below the stack's low end: by little, into its guard, or into a frame that has
/// jumped over both.
bool overflows(const Ue& ue, const Facts& facts) {
  const std::byte* const low = ue.engine->stack(ue.core->id()).first;
  const auto bottom = reinterpret_cast<std::uintptr_t>(low);
  if (low == nullptr || facts.address == 0 || facts.address >= bottom) return false;
  const std::uintptr_t reach = std::max<std::uintptr_t>(overflow_reach, ue.engine->guard_bytes());
  if (facts.address >= bottom - reach && facts.stack_pointer < bottom + left_at_overflow) return true;
  return facts.stack_pointer >= bottom - largest_frame &&
      facts.address >= facts.stack_pointer - below_stack_pointer;
}

std::string behind_shared_memory(const Ue& ue, const Facts& facts) {
  constexpr std::uintptr_t reach = std::uintptr_t{1} << 30;
  const std::size_t bytes = ue.engine->shared_memory_bytes();
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(ue.engine->shared_memory()) + bytes;
  if (facts.address < end || facts.address - end >= reach)
    return facts.code == SEGV_ACCERR ? ", where that is not allowed" : "";
  constexpr std::size_t megabyte = 1 << 20;
  return fmt::format(
      ", {} bytes behind the {} of shared memory; --shared-memory enlarges it", facts.address - end + 1,
      bytes % megabyte == 0 ? fmt::format("{} MB", bytes / megabyte) : fmt::format("{} KB", bytes >> 10));
}

std::string describe_access(const Ue& ue, const Facts& facts) {
  if (overflows(ue, facts)) {
    const auto [low, high] = ue.engine->stack(ue.core->id());
    return fmt::format("stack overflow: its stack has {} KB; --stack-size gives it more",
                       static_cast<std::size_t>(high - low) / 1024);
  }
  if (facts.pc == nullptr && facts.address == 0) return "call of address 0x0, a null function pointer";
  if (reinterpret_cast<std::uintptr_t>(facts.pc) == facts.address)
    return fmt::format("segmentation fault: jump to address {:#x}, which holds no code", facts.address);
  if (facts.code == SI_KERNEL) return "segmentation fault: access to an address that no processor can have";
  if (ue.process->heap_check)
    if (const std::string freed = ue.process->heap_check->freed_text(facts.address); !freed.empty())
      return fmt::format("heap: {} {}", facts.write ? "write to" : "read of", freed);
  return fmt::format("segmentation fault: {} address {:#x}{}", facts.write ? "write to" : "read of",
                     facts.address,
                     facts.address < 65536 ? ", a null pointer" : behind_shared_memory(ue, facts));
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

/// Leaves out where abort() was called in templates of the C++ library that the program's own code has
/// called: a check of theirs, or a throw.
void drop_library(std::vector<std::string>& places) {
  const auto in_library = [](const std::string& place) {
    return place.starts_with("std::") || place.starts_with("__gnu_cxx::");
  };
  const auto own = std::ranges::find_if_not(places, in_library);
  if (own != places.end()) places.erase(places.begin(), own);
}

} // namespace

/// An allocation that fails is the program's to notice; most notice it by an exception or by a null pointer.
std::string describe(const Ue& ue, const Facts& facts) {
  const heap::Heap& heap = *ue.process->heap;
  return describe_signal(ue, facts) +
      (heap.was_full()
           ? fmt::format("; an allocation has failed before: its heap has {} KB, --heap-size gives it more",
                         heap.bytes() / 1024)
           : "");
}

std::vector<std::string> places(const Ue& ue, const Facts& facts) {
  std::vector<process::CodeLocation> found;
  for (std::size_t i = 0; i < facts.frame_count && found.size() < 2 * told_places; ++i)
    if (const process::CodeLocation place = process::place_of(ue, facts.frames[i]); place.file != nullptr)
      found.push_back(place);
  if (found.empty()) return {};
  std::vector<std::string> told = process::describe(found);
  if (facts.signal == SIGABRT) drop_library(told);
  if (told.size() > told_places) told.resize(told_places);
  return told;
}

} // namespace rcce::run
